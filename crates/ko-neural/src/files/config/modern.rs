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

impl Modern {
    /// `head` is the width of one.
    pub(super) fn of(file: &Settings, layers: usize, head: i64) -> Result<Self> {
        rotary::check_positions(file, head)?;
        let sliding = match file.get(&["layer_types"]) {
            Some(types) => {
                let types = types.as_array().map_or(&[][..], Vec::as_slice);
                let is_sliding = |kind: &Value| match kind.as_str() {
                    Some("full_attention") => Some(false),
                    Some("sliding_attention") => Some(true),
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
        Ok(Self {
            full_theta: theta(file, "full_attention", "global_rope_theta", 160_000.0)?,
            sliding_theta: theta(file, "sliding_attention", "local_rope_theta", 10_000.0)?,
            window: file.size(&["local_attention"], Some(128))? / 2,
            sliding,
            attention_bias: file.yes(&["attention_bias"], false),
            mlp_bias: file.yes(&["mlp_bias"], false),
            norm_bias: file.yes(&["norm_bias"], false),
        })
    }
}

/// The base of a rotation, in either of two spellings.
fn theta(file: &Settings, kind: &str, old: &str, default: f64) -> Result<f64> {
    let own = file.get(&["rope_parameters"]).and_then(|all| all.get(kind));
    let word = own.and_then(|own| own.get("rope_type")).and_then(Value::as_str);
    if word.is_some_and(|word| word != "default") {
        let reason = format!("unknown kind `{}`; known: default", word.unwrap_or_default());
        return Err(file.bad(&["rope_parameters"], reason));
    }
    let value = own.and_then(|own| own.get("rope_theta")).or_else(|| file.get(&[old]));
    let value = value.map_or(Some(default), Value::as_f64);
    value
        .filter(|theta| theta.is_finite() && *theta > 1.0)
        .ok_or_else(|| file.bad(&["rope_parameters"], "expected a number above 1 as rope_theta"))
}
