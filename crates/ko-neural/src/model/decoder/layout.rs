//! What the families of decoders differ in. A family is one small file that fills these.

use super::{
    parts::{NormKind, Products},
    relative::Buckets,
};
use crate::model::{config::Activation, layout::Order};

/// Where a family keeps what every stack of blocks has, and its sizes.
#[derive(Debug, Clone)]
pub(crate) struct StackLayout {
    pub(crate) hidden: i64,
    pub(crate) heads: i64,
    pub(crate) head_width: i64,
    pub(crate) intermediate: i64,
    pub(crate) dropout: f64,
    pub(crate) attention_dropout: f64,
    pub(crate) activation: Activation,
    pub(crate) products: Products,
    pub(crate) norm: (NormKind, f64),
    pub(crate) order: Order,
    /// What token vectors are multiplied by.
    pub(crate) embedding_scale: f64,
    pub(crate) positions: Option<PositionNames>,
    /// A table of which only the first row is added.
    pub(crate) types: Option<(String, i64)>,
    pub(crate) embedding_norm: Option<String>,
    /// Every layer's name.
    pub(crate) layers: Vec<String>,
    pub(crate) block: BlockNames,
    pub(crate) last_norm: Option<String>,
    pub(crate) relative: Option<(String, Buckets)>,
    pub(crate) attention_scale: Option<f64>,
}

/// A table of positions.
#[derive(Debug, Clone)]
pub(crate) struct PositionNames {
    pub(crate) name: String,
    pub(crate) rows: i64,
    /// The first token's row.
    pub(crate) offset: i64,
}

/// Names within a block.
#[derive(Debug, Clone)]
pub(crate) struct BlockNames {
    pub(crate) own: AttentionNames,
    /// To an encoder's states.
    pub(crate) cross: Option<AttentionNames>,
    /// What the widened vectors are multiplied by: T5's gate.
    pub(crate) gate: Option<&'static str>,
    pub(crate) up: &'static str,
    pub(crate) down: &'static str,
    pub(crate) norm: &'static str,
}

/// Names of an attention and of the norm at its side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AttentionNames {
    pub(crate) queries: Queries,
    pub(crate) output: &'static str,
    pub(crate) norm: &'static str,
}

/// Queries, keys and values: three products, or one.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Queries {
    Apart { query: &'static str, key: &'static str, value: &'static str },
    Fused(&'static str),
}

/// From the last vectors to a number per token.
#[derive(Debug, Clone)]
pub(crate) struct HeadLayout {
    /// BERT's dense layer and norm before the product.
    pub(crate) transform: Option<(String, String)>,
    /// The product's matrix where it is not the token vectors'; taken only if the file holds it.
    pub(crate) own: Option<String>,
    /// Whether a new model has such a matrix.
    pub(crate) untied: bool,
    pub(crate) bias: Option<Bias>,
    /// What the last vectors are multiplied by.
    pub(crate) scale: f64,
}

/// A number per token.
#[derive(Debug, Clone)]
pub(crate) struct Bias {
    pub(crate) name: String,
    /// `[1, tokens]` instead of `[tokens]`.
    pub(crate) as_row: bool,
    /// Whether it may be missing, and is 0 then.
    pub(crate) optional: bool,
    /// Whether training moves it.
    pub(crate) trained: bool,
}

/// `h.0`, `h.1` …
pub(crate) fn numbered(stem: &str, count: usize) -> Vec<String> {
    (0..count).map(|layer| format!("{stem}.{layer}")).collect()
}
