//! The library's models.

use super::{Layers, Long, LongPrompt, ModelArgs, WritingModelArgs};
use anyhow::Result;
use ko_eval::{
    Decoding, Encoder, EntityTagger, Generator, LayeredEmbedder, PairScorer, SentenceEmbedder,
    TagScheme, TextClassifier, model_folder,
    neural::{
        Classifier, Embedder, Fic, Inference, LayerEmbedder, LongText, Pooling, Prompt, Sts,
        Tagger, TextGenerator, Transformer, model,
    },
};
use std::{path::Path, sync::Arc};

pub(crate) use crate::commands::train::recipe::train;

/// Where models can run; `None` where they cannot.
pub(crate) fn devices() -> Option<String> {
    let all = model::devices();
    Some(all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}

impl ModelArgs {
    fn inference(&self) -> Inference {
        let inference = Inference::new().long_text(match self.long {
            Long::Error => LongText::Error,
            Long::Truncate => LongText::Truncate,
            Long::Chunk => LongText::Chunk,
        });
        let inference = inference.device(self.device).precision(self.precision);
        sized(inference, self.threads, self.batch_tokens)
    }
}

impl WritingModelArgs {
    fn inference(&self) -> Inference {
        let inference = Inference::new().long_text(match self.long {
            LongPrompt::Error => LongText::Error,
            LongPrompt::Truncate => LongText::Truncate,
        });
        sized(inference.device(self.device), self.threads, self.batch_tokens)
    }
}

/// The same with these numbers, if they are given.
fn sized(mut inference: Inference, threads: Option<usize>, tokens: Option<usize>) -> Inference {
    if let Some(threads) = threads {
        inference = inference.threads(threads);
    }
    if let Some(tokens) = tokens {
        inference = inference.batch_tokens(tokens);
    }
    inference
}

impl Layers for Transformer {
    fn depth(&self) -> usize {
        self.layers()
    }

    fn at(&self, layer: usize) -> ko_eval::Result<Arc<dyn Encoder>> {
        Ok(Arc::new(self.at_layer(layer)?))
    }
}

pub(crate) fn layers(folder: &Path, how: &ModelArgs) -> Result<Box<dyn Layers>> {
    Ok(Box::new(Transformer::open(folder, &how.inference())?))
}

/// With a pooling of one's own, or as the folder says; a prompt stands before every text.
pub(crate) fn embedder(
    folder: &Path,
    pooling: Option<Pooling>,
    prompt: &Prompt,
    how: &ModelArgs,
) -> Result<Arc<dyn SentenceEmbedder>> {
    let inference = how.inference();
    let embedder = match pooling {
        Some(pooling) => Embedder::with_pooling(folder, pooling, &inference)?,
        None => Embedder::open(folder, &inference)?,
    };
    Ok(Arc::new(embedder.with_prompt(prompt)?))
}

/// These layers, or all; a prompt stands before every text.
pub(crate) fn layer_embedder(
    folder: &Path,
    pooling: Option<Pooling>,
    prompt: &Prompt,
    layers: Option<&[usize]>,
    how: &ModelArgs,
) -> Result<Arc<dyn LayeredEmbedder>> {
    let all = LayerEmbedder::open(folder, pooling, &how.inference())?.with_prompt(prompt)?;
    Ok(Arc::new(match layers {
        Some(layers) => all.only(layers)?,
        None => all,
    }))
}

pub(crate) fn sts(folder: &Path, how: &ModelArgs) -> Result<Arc<dyn PairScorer>> {
    Ok(Arc::new(Sts::open(folder, &how.inference())?))
}

pub(crate) fn fic(folder: &Path, how: &ModelArgs) -> Result<Arc<dyn PairScorer>> {
    Ok(Arc::new(Fic::open(folder, &how.inference())?))
}

pub(crate) fn tagger(
    folder: &Path,
    scheme: TagScheme,
    how: &ModelArgs,
) -> Result<Arc<dyn EntityTagger>> {
    Ok(Arc::new(Tagger::open(folder, &how.inference())?.reading(scheme)))
}

pub(crate) fn classifier(folder: &Path, how: &ModelArgs) -> Result<Arc<dyn TextClassifier>> {
    Ok(Arc::new(Classifier::open(folder, &how.inference())?))
}

/// A model that writes, and how its folder says that it does.
pub(crate) fn generator(
    folder: &Path,
    how: &WritingModelArgs,
) -> Result<(Arc<dyn Generator>, Decoding)> {
    let model = TextGenerator::open(model_folder(folder), &how.inference())?;
    let decoding = model.decoding().clone();
    Ok((Arc::new(model), decoding))
}
