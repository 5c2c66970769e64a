//! How a training runs; the defaults fine-tune a pretrained encoder.

use crate::{
    Device, Precision,
    error::{Error, Result},
};
use ko_eval_io::Progress;
use serde::Serialize;
use std::{fmt, path::PathBuf, sync::Arc, time::Duration};

/// The settings of a [training](crate::train), checked once by [`TrainingBuilder::build`].
///
/// | setting | default |
/// |---|---|
/// | epochs | 1 |
/// | examples per batch · batches per step | 16 · 1 |
/// | learning rate, after warm-up over the first tenth, falling linearly to 0 | 5e-5 |
/// | weight decay (not of biases and norms) · greatest gradient norm | 0.01 · 1 |
/// | seed | 1 |
/// | device · numbers of products | the best that is there · single precision |
/// | threads | all |
/// | evaluations per epoch · without gain before it stops | 1 · never |
/// | the last steps whose weights are averaged | none |
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrainingSettings {
    pub(crate) epochs: usize,
    pub(crate) batch: usize,
    pub(crate) accumulate: usize,
    pub(crate) learning_rate: f64,
    pub(crate) warm_up: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) warm_up_steps: Option<usize>,
    pub(crate) weight_decay: f64,
    pub(crate) clip: f64,
    pub(crate) seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) dropout: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) average: Option<f64>,
    pub(crate) longest: usize,
    #[serde(skip)]
    pub(crate) device: Device,
    pub(crate) precision: Precision,
    #[serde(skip)]
    pub(crate) threads: usize,
    pub(crate) evaluations: usize,
    pub(crate) patience: Option<usize>,
    #[serde(skip)]
    pub(crate) time_limit: Option<Duration>,
    #[serde(skip)]
    pub(crate) checkpoint: Option<Checkpoint>,
    #[serde(skip)]
    pub(crate) log: Option<PathBuf>,
    #[serde(skip)]
    pub(crate) progress: Listener,
}

/// Where a training keeps itself, and how often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Checkpoint {
    pub(crate) folder: PathBuf,
    pub(crate) every: usize,
}

/// Who hears how far a training is.
#[derive(Clone)]
pub(crate) struct Listener(pub(crate) Arc<dyn Progress + Send>);

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

/// Who listens changes nothing about a training.
impl PartialEq for Listener {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl TrainingSettings {
    /// The defaults.
    pub fn new() -> Self {
        Self {
            epochs: 1,
            batch: 16,
            accumulate: 1,
            learning_rate: 5e-5,
            warm_up: 0.1,
            warm_up_steps: None,
            weight_decay: 0.01,
            clip: 1.0,
            seed: 1,
            dropout: None,
            average: None,
            longest: 128,
            device: Device::Auto,
            precision: Precision::F32,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            evaluations: 1,
            patience: None,
            time_limit: None,
            checkpoint: None,
            log: None,
            progress: Listener(Arc::new(())),
        }
    }

    /// The defaults, to be changed.
    pub fn builder() -> TrainingBuilder {
        TrainingBuilder { training: Self::new() }
    }
}

impl Default for TrainingSettings {
    fn default() -> Self {
        Self::new()
    }
}

/// Builds a [`TrainingSettings`].
#[derive(Debug, Clone)]
pub struct TrainingBuilder {
    training: TrainingSettings,
}

macro_rules! settings {
    ($($(#[$doc:meta])* $name:ident: $kind:ty;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(mut self, $name: $kind) -> Self {
            self.training.$name = $name;
            self
        }
    )*};
}

impl TrainingBuilder {
    settings! {
        /// How often every example is seen.
        epochs: usize;
        /// Examples per batch.
        batch: usize;
        /// Batches whose gradients are added up before a step.
        accumulate: usize;
        /// The highest learning rate.
        learning_rate: f64;
        /// The share of steps over which the learning rate rises.
        warm_up: f64;
        /// Decoupled weight decay; biases and norms have none.
        weight_decay: f64;
        /// The greatest norm of all gradients together.
        clip: f64;
        /// Of the order of examples, of dropout and of a new head.
        seed: u64;
        /// The most tokens of an example; the rest is cut off.
        longest: usize;
        /// Where the training runs; a training may go on on another device than it began on.
        device: Device;
        /// The numbers that products are made in: single precision, or `bfloat16` (mixed precision: weights, sums, norms and the
        /// optimiser's state stay single).
        precision: Precision;
        /// Threads of libtorch's products.
        threads: usize;
        /// How often per epoch the development set is scored.
        evaluations: usize;
    }

