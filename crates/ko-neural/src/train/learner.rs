//! A network in training: its tokenizer, its head, and the folder it came from.

use super::{losses::unit, options::TrainingSettings, supervised::Trained};
use crate::{
    LongText, Prompt,
    error::{Error, Result},
    model::{
        batch::Batch,
        block::Mode,
        head::{Head, Task, copy_companions},
        headed,
        network::Network,
        numbers,
        place::Place,
        pooled::pooled_after,
        recipe::{Recipe, Wording},
        replicas::Replicas,
        runner,
        tokenizer::{TextTokenizer, TokenIds},
        weights::save,
    },
    pooling::Pooling,
};
use std::{ops::Range, path::Path};
use tch::{Tensor, kind::Element};

/// Tokens of a batch when the development set is scored.
pub(super) const EVALUATION_TOKENS: usize = 1024;

pub(crate) struct Learner {
    recipe: Recipe,
    network: Network,
    head: Option<Head>,
    form: Form,
    tokenizer: TextTokenizer,
    wording: Wording,
}

/// How a text's vector comes out of the network.
#[derive(Debug, Clone, Copy)]
struct Form {
    pooling: Pooling,
    /// How many tokens at the beginning of every text are a prompt's that is not pooled.
    left_out: i64,
    normalize: bool,
}

impl Form {
    fn vectors(self, network: &Network, batch: &Batch, mode: Mode) -> Result<Tensor> {
        let pooled = pooled_after(network, batch, self.pooling, self.left_out, mode)?;
        if self.normalize { unit(&pooled) } else { Ok(pooled) }
    }
}

impl Learner {
    /// Loads a backbone; with a task, a new head is put on it.
    pub(crate) fn open(
        backbone: &Path,
        task: Option<Task>,
        pooling: Pooling,
        training: &TrainingSettings,
    ) -> Result<Self> {
        Self::build(Recipe::plain(backbone, pooling), task, training)
    }

    /// Loads a sentence embedder in the form that its folder states, so that what learns are the vectors that
    /// [`Embedder`](crate::model::Embedder) gives: its pooling, its normalisation, its length limit, the prompt that it puts before a text.
    pub(crate) fn embedder(
        backbone: &Path,
        task: Option<Task>,
        training: &TrainingSettings,
    ) -> Result<Self> {
        let recipe = Recipe::of(backbone)?;
        if !recipe.dense.is_empty() {
            let part = "dense layers after the pooling";
            return Err(Error::Untrainable { folder: backbone.into(), part });
        }
        Self::build(recipe, task, training)
    }

    fn build(recipe: Recipe, task: Option<Task>, training: &TrainingSettings) -> Result<Self> {
        let place = Place::open(training.device, training.precision)?.for_training();
        let (config, layout, weights) = Network::parts(&recipe.folder, place)?;
        let network = Network::build(config.dropping(training.dropout), layout, weights)?;
        let rows = usize::try_from(network.config().vocabulary).unwrap_or(0);
        let limit = network.longest().min(training.longest);
        let mut tokenizer = TextTokenizer::open(&recipe.folder, rows, limit)?;
        if let Some(longest) = recipe.longest {
            tokenizer.limited(longest)?;
        }
        let wording = recipe.wording(&Prompt::AsTheFolderSays, &tokenizer, LongText::Truncate)?;
        let (pooling, normalize) = (recipe.pooling, recipe.normalize);
        let form = Form { pooling, left_out: wording.left_out(), normalize };
        let hidden = network.config().hidden;
        let head = task
            .map(|task| Head::new(task, form.pooling, hidden, training.seed, place.single()))
            .transpose()?;
        Ok(Self { recipe, network, head, form, tokenizer, wording })
    }

    pub(crate) fn text(&self, text: &str) -> Result<TokenIds> {
        let mut runs = self.tokenizer.encode(&self.wording.of(text), LongText::Truncate)?;
        runs.pop().ok_or_else(|| Error::Operation("a text without a run".into()))
    }

    pub(crate) fn pair(&self, first: &str, second: &str) -> Result<TokenIds> {
        Ok(self.tokenizer.encode_pair((first, second), LongText::Truncate)?)
    }

    /// Numbers where the network is.
    pub(crate) fn tensor<T: Element>(&self, numbers: &[T]) -> Result<Tensor> {
        self.network.place().tensor(numbers)
    }

