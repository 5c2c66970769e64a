//! SentencePiece models (`.model` files): unigram, BPE, characters and words.
//!
//! Pieces and their numbers equal those of the Python package `sentencepiece` 0.2.2 (`encode`, `encode_as_pieces`,
//! `decode`), whatever the model's normalisation rules, byte fallback, user-defined symbols, dummy prefix or suffix. The file is read
//! by a small reader of our own; one that is truncated, foreign or contradicts itself is refused.
//!
//! | in the model or the text | here, as there |
//! |---|---|
//! | characters that no piece covers | one piece per run, as written; bytes `<0xEA>` … under byte fallback |
//! | a control symbol such as `<s>` in the text | text like any other |
//! | a user-defined symbol in the text | always a piece, not normalised |
//! | an unused piece | never comes out |
//! | an empty text, or only white space | no pieces |
//!
//! A unigram model is searched by Viterbi's algorithm, linear in the text; BPE joins pairs from a queue. Needs the feature
//! `sentencepiece`, which brings no dependency. The row is `subword:FILE.model`.
//!
//! ```no_run
//! use ko_eval_core::Tokenizer;
//! use ko_tokenize::sentencepiece::SentencePiece;
//!
//! let model = SentencePiece::from_file("ko.model")?;
//! let units = model.tokenize("나는 밥을 먹었다")?;
//! assert_eq!(units[0].as_str(), "▁나는");
//! let ids = model.encode("나는 밥을 먹었다")?;
//! assert_eq!(model.decode(&ids)?, "나는 밥을 먹었다");
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

mod bpe;
mod charsmap;
mod decode;
mod error;
mod model;
mod normalizer;
mod proto;
mod trie;
mod unigram;
mod wire;

pub use error::SentencePieceError;
pub use proto::Kind;

use crate::{
    Normalization, normalize,
    subword::{Unknown, unknown::UNKNOWN},
};
use ko_eval_core::{Fingerprint, Pieces, Result, Signature, Signed, Token, Tokenizer};
use model::{Found, Model};
use normalizer::Normalized;
use std::{cell::Cell, fmt, fs, path::Path, sync::Arc};

/// Cuts into the pieces of a SentencePiece model.
///
/// ```no_run
/// use ko_tokenize::{prelude::*, sentencepiece::SentencePiece};
///
/// let model = SentencePiece::from_file("ko.model")?;
/// let units = model.tokenize("나는 밥을 먹었다")?;
/// assert_eq!(units[0], "▁나는"); // it depends on the model
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Clone)]
pub struct SentencePiece {
    model: Arc<Model>,
    /// Begins the SHA-256 of the file.
    checksum: String,
    unknown: Unknown,
    norm: Normalization,
}

impl fmt::Debug for SentencePiece {
    /// Without the vocabulary.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SentencePiece").field(&self.signature().to_string()).finish()
    }
}

