//! Every family of models that write: a row here, and a small file that says where its parts lie.

use super::{
    bart, encoder_decoder, gpt2,
    layout::{HeadLayout, StackLayout},
    mbart, t5,
};
use crate::{
    error::{Error, Result},
    model::{
        config::{Activation, Config, Settings},
        layout as encoders,
    },
};

/// One family.
#[derive(Debug)]
pub(crate) struct Family {
    /// Its `model_type`.
    pub(crate) name: &'static str,
    /// What may stand before every name; the first is what is written.
    pub(crate) bases: &'static [&'static str],
    /// A tensor that a decoder has, after the base.
    pub(crate) probe: &'static str,
    /// The layout that follows from the configuration.
    pub(crate) layout: fn(&Settings, &str) -> Result<WriterLayout>,
}

/// Every family.
pub(crate) const FAMILIES: &[Family] = &[
    gpt2::FAMILY,
    bart::FAMILY,
    mbart::FAMILY,
    t5::FAMILY,
    t5::MULTILINGUAL,
    encoder_decoder::FAMILY,
];

/// Where a whole model's parts lie.
#[derive(Debug, Clone)]
pub(crate) struct WriterLayout {
    pub(crate) vocabulary: i64,
    /// The token vectors' table, by each of the names that it may have; the first is what is written.
    pub(crate) words: Vec<String>,
    pub(crate) encoder: Option<EncoderLayout>,
    pub(crate) decoder: StackLayout,
    pub(crate) head: HeadLayout,
    /// The most tokens of a text that is read, and of one that is written; of a decoder without an encoder both together.
    pub(crate) longest: (usize, usize),
}

/// What reads.
#[derive(Debug, Clone)]
pub(crate) enum EncoderLayout {
    /// One of the encoders, under a prefix; its own token vectors are the decoder's where `shares` names them.
    Network {
        config: Box<Config>,
        prefix: String,
        shares: Option<&'static str>,
        project: Option<(String, i64)>,
    },
    /// A stack like the decoder's.
    Stack(Box<StackLayout>),
}

/// The family of a configuration.
pub(crate) fn of(config: &Settings) -> Result<&'static Family> {
    let name = config.text(&["model_type"]);
    let name = name.ok_or_else(|| config.bad(&["model_type"], "expected a text"))?;
    if let Some(family) = FAMILIES.iter().find(|family| family.name == name) {
        return Ok(family);
    }
    let path = config.path().to_owned();
    if encoders::FAMILIES.iter().any(|(encoder, _)| *encoder == name) {
        return Err(Error::EncoderOnly { path, name: name.to_owned() });
    }
    let known = FAMILIES.iter().map(|family| family.name).collect::<Vec<_>>().join(", ");
    Err(Error::UnknownArchitecture { path, name: name.to_owned(), known })
}

/// The function between a block's outer products.
pub(crate) fn activation(
    config: &Settings,
    keys: &[&str],
    default: Activation,
) -> Result<Activation> {
    match config.text(keys) {
        None => Ok(default),
        Some("gelu") => Ok(Activation::Gelu),
        Some("gelu_new" | "gelu_pytorch_tanh") => Ok(Activation::GeluTanh),
        Some("relu") => Ok(Activation::Relu),
        Some(other) => {
            let reason = format!("unknown function `{other}`; known: gelu, gelu_new, relu");
            Err(config.bad(keys, reason))
        }
    }
}

/// How many layers a stack has.
pub(crate) fn layers(config: &Settings, keys: &[&str], default: Option<i64>) -> Result<usize> {
    let count = config.size(keys, default)?;
    match usize::try_from(count) {
        Ok(count @ ..=1000) => Ok(count),
        _ => Err(config.bad(keys, "expected at most 1000")),
    }
}

/// The width of a head, if the heads can share the whole.
pub(crate) fn head_width(config: &Settings, hidden: i64, heads: i64) -> Result<i64> {
    match hidden % heads {
        0 => Ok(hidden / heads),
        _ => {
            let reason = format!("{heads} heads cannot share a width of {hidden}");
            Err(config.bad(&["num_attention_heads"], reason))
        }
    }
}

/// A number of rows as a length.
pub(crate) fn length(rows: i64) -> usize {
    usize::try_from(rows).unwrap_or(0)
}
