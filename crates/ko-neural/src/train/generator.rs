//! Training of a [`TextGenerator`](crate::TextGenerator): the mean negative log-likelihood of the target's tokens, each given the
//! source and the tokens before it (Korean CommonGen, Eq. 3).
//!
//! What a decoder with an encoder is asked for is the target and the mark at its end, after the mark that starts every text. A model
//! without an encoder continues: source and target are one text, and only the target's tokens count.

mod learner;
mod start;
mod vocabulary;

pub use start::Start;
pub use vocabulary::Shape;

use super::{
    options::{TrainingBuilder, TrainingSettings},
    schedule::Optimizers,
    trainer::{self, Objective, TrainingReport},
};
use crate::{error::Result, model::block::Mode};
use ko_eval_core::Fingerprint;
pub(super) use learner::{Example, WriterLearner, likelihood};
use std::path::Path;
use tch::Tensor;

/// A text and what is to be written for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPair<'a> {
    /// What is read.
    pub source: &'a str,
    /// What is to be written.
    pub target: &'a str,
}

/// What a generator's training has beside the settings of every one.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneratorSettings {
    /// The most tokens of a source that an encoder reads; the rest is cut off.
    pub longest_source: usize,
    /// The most tokens of a target below an encoder.
    pub longest_target: usize,
    /// The most tokens of source and target together where there is no encoder, and at most as many as the model reads.
    pub longest_block: usize,
    /// What is put before every source: T5's task. It is saved with the model; `None` is what the folder says.
    pub prefix: Option<String>,
    /// The token that every target begins with below an encoder, as the vocabulary writes it: `ko_KR` for mBART-50. It is saved with the model,
    /// whose answers begin with it; `None` is what the folder says.
    pub first_token: Option<String>,
    /// Whether examples are seen in the order given, epoch after epoch: a curriculum.
    pub in_order: bool,
}

impl Default for GeneratorSettings {
    /// Korean CommonGen's: 64 and 256 tokens, 128 without an encoder, in order.
    fn default() -> Self {
        Self {
            longest_source: 64,
            longest_target: 256,
            longest_block: 128,
            prefix: None,
            first_token: None,
            in_order: true,
        }
    }
}

impl GeneratorSettings {
    /// The settings of every training as Korean CommonGen has them, to be changed: batches of 16, a learning rate of 5e-5 after 400 steps of warm-up,
    /// gradients' norm at most 1.
    ///
    /// The defaults of [`TrainingSettings`] warm up for a tenth of the steps instead.
    pub fn published_training() -> TrainingBuilder {
        TrainingSettings::builder().batch(16).learning_rate(5e-5).warm_up_steps(400).clip(1.0)
    }
}

/// Trains a generator and writes a folder that [`TextGenerator`](crate::TextGenerator) and transformers read; the weights under which
/// `dev` is likeliest are kept.
///
/// ```no_run
/// use ko_neural::train::{GeneratorSettings, Start, TextPair, train_generator};
///
/// let pairs = [TextPair { source: "야구 선수#공#쳤", target: "야구 선수가 공을 쳤다." }];
/// let training = GeneratorSettings::published_training().epochs(3).build()?;
/// let start = Start::Pretrained("kobart".into());
/// train_generator(&start, &pairs, &[], "kobart-commongen", &GeneratorSettings::default(), &training)?;
/// # Ok::<(), ko_neural::Error>(())
/// ```
///
/// # Errors
/// What is wrong with the folder, the settings or a text; [`Error::BadExample`](crate::Error::BadExample), an empty source where there is no encoder;
/// a loss that is not a number, or a file that cannot be written.
pub fn train_generator(
    start: &Start,
    train: &[TextPair<'_>],
    dev: &[TextPair<'_>],
    output: impl AsRef<Path>,
    settings: &GeneratorSettings,
    training: &TrainingSettings,
) -> Result<TrainingReport> {
    let start = start.prepared(train, output.as_ref(), settings)?;
    let learner = WriterLearner::open(&start, settings, training)?;
    let report = trainer::train(&Likelihood::new(&learner, train, dev)?, training)?;
    learner.save(output.as_ref())?;
    Ok(report)
}

/// The objective.
pub(super) struct Likelihood<'l> {
    learner: &'l WriterLearner,
    train: Vec<Example>,
    dev: Vec<Example>,
    optimizers: Option<Optimizers>,
}

impl<'l> Likelihood<'l> {
    pub(super) fn new(
        learner: &'l WriterLearner,
        train: &[TextPair<'_>],
        dev: &[TextPair<'_>],
    ) -> Result<Self> {
        let encode = |set, pairs: &[TextPair<'_>]| -> Result<Vec<Example>> {
            (1..).zip(pairs).map(|(number, pair)| learner.example(pair, (set, number))).collect()
        };
        let (train, dev) = (encode("training", train)?, encode("development", dev)?);
        Ok(Self { train, dev, learner, optimizers: None })
    }

    /// The same by optimisers with rates of their own.
    pub(super) fn by(self, optimizers: Optimizers) -> Self {
        Self { optimizers: Some(optimizers), ..self }
    }
}

impl Objective for Likelihood<'_> {
    fn parameters(&self) -> Vec<(String, Tensor)> {
        self.learner.parameters()
    }

    fn lengths(&self) -> Vec<usize> {
        self.train.iter().map(Example::tokens).collect()
    }

    fn examples(&self) -> String {
        let paces = self.optimizers.as_ref().map(|own| &own.paces);
        let settings = match paces {
            None => format!("{:?}", self.learner.settings),
            Some(paces) => format!("{:?} {paces:?}", self.learner.settings),
        };
        let sets = [("train", &self.train), ("dev", &self.dev)];
        let all = sets.iter().fold(Fingerprint::new().text(&settings), |all, (name, set)| {
            set.iter().fold(all.text(name), |all, example| {
                all.text(&format!("{:?}", (&example.source.ids, &example.target)))
            })
        });
        all.hex()
    }

    fn optimizers(&self) -> Option<Optimizers> {
        self.optimizers.clone()
    }

    fn keeps_order(&self) -> bool {
        self.learner.settings.in_order
    }

    fn tokens(&self, examples: &[usize]) -> Option<usize> {
        let examples = examples.iter().filter_map(|&place| self.train.get(place));
        Some(examples.map(Example::tokens).sum())
    }

    fn loss(&self, examples: &[usize]) -> Result<Tensor> {
        let examples: Vec<&Example> = examples.iter().filter_map(|&i| self.train.get(i)).collect();
        let (sum, tokens) = self.learner.loss(&examples, Mode::Train)?;
        Ok(sum.f_div_scalar(tokens.max(1) as f64)?)
    }

    /// The mean log-likelihood of the development set's tokens.
    fn evaluate(&self) -> Result<Option<f64>> {
        if self.dev.is_empty() {
            return Ok(None);
        }
        let (mut sum, mut tokens) = (0.0, 0);
        for some in self.dev.chunks(32) {
            let examples: Vec<&Example> = some.iter().collect();
            let (loss, count) = self.learner.loss(&examples, Mode::Infer)?;
            sum += loss.f_double_value(&[])?;
            tokens += count;
        }
        Ok(Some(-sum / tokens.max(1) as f64))
    }
}
