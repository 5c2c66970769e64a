//! No models: every one is the same error.

use super::{Layers, ModelArgs, NoModels, WritingModelArgs};
use crate::commands::train::Command;
use anyhow::{Result, bail};
use ko_eval::{
    Decoding, EntityTagger, Generator, LayeredEmbedder, PairScorer, SentenceEmbedder, TagScheme,
    TextClassifier,
    neural::{Pooling, Prompt},
};
use std::{path::Path, sync::Arc};

pub(crate) fn devices() -> Option<String> {
    None
}

pub(crate) fn layers(_: &Path, _: &ModelArgs) -> Result<Box<dyn Layers>> {
    bail!(NoModels)
}

pub(crate) fn embedder(
    _: &Path,
    _: Option<Pooling>,
    _: &Prompt,
    _: &ModelArgs,
) -> Result<Arc<dyn SentenceEmbedder>> {
    bail!(NoModels)
}

pub(crate) fn layer_embedder(
    _: &Path,
    _: Option<Pooling>,
    _: &Prompt,
    _: Option<&[usize]>,
    _: &ModelArgs,
) -> Result<Arc<dyn LayeredEmbedder>> {
    bail!(NoModels)
}

pub(crate) fn sts(_: &Path, _: &ModelArgs) -> Result<Arc<dyn PairScorer>> {
    bail!(NoModels)
}

pub(crate) fn fic(_: &Path, _: &ModelArgs) -> Result<Arc<dyn PairScorer>> {
    bail!(NoModels)
}

pub(crate) fn generator(_: &Path, _: &WritingModelArgs) -> Result<(Arc<dyn Generator>, Decoding)> {
    bail!(NoModels)
}

pub(crate) fn tagger(_: &Path, _: TagScheme, _: &ModelArgs) -> Result<Arc<dyn EntityTagger>> {
    bail!(NoModels)
}

pub(crate) fn classifier(_: &Path, _: &ModelArgs) -> Result<Arc<dyn TextClassifier>> {
    bail!(NoModels)
}

pub(crate) fn train(_: &Command) -> Result<()> {
    bail!(NoModels)
}
