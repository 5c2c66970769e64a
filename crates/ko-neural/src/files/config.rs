//! `config.json`: the sizes of a transformer, whatever its family calls them.

mod disentangled;
mod modern;
mod qwen3;
mod rotary;

pub(crate) use disentangled::Disentangled;
#[cfg(feature = "torch")]
pub(crate) use disentangled::{Convolution, RelativePositions};
pub(crate) use modern::Modern;
pub(crate) use qwen3::Qwen3;

use super::checked;
use crate::error::{Error, Result};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What the shared block and the embeddings need to know.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Config {
    pub(crate) family: String,
    pub(crate) vocabulary: i64,
    pub(crate) embedding: i64,
    pub(crate) hidden: i64,
    pub(crate) layers: usize,
    pub(crate) heads: i64,
    pub(crate) intermediate: i64,
    pub(crate) positions: i64,
    pub(crate) types: i64,
    pub(crate) pad: u32,
    pub(crate) epsilon: f64,
    pub(crate) activation: Activation,
    pub(crate) dropout: f64,
    pub(crate) attention_dropout: f64,
    /// ALBERT: how many sets of shared weights, and how many blocks in each.
    pub(crate) groups: usize,
    pub(crate) blocks_per_group: usize,
    /// BART: whether embeddings are multiplied by √hidden.
    pub(crate) scales_embeddings: bool,
    /// ModernBERT: what only it has.
    pub(crate) modern: Option<Modern>,
    /// DeBERTa: what only it has.
    pub(crate) disentangled: Option<Disentangled>,
    /// Qwen3: what only it has.
    pub(crate) qwen3: Option<Qwen3>,
}

/// The function between a block's two outer products.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Activation {
    /// By the error function.
    Gelu,
    /// By the hyperbolic tangent: `gelu_new`, `gelu_pytorch_tanh`.
    GeluTanh,
    Relu,
    /// By the logistic function.
    Silu,
}

/// More than any encoder has; a file that says more is broken.
const MOST_LAYERS: i64 = 1000;

/// One file's settings, for errors that name it.
pub(crate) struct Settings {
    path: PathBuf,
    json: Value,
}

impl Settings {
    /// Reads a JSON file that must be there.
    pub(crate) fn open(folder: &Path, name: &str) -> Result<Self> {
        let path = folder.join(name);
        if !path.is_file() {
            return Err(Error::MissingFile { folder: folder.into(), expected: name.into() });
        }
        let bytes = checked::read(&path)?;
        Self::parse(path, &bytes)
    }

    /// The settings that a file's bytes say.
    pub(crate) fn parse(path: PathBuf, bytes: &[u8]) -> Result<Self> {
        let json = serde_json::from_slice(bytes).map_err(|e| Error::bad(&path, e.to_string()))?;
        Ok(Self { path, json })
    }

    /// The same, but an absent file has no settings.
    pub(crate) fn open_or_empty(folder: &Path, name: &str) -> Result<Self> {
        match Self::open(folder, name) {
            Err(Error::MissingFile { .. }) => {
                Ok(Self { path: folder.join(name), json: Value::Null })
            }
            other => other,
        }
    }

