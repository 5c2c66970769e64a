//! Text to token numbers by a SentencePiece model, with the special tokens and the cleaning of each family.
//!
//! The model itself is read and applied by `ko-tokenize`. What differs between families is here:
//!
//! | | ALBERT | XLM-R | KoBERT |
//! |---|---|---|---|
//! | file | `spiece.model` | `sentencepiece.bpe.model` | `tokenizer_78b3253a26.model`, or another `*.model` |
//! | numbers | the file's | the file's plus one, `<s> <pad> </s> <unk>` first, `<mask>` last | those of `vocab.txt` |
//! | around a text | `[CLS]`, `[SEP]` | `<s>`, `</s>` | `[CLS]`, `[SEP]` |
//! | cleaning | quotes, accents, case | none | spaces, quotes, accents |
//! | `10,` | as the model cuts it | as the model cuts it | `10` is cut anew, and `,` apart |
//!
//! DeBERTa's `spm.model` has the file's numbers, `[MASK]` after the last, `[CLS]` and `[SEP]` around a text, and no cleaning but of case if the settings want it.
//! A `spiece.model` without `[CLS]` is T5's: the file's numbers, `</s>` after a text, no cleaning.
//! A `spiece.model` with a piece `[PAD]` is KoBERT's as SKT publishes it for transformers: KoBERT's rules, the file's numbers.

mod placed;

use super::{checked, config::Settings, tokenizer::TokenIds};
use crate::error::{Error, Result};
use ko_eval_core::Tokenizer;
use ko_tokenize::sentencepiece::SentencePiece;
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};
use unicode_normalization::{UnicodeNormalization, char::canonical_combining_class};

/// Whose special tokens, numbers and cleaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Albert,
    XlmRoberta,
    KoBert,
    Deberta,
    T5,
}

/// A SentencePiece model as a family of transformers uses it.
#[derive(Debug, Clone)]
pub(super) struct SentencePieces {
    model: SentencePiece,
    style: Style,
    lower_case: bool,
    strip_accents: bool,
    /// The text of each number.
    tokens: Vec<String>,
    /// And back.
    ids: HashMap<String, u32>,
    unknown: u32,
    cls: u32,
    sep: u32,
    /// Tokens that stand for themselves in a text.
    special: Vec<(String, u32)>,
}

/// What a text consists of, with its place there.
enum Part<'t> {
    Text { at: usize, text: &'t str },
    Special { at: usize, length: usize, id: u32 },
}

impl SentencePieces {
    /// Reads a model whose numbers are its own, but for XLM-R's.
    pub(super) fn open(path: &Path, style: Style, settings: &Settings) -> Result<Self> {
        let model = read(path)?;
        let pieces = (0..).map_while(|id| model.piece(id).map(str::to_owned));
        let (style, tokens, unknown) = match style {
            Style::XlmRoberta => {
                let pieces: Vec<String> = pieces.collect();
                let [first, begin, end, ..] = pieces.as_slice() else {
                    return Err(Error::bad(path, "it has less than three pieces"));
                };
                if [first, begin, end] != ["<unk>", "<s>", "</s>"] {
                    let reason = "XLM-R's numbers need `<unk>`, `<s>`, `</s>` as its first pieces";
                    return Err(Error::bad(path, reason));
                }
                let first = ["<s>", "<pad>", "</s>", "<unk>"].map(String::from);
                let rest = pieces.into_iter().skip(3);
                let tokens = first.into_iter().chain(rest).chain(["<mask>".to_owned()]).collect();
                (style, tokens, 3)
            }
            Style::Deberta => {
                let mut tokens: Vec<String> = pieces.collect();
                if model.id("[MASK]").is_none() {
                    tokens.push("[MASK]".to_owned());
                }
                (style, tokens, model.unknown_id())
            }
            _ if model.id("[PAD]").is_some() => {
                (Style::KoBert, pieces.collect(), model.unknown_id())
            }
            // An end of texts and no mark before them.
            _ if model.id("[CLS]").is_none() && model.id("</s>").is_some() => {
                (Style::T5, pieces.collect(), model.unknown_id())
            }
            _ => (style, pieces.collect(), model.unknown_id()),
        };
        Self::new(path, model, style, tokens, unknown, settings)
    }

