//! Text to token numbers, as the model's own files say.
//!
//! `tokenizer.json` is read as it is. Without it, `vocab.txt` is WordPiece after BERT's cleaning
//! (with `tokenizer_config.json`'s `do_lower_case`, `strip_accents`, `tokenize_chinese_chars`), or the numbers of KoBERT's
//! SentencePiece pieces; `spiece.model`, `spm.model` and `sentencepiece.bpe.model` are SentencePiece models with ALBERT's or KoBERT's, DeBERTa's
//! and XLM-R's special tokens.

mod placed;

#[cfg(feature = "torch")]
pub(crate) use placed::Placed;

use super::{
    checked,
    config::Settings,
    pieces::{self, SentencePieces, Style},
};
use crate::LongText;
use crate::error::{Error, Result};
use ko_eval_io::read::Lines;
use ko_tokenize::subword::contained::Contained;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use tokenizers::{Encoding, TruncationDirection};

/// One text's (or pair's) tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TokenIds {
    pub(crate) ids: Vec<u32>,
    pub(crate) types: Vec<u32>,
    pub(crate) special: Vec<bool>,
}

impl TokenIds {
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    fn of(encoding: &Encoding) -> Self {
        Self {
            ids: encoding.get_ids().to_vec(),
            types: encoding.get_type_ids().to_vec(),
            special: encoding.get_special_tokens_mask().iter().map(|&mark| mark == 1).collect(),
        }
    }
}

/// A tokenizer with the model's limits.
#[derive(Debug, Clone)]
pub(crate) struct TextTokenizer {
    inner: Inner,
    /// The most tokens of one text, special ones included.
    limit: usize,
    /// Special tokens around one text, and around two.
    added: (usize, usize),
}

/// What cuts.
#[derive(Debug, Clone)]
enum Inner {
    /// What a `tokenizer.json` says.
    File(Box<Contained>),
    /// A SentencePiece model.
    Pieces(Box<SentencePieces>),
}

impl TextTokenizer {
    /// Reads the tokenizer of a folder; `rows` is the number of the model's embeddings.
    pub(crate) fn open(folder: &Path, rows: usize, limit: usize) -> Result<Self> {
        let (path, inner) = read(folder)?;
        let fail = |reason: String| Error::bad(&path, reason);
        let beyond = match &inner {
            Inner::File(tokenizer) => {
                let vocabulary = tokenizer.settings().get_vocab(true);
                // Templates have numbers of their own, that of one text and that of two.
                let framed =
                    tokenizer.run(|t| Ok([t.encode("", true)?, t.encode(("", ""), true)?]));
                let framed = framed.map_err(fail)?;
                let framed = framed.iter().flat_map(|frame| {
                    frame.get_tokens().iter().cloned().zip(frame.get_ids().iter().copied())
                });
                vocabulary.into_iter().chain(framed).find(|&(_, id)| id as usize >= rows)
            }
            Inner::Pieces(pieces) => {
                pieces.tokens().get(rows).map(|token| (token.clone(), rows as u32))
            }
        };
        if let Some((token, id)) = beyond {
            return Err(Error::VocabularyMismatch { path, token, id, rows });
        }
        let settings = Settings::open_or_empty(folder, "tokenizer_config.json")?;
        let stated = settings.get(&["model_max_length"]).and_then(Value::as_u64);
        let limit = limit.min(stated.map_or(usize::MAX, |n| n.min(u64::from(u32::MAX)) as usize));
        let added = match &inner {
            Inner::File(tokenizer) => (
                tokenizer.run(|t| Ok(t.encode("", true)?.len())).map_err(fail)?,
                tokenizer.run(|t| Ok(t.encode(("", ""), true)?.len())).map_err(fail)?,
            ),
            Inner::Pieces(pieces) => pieces.added(),
        };
        if added.1 >= limit {
            let reason = format!("{} special tokens do not fit into {limit}", added.1);
            return Err(Error::bad(path, reason));
        }
        Ok(Self { inner, limit, added })
    }

    /// The most tokens of one text.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// The same with this limit, if it is the lower one.
    pub(crate) fn limited(&mut self, limit: usize) -> Result<()> {
        if limit <= self.added.1 {
            let expected = "more than the special tokens of two texts";
            let value = format!("{limit}, where these are {}", self.added.1);
            return Err(Error::setting("the longest text (`max_seq_length`)", value, expected));
        }
        self.limit = self.limit.min(limit);
        Ok(())
    }

    /// The tokens' text.
    pub(crate) fn text(&self, ids: &[u32]) -> Vec<String> {
        let token = |id: u32| match &self.inner {
            Inner::File(tokenizer) => tokenizer.settings().id_to_token(id),
            Inner::Pieces(pieces) => pieces.tokens().get(id as usize).cloned(),
        };
        ids.iter().map(|&id| token(id).unwrap_or_default()).collect()
    }

    /// The number of a token as the vocabulary writes it.
    pub(crate) fn id(&self, token: &str) -> Option<u32> {
        match &self.inner {
            Inner::File(tokenizer) => tokenizer.settings().token_to_id(token),
            Inner::Pieces(pieces) => pieces.id(token),
        }
    }