impl SentencePiece {
    /// Reads a model file.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io), [`SentencePieceError::Foreign`] or [`SentencePieceError::Unusable`].
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, crate::Error> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(crate::Error::io(path))?;
        Ok(Self::from_bytes(&path.display().to_string(), &bytes)?)
    }

    /// Reads the bytes of such a file; `name` is for errors.
    ///
    /// # Errors
    /// [`SentencePieceError::Foreign`] or [`SentencePieceError::Unusable`].
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, SentencePieceError> {
        let model = Arc::new(Model::read(name, bytes)?);
        let checksum = Fingerprint::new().bytes(bytes).digits(12);
        Ok(Self { model, checksum, unknown: Unknown::default(), norm: Normalization::NONE })
    }

    /// The same with another fate of unknown text.
    #[must_use]
    pub fn unknown(self, unknown: Unknown) -> Self {
        Self { unknown, ..self }
    }

    /// The same with a normalisation before the model's own; by default there is none.
    #[must_use]
    pub fn normalization(self, norm: Normalization) -> Self {
        Self { norm, ..self }
    }

    /// How pieces are found.
    pub fn kind(&self) -> Kind {
        self.model.kind()
    }

    /// How many pieces the vocabulary has, control symbols included.
    pub fn vocabulary_size(&self) -> usize {
        self.model.len()
    }

    /// The number of the piece that stands for what the vocabulary lacks.
    pub fn unknown_id(&self) -> u32 {
        self.model.unknown()
    }

    /// A piece by its number.
    pub fn piece(&self, id: u32) -> Option<&str> {
        self.model.piece(id)
    }

    /// The number of a piece, control symbols included.
    pub fn id(&self, piece: &str) -> Option<u32> {
        self.model.id(piece)
    }

    /// The numbers of a text's pieces.
    ///
    /// # Errors
    /// [`ko_eval_core::Error::TooLong`], or [`SentencePieceError::ControlSymbol`].
    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        let text = self.norm.checked(text)?;
        let mut ids = Vec::with_capacity(text.len() / 4);
        with_workspace(|work| {
            work.trace(false);
            self.model.cut(&text, work, |found, _| ids.push(found.id()))
        })?;
        Ok(ids)
    }

    /// The text behind the numbers of pieces: `▁` becomes a space, bytes become characters, control symbols nothing.
    ///
    /// # Errors
    /// [`SentencePieceError::NoSuchPiece`].
    pub fn decode(&self, ids: &[u32]) -> Result<String, SentencePieceError> {
        self.model.decode(ids)
    }

    /// The unit for something found.
    fn unit<'u>(&'u self, found: &Found, normalized: &'u Normalized) -> &'u str {
        match found {
            Found::Unknown { id, .. } if self.unknown == Unknown::Token => {
                self.model.piece(*id).unwrap_or_default()
            }
            Found::Piece { span, .. } | Found::Unknown { span, .. } => {
                normalized.text.get(span.clone()).unwrap_or_default()
            }
            Found::Byte { id, .. } => self.model.piece(*id).unwrap_or_default(),
        }
    }

    fn units<'n>(&self, text: &'n str) -> Result<Vec<Token<'n>>> {
        let mut units = Vec::with_capacity(text.len() / 4);
        with_workspace(|work| {
            work.trace(true);
            self.model.cut(text, work, |found, normalized| {
                let span = found.span();
                let span = normalized.origin(span.start)..normalized.origin(span.end);
                let unit = self.unit(&found, normalized);
                // Most pieces inside a word stand in the text as they are.
                units.push(match text.get(span.clone()).filter(|surface| *surface == unit) {
                    Some(surface) => Token::new(surface, span),
                    None => Token::new(unit.to_owned(), span),
                });
            })
        })?;
        Ok(units)
    }
}

/// Lends memory that a thread uses again and again.
fn with_workspace<T>(use_it: impl FnOnce(&mut model::Workspace) -> T) -> T {
    thread_local! {
        // Taken out while in use, so that a call inside a call finds an empty one and not a panic.
        static WORK: Cell<model::Workspace> = Cell::default();
    }
    let mut work = WORK.take();
    let result = use_it(&mut work);
    WORK.set(work);
    result
}

impl Signed for SentencePiece {
    fn signature(&self) -> Signature {
        self.norm.sign(
            Signature::new(format!("subword@{}", self.checksum))
                .with("model", self.kind().name())
                .with("vocab", self.vocabulary_size())
                .with("unknown", UNKNOWN.word(&self.unknown)),
        )
    }
}

impl Tokenizer for SentencePiece {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        self.norm.cut(text, |text| self.units(text))
    }

    fn cut(&self, text: &str, pieces: &mut Pieces) -> Result<()> {
        normalize::check_length(text)?;
        let text = self.norm.apply(text);
        with_workspace(|work| {
            work.trace(false);
            let mut begin = None;
            self.model.cut(&text, work, |found, normalized| {
                let begin = *begin.get_or_insert_with(|| pieces.append(&normalized.text));
                match found {
                    Found::Piece { span, .. } => pieces.mark(begin + span.start..begin + span.end),
                    _ => pieces.push(self.unit(&found, normalized)),
                }
            })
        })
    }
}
