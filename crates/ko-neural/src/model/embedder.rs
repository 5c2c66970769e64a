//! A model folder as a [`SentenceEmbedder`]: a vector per text.

use super::{
    batch::Batch,
    block::{Linear, Mode},
    config::Settings,
    identity::Identity,
    inference::Inference,
    network::Network,
    numbers,
    place::Place,
    pooled::pooled,
    replicas::Replicas,
    runner,
    tokenizer::{TextTokenizer, TokenIds},
    weights::Tensors,
};
use crate::{
    error::Result,
    files::modules::{self, Kind},
    pooling::Pooling,
    vector,
};
use ko_eval_core::{Embeddings, SentenceEmbedder, Signature, Signed};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A transformer with pooling, and the dense layers and normalisation of a sentence-transformers folder.
///
/// A text in chunks ([`LongText::Chunk`](crate::LongText)) gets the mean of its chunks' vectors weighted by their
/// tokens (for [`Pooling::Max`] the greatest), which for mean pooling is the mean over all its tokens.
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
}

/// What follows the transformer.
#[derive(Debug, Clone)]
struct Recipe {
    transformer: PathBuf,
    pooling: Pooling,
    dense: Vec<PathBuf>,
    normalize: bool,
    longest: Option<usize>,
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
        let recipe = if folder.join(modules::NAME).is_file() {
            Recipe::read(folder)?
        } else {
            Recipe::plain(folder, Pooling::Mean)
        };
        Self::build(folder, recipe, inference)
    }

    /// Loads the transformer of a folder with a pooling of one's own.
    ///
    /// # Errors
    /// As [`Embedder::open`].
    pub fn with_pooling(
        folder: impl AsRef<Path>,
        pooling: Pooling,
        inference: &Inference,
    ) -> Result<Self> {
        let folder = folder.as_ref();
        Self::build(folder, Recipe::plain(folder, pooling), inference)
    }

    fn build(folder: &Path, recipe: Recipe, inference: &Inference) -> Result<Self> {
        let place = inference.place()?;
        let network = Network::open(&recipe.transformer, place)?;
        let config = network.config();
        let rows = usize::try_from(config.vocabulary).unwrap_or(0);
        let mut from = config.hidden;
        let mut tokenizer = TextTokenizer::open(&recipe.transformer, rows, network.longest())?;
        if let Some(longest) = recipe.longest {
            tokenizer.limited(longest.min(tokenizer.limit()))?;
        }
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
        parts.push(recipe.transformer.clone());
        let (identity, inference) = (Identity::of(folder, &parts)?, inference.clone());
        Ok(Self { identity, replicas, tokenizer, inference, recipe, width })
    }

    /// The length of every vector.
    pub fn dim(&self) -> usize {
        self.width
    }

    /// A text's vector from those of its chunks, which have so many tokens.
    fn join(&self, chunks: impl Iterator<Item = (Vec<f32>, usize)>) -> Vec<f32> {
        let (mut joined, mut total) = (vec![0f32; self.width], 0usize);
        for (chunk, tokens) in chunks {
            let weight = tokens as f32;
            for (sum, x) in joined.iter_mut().zip(chunk) {
                *sum = match self.recipe.pooling {
                    Pooling::Max if total > 0 => sum.max(x),
                    Pooling::Max => x,
                    _ => *sum + x * weight,
                };
            }
            total += tokens;
        }
        if self.recipe.pooling != Pooling::Max {
            joined.iter_mut().for_each(|sum| *sum /= total.max(1) as f32);
        }
        joined
    }
}

impl Stack {
    fn twin(&self) -> Result<Self> {
        let dense = self.dense.iter().map(Dense::twin).collect();
        Ok(Self { network: self.network.twin()?, dense })
    }

    fn embed(&self, batch: &Batch, pooling: Pooling) -> Result<Vec<f32>> {
        let mut pooled = pooled(&self.network, batch, pooling, Mode::Infer)?;
        for dense in &self.dense {
            pooled = dense.linear.forward(&pooled)?;
            if dense.tanh {
                pooled = pooled.f_tanh()?;
            }
        }
        numbers(&pooled)
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

impl Recipe {
    fn plain(folder: &Path, pooling: Pooling) -> Self {
        Self {
            transformer: folder.into(),
            pooling,
            dense: Vec::new(),
            normalize: false,
            longest: None,
        }
    }

    fn read(folder: &Path) -> Result<Self> {
        let mut recipe = Self::plain(folder, Pooling::Mean);
        for (kind, path) in modules::read(folder)? {
            match kind {
                Kind::Transformer => {
                    let file = Settings::open_or_empty(&path, "sentence_bert_config.json")?;
                    let longest = file.get(&["max_seq_length"]).and_then(Value::as_u64);
                    recipe.longest = longest.and_then(|n| usize::try_from(n).ok());
                    recipe.transformer = path;
                }
                Kind::Pooling => recipe.pooling = pooling(&Settings::open(&path, "config.json")?)?,
                Kind::Dense => recipe.dense.push(path),
                Kind::Normalize => recipe.normalize = true,
            }
        }
        Ok(recipe)
    }
}

/// Both spellings of sentence-transformers: one word, or a switch per kind.
fn pooling(file: &Settings) -> Result<Pooling> {
    let word = file.text(&["pooling_mode"]).map(str::to_owned).or_else(|| {
        let kinds = [("cls_token", "cls"), ("mean_tokens", "mean"), ("max_tokens", "max")];
        let on: Vec<&str> = kinds
            .iter()
            .filter(|(kind, _)| file.yes(&[&format!("pooling_mode_{kind}")], false))
            .map(|(_, word)| *word)
            .collect();
        (on.len() == 1).then(|| on.concat())
    });
    word.and_then(|word| word.parse().ok())
        .ok_or_else(|| file.bad(&["pooling_mode"], "expected exactly one of cls, mean, max"))
}

impl Signed for Embedder {
    fn signature(&self) -> Signature {
        self.inference.sign(self.identity.signature().with("pooling", self.recipe.pooling))
    }
}

impl SentenceEmbedder for Embedder {
    fn embed(&self, texts: &[&str]) -> ko_eval_core::Result<Embeddings> {
        let runs: Vec<Vec<TokenIds>> = ko_eval_core::par_map(texts, |text| {
            self.tokenizer.encode(text, self.inference.long_text)
        })?;
        let pooling = self.recipe.pooling;
        let vectors = runner::run(
            &self.replicas,
            self.inference.batch_tokens,
            &runs.concat(),
            |stack, batch| {
                let all = stack.embed(batch, pooling)?;
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
                    self.join(vectors.by_ref().take(runs.len()).zip(tokens))
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
