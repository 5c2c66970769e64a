//! What the families of encoders differ in: names, an offset, the place of the norms.
//!
//! A family is one small file that fills a [`Layout`] and one row of [`FAMILIES`].

use super::{
    albert, bart, bert, config::Config, deberta, electra, mbart, modernbert, qwen3, roberta,
};

/// A family's `model_type`, and how its layout follows from the configuration.
pub(crate) type Family = (&'static str, fn(&Config) -> Layout);

/// Every family.
pub(crate) const FAMILIES: &[Family] = &[
    ("bert", bert::layout),
    ("roberta", roberta::layout),
    ("xlm-roberta", roberta::layout),
    ("electra", electra::layout),
    ("albert", albert::layout),
    ("bart", bart::layout),
    ("mbart", mbart::layout),
    ("modernbert", modernbert::layout),
    ("deberta-v2", deberta::layout),
    ("qwen3", qwen3::layout),
];

/// Where a family keeps what every encoder has.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// What may stand before every name when the file is of a whole model.
    pub(crate) prefixes: &'static [&'static str],
    pub(crate) embeddings: EmbeddingNames,
    /// Every layer's name; layers of one name share their weights.
    pub(crate) layers: Vec<String>,
    pub(crate) body: Body,
    pub(crate) order: Order,
    /// A norm after the last layer.
    pub(crate) last_norm: Option<&'static str>,
    /// The epsilon of every norm, where the configuration does not say.
    pub(crate) epsilon: f64,
}

#[derive(Debug, Clone)]
pub(crate) struct EmbeddingNames {
    pub(crate) words: &'static str,
    /// `None` where positions are no table.
    pub(crate) positions: Option<&'static str>,
    /// The first token's row among the positions.
    pub(crate) position_offset: i64,
    /// Rows of the position table beyond `max_position_embeddings`.
    pub(crate) extra_positions: i64,
    pub(crate) types: Option<&'static str>,
    /// `None` where the layers read the embeddings as they are.
    pub(crate) norm: Option<&'static str>,
    /// From the embeddings' width to the layers'.
    pub(crate) projection: Option<Projection>,
    pub(crate) scale: f64,
}

/// A projection of embeddings that are narrower than the layers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Projection {
    /// After the norm, with a bias.
    AfterNorm(&'static str),
    /// Before the norm, without one.
    BeforeNorm(&'static str),
}

/// What the layers are.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Body {
    /// The block that most families share, by its names.
    Shared(BlockNames),
    /// ModernBERT's own.
    Modern,
    /// Qwen3's own.
    Qwen3,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockNames {
    pub(crate) query: &'static str,
    pub(crate) key: &'static str,
    pub(crate) value: &'static str,
    pub(crate) output: &'static str,
    pub(crate) attention_norm: &'static str,
    pub(crate) up: &'static str,
    pub(crate) down: &'static str,
    pub(crate) output_norm: &'static str,
}

/// Whether a block's norms stand after the sums, or before what is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    PostNorm,
    PreNorm,
}

/// `layer.0`, `layer.1` …
pub(crate) fn numbered(config: &Config, stem: &str) -> Vec<String> {
    (0..config.layers).map(|layer| format!("{stem}.{layer}")).collect()
}