    /// The settings below a key, as a file of their own would have them.
    pub(crate) fn part(&self, key: &str) -> Result<Self> {
        match self.json.get(key).filter(|part| part.is_object()) {
            Some(part) => Ok(Self { path: self.path.clone(), json: part.clone() }),
            None => Err(self.bad(&[key], "expected settings in braces")),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn json(&self) -> &Value {
        &self.json
    }

    /// The first of several spellings that is set.
    pub(crate) fn get(&self, keys: &[&str]) -> Option<&Value> {
        keys.iter().find_map(|key| self.json.get(key).filter(|value| !value.is_null()))
    }

    /// A whole number of at least 1.
    pub(crate) fn size(&self, keys: &[&str], default: Option<i64>) -> Result<i64> {
        let found = match self.get(keys) {
            Some(value) => value.as_i64().filter(|n| (1..=1 << 31).contains(n)),
            None => default,
        };
        found.ok_or_else(|| self.bad(keys, "expected a whole number of at least 1"))
    }

    /// A number from 0 to below 1.
    pub(crate) fn share(&self, keys: &[&str], default: f64) -> Result<f64> {
        let value = self.get(keys).map_or(Some(default), Value::as_f64);
        value
            .filter(|p| (0.0..1.0).contains(p))
            .ok_or_else(|| self.bad(keys, "expected a number from 0 to below 1"))
    }

    pub(crate) fn text(&self, keys: &[&str]) -> Option<&str> {
        self.get(keys).and_then(Value::as_str)
    }

    pub(crate) fn yes(&self, keys: &[&str], default: bool) -> bool {
        self.get(keys).and_then(Value::as_bool).unwrap_or(default)
    }

    pub(crate) fn bad(&self, keys: &[&str], reason: impl Into<String>) -> Error {
        let key = keys.first().copied().unwrap_or_default().to_owned();
        Error::BadConfig { path: self.path.clone(), key, reason: reason.into() }
    }
}

impl Config {
    /// The same with another share of numbers dropped while learning, if one is given.
    #[cfg(feature = "torch")]
    pub(crate) fn dropping(self, share: Option<f64>) -> Self {
        let Some(share) = share else { return self };
        Self { dropout: share, attention_dropout: share, ..self }
    }

    /// Reads `config.json` of a model folder.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        Self::of(&Settings::open(folder, "config.json")?)
    }

    /// What such a file says.
    pub(crate) fn of(file: &Settings) -> Result<Self> {
        let family = file.text(&["model_type"]);
        let family = family.ok_or_else(|| file.bad(&["model_type"], "expected a text"))?;
        let hidden = file.size(&["hidden_size", "d_model"], None)?;
        let heads = file.size(&["num_attention_heads", "encoder_attention_heads"], None)?;
        let is_qwen3 = family == "qwen3";
        // Qwen3's heads have a width of their own.
        if hidden % heads != 0 && !is_qwen3 {
            let reason = format!("{heads} heads cannot share a width of {hidden}");
            return Err(file.bad(&["num_attention_heads"], reason));
        }
        let keys = Keys::of(family);
        let activation = match file.text(&[keys.activation]) {
            None if is_qwen3 => Activation::Silu,
            _ => activation(file, &[keys.activation])?,
        };
        let count = |keys: &[&str], default| {
            let few = |&n: &i64| n <= MOST_LAYERS;
            let n = Some(file.size(keys, default)?).filter(few);
            n.and_then(|n| usize::try_from(n).ok())
                .ok_or_else(|| file.bad(keys, format!("expected at most {MOST_LAYERS}")))
        };
        let layers = count(&["encoder_layers", "num_hidden_layers"], None)?;
        let is_modern = family == "modernbert";
        let is_deberta = family == "deberta-v2";
        let epsilon = match family {
            "modernbert" => 1e-5,
            "deberta-v2" => 1e-7,
            "qwen3" => 1e-6,
            _ => 1e-12,
        };
        // The newer families train without dropout unless their files say otherwise.
        let dropout = if is_modern || is_qwen3 { 0.0 } else { 0.1 };
        let pad = match file.get(&["pad_token_id"]) {
            Some(id) => id.as_u64().and_then(|id| u32::try_from(id).ok()),
            // Their positions begin after it.
            None if matches!(family, "roberta" | "xlm-roberta") => Some(1),
            None => Some(0),
        };
        let positions = file.size(&["max_position_embeddings"], None)?;
        // DeBERTa's two texts may have no types at all.
        let types = match file.get(&["type_vocab_size"]) {
            None if is_deberta => 0,
            Some(none) if is_deberta && *none == 0 => 0,
            _ => file.size(&["type_vocab_size"], Some(1))?,
        };
        let disentangled = is_deberta.then(|| Disentangled::of(file, hidden, heads, positions));
        Ok(Self {
            family: family.to_owned(),
            vocabulary: file.size(&["vocab_size"], None)?,
            embedding: file.size(&["embedding_size"], Some(hidden))?,
            hidden,
            layers,
            heads,
            intermediate: file.size(&["intermediate_size", "encoder_ffn_dim"], None)?,
            positions,
            types,
            pad: pad.ok_or_else(|| file.bad(&["pad_token_id"], "expected a token's number"))?,
            epsilon: file.share(&[keys.epsilon], epsilon)?,
            activation,
            dropout: file.share(keys.dropout, dropout)?,
            attention_dropout: file.share(&[keys.attention_dropout], dropout)?,
            groups: count(&["num_hidden_groups"], Some(1))?,
            blocks_per_group: count(&["inner_group_num"], Some(1))?,
            scales_embeddings: file.yes(&["scale_embedding"], false),
            modern: is_modern.then(|| Modern::of(file, layers, hidden / heads)).transpose()?,
            disentangled: disentangled.transpose()?,
            qwen3: is_qwen3.then(|| Qwen3::of(file, layers, heads)).transpose()?,
        })
    }
}

/// How a family calls what all have. A key of another family's, which a file may have left over, says nothing.
struct Keys {
    activation: &'static str,
    epsilon: &'static str,
    /// None where a family has no such dropout.
    dropout: &'static [&'static str],
    attention_dropout: &'static str,
}

