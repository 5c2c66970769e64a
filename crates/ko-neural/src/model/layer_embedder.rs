//! A model folder as a [`LayeredEmbedder`]: a vector per text from each of several layers, the text read once.

use super::{
    answers,
    block::Mode,
    identity::Identity,
    inference::Inference,
    network::Network,
    pooled::pooled_rows,
    recipe::{Recipe, Wording},
    replicas::Replicas,
    runner,
    tokenizer::{TextTokenizer, TokenIds},
};
use crate::{
    Prompt,
    error::{Error, Result},
    pooling::Pooling,
};
use ko_eval_core::Signature;
use ko_eval_model::{Embeddings, LayeredEmbedder};
use std::path::Path;

/// The layers of a transformer, each pooled into one vector per text.
///
/// Of a sentence-transformers folder the transformer is taken, its length limit, its default prompt and its pooling. Dense layers and
/// normalisation belong to what comes after the last layer and are left out, so that all layers are treated alike.
///
/// A text in chunks is joined as by [`Embedder`](crate::Embedder).
///
/// ```no_run
/// use ko_eval_model::LayeredEmbedder;
/// use ko_neural::{Inference, LayerEmbedder, Pooling};
///
/// let layers = LayerEmbedder::open("klue-bert-base", Some(Pooling::Cls), &Inference::new())?;
/// let vectors = layers.embed_layers(&["밥 먹었어?"])?;
/// assert_eq!(vectors.len(), layers.layers().len());
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct LayerEmbedder {
    identity: Identity,
    replicas: Replicas<Network>,
    tokenizer: TextTokenizer,
    inference: Inference,
    recipe: Recipe,
    wording: Wording,
    pooling: Pooling,
    depth: usize,
    layers: Vec<usize>,
    width: i64,
}

impl LayerEmbedder {
    /// Every layer of a folder's transformer, the embeddings included; pooled as asked, or as the folder says, or by the mean.
    ///
    /// # Errors
    /// What is wrong with the folder; [`Error::Setting`] for a pooling over several layers.
    pub fn open(
        folder: impl AsRef<Path>,
        pooling: Option<Pooling>,
        inference: &Inference,
    ) -> Result<Self> {
        let (folder, place) = (folder.as_ref(), inference.place()?);
        let recipe = Recipe::of(folder)?;
        let pooling = pooling.unwrap_or(recipe.pooling);
        if let Pooling::MeanOfLast(_) = pooling {
            return Err(Error::setting("pooling", pooling, "one of a single layer's vectors"));
        }
        let (network, tokenizer) = recipe.transformer(place)?;
        let (width, depth) = (network.config().hidden, network.depth());
        let wording = recipe.wording(&Prompt::AsTheFolderSays, &tokenizer, inference.long_text)?;
        Ok(Self {
            identity: Identity::of(folder, std::slice::from_ref(&recipe.folder))?,
            replicas: Replicas::new(network, place, inference.threads, Network::twin)?,
            tokenizer,
            inference: inference.clone(),
            recipe,
            wording,
            pooling,
            depth,
            layers: (0..=depth).collect(),
            width,
        })
    }

    /// The same with another prompt before every text; see [`Embedder::with_prompt`](crate::Embedder::with_prompt).
    ///
    /// # Errors
    /// A name that the folder does not know, a prompt that leaves no room for a text, or one to be left out of texts in
    /// chunks.
    pub fn with_prompt(mut self, prompt: &Prompt) -> Result<Self> {
        self.wording = self.recipe.wording(prompt, &self.tokenizer, self.inference.long_text)?;
        Ok(self)
    }

    /// The same with these layers alone. Layers after the last of them are not run.
    ///
    /// # Errors
    /// A layer beyond the model's last, or none at all.
    pub fn only(self, layers: &[usize]) -> Result<Self> {
        let mut layers = layers.to_vec();
        layers.sort_unstable();
        layers.dedup();
        match layers.last() {
            Some(&last) if last > self.depth => {
                let wanted = format!("from 0 (the embeddings) to {}", self.depth);
                Err(ko_eval_core::Error::invalid("model", "layer", last, wanted).into())
            }
            Some(_) => Ok(Self { layers, ..self }),
            None => Err(Error::setting("layers", "none", "at least one")),
        }
    }

    /// For each run of tokens, a vector per layer.
    fn pooled(&self, runs: &[TokenIds]) -> Result<Vec<Vec<Vec<f32>>>> {
        let first = self.layers.first().copied().unwrap_or(0);
        let last = self.layers.last().copied().unwrap_or(self.depth);
        let width = usize::try_from(self.width).unwrap_or(1).max(1);
        runner::run(&self.replicas, self.inference.batch_tokens, runs, |network, batch| {
            let mut texts = vec![Vec::with_capacity(self.layers.len()); batch.texts()];
            let states = network.states(batch, first..=last, Mode::Infer)?;
            for (layer, state) in (first..).zip(&states) {
                if !self.layers.contains(&layer) {
                    continue;
                }
                let left_out = self.wording.left_out();
                let pooled = pooled_rows(batch, state, self.pooling, left_out, self.width)?;
                let vectors = answers(&pooled)?;
                for (text, vector) in texts.iter_mut().zip(vectors.chunks_exact(width)) {
                    text.push(vector.to_vec());
                }
            }
            Ok(texts)
        })
    }
}

impl LayeredEmbedder for LayerEmbedder {
    fn layers(&self) -> &[usize] {
        &self.layers
    }

    fn layer_signature(&self, layer: usize) -> Signature {
        let signature = self.identity.signature().with("pooling", self.pooling);
        self.inference.sign(self.wording.sign(signature.with("layer", layer)))
    }

    fn embed_layers(&self, texts: &[&str]) -> ko_eval_core::Result<Vec<Embeddings>> {
        let runs: Vec<Vec<TokenIds>> = ko_eval_core::par_map(texts, |text| {
            self.tokenizer.encode(&self.wording.of(text), self.inference.long_text)
        })?;
        let mut pooled = self.pooled(&runs.concat())?.into_iter();
        let mut layers = vec![Vec::new(); self.layers.len()];
        for runs in &runs {
            let chunks: Vec<Vec<Vec<f32>>> = pooled.by_ref().take(runs.len()).collect();
            for (place, layer) in layers.iter_mut().enumerate() {
                let of_layer = chunks.iter().filter_map(|chunk| chunk.get(place));
                match chunks.as_slice() {
                    [_] => layer.extend(of_layer.flatten().copied()),
                    _ => {
                        let tokens = runs.iter().map(TokenIds::len);
                        layer.extend(self.pooling.join(of_layer.cloned().zip(tokens)));
                    }
                }
            }
        }
        let width = usize::try_from(self.width).unwrap_or(1);
        layers.into_iter().map(|data| Embeddings::from_rows(width, data)).collect()
    }
}