    /// Reads KoBERT's model, whose pieces `vocab.txt` numbers.
    pub(super) fn with_vocabulary(
        path: &Path,
        vocabulary: &Path,
        tokens: Vec<String>,
        settings: &Settings,
    ) -> Result<Self> {
        let model = read(path)?;
        let known: HashMap<&str, usize> = tokens.iter().map(String::as_str).zip(0..).collect();
        let unknown = known.get("[UNK]").copied();
        let unknown = unknown.ok_or_else(|| Error::bad(vocabulary, "no `[UNK]`"))? as u32;
        let missing =
            (0..).map_while(|id| model.piece(id).map(|piece| (id, piece))).find(|(id, piece)| {
                *id != model.unknown_id() && !known.contains_key(piece.trim()) && !is_special(piece)
            });
        if let Some((_, piece)) = missing {
            let reason = format!("it has no number for the piece `{piece}` of {}", path.display());
            return Err(Error::bad(vocabulary, reason));
        }
        Self::new(path, model, Style::KoBert, tokens, unknown, settings)
    }

    fn new(
        path: &Path,
        model: SentencePiece,
        style: Style,
        tokens: Vec<String>,
        unknown: u32,
        settings: &Settings,
    ) -> Result<Self> {
        // Of equal tokens the last counts, as where lines are read one after the other.
        let ids: HashMap<String, u32> = tokens.iter().cloned().zip(0..).collect();
        let id = |token: &str| {
            ids.get(token).copied().ok_or_else(|| Error::bad(path, format!("no `{token}`")))
        };
        let (cls, sep) = match style {
            Style::Albert | Style::KoBert | Style::Deberta => (id("[CLS]")?, id("[SEP]")?),
            Style::XlmRoberta => (id("<s>")?, id("</s>")?),
            Style::T5 => (id("</s>")?, id("</s>")?),
        };
        let names = ["[CLS]", "[SEP]", "[MASK]", "[PAD]", "[UNK]"];
        let names = match style {
            Style::KoBert | Style::Deberta => names,
            Style::Albert => ["[CLS]", "[SEP]", "[MASK]", "<pad>", "<unk>"],
            Style::XlmRoberta | Style::T5 => ["<s>", "</s>", "<mask>", "<pad>", "<unk>"],
        };
        let special = names.iter().filter_map(|name| Some(((*name).to_owned(), *ids.get(*name)?)));
        let special = special.collect();
        let cleans = matches!(style, Style::Albert | Style::KoBert);
        let has_case = cleans || style == Style::Deberta;
        Ok(Self {
            lower_case: has_case && settings.yes(&["do_lower_case"], style == Style::Albert),
            strip_accents: cleans && !settings.yes(&["keep_accents"], false),
            model,
            style,
            tokens,
            ids,
            unknown,
            cls,
            sep,
            special,
        })
    }

    /// The number of a piece.
    pub(super) fn id(&self, piece: &str) -> Option<u32> {
        self.ids.get(piece).copied()
    }

    /// The text of pieces, without special tokens.
    pub(super) fn decode(&self, ids: &[u32]) -> ko_eval_core::Result<String> {
        // A model may have more rows than its tokenizer has tokens.
        let own = |id: &u32| {
            (*id as usize) < self.tokens.len() && !self.special.iter().any(|(_, s)| s == id)
        };
        let ids = ids.iter().copied().filter(own);
        let numbers: Vec<u32> = match self.style {
            // The file's numbers are one less, its unknown piece 0.
            Style::XlmRoberta => ids.map(|id| id.saturating_sub(1)).collect(),
            Style::KoBert => {
                let piece = |id: u32| self.model.id(self.tokens.get(id as usize)?);
                ids.filter_map(piece).collect()
            }
            // What was added to the file's pieces is special.
            Style::Albert | Style::Deberta | Style::T5 => ids.collect(),
        };
        Ok(self.model.decode(&numbers)?)
    }

    /// The text of each number.
    pub(super) fn tokens(&self) -> &[String] {
        &self.tokens
    }

    /// The numbers of a text without special tokens around it.
    pub(super) fn encode(&self, text: &str) -> ko_eval_core::Result<Vec<u32>> {
        let mut ids = Vec::with_capacity(text.len() / 4);
        for part in self.parts(text) {
            match part {
                Part::Special { id, .. } => ids.push(id),
                Part::Text { text, .. } => self.encode_plain(text, &mut ids)?,
            }
        }
        Ok(ids)
    }