impl Keys {
    fn of(family: &str) -> Self {
        match family {
            "modernbert" => Self {
                activation: "hidden_activation",
                epsilon: "norm_eps",
                dropout: &["mlp_dropout"],
                attention_dropout: "attention_dropout",
            },
            "qwen3" => Self {
                activation: "hidden_act",
                epsilon: "rms_norm_eps",
                dropout: &[],
                attention_dropout: "attention_dropout",
            },
            "bart" | "mbart" => Self {
                activation: "activation_function",
                epsilon: "layer_norm_eps",
                dropout: &["dropout"],
                attention_dropout: "attention_dropout",
            },
            _ => Self {
                activation: "hidden_act",
                epsilon: "layer_norm_eps",
                dropout: &["hidden_dropout_prob"],
                attention_dropout: "attention_probs_dropout_prob",
            },
        }
    }
}

/// The function that the first of several spellings names; the error function's unless there is one.
fn activation(file: &Settings, keys: &[&str]) -> Result<Activation> {
    match file.text(keys) {
        Some("gelu") | None => Ok(Activation::Gelu),
        Some("gelu_new" | "gelu_pytorch_tanh") => Ok(Activation::GeluTanh),
        Some("relu") => Ok(Activation::Relu),
        Some("silu") => Ok(Activation::Silu),
        Some(other) => {
            let reason = format!("unknown function `{other}`; known: gelu, gelu_new, relu, silu");
            Err(file.bad(keys, reason))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What a small encoder's file says with these settings beside its sizes.
    fn read(settings: &Value) -> Result<Config> {
        let mut all = json!({"vocab_size": 40, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
            "intermediate_size": 24, "max_position_embeddings": 64});
        for (key, value) in settings.as_object().unwrap() {
            all[key] = value.clone();
        }
        Config::of(&Settings::parse("config.json".into(), all.to_string().as_bytes())?)
    }

    #[test]
    fn keys_of_other_families_say_nothing() {
        let left = json!({"layer_norm_eps": 0.5, "rms_norm_eps": 0.5, "norm_eps": 0.5, "hidden_dropout_prob": 0.5,
            "dropout": 0.5, "mlp_dropout": 0.5, "attention_probs_dropout_prob": 0.5, "attention_dropout": 0.5,
            "hidden_act": "relu", "hidden_activation": "relu", "activation_function": "relu"});
        for own in [
            json!({"model_type": "modernbert", "norm_eps": 0.25, "mlp_dropout": 0.25, "attention_dropout": 0.25,
                "hidden_activation": "gelu_new"}),
            json!({"model_type": "bert", "layer_norm_eps": 0.25, "hidden_dropout_prob": 0.25,
                "attention_probs_dropout_prob": 0.25, "hidden_act": "gelu_new"}),
            json!({"model_type": "bart", "layer_norm_eps": 0.25, "dropout": 0.25, "attention_dropout": 0.25,
                "activation_function": "gelu_new"}),
        ] {
            let mut all = left.clone();
            for (key, value) in own.as_object().unwrap() {
                all[key] = value.clone();
            }
            let found = read(&all).unwrap();
            assert_eq!(found.epsilon, 0.25, "{own}");
            assert_eq!((found.dropout, found.attention_dropout), (0.25, 0.25), "{own}");
            assert_eq!(found.activation, Activation::GeluTanh, "{own}");
        }
        let left = json!({"model_type": "modernbert", "layer_norm_eps": 1e-12, "hidden_dropout_prob": 0.1});
        let modern = read(&left).unwrap();
        assert_eq!((modern.epsilon, modern.dropout), (1e-5, 0.0));
    }

    #[test]
    fn positions_begin_where_they_do_in_transformers() {
        let pad = |settings: Value| read(&settings).map(|config| config.pad);
        for family in ["roberta", "xlm-roberta"] {
            assert_eq!(pad(json!({"model_type": family})).unwrap(), 1);
            assert_eq!(pad(json!({"model_type": family, "pad_token_id": null})).unwrap(), 1);
            assert_eq!(pad(json!({"model_type": family, "pad_token_id": 0})).unwrap(), 0);
        }
        assert_eq!(pad(json!({"model_type": "bert"})).unwrap(), 0);
        for id in [json!(-1), json!("[PAD]"), json!(1u64 << 40)] {
            let error = pad(json!({"model_type": "roberta", "pad_token_id": id})).unwrap_err();
            assert!(error.to_string().contains("pad_token_id"), "{error}");
        }
    }
}
