//! Cutting by a vocabulary that exists.

use super::{SubwordError, Unknown, contained::Contained, unknown::UNKNOWN};
use crate::{Normalization, error};
use ko_eval_core::{Error, Fingerprint, Result, Signature, Signed, Token, Tokenizer};
use std::{fmt, fs, path::Path};
use tokenizers::{Encoding, ModelWrapper};

/// Cuts into the pieces of a vocabulary. Special tokens such as `[CLS]` are not added, and the file's
/// padding and truncation are ignored.
///
/// ```
/// use ko_eval_core::{Signed, Tokenizer};
/// use ko_tokenize::subword::{Algorithm, VocabularyTraining};
///
/// let texts = ["나는 밥을 먹었다", "너는 밥을 먹는다", "우리는 빵을 먹었다"];
/// let subword = VocabularyTraining::new(Algorithm::Bpe, 30).learn(texts)?;
/// let units = subword.tokenize("우리는 밥을 먹었다")?;
/// let pieces: Vec<_> = units.iter().map(|u| u.as_str()).collect();
/// assert_eq!(pieces, ["▁", "우", "리", "는", "▁밥을", "▁먹었다"]);
/// assert_eq!(units[4].span(), 10..16); // bytes of the text
/// assert_eq!(subword.signature().get("model"), Some("bpe"));
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Clone)]
pub struct Subword {
    tokenizer: Contained,
    /// Begins the SHA-256 of the file.
    checksum: String,
    unknown_id: Option<u32>,
    unknown: Unknown,
    norm: Normalization,
}

impl fmt::Debug for Subword {
    /// Without the vocabulary.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Subword").field(&self.signature().to_string()).finish()
    }
}