    /// A text at the special tokens that are written in it.
    fn parts<'t>(&self, text: &'t str) -> Vec<Part<'t>> {
        let (mut parts, mut at, mut rest) = (Vec::new(), 0, text);
        loop {
            let found = self.special.iter().filter_map(|(token, id)| {
                rest.find(token.as_str()).map(|at| (at, std::cmp::Reverse(token.len()), *id))
            });
            let Some((before, std::cmp::Reverse(length), id)) = found.min() else { break };
            let (text, after) = rest.split_at_checked(before).unwrap_or((rest, ""));
            parts.push(Part::Text { at, text });
            parts.push(Part::Special { at: at + before, length, id });
            at += before + length;
            rest = after.get(length..).unwrap_or_default();
        }
        parts.push(Part::Text { at, text: rest });
        parts
    }

    fn encode_plain(&self, text: &str, ids: &mut Vec<u32>) -> ko_eval_core::Result<()> {
        match self.style {
            Style::Albert => ids.extend(self.model.encode(&self.clean(text))?),
            Style::T5 => ids.extend(self.model.encode(text)?),
            Style::Deberta if self.lower_case => {
                ids.extend(self.model.encode(&text.to_lowercase())?);
            }
            Style::Deberta => ids.extend(self.model.encode(text)?),
            Style::XlmRoberta => {
                ids.extend(self.model.encode(text)?.into_iter().map(|id| self.fairseq(id)));
            }
            Style::KoBert => {
                for piece in self.model.tokenize(&self.clean(text))? {
                    self.push_kobert(piece.as_str(), ids)?;
                }
            }
        }
        Ok(())
    }

    /// XLM-R's number for the file's.
    fn fairseq(&self, id: u32) -> u32 {
        if id == self.model.unknown_id() { self.unknown } else { id + 1 }
    }

    /// The number of a piece; those of a number with a comma behind it are cut anew.
    fn push_kobert(&self, piece: &str, ids: &mut Vec<u32>) -> ko_eval_core::Result<()> {
        let id = |piece: &str| self.ids.get(piece).copied().unwrap_or(self.unknown);
        let number = piece.strip_suffix(',').filter(|number| number.ends_with(char::is_numeric));
        let Some(number) = number else {
            ids.push(id(piece));
            return Ok(());
        };
        let number = number.replace('▁', "");
        let again = self.model.tokenize(&number)?;
        for (place, part) in again.iter().enumerate() {
            // The model's own mark before the first piece goes where the number had none.
            let inside = place == 0 && !piece.starts_with('▁');
            match part.as_str().strip_prefix('▁').filter(|_| inside) {
                Some("") => {}
                Some(bare) => ids.push(id(bare)),
                None => ids.push(id(part.as_str())),
            }
        }
        ids.push(id(","));
        Ok(())
    }

    fn clean(&self, text: &str) -> String {
        let mut text = match self.style {
            Style::KoBert => text.split_whitespace().collect::<Vec<_>>().join(" "),
            _ => text.to_owned(),
        };
        text = text.replace("``", "\"").replace("''", "\"");
        if self.strip_accents {
            text = text.nfkd().filter(|c| canonical_combining_class(*c) == 0).collect();
        }
        if self.lower_case { text.to_lowercase() } else { text }
    }

    /// How many special tokens stand around one text, and around two.
    pub(super) fn added(&self) -> (usize, usize) {
        match self.style {
            Style::XlmRoberta => (2, 4),
            Style::Albert | Style::KoBert | Style::Deberta => (2, 3),
            Style::T5 => (1, 2),
        }
    }

    /// One text, or two, with the special tokens around.
    pub(super) fn frame(&self, first: &[u32], second: Option<&[u32]>) -> TokenIds {
        let mut pieces = TokenIds { ids: Vec::new(), types: Vec::new(), special: Vec::new() };
        let mut push = |ids: &[u32], kind: u32, special: bool| {
            pieces.ids.extend_from_slice(ids);
            pieces.types.resize(pieces.ids.len(), kind);
            pieces.special.resize(pieces.ids.len(), special);
        };
        if self.style != Style::T5 {
            push(&[self.cls], 0, true);
        }
        push(first, 0, false);
        push(&[self.sep], 0, true);
        if let Some(second) = second {
            let kind = match self.style {
                Style::XlmRoberta => {
                    push(&[self.sep], 0, true);
                    0
                }
                Style::T5 => 0,
                Style::Albert | Style::KoBert | Style::Deberta => 1,
            };
            push(second, kind, false);
            push(&[self.sep], kind, true);
        }
        pieces
    }
}

