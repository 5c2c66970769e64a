//! What Qwen3's `config.json` says beyond what every encoder's says.

use super::{Settings, rotary};
use crate::error::Result;
use serde_json::Value;

/// Rotary positions, and heads of a width of their own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Qwen3 {
    /// The base of the rotation.
    pub(crate) theta: f64,
    /// The width of one head; the heads together need not be as wide as the layers.
    pub(crate) head: i64,
    /// Heads of keys and values, each for several heads of queries.
    pub(crate) key_heads: i64,
    pub(crate) attention_bias: bool,
}

/// What transformers takes where a file does not say.
const HEAD: i64 = 128;
const KEY_HEADS: i64 = 32;
const THETA: f64 = 10_000.0;

impl Qwen3 {
    pub(super) fn of(file: &Settings, layers: usize, heads: i64) -> Result<Self> {
        // Attention of another reach would give numbers, but not the model's.
        for (key, otherwise) in [
            ("use_sliding_window", true),
            ("use_bidirectional_attention", true),
            ("is_causal", false),
        ] {
            if file.get(&[key]).is_some_and(|value| *value == otherwise) {
                let reason =
                    format!("{otherwise} is not supported: every token sees all before it");
                return Err(file.bad(&[key], reason));
            }
        }
        if let Some(types) = file.get(&["layer_types"]) {
            let full = |types: &Vec<Value>| {
                types.len() == layers && types.iter().all(|kind| kind == "full_attention")
            };
            if !types.as_array().is_some_and(full) {
                let reason = "expected full_attention for every layer";
                return Err(file.bad(&["layer_types"], reason));
            }
        }
        let head = file.size(&["head_dim"], Some(HEAD))?;
        if head % 2 != 0 {
            let reason = "expected an even number: one half turns against the other";
            return Err(file.bad(&["head_dim"], reason));
        }
        rotary::check_positions(file, head)?;
        let key_heads = match file.json().get("num_key_value_heads") {
            Some(Value::Null) => heads,
            _ => file.size(&["num_key_value_heads"], Some(KEY_HEADS))?,
        };
        if heads % key_heads != 0 {
            let reason = format!("{heads} heads of queries cannot share {key_heads} of keys");
            return Err(file.bad(&["num_key_value_heads"], reason));
        }
        let attention_bias = file.yes(&["attention_bias"], false);
        Ok(Self { theta: theta(file)?, head, key_heads, attention_bias })
    }
}

/// The base of the rotation in any of its spellings; the older `rope_scaling` comes first, as in transformers.
fn theta(file: &Settings) -> Result<f64> {
    let is_set = |key: &&&str| {
        file.get(&[key]).is_some_and(|value| value.as_object().is_none_or(|all| !all.is_empty()))
    };
    let key = ["rope_scaling", "rope_parameters"].iter().find(is_set).copied();
    let own = key.and_then(|key| file.get(&[key]));
    let key = key.unwrap_or("rope_theta");
    if own.is_some_and(|own| own.as_object().is_none_or(|all| all.values().any(Value::is_object))) {
        return Err(file.bad(&[key], "expected settings in braces, the same for every layer"));
    }
    if let Some(own) = own {
        rotary::check_kind(file, key, own)?;
    }
    let stated = own.and_then(|own| own.get("rope_theta")).filter(|value| !value.is_null());
    let value = stated.or_else(|| file.get(&["rope_theta"]));
    let value = value.map_or(Some(THETA), Value::as_f64);
    value
        .filter(|theta| theta.is_finite() && *theta > 1.0)
        .ok_or_else(|| file.bad(&[key], "expected a number above 1 as rope_theta"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    fn read(json: &str) -> Result<Qwen3> {
        let mut all: Value = serde_json::from_str(json).unwrap();
        for (key, value) in [("max_position_embeddings", 512), ("head_dim", 8)] {
            if all.get(key).is_none() {
                all[key] = value.into();
            }
        }
        let file = Settings::parse("config.json".into(), all.to_string().as_bytes())?;
        Qwen3::of(&file, 2, 32)
    }

    #[test]
    fn every_spelling_of_the_base_is_read() {
        for (json, theta) in [
            ("{}", 1e4),
            (r#"{"rope_theta": 1000000}"#, 1e6),
            (r#"{"rope_theta": 1000000, "rope_scaling": null}"#, 1e6),
            (r#"{"rope_theta": 1000000, "rope_scaling": {}}"#, 1e6),
            (r#"{"rope_theta": 1000000, "rope_scaling": {"type": "default"}}"#, 1e6),
            (r#"{"rope_parameters": {"rope_type": "default", "rope_theta": 5000.0}}"#, 5e3),
            (r#"{"rope_parameters": {"rope_type": "default"}, "rope_theta": 7000.0}"#, 7e3),
        ] {
            assert_eq!(read(json).unwrap().theta, theta, "{json}");
        }
    }

    #[test]
    fn heads_of_keys_may_be_as_many_as_of_queries() {
        assert_eq!(read("{}").unwrap().key_heads, 32);
        assert_eq!(read(r#"{"num_key_value_heads": null}"#).unwrap().key_heads, 32);
        assert_eq!(read(r#"{"num_key_value_heads": 8}"#).unwrap().key_heads, 8);
    }

    #[test]
    fn what_cannot_be_is_named() {
        for (json, key) in [
            (r#"{"use_sliding_window": true}"#, "use_sliding_window"),
            (r#"{"use_bidirectional_attention": true}"#, "use_bidirectional_attention"),
            (r#"{"is_causal": false}"#, "is_causal"),
            (r#"{"layer_types": ["full_attention"]}"#, "layer_types"),
            (r#"{"layer_types": ["full_attention", "sliding_attention"]}"#, "layer_types"),
            (r#"{"head_dim": 9}"#, "head_dim"),
            (r#"{"max_position_embeddings": 1073741824}"#, "max_position_embeddings"),
            (r#"{"num_key_value_heads": 3}"#, "num_key_value_heads"),
            (r#"{"rope_scaling": {"type": "linear", "factor": 2.0}}"#, "rope_scaling"),
            (r#"{"rope_parameters": {"rope_type": "yarn", "factor": 4.0}}"#, "rope_parameters"),
            (r#"{"rope_parameters": {"rope_type": 3}}"#, "rope_parameters"),
            (
                r#"{"rope_parameters": {"full_attention": {"rope_theta": 5000.0}}}"#,
                "rope_parameters",
            ),
            (r#"{"rope_parameters": {"rope_theta": 1}}"#, "rope_parameters"),
            (r#"{"rope_parameters": 3}"#, "rope_parameters"),
            (r#"{"rope_theta": "much"}"#, "rope_theta"),
        ] {
            match read(json) {
                Err(Error::BadConfig { key: found, .. }) => assert_eq!(found, key, "{json}"),
                other => panic!("{json}: {other:?}"),
            }
        }
    }
}