    /// Whether a text's vector differs from one time to the next.
    pub(crate) fn drops(&self) -> bool {
        let config = self.network.config();
        config.dropout > 0.0 || config.attention_dropout > 0.0
    }

    /// The length of a text's vector.
    pub(crate) fn width(&self) -> usize {
        usize::try_from(self.network.config().hidden).unwrap_or(1)
    }

    /// One vector per text, with gradients.
    pub(crate) fn pooled(&self, texts: &[&TokenIds], mode: Mode) -> Result<Tensor> {
        let batch = Batch::new(texts, self.network.place())?;
        self.form.vectors(&self.network, &batch, mode)
    }

    /// One vector per text, with gradients, where some places hold shares of all tokens; see [`Batch::with_mixtures`].
    pub(crate) fn pooled_mixtures(
        &self,
        texts: &[&TokenIds],
        mixed: &[Range<usize>],
        shares: &Tensor,
        mode: Mode,
    ) -> Result<Tensor> {
        let batch = Batch::with_mixtures(texts, mixed, shares, self.network.place())?;
        self.form.vectors(&self.network, &batch, mode)
    }

    /// Whether every text stands behind a prompt.
    pub(crate) fn prompts(&self) -> bool {
        self.wording.has_prompt()
    }

    /// Every token, by its number.
    pub(crate) fn tokens(&self) -> Vec<String> {
        let all = u32::try_from(self.network.config().vocabulary).unwrap_or(0);
        self.tokenizer.text(&(0..all).collect::<Vec<_>>())
    }

    /// The head's numbers over pooled vectors.
    pub(crate) fn head(&self, pooled: &Tensor) -> Result<Tensor> {
        match &self.head {
            Some(head) => head.forward(pooled),
            None => Err(Error::Operation("the task has no head".into())),
        }
    }

    /// The head's probabilities of many texts, without gradients.
    pub(crate) fn probabilities(&self, texts: &[TokenIds]) -> Result<Vec<f64>> {
        let no_head = || Error::Operation("the task has no head".into());
        let head = self.head.as_ref().ok_or_else(no_head)?;
        let replicas = self.replicas(|network| (network, head.twin()))?;
        runner::run(&replicas, EVALUATION_TOKENS, texts, |(network, head), batch| {
            headed::probabilities(network, head, batch)
        })
    }

    /// The vectors of many texts, without gradients.
    pub(crate) fn embed(&self, texts: &[TokenIds]) -> Result<Vec<Vec<f32>>> {
        let replicas = self.replicas(|network| network)?;
        let (form, width) = (self.form, self.width());
        runner::run(&replicas, EVALUATION_TOKENS, texts, |network, batch| {
            let vectors = form.vectors(network, batch, Mode::Infer)?;
            Ok(numbers(&vectors)?.chunks_exact(width).map(<[f32]>::to_vec).collect())
        })
    }

    /// A model for each thread that libtorch may use.
    fn replicas<M>(&self, model: impl Fn(Network) -> M) -> Result<Replicas<M>> {
        let threads = usize::try_from(tch::get_num_threads()).unwrap_or(1);
        let twin = || Ok(model(self.network.twin()?));
        Replicas::new(twin()?, self.network.place(), threads, |_| twin())
    }

    /// Writes an ordinary model folder, and the head beside it.
    pub(crate) fn save(&self, folder: &Path) -> Result<()> {
        copy_companions(&self.recipe.folder, folder)?;
        let tensors = self.network.parameters().iter().map(|(name, t)| (name.clone(), t));
        save(&folder.join("model.safetensors"), tensors)?;
        match &self.head {
            Some(head) => head.save(folder),
            None => Ok(()),
        }
    }

    /// The same as a folder that [`Embedder`](crate::model::Embedder) and sentence-transformers read, in the form of the one it came from.
    pub(crate) fn save_embedder(&self, folder: &Path) -> Result<()> {
        self.save(folder)?;
        self.recipe.write(folder, self.width())
    }
}

impl Trained for Learner {
    fn parameters(&self) -> Vec<(String, Tensor)> {
        let share = |(name, tensor): (&String, &Tensor)| {
            (format!("encoder.{name}"), tensor.shallow_clone())
        };
        let mut all: Vec<_> = self.network.parameters().iter().map(share).collect();
        for (name, tensor) in self.head.iter().flat_map(Head::parameters) {
            all.push((format!("head.{name}"), tensor.shallow_clone()));
        }
        all
    }
}
