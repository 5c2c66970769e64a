//! A model folder as a [`SentenceEmbedder`]: a vector per text.

use super::{
    answers,
    batch::Batch,
    block::{Linear, Mode},
    config::Settings,
    identity::Identity,
    inference::Inference,
    network::Network,
    place::Place,
    pooled::pooled_after,
    recipe::{Recipe, Wording},
    replicas::Replicas,
    runner,
    tokenizer::{TextTokenizer, TokenIds},
    weights::Tensors,
};
use crate::{Prompt, error::Result, pooling::Pooling, vector};
use ko_eval_core::{Signature, Signed};
use ko_eval_model::{Embeddings, SentenceEmbedder};
use std::path::Path;

/// A transformer with pooling, and the dense layers and normalisation of a sentence-transformers folder.
///
/// A text in chunks ([`LongText::Chunk`](crate::LongText)) gets the mean of its chunks' vectors weighted by their
/// tokens (for [`Pooling::Max`] the greatest), which for mean pooling is the mean over all its tokens. A prompt
/// ([`Embedder::with_prompt`]) stands before the first chunk.
///
/// ```no_run
/// use ko_neural::prelude::*;
///
/// let embedder = Embedder::open("ko-sbert", &Inference::new())?;
/// let vectors = embedder.embed(&["밥 먹었어?", "진지 드셨어요?"])?;
/// assert_eq!((vectors.len(), vectors.dim()), (2, embedder.dim()));
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Embedder {
    identity: Identity,
    replicas: Replicas<Stack>,
    tokenizer: TextTokenizer,
    inference: Inference,
    recipe: Recipe,
    width: usize,
    wording: Wording,
}

/// One thread's network and dense layers.
#[derive(Debug)]
struct Stack {
    network: Network,
    dense: Vec<Dense>,
}

#[derive(Debug)]
struct Dense {
    linear: Linear,
    tanh: bool,
    to: usize,
}

impl Embedder {
    /// Loads a sentence-transformers folder as its `modules.json` says, any other with mean pooling.
    ///
    /// # Errors
    /// What is wrong with the folder: the file, the tensor and its expected shape.
    pub fn open(folder: impl AsRef<Path>, inference: &Inference) -> Result<Self> {
        let folder = folder.as_ref();
        Self::build(folder, Recipe::of(folder)?, inference)
    }

    /// Loads the transformer of a folder with a pooling of one's own: its length limit and its prompts are taken as by [`Embedder::open`], its
    /// dense layers and normalisation, which were made for its own pooling, are not.
    ///
    /// # Errors
    /// As [`Embedder::open`].
    pub fn with_pooling(
        folder: impl AsRef<Path>,
        pooling: Pooling,
        inference: &Inference,
    ) -> Result<Self> {
        let folder = folder.as_ref();
        Self::build(folder, Recipe::of(folder)?.pooled_by(pooling), inference)
    }

    fn build(folder: &Path, recipe: Recipe, inference: &Inference) -> Result<Self> {
        let place = inference.place()?;
        let (network, tokenizer) = recipe.transformer(place)?;
        let mut from = network.config().hidden;
        let mut dense = Vec::with_capacity(recipe.dense.len());
        for path in &recipe.dense {
            let layer = Dense::open(path, from, place.single())?;
            from = i64::try_from(layer.to).unwrap_or(1);
            dense.push(layer);
        }
        let width = usize::try_from(from).unwrap_or(1);
        let stack = Stack { network, dense };
        let replicas = Replicas::new(stack, place, inference.threads, Stack::twin)?;
        let mut parts = recipe.dense.clone();
        parts.push(recipe.folder.clone());
        let (identity, inference) = (Identity::of(folder, &parts)?, inference.clone());
        let wording = recipe.wording(&Prompt::AsTheFolderSays, &tokenizer, inference.long_text)?;
        Ok(Self { identity, replicas, tokenizer, inference, recipe, width, wording })
    }

    /// The same with another prompt before every text. A folder that pools without its prompt's tokens
    /// (`include_prompt` of its pooling) leaves out as many as the prompt alone has, as sentence-transformers does.
    ///
    /// ```no_run
    /// use ko_neural::{prelude::*, Prompt};
    ///
    /// // E5's folders name no prompt; their authors write this one before everything that is compared.
    /// let e5 = Embedder::open("multilingual-e5-base", &Inference::new())?;
    /// let e5 = e5.with_prompt(&Prompt::Text("query: ".into()))?;
    /// let vectors = e5.embed(&["밥 먹었어?", "진지 드셨어요?"])?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A name that the folder does not know, a prompt that leaves no room for a text, or one to be left out of texts in
    /// chunks.
    pub fn with_prompt(mut self, prompt: &Prompt) -> Result<Self> {
        self.wording = self.recipe.wording(prompt, &self.tokenizer, self.inference.long_text)?;
        Ok(self)
    }