    /// So many steps over which the learning rate rises, instead of a share of all.
    #[must_use]
    pub fn warm_up_steps(mut self, steps: usize) -> Self {
        self.training.warm_up_steps = Some(steps);
        self
    }

    /// The share of an encoder's numbers, and of what its attention looks at, that are silenced at random in every step, instead of the shares in
    /// the backbone's configuration. Some backbones drop nothing: few examples are then learned by heart. A model that
    /// writes has its own.
    #[must_use]
    pub fn dropout(mut self, share: f64) -> Self {
        self.training.dropout = Some(share);
        self
    }

    /// The share of the steps, the last ones, whose weights are averaged: the mean is what the development set is scored by and what is kept.
    /// It costs next to nothing, and often does better than the weights of any single step. A training that a time limit ends before those steps has
    /// no mean, and keeps the last weights.
    #[must_use]
    pub fn average(mut self, share: f64) -> Self {
        self.training.average = Some(share);
        self
    }

    /// Tells somebody of every step and its loss.
    #[must_use]
    pub fn progress(mut self, progress: Arc<dyn Progress + Send>) -> Self {
        self.training.progress = Listener(progress);
        self
    }

    /// Stops after so many evaluations in a row without a better score.
    #[must_use]
    pub fn patience(mut self, evaluations: usize) -> Self {
        self.training.patience = Some(evaluations);
        self
    }

    /// Ends after the step in which so much time has passed since this run began, and scores the development set there once more. A
    /// training with checkpoints goes on from there when it is started again; [`TrainingReport::cut`](super::TrainingReport::cut) tells that it would.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.training.time_limit = Some(limit);
        self
    }

    /// Keeps the state in `folder`, every so many steps and at each evaluation; a training that is
    /// started again with the same settings goes on from there.
    #[must_use]
    pub fn checkpoint(mut self, folder: impl Into<PathBuf>, every: usize) -> Self {
        self.training.checkpoint = Some(Checkpoint { folder: folder.into(), every });
        self
    }

    /// Appends a JSON line per step and per evaluation.
    #[must_use]
    pub fn log(mut self, path: impl Into<PathBuf>) -> Self {
        self.training.log = Some(path.into());
        self
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// [`Error::Setting`] names the first that is out of range.
    pub fn build(self) -> Result<TrainingSettings> {
        let training = self.training;
        let counts = [
            ("epochs", training.epochs),
            ("batch", training.batch),
            ("accumulate", training.accumulate),
            ("longest", training.longest),
            ("threads", training.threads),
            ("evaluations", training.evaluations),
            ("patience", training.patience.unwrap_or(1)),
            ("checkpoint steps", training.checkpoint.as_ref().map_or(1, |c| c.every)),
        ];
        for (name, value) in counts {
            if value == 0 {
                return Err(Error::setting(name, value, "at least 1"));
            }
        }
        let positive = [("learning rate", training.learning_rate), ("clip", training.clip)];
        for (name, value) in positive {
            if !(value.is_finite() && value > 0.0) {
                return Err(Error::setting(name, value, "a number above 0"));
            }
        }
        let shares = [
            ("warm-up", training.warm_up),
            ("weight decay", training.weight_decay),
            ("dropout", training.dropout.unwrap_or(0.0)),
        ];
        for (name, value) in shares {
            if !(0.0..1.0).contains(&value) {
                return Err(Error::setting(name, value, "from 0 to below 1"));
            }
        }
        if let Some(share) = training.average.filter(|share| !(*share > 0.0 && *share <= 1.0)) {
            return Err(Error::setting("average", share, "above 0, at most 1"));
        }
        if training.precision == Precision::F16 {
            let expected = "f32 or bf16: small gradients vanish in half precision";
            return Err(Error::setting("precision", training.precision, expected));
        }
        Ok(training)
    }
}