fn read(path: &Path) -> Result<SentencePiece> {
    let bytes = checked::read(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    SentencePiece::from_bytes(&name, &bytes).map_err(|error| Error::bad(path, error.to_string()))
}

/// Whether a piece is a symbol and not text; a vocabulary may have its own for it.
fn is_special(piece: &str) -> bool {
    (piece.starts_with('<') && piece.ends_with('>'))
        || (piece.starts_with('[') && piece.ends_with(']'))
}

/// Whether a vocabulary numbers SentencePiece's pieces: words begin with `▁`, and no piece continues one with `##`.
pub(super) fn is_sentencepiece<'t>(tokens: impl Iterator<Item = &'t str> + Clone) -> bool {
    let mut words = tokens.clone();
    let mut rests = tokens;
    words.any(|token| token.strip_prefix('▁').is_some_and(|rest| !rest.is_empty()))
        && !rests.any(|token| token.strip_prefix("##").is_some_and(|rest| !rest.is_empty()))
}

/// The SentencePiece model that a folder's `vocab.txt` numbers.
pub(super) fn model_of_vocabulary(folder: &Path) -> Result<PathBuf> {
    let files = std::fs::read_dir(folder).map_err(|e| Error::io(folder, e))?;
    let mut models: Vec<PathBuf> = files
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "model"))
        .collect();
    models.sort();
    match models.as_slice() {
        [model] => Ok(model.clone()),
        [] => {
            let expected = "*.model, the SentencePiece model whose pieces vocab.txt numbers".into();
            Err(Error::MissingFile { folder: folder.into(), expected })
        }
        [first, second, ..] => {
            let reason = format!("{} and {} are both there", first.display(), second.display());
            Err(Error::bad(
                folder.join("vocab.txt"),
                format!("which model does it number? {reason}"),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers as KoBERT's own steps gave them; see `make_kobert.py` beside the file.
    #[test]
    fn kobert_numbers_are_those_of_its_vocabulary() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/kobert");
        let golden = std::fs::read_to_string(folder.join("expected.json")).unwrap();
        let golden: serde_json::Value = serde_json::from_str(&golden).unwrap();
        let vocabulary = folder.join("vocab.txt");
        let tokens = std::fs::read_to_string(&vocabulary).unwrap();
        let tokens: Vec<String> = tokens.lines().map(str::to_owned).collect();
        assert!(is_sentencepiece(tokens.iter().map(String::as_str)));
        let model = model_of_vocabulary(&folder).unwrap();
        let settings = Settings::open_or_empty(&folder, "tokenizer_config.json").unwrap();
        let kobert =
            SentencePieces::with_vocabulary(&model, &vocabulary, tokens, &settings).unwrap();
        let cases = golden["cases"].as_array().unwrap();
        assert!(cases.len() >= 8);
        for case in cases {
            let ids = kobert.encode(case["text"].as_str().unwrap()).unwrap();
            assert_eq!(serde_json::json!(ids), case["ids"], "{}", case["text"]);
        }
        let framed = kobert.frame(&[7, 8], Some(&[9]));
        let (cls, sep) = (kobert.cls, kobert.sep);
        assert_eq!(framed.ids, [cls, 7, 8, sep, 9, sep]);
        assert_eq!(framed.types, [0, 0, 0, 0, 1, 1]);
        assert_eq!(framed.special, [true, false, false, true, false, true]);
    }

    #[test]
    fn word_pieces_are_told_from_sentence_pieces() {
        assert!(is_sentencepiece(["[PAD]", "▁나는", "밥"].into_iter()));
        assert!(!is_sentencepiece(["[PAD]", "▁", "밥", "##을"].into_iter()));
        assert!(!is_sentencepiece(["[PAD]", "▁나는", "##을"].into_iter()));
        assert!(!is_sentencepiece(["[PAD]", "나는", "밥"].into_iter()));
    }
}