impl Subword {
    /// Reads a `tokenizer.json`.
    ///
    /// # Errors
    /// When the file cannot be read, or is something else.
    pub fn from_file(path: impl AsRef<Path>) -> error::Result<Self> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(crate::Error::io(path))?;
        Self::from_bytes(&path.display().to_string(), &bytes)
    }

    /// Reads the bytes of such a file; `name` is for errors.
    ///
    /// # Errors
    /// When they are something else.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> error::Result<Self> {
        let tokenizer =
            Contained::from_bytes(bytes).map_err(|reason| SubwordError::malformed(name, reason))?;
        if let ModelWrapper::BPE(bpe) = tokenizer.settings().get_model()
            && bpe.dropout.is_some_and(|dropout| dropout > 0.0)
        {
            let reason = "its BPE dropout cuts the same text differently every time";
            return Err(SubwordError::malformed(name, reason).into());
        }
        let settings = tokenizer.settings();
        let unknown_id = unknown_token(settings).and_then(|token| settings.token_to_id(&token));
        let checksum = Fingerprint::new().bytes(bytes).digits(12);
        let (unknown, norm) = Default::default();
        Ok(Self { tokenizer, checksum, unknown_id, unknown, norm })
    }

    /// The same with another fate of unknown text.
    #[must_use]
    pub fn unknown(self, unknown: Unknown) -> Self {
        Self { unknown, ..self }
    }

    /// The same with another normalisation before the vocabulary's own.
    #[must_use]
    pub fn normalization(self, norm: Normalization) -> Self {
        Self { norm, ..self }
    }

    /// How many pieces the vocabulary has, special tokens included.
    pub fn vocabulary_size(&self) -> usize {
        self.tokenizer.settings().get_vocab_size(true)
    }

    /// The number of a piece, special tokens included.
    pub fn id(&self, piece: &str) -> Option<u32> {
        self.tokenizer.settings().token_to_id(piece)
    }

    /// The numbers of a text's pieces.
    ///
    /// # Errors
    /// [`Error::TooLong`], or what the file's own steps say.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>> {
        let text = self.norm.checked(text)?;
        Ok(self.cut(&text)?.get_ids().to_vec())
    }

    /// The text behind the numbers of pieces, as far as the file says how they are put together.
    ///
    /// ```
    /// use ko_tokenize::subword::{Algorithm, VocabularyTraining};
    ///
    /// let jamo = VocabularyTraining::new(Algorithm::JamoBpe, 90).learn(["갑니다 옵니다 봅니다"])?;
    /// let ids = jamo.encode("잡니다 봅니다")?;
    /// assert_eq!(jamo.decode(&ids)?, "잡니다 봅니다");
    /// # Ok::<(), ko_eval_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SubwordError::NoSuchPiece`], or [`SubwordError::Malformed`] if the file's own steps fail.
    pub fn decode(&self, ids: &[u32]) -> Result<String, SubwordError> {
        let settings = self.tokenizer.settings();
        if let Some(&id) = ids.iter().find(|id| settings.id_to_token(**id).is_none()) {
            return Err(SubwordError::NoSuchPiece { id, pieces: self.vocabulary_size() });
        }
        let text = self.tokenizer.run(|tokenizer| tokenizer.decode(ids, false));
        let text = text.map_err(|error| SubwordError::malformed("the vocabulary", error))?;
        Ok(self.norm.apply(&text).into_owned())
    }

    /// Writes a `tokenizer.json`.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> error::Result<()> {
        let path = path.as_ref();
        let json = to_json(self.tokenizer.settings())?;
        ko_eval_io::files::write_output(path, json.as_ref()).map_err(|error| {
            let source = match error {
                ko_eval_core::Error::Io { source, .. } => source,
                other => std::io::Error::other(other),
            };
            crate::Error::io(path)(source)
        })
    }

    fn cut(&self, text: &str) -> Result<Encoding> {
        let encoding = self.tokenizer.run(|tokenizer| tokenizer.encode(text, false));
        encoding.map_err(|reason| Error::source("cutting into subwords", reason))
    }

    fn pieces<'n>(&self, text: &'n str) -> Result<Vec<Token<'n>>> {
        let encoding = self.cut(text)?;
        let (ids, offsets) = (encoding.get_ids(), encoding.get_offsets());
        let pieces = encoding.get_tokens().iter().zip(ids).zip(offsets);
        let tokens = pieces.map(|((piece, id), &(start, end))| {
            let surface = match self.unknown {
                Unknown::Surface if Some(*id) == self.unknown_id => {
                    text.get(start..end).map(str::trim).filter(|surface| !surface.is_empty())
                }
                _ => None,
            };
            match surface {
                Some(surface) => Token::new(surface, start..end),
                None => Token::new(piece.clone(), start..end),
            }
        });
        Ok(tokens.collect())
    }
}

pub(super) fn to_json(tokenizer: &tokenizers::Tokenizer) -> Result<String, SubwordError> {
    tokenizer.to_string(false).map_err(SubwordError::training)
}

/// The vocabulary's token for what it lacks.
fn unknown_token(tokenizer: &tokenizers::Tokenizer) -> Option<String> {
    match tokenizer.get_model() {
        ModelWrapper::BPE(bpe) => bpe.get_unk_token().clone(),
        ModelWrapper::WordPiece(model) => Some(model.unk_token.clone()),
        ModelWrapper::WordLevel(model) => Some(model.unk_token.clone()),
        ModelWrapper::Unigram(model) => {
            // The crate shows the number only in what it writes.
            let written = serde_json::to_value(model).ok()?;
            let id = usize::try_from(written.get("unk_id")?.as_u64()?).ok()?;
            model.iter().nth(id).map(|(piece, _)| piece.clone())
        }
    }
}

impl Signed for Subword {
    fn signature(&self) -> Signature {
        let model = match self.tokenizer.settings().get_model() {
            ModelWrapper::BPE(_) => "bpe",
            ModelWrapper::WordPiece(_) => "wordpiece",
            ModelWrapper::WordLevel(_) => "wordlevel",
            ModelWrapper::Unigram(_) => "unigram",
        };
        let unknown = UNKNOWN.word(&self.unknown);
        self.norm.sign(
            Signature::new(format!("subword@{}", self.checksum))
                .with("model", model)
                .with("vocab", self.vocabulary_size())
                .with("unknown", unknown),
        )
    }
}

impl Tokenizer for Subword {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        self.norm.cut(text, |text| self.pieces(text))
    }
}