    /// The length of every vector.
    pub fn dim(&self) -> usize {
        self.width
    }
}

impl Stack {
    fn twin(&self) -> Result<Self> {
        let dense = self.dense.iter().map(Dense::twin).collect();
        Ok(Self { network: self.network.twin()?, dense })
    }

    /// `prompt` tokens of each text are left out.
    fn embed(&self, batch: &Batch, pooling: Pooling, prompt: i64) -> Result<Vec<f32>> {
        let mut pooled = pooled_after(&self.network, batch, pooling, prompt, Mode::Infer)?;
        for dense in &self.dense {
            pooled = dense.linear.forward(&pooled)?;
            if dense.tanh {
                pooled = pooled.f_tanh()?;
            }
        }
        answers(&pooled)
    }
}

impl Dense {
    fn twin(&self) -> Self {
        Self { linear: self.linear.twin(), tanh: self.tanh, to: self.to }
    }

    fn open(folder: &Path, from: i64, place: Place) -> Result<Self> {
        let file = Settings::open(folder, "config.json")?;
        let stated = file.size(&["in_features"], None)?;
        let to = file.size(&["out_features"], None)?;
        if stated != from {
            return Err(file.bad(&["in_features"], format!("{stated}, but vectors have {from}")));
        }
        let activation = file.text(&["activation_function"]).unwrap_or_default();
        let tanh = match activation.rsplit('.').next() {
            Some("Tanh") => true,
            Some("Identity") => false,
            _ => {
                let reason = format!("unknown function `{activation}`; known: Tanh, Identity");
                return Err(file.bad(&["activation_function"], reason));
            }
        };
        let mut weights = Tensors::open(folder)?.at(place);
        let linear = if file.yes(&["bias"], true) {
            Linear::load(&mut weights, "linear", from, to)?
        } else {
            let zeros = vec![0f32; usize::try_from(to).unwrap_or(0)];
            Linear::new(weights.take("linear.weight", &[to, from])?, place.tensor(&zeros)?)
        };
        Ok(Self { linear, tanh, to: usize::try_from(to).unwrap_or(1) })
    }
}

impl Signed for Embedder {
    /// One folder gives several embedders, so all that was taken of it is named; what it has not, is not.
    fn signature(&self) -> Signature {
        let mut signature = self.identity.signature().with("pooling", self.recipe.pooling);
        if !self.recipe.dense.is_empty() {
            signature = signature.with("dense", self.recipe.dense.len());
        }
        if self.recipe.normalize {
            signature = signature.with("normalized", "yes");
        }
        if let Some(longest) = self.recipe.longest {
            signature = signature.with("longest", longest);
        }
        self.inference.sign(self.wording.sign(signature))
    }
}

impl SentenceEmbedder for Embedder {
    fn embed(&self, texts: &[&str]) -> ko_eval_core::Result<Embeddings> {
        let runs: Vec<Vec<TokenIds>> = ko_eval_core::par_map(texts, |text| {
            self.tokenizer.encode(&self.wording.of(text), self.inference.long_text)
        })?;
        let (pooling, left_out) = (self.recipe.pooling, self.wording.left_out());
        let vectors = runner::run(
            &self.replicas,
            self.inference.batch_tokens,
            &runs.concat(),
            |stack, batch| {
                let all = stack.embed(batch, pooling, left_out)?;
                Ok(all.chunks_exact(self.width).map(<[f32]>::to_vec).collect())
            },
        )?;
        let mut vectors = vectors.into_iter();
        let mut data = Vec::with_capacity(texts.len() * self.width);
        for runs in &runs {
            let mut vector = match runs.as_slice() {
                [_] => vectors.next().unwrap_or_default(),
                _ => {
                    let tokens = runs.iter().map(TokenIds::len);
                    pooling.join(vectors.by_ref().take(runs.len()).zip(tokens))
                }
            };
            if self.recipe.normalize {
                vector::normalize(&mut vector);
            }
            data.extend(vector);
        }
        Embeddings::from_rows(self.width, data)
    }
}
