//! No models: every one is the same error.

use super::{HOW_TO_GET_MODELS, Layers, ModelArgs};
use crate::commands::train::Command;
use anyhow::{Result, bail};
use ko_eval::{PairScorer, SentenceEmbedder, neural::Pooling};
use std::{path::Path, sync::Arc};

pub(crate) fn layers(_: &Path, _: &ModelArgs) -> Result<Box<dyn Layers>> {
    bail!(HOW_TO_GET_MODELS)
}

pub(crate) fn embedder(
    _: &Path,
    _: Option<Pooling>,
    _: &ModelArgs,
) -> Result<Arc<dyn SentenceEmbedder>> {
    bail!(HOW_TO_GET_MODELS)
}

pub(crate) fn sts(_: &Path, _: &ModelArgs) -> Result<Arc<dyn PairScorer>> {
    bail!(HOW_TO_GET_MODELS)
}

pub(crate) fn fic(_: &Path, _: &ModelArgs) -> Result<Arc<dyn PairScorer>> {
    bail!(HOW_TO_GET_MODELS)
}

pub(crate) fn train(_: &Command) -> Result<()> {
    bail!(HOW_TO_GET_MODELS)
}
