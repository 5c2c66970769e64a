//! What a new model needs beside its weights: a configuration, a vocabulary learned from texts, and how it writes.

use crate::{
    error::{Error, Result},
    files::checked,
};
use ko_eval_io::files::write_atomically;
use ko_tokenize::subword::{Algorithm, VocabularyTraining};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use tokenizers::{AddedToken, Tokenizer, processors::template::TemplateProcessing};

/// The marks that every new vocabulary has beside `<unk>`: the beginning and the end of a text, and what fills rows up.
const MARKS: [&str; 3] = ["<s>", "</s>", "<pad>"];

/// What a new model looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// A `config.json` of GPT-2, BART, mBART, T5 or mT5; its vocabulary and marks are set anew.
    File(PathBuf),
    /// BART, with as many layers that read as layers that write.
    Bart {
        /// The length of vectors.
        width: usize,
        /// Layers of each half.
        layers: usize,
        /// Heads of every attention; they share the width.
        heads: usize,
        /// The most tokens of a text.
        longest: usize,
    },
}

impl Shape {
    /// BART of about ten million numbers with 8,000 pieces: 4 + 4 layers of width 256.
    pub const SMALL: Self = Self::Bart { width: 256, layers: 4, heads: 4, longest: 256 };
    /// BART as large as KoBART: 6 + 6 layers of width 768.
    pub const BASE: Self = Self::Bart { width: 768, layers: 6, heads: 12, longest: 1024 };

    /// `small`, `base`, or the path of a `config.json`.
    pub fn named(text: &str) -> Self {
        match text {
            "small" => Self::SMALL,
            "base" => Self::BASE,
            path => Self::File(path.into()),
        }
    }

    /// The configuration without vocabulary and marks, and where it stands.
    fn settings(&self) -> Result<(PathBuf, Map<String, Value>)> {
        match self {
            Self::File(path) => {
                let bytes = checked::read(path)?;
                let json = serde_json::from_slice(&bytes);
                Ok((path.clone(), json.map_err(|e| Error::bad(path, e.to_string()))?))
            }
            Self::Bart { width, layers, heads, longest } => {
                let mut settings = Map::new();
                for half in ["encoder", "decoder"] {
                    settings.insert(format!("{half}_layers"), json!(layers));
                    settings.insert(format!("{half}_attention_heads"), json!(heads));
                    settings.insert(format!("{half}_ffn_dim"), json!(4 * width));
                }
                let rest = [
                    ("model_type", json!("bart")),
                    ("architectures", json!(["BartForConditionalGeneration"])),
                    ("d_model", json!(width)),
                    ("max_position_embeddings", json!(longest)),
                    ("activation_function", json!("gelu")),
                    ("dropout", json!(0.1)),
                    ("attention_dropout", json!(0.0)),
                    ("scale_embedding", json!(false)),
                ];
                settings.extend(rest.map(|(key, value)| (key.to_owned(), value)));
                Ok(("config.json".into(), settings))
            }
        }
    }
}

/// Where a family has its marks.
struct Frame {
    /// Around what is read.
    template: Option<&'static str>,
    /// What a decoder begins with.
    start: Option<&'static str>,
}

fn frame(path: &Path, settings: &Map<String, Value>) -> Result<Frame> {
    match settings.get("model_type").and_then(Value::as_str).unwrap_or_default() {
        "bart" | "mbart" => Ok(Frame { template: Some("<s> $A </s>"), start: Some("</s>") }),
        "t5" | "mt5" => Ok(Frame { template: Some("$A </s>"), start: Some("<pad>") }),
        "gpt2" => Ok(Frame { template: None, start: None }),
        name => Err(Error::UnknownArchitecture {
            path: path.into(),
            name: name.into(),
            known: "gpt2, bart, mbart, t5, mt5".into(),
        }),
    }
}

/// Learns a vocabulary from texts and writes a folder that lacks nothing but weights; a model with an encoder writes at most `longest` tokens
/// unless told otherwise.
pub(super) fn prepare<'t>(
    shape: &Shape,
    size: usize,
    longest: usize,
    texts: impl IntoIterator<Item = &'t str>,
    folder: &Path,
) -> Result<()> {
    let (path, mut config) = shape.settings()?;
    let frame = frame(&path, &config)?;
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    let file = folder.join("tokenizer.json");
    let training = VocabularyTraining::new(Algorithm::Bpe, size.saturating_sub(MARKS.len()));
    let learned = training.learn(texts).map_err(ko_eval_core::Error::from)?;
    learned.save(&file).map_err(ko_eval_core::Error::from)?;
    let tokenizer = marked(&file, &frame)?;

    let id = |token: &str| tokenizer.token_to_id(token).map_or(Value::Null, Value::from);
    let [begin, end, padding] = MARKS;
    let mut marks = Map::new();
    marks.insert("bos_token_id".into(), id(begin));
    marks.insert("eos_token_id".into(), id(end));
    marks.insert("pad_token_id".into(), id(padding));
    if let Some(start) = frame.start {
        marks.insert("decoder_start_token_id".into(), id(start));
        config.insert("is_encoder_decoder".into(), json!(true));
    }
    config.insert("vocab_size".into(), json!(tokenizer.get_vocab_size(true)));
    config.extend(marks.clone());
    let mut generation = marks;
    if frame.start.is_some() {
        generation.insert("max_new_tokens".into(), json!(longest));
    }
    let words = json!({
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": begin, "eos_token": end, "pad_token": padding, "unk_token": "<unk>",
    });
    for (name, json) in [
        ("config.json", Value::Object(config)),
        ("generation_config.json", Value::Object(generation)),
        ("tokenizer_config.json", words),
    ] {
        write_atomically(&folder.join(name), format!("{json:#}\n").as_bytes())?;
    }
    Ok(())
}

/// The learned vocabulary in `file` with the marks, and with those around a text that the family wants.
fn marked(file: &Path, frame: &Frame) -> Result<Tokenizer> {
    let fail = |e: tokenizers::Error| Error::bad(file, e.to_string());
    let mut tokenizer = Tokenizer::from_bytes(checked::read(file)?).map_err(fail)?;
    let marks = MARKS.map(|mark| AddedToken::from(mark, true));
    tokenizer.add_special_tokens(marks).map_err(fail)?;
    if let Some(template) = frame.template {
        let numbered = MARKS.iter().filter(|mark| template.contains(**mark));
        let numbered: Vec<(String, u32)> = numbered
            .filter_map(|mark| Some(((*mark).to_owned(), tokenizer.token_to_id(mark)?)))
            .collect();
        let processor = TemplateProcessing::builder()
            .try_single(template)
            .and_then(|builder| builder.try_pair(template.replace("$A", "$A $B:1")))
            .map_err(|reason| Error::bad(file, reason))?
            .special_tokens(numbered)
            .build()
            .map_err(|e| Error::bad(file, e.to_string()))?;
        tokenizer.with_post_processor(Some(processor));
    }
    let json = tokenizer.to_string(false).map_err(fail)?;
    write_atomically(file, json.as_bytes())?;
    Ok(tokenizer)
}