    /// The text that tokens stand for, without special tokens.
    pub(crate) fn decode(&self, ids: &[u32]) -> ko_eval_core::Result<String> {
        match &self.inner {
            Inner::File(tokenizer) => tokenizer.run(|t| t.decode(ids, true)).map_err(failed),
            Inner::Pieces(pieces) => pieces.decode(ids),
        }
    }

    /// The numbers of a text alone, nothing around it.
    pub(crate) fn bare(&self, text: &str) -> ko_eval_core::Result<Vec<u32>> {
        match &self.inner {
            Inner::File(tokenizer) => Ok(plain(tokenizer, text)?.get_ids().to_vec()),
            Inner::Pieces(pieces) => pieces.encode(text),
        }
    }

    /// One text as one run of tokens, or as several under [`LongText::Chunk`].
    pub(crate) fn encode(
        &self,
        text: &str,
        policy: LongText,
    ) -> ko_eval_core::Result<Vec<TokenIds>> {
        let room = self.limit - self.added.0;
        let too_long = |length: usize| match length > room && policy == LongText::Error {
            true => Err(self.too_long(length + self.added.0)),
            false => Ok(()),
        };
        match &self.inner {
            Inner::File(tokenizer) => {
                let mut encoding = plain(tokenizer, text)?;
                too_long(encoding.len())?;
                encoding.truncate(room, 0, TruncationDirection::Right);
                let mut runs = encoding.take_overflowing();
                if policy == LongText::Truncate {
                    runs.clear();
                }
                runs.insert(0, encoding);
                runs.into_iter().map(|run| finish(tokenizer, run, None)).collect()
            }
            Inner::Pieces(pieces) => {
                let ids = pieces.encode(text)?;
                too_long(ids.len())?;
                let most = if policy == LongText::Chunk { usize::MAX } else { 1 };
                let (first, rest) = ids.split_at(ids.len().min(room));
                let runs = std::iter::once(first).chain(rest.chunks(room)).take(most);
                Ok(runs.map(|run| pieces.frame(run, None)).collect())
            }
        }
    }

    /// Two texts as one run of tokens; the longer one is cut first.
    pub(crate) fn encode_pair(
        &self,
        (first, second): (&str, &str),
        policy: LongText,
    ) -> ko_eval_core::Result<TokenIds> {
        let room = self.limit - self.added.1;
        // What is kept of each.
        let keep = |a: usize, b: usize| match a + b > room {
            false => Ok((a, b)),
            true if policy == LongText::Truncate => Ok(longest_first(a, b, room)),
            true => Err(self.too_long(a + b + self.added.1)),
        };
        match &self.inner {
            Inner::File(tokenizer) => {
                let (mut first, mut second) = (plain(tokenizer, first)?, plain(tokenizer, second)?);
                let (a, b) = keep(first.len(), second.len())?;
                first.truncate(a, 0, TruncationDirection::Right);
                second.truncate(b, 0, TruncationDirection::Right);
                first.take_overflowing();
                second.take_overflowing();
                finish(tokenizer, first, Some(second))
            }
            Inner::Pieces(pieces) => {
                let (mut first, mut second) = (pieces.encode(first)?, pieces.encode(second)?);
                let (a, b) = keep(first.len(), second.len())?;
                first.truncate(a);
                second.truncate(b);
                Ok(pieces.frame(&first, Some(&second)))
            }
        }
    }

    fn too_long(&self, len: usize) -> ko_eval_core::Error {
        ko_eval_core::Error::TooLong {
            what: "the model".into(),
            len,
            unit: "tokens",
            limit: self.limit,
        }
    }
}

/// What remains of two lengths when the longer one loses tokens until both fit.
fn longest_first(a: usize, b: usize, room: usize) -> (usize, usize) {
    let half = room / 2;
    if a <= half {
        (a, room - a)
    } else if b <= half {
        (room - b, b)
    } else {
        (room - half, half)
    }
}

fn plain(tokenizer: &Contained, text: &str) -> ko_eval_core::Result<Encoding> {
    tokenizer.run(|t| t.encode_fast(text, false)).map_err(failed)
}

fn finish(
    tokenizer: &Contained,
    first: Encoding,
    second: Option<Encoding>,
) -> ko_eval_core::Result<TokenIds> {
    let encoding = tokenizer.run(|t| t.post_process(first, second, true)).map_err(failed)?;
    Ok(TokenIds::of(&encoding))
}

fn failed(reason: String) -> ko_eval_core::Error {
    ko_eval_core::Error::source("cutting a text into tokens", reason)
}

