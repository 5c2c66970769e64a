//! What ModernBERT's `config.json` says beyond what every encoder's says.

use super::{Settings, rotary};
use crate::error::Result;
use serde_json::Value;

/// Rotary positions, attention within a window, and what has a bias.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Modern {
    /// The base of the rotation where a token sees every other.
    pub(crate) full_theta: f64,
    /// The base of the rotation where it sees its neighbours only.
    pub(crate) sliding_theta: f64,
    /// How far those neighbours are.
    pub(crate) window: i64,
    /// Per layer, whether a token sees its neighbours only.
    pub(crate) sliding: Vec<bool>,
    pub(crate) attention_bias: bool,
    pub(crate) mlp_bias: bool,
    pub(crate) norm_bias: bool,
}

/// The kinds of layer, as files call them.
const FULL: &str = "full_attention";
const SLIDING: &str = "sliding_attention";

impl Modern {
    /// `head` is the width of one.
    pub(super) fn of(file: &Settings, layers: usize, head: i64) -> Result<Self> {
        rotary::check_positions(file, head)?;
        let sliding = match file.get(&["layer_types"]) {
            Some(types) => {
                let types = types.as_array().map_or(&[][..], Vec::as_slice);
                let is_sliding = |kind: &Value| match kind.as_str() {
                    Some(FULL) => Some(false),
                    Some(SLIDING) => Some(true),
                    _ => None,
                };
                let found: Option<Vec<bool>> = types.iter().map(is_sliding).collect();
                found.filter(|found| found.len() == layers).ok_or_else(|| {
                    let reason = "expected full_attention or sliding_attention for every layer";
                    file.bad(&["layer_types"], reason)
                })?
            }
            None => {
                let every = file.size(&["global_attn_every_n_layers"], Some(3))?;
                (0..).take(layers).map(|layer: i64| layer % every != 0).collect()
            }
        };
        check_rotations(file)?;
        Ok(Self {
            full_theta: theta(file, FULL, "global_rope_theta", 160_000.0)?,
            sliding_theta: theta(file, SLIDING, "local_rope_theta", 10_000.0)?,
            window: file.size(&["local_attention"], Some(128))? / 2,
            sliding,
            attention_bias: file.yes(&["attention_bias"], false),
            mlp_bias: file.yes(&["mlp_bias"], false),
            norm_bias: file.yes(&["norm_bias"], false),
        })
    }
}

/// Refuses rotations that are scaled: of one kind of layer, or, in the older spelling, of both.
fn check_rotations(file: &Settings) -> Result<()> {
    if let Some(parameters) = file.get(&["rope_parameters"]) {
        let kinds =
            parameters.as_object().filter(|all| all.keys().all(|k| k == FULL || k == SLIDING));
        let bad =
            || file.bad(&["rope_parameters"], "expected full_attention and sliding_attention");
        for settings in kinds.ok_or_else(bad)?.values() {
            rotary::check_kind(file, "rope_parameters", settings)?;
        }
    }
    match file.get(&["rope_scaling"]) {
        Some(scaling) if scaling.is_object() => rotary::check_kind(file, "rope_scaling", scaling),
        Some(_) => Err(file.bad(&["rope_scaling"], "expected settings in braces")),
        None => Ok(()),
    }
}

/// The base of a kind's rotation. `rope_scaling` comes first, as in transformers, then `rope_parameters`, then the key of old.
fn theta(file: &Settings, kind: &str, old: &str, default: f64) -> Result<f64> {
    let stated = |settings: Option<&Value>| Some(settings?.get("rope_theta")?.clone());
    let own = file.get(&["rope_parameters"]).and_then(|all| all.get(kind));
    let [shared, own] = [file.get(&["rope_scaling"]), own].map(stated);
    let all =
        [("rope_scaling", shared), ("rope_parameters", own), (old, file.get(&[old]).cloned())];
    let is_set = |(key, theta): (_, Option<Value>)| Some((key, theta.filter(|t| !t.is_null())?));
    let Some((key, theta)) = all.into_iter().find_map(is_set) else {
        return Ok(default);
    };
    theta.as_f64().filter(|theta| theta.is_finite() && *theta > 1.0).ok_or_else(|| {
        file.bad(&[key], format!("{theta}, expected a number above 1 as rope_theta"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use serde_json::json;

    fn read(settings: &Value) -> Result<Modern> {
        let mut all = json!({"max_position_embeddings": 512});
        for (key, value) in settings.as_object().unwrap() {
            all[key] = value.clone();
        }
        let file = Settings::parse("config.json".into(), all.to_string().as_bytes())?;
        Modern::of(&file, 3, 8)
    }

    #[test]
    fn every_spelling_of_the_bases_is_read() {
        let of = |theta: f64| json!({"rope_type": "default", "rope_theta": theta});
        for (settings, bases) in [
            (json!({}), (160_000.0, 10_000.0)),
            (json!({"global_rope_theta": 5000.0, "local_rope_theta": 300}), (5000.0, 300.0)),
            (json!({"rope_parameters": {FULL: of(5e3), SLIDING: of(300.0)}}), (5000.0, 300.0)),
            (json!({"rope_parameters": {FULL: of(5e3)}, "local_rope_theta": 3e2}), (5e3, 300.0)),
            (json!({"rope_parameters": {}, "rope_scaling": null}), (160_000.0, 10_000.0)),
            (json!({"rope_scaling": {}, "global_rope_theta": 5e3}), (5000.0, 10_000.0)),
            (json!({"rope_scaling": {"type": "default"}}), (160_000.0, 10_000.0)),
            (
                json!({"rope_scaling": {"rope_theta": 7e3}, "rope_parameters": {FULL: of(5e3)}}),
                (7000.0, 7000.0),
            ),
        ] {
            let read = read(&settings).unwrap();
            assert_eq!((read.full_theta, read.sliding_theta), bases, "{settings}");
        }
    }

    #[test]
    fn what_cannot_be_is_named() {
        let yarn = json!({"rope_type": "yarn", "factor": 4.0});
        for (settings, named) in [
            (json!({"rope_scaling": {"type": "linear", "factor": 2.0}}), "rope_scaling"),
            (json!({"rope_scaling": yarn}), "rope_scaling"),
            (json!({"rope_scaling": "yarn"}), "rope_scaling"),
            (json!({"rope_parameters": yarn}), "rope_parameters"),
            (json!({"rope_parameters": {FULL: yarn}}), "rope_parameters"),
            (json!({"rope_parameters": {SLIDING: yarn}}), "rope_parameters"),
            (json!({"rope_parameters": {SLIDING: {"type": "linear"}}}), "rope_parameters"),
            (json!({"rope_parameters": 3}), "rope_parameters"),
            (json!({"rope_parameters": {"rope_theta": 5e3}}), "rope_parameters"),
            (json!({"rope_parameters": {FULL: {"rope_theta": 1}}}), "rope_parameters"),
            (json!({"global_rope_theta": "much"}), "global_rope_theta"),
            (json!({"local_rope_theta": 0.5}), "local_rope_theta"),
            (json!({"layer_types": [FULL]}), "layer_types"),
        ] {
            match read(&settings) {
                Err(Error::BadConfig { key, .. }) => assert_eq!(key, named, "{settings}"),
                other => panic!("{settings}: {other:?}"),
            }
        }
    }
}
