//! What DeBERTa-v2's and v3's `config.json` says beyond what every encoder's says.

use super::{Activation, Settings, activation};
use crate::error::Result;
use serde_json::Value;

/// Attention that also asks how far apart two tokens are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Disentangled {
    /// `None` where the configuration turns relative positions off.
    pub(crate) relative: Option<RelativePositions>,
    /// How many kinds of score are added up, which their scale depends on.
    pub(crate) kinds: i64,
    /// Whether the embeddings have a table of positions, too.
    pub(crate) absolute: bool,
    pub(crate) convolution: Option<Convolution>,
}

/// The table of relative positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RelativePositions {
    /// Rows to either side.
    pub(crate) span: i64,
    /// Near distances have a row each, far ones share; `None` if all have their own.
    pub(crate) buckets: Option<i64>,
    /// The distance that the last bucket ends at.
    pub(crate) farthest: i64,
    /// Whether a token's query asks for a distance.
    pub(crate) content_to_position: bool,
    /// Whether a distance's query asks for a token.
    pub(crate) position_to_content: bool,
    /// Whether distances take the tokens' projections instead of their own.
    pub(crate) shared: bool,
    /// Whether the table goes through a norm.
    pub(crate) normed: bool,
}

/// A convolution beside the first layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Convolution {
    pub(crate) width: i64,
    pub(crate) groups: i64,
    /// `None` is the hyperbolic tangent.
    pub(crate) activation: Option<Activation>,
}

impl Disentangled {
    pub(super) fn of(file: &Settings, hidden: i64, heads: i64, positions: i64) -> Result<Self> {
        if file.get(&["attention_head_size"]).is_some_and(|size| *size != hidden / heads) {
            let reason = format!("expected {}: the width shared by the heads", hidden / heads);
            return Err(file.bad(&["attention_head_size"], reason));
        }
        let kinds = kinds(file)?;
        let [content_to_position, position_to_content] =
            ["c2p", "p2c"].map(|kind| kinds.iter().any(|known| known == kind));
        // −1 and 0 are the library's words for "none".
        let above_zero = |key: &str| file.get(&[key]).is_some_and(|n| n.as_i64() > Some(0));
        let farthest = match above_zero("max_relative_positions") {
            true => file.size(&["max_relative_positions"], None)?,
            false => positions,
        };
        let buckets = above_zero("position_buckets")
            .then(|| file.size(&["position_buckets"], None))
            .transpose()?;
        if buckets.is_some_and(|buckets| buckets < 4 || farthest <= buckets / 2 + 1) {
            let reason = format!(
                "expected at least 4, and less than twice {farthest}, the farthest distance"
            );
            return Err(file.bad(&["position_buckets"], reason));
        }
        let normed = file.text(&["norm_rel_ebd"]).unwrap_or("none").to_lowercase();
        let relative = file.yes(&["relative_attention"], false).then(|| RelativePositions {
            span: buckets.unwrap_or(farthest),
            buckets,
            farthest,
            content_to_position,
            position_to_content,
            shared: file.yes(&["share_att_key"], false),
            normed: normed.split('|').any(|word| word.trim() == "layer_norm"),
        });
        let convolution = above_zero("conv_kernel_size").then(|| Convolution::of(file, hidden));
        Ok(Self {
            relative,
            kinds: 1 + i64::from(content_to_position) + i64::from(position_to_content),
            absolute: file.yes(&["position_biased_input"], true),
            convolution: convolution.transpose()?,
        })
    }
}

/// `pos_att_type`: a list, or words with `|` between.
fn kinds(file: &Settings) -> Result<Vec<String>> {
    let kinds: Option<Vec<String>> = match file.get(&["pos_att_type"]) {
        None => Some(Vec::new()),
        Some(Value::String(text)) => {
            Some(text.to_lowercase().split('|').map(|kind| kind.trim().to_owned()).collect())
        }
        Some(Value::Array(list)) => {
            list.iter().map(|kind| kind.as_str().map(str::to_owned)).collect()
        }
        Some(_) => None,
    };
    let known = |kind: &String| matches!(kind.as_str(), "c2p" | "p2c");
    kinds
        .filter(|kinds| kinds.iter().all(known))
        .ok_or_else(|| file.bad(&["pos_att_type"], "expected c2p, p2c or both"))
}

impl Convolution {
    fn of(file: &Settings, hidden: i64) -> Result<Self> {
        let width = file.size(&["conv_kernel_size"], None)?;
        if width % 2 == 0 {
            let reason = "expected an odd number: as many neighbours on either side";
            return Err(file.bad(&["conv_kernel_size"], reason));
        }
        let groups = file.size(&["conv_groups"], Some(1))?;
        if hidden % groups != 0 {
            let reason = format!("{groups} groups cannot share a width of {hidden}");
            return Err(file.bad(&["conv_groups"], reason));
        }
        let activation = match file.text(&["conv_act"]) {
            None | Some("tanh") => None,
            Some(_) => Some(activation(file, &["conv_act"])?),
        };
        Ok(Self { width, groups, activation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Disentangled> {
        let file = Settings::parse("config.json".into(), json.as_bytes())?;
        Disentangled::of(&file, 16, 2, 512)
    }

    #[test]
    fn both_spellings_of_what_is_asked() {
        let v3 = r#"{"relative_attention": true, "pos_att_type": "p2c|c2p", "position_buckets": 256,
            "max_relative_positions": -1, "norm_rel_ebd": "layer_norm", "share_att_key": true,
            "position_biased_input": false}"#;
        let found = read(v3).unwrap();
        let relative = found.relative.unwrap();
        assert_eq!((relative.span, relative.buckets, relative.farthest), (256, Some(256), 512));
        assert!(relative.content_to_position && relative.position_to_content);
        assert!(relative.shared && relative.normed && !found.absolute);
        assert_eq!(found.kinds, 3);
        let found = read(r#"{"relative_attention": true, "pos_att_type": ["c2p"]}"#).unwrap();
        assert_eq!(found.relative.unwrap().span, 512);
        assert_eq!((found.kinds, found.absolute), (2, true));
        assert_eq!(read("{}").unwrap().relative, None);
    }

    #[test]
    fn what_cannot_be_is_named() {
        for (json, key) in [
            (r#"{"pos_att_type": "c2p|q2q"}"#, "pos_att_type"),
            (r#"{"pos_att_type": 3}"#, "pos_att_type"),
            (r#"{"attention_head_size": 9}"#, "attention_head_size"),
            (r#"{"position_buckets": 2}"#, "position_buckets"),
            (r#"{"position_buckets": 4096}"#, "position_buckets"),
            (r#"{"conv_kernel_size": 2}"#, "conv_kernel_size"),
            (r#"{"conv_kernel_size": 3, "conv_groups": 3}"#, "conv_groups"),
            (r#"{"conv_kernel_size": 3, "conv_act": "swish"}"#, "conv_act"),
        ] {
            let error = read(json).unwrap_err().to_string();
            assert!(error.contains(key), "{json}: {error}");
        }
    }
}