fn read(folder: &Path) -> Result<(PathBuf, Inner)> {
    let present = |name: &str| Some(folder.join(name)).filter(|path| path.is_file());
    let settings = Settings::open_or_empty(folder, "tokenizer_config.json")?;
    let (path, bytes) = if let Some(path) = present("tokenizer.json") {
        let bytes = checked::read(&path)?;
        (path, bytes)
    } else if let Some(path) = present("vocab.txt") {
        let lines = Lines::from_reader(&path, std::io::Cursor::new(checked::read(&path)?));
        let lines = lines.collect::<ko_eval_core::Result<Vec<String>>>()?;
        let tokens = lines.iter().map(|line| line.trim_end());
        if pieces::is_sentencepiece(tokens.clone()) {
            let model = pieces::model_of_vocabulary(folder)?;
            let tokens = tokens.map(str::to_owned).collect();
            let pieces = SentencePieces::with_vocabulary(&model, &path, tokens, &settings)?;
            return Ok((path, Inner::Pieces(Box::new(pieces))));
        }
        let json = word_piece(&path, tokens, &settings)?;
        (path, json.to_string().into_bytes())
    } else if let Some(path) = present("spiece.model") {
        let pieces = SentencePieces::open(&path, Style::Albert, &settings)?;
        return Ok((path, Inner::Pieces(Box::new(pieces))));
    } else if let Some(path) = present("spm.model") {
        let pieces = SentencePieces::open(&path, Style::Deberta, &settings)?;
        return Ok((path, Inner::Pieces(Box::new(pieces))));
    } else if let Some(path) = present("sentencepiece.bpe.model") {
        // mBART's file is called as XLM-R's, but languages stand beside its pieces and around its texts.
        let config = Settings::open_or_empty(folder, "config.json")?;
        let class = settings.text(&["tokenizer_class"]).unwrap_or_default();
        if config.text(&["model_type"]) == Some("mbart") || class.starts_with("MBart") {
            let reason = "mBART's marks of languages are not in this file; save the tokenizer as tokenizer.json beside it";
            return Err(Error::bad(path, reason));
        }
        let pieces = SentencePieces::open(&path, Style::XlmRoberta, &settings)?;
        return Ok((path, Inner::Pieces(Box::new(pieces))));
    } else {
        let expected =
            "tokenizer.json, vocab.txt, spiece.model, spm.model or sentencepiece.bpe.model".into();
        return Err(Error::MissingFile { folder: folder.into(), expected });
    };
    let tokenizer = Contained::from_bytes(&bytes).map_err(|reason| Error::bad(&path, reason))?;
    Ok((path, Inner::File(Box::new(tokenizer))))
}

/// BERT's tokenizer over a vocabulary file, a token per line.
fn word_piece<'t>(
    path: &Path,
    tokens: impl Iterator<Item = &'t str>,
    settings: &Settings,
) -> Result<Value> {
    let vocabulary: BTreeMap<&str, usize> = tokens.zip(0..).collect();
    let id = |token: &str| {
        vocabulary.get(token).copied().ok_or_else(|| Error::bad(path, format!("no `{token}`")))
    };
    let (unknown, cls, sep) = (id("[UNK]")?, id("[CLS]")?, id("[SEP]")?);
    let mut special = vec![("[UNK]", unknown), ("[CLS]", cls), ("[SEP]", sep)];
    special.extend(["[PAD]", "[MASK]"].iter().filter_map(|t| id(t).ok().map(|id| (*t, id))));
    Ok(json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": added_tokens(&special),
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": true,
            "handle_chinese_chars": settings.yes(&["tokenize_chinese_chars"], true),
            "strip_accents": settings.get(&["strip_accents"]),
            "lowercase": settings.yes(&["do_lower_case"], true),
        },
        "pre_tokenizer": { "type": "BertPreTokenizer" },
        "post_processor": template(("[CLS]", cls), ("[SEP]", sep)),
        "decoder": { "type": "WordPiece", "prefix": "##", "cleanup": true },
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": vocabulary,
        },
    }))
}

/// Special tokens as `tokenizer.json` lists them.
fn added_tokens(tokens: &[(&str, usize)]) -> Value {
    let mut tokens = tokens.to_vec();
    tokens.sort_by_key(|&(_, id)| id);
    tokens
        .into_iter()
        .map(|(content, id)| {
            json!({
                "id": id, "content": content, "single_word": false, "lstrip": false,
                "rstrip": false, "normalized": false, "special": true,
            })
        })
        .collect()
}

/// `[CLS] A [SEP]`, and for a pair `[CLS] A [SEP] B [SEP]`.
fn template(cls: (&str, usize), sep: (&str, usize)) -> Value {
    let special = |(token, _): (&str, usize), kind: u32| json!({ "SpecialToken": { "id": token, "type_id": kind } });
    let text = |name: &str, kind: u32| json!({ "Sequence": { "id": name, "type_id": kind } });
    let token = |(token, id): (&str, usize)| json!({ "id": token, "ids": [id], "tokens": [token] });
    let first = [special(cls, 0), text("A", 0), special(sep, 0)];
    let pair: Vec<Value> = first.iter().cloned().chain([text("B", 1), special(sep, 1)]).collect();
    let (cls_name, sep_name) = (cls.0, sep.0);
    json!({
        "type": "TemplateProcessing",
        "single": first,
        "pair": pair,
        "special_tokens": { cls_name: token(cls), sep_name: token(sep) },
    })
}
