//! What the trainings differ in: how examples are read, the loss over some of them, and the score of a development set.

use super::trainer::Objective;
use crate::{error::Result, model::tokenizer::TokenIds};
use ko_eval_core::Fingerprint;
use std::fmt::Debug;
use tch::Tensor;

/// What is seen at once: a text, or several that belong together.
pub(super) trait Example: Debug {
    /// The length by which batches are put together.
    fn longest(&self) -> usize;
}

impl Example for TokenIds {
    fn longest(&self) -> usize {
        self.len()
    }
}

impl<const N: usize> Example for [TokenIds; N] {
    fn longest(&self) -> usize {
        self.iter().map(TokenIds::len).max().unwrap_or(0)
    }
}

/// What is trained.
pub(super) trait Trained {
    /// Every tensor that moves, by name.
    fn parameters(&self) -> Vec<(String, Tensor)>;
}

/// Examples as the model reads them, a label for each.
pub(super) struct Examples<E, L> {
    examples: Vec<E>,
    labels: Vec<L>,
}

impl<E: Example, L: Debug> Examples<E, L> {
    fn add_to(&self, mut fingerprint: Fingerprint) -> Fingerprint {
        for (example, label) in self.examples.iter().zip(&self.labels) {
            fingerprint = fingerprint.text(&format!("{example:?} {label:?}"));
        }
        fingerprint
    }
}

impl<E, L> Examples<E, L> {
    pub(super) fn encode<T>(
        all: &[T],
        example: impl Fn(&T) -> Result<E>,
        label: impl Fn(&T) -> L,
    ) -> Result<Self> {
        let examples = all.iter().map(example).collect::<Result<_>>()?;
        Ok(Self { examples, labels: all.iter().map(label).collect() })
    }
}

/// The loss of some examples, with gradients.
type Loss<'l, E, L> = Box<dyn Fn(&[&E], &[L]) -> Result<Tensor> + 'l>;

/// How well the development set is done, higher is better.
type Score<'l> = Box<dyn Fn() -> Result<f64> + 'l>;

/// A training on labelled examples.
pub(super) struct Supervised<'l, E, L> {
    learner: &'l dyn Trained,
    train: Examples<E, L>,
    loss: Loss<'l, E, L>,
    dev: Option<Watched<'l>>,
    /// What the loss is called, where there are several, and what it depends on besides.
    name: &'static str,
    margin: Option<f64>,
}

/// A development set.
struct Watched<'l> {
    score: Score<'l>,
    /// A checksum of its examples.
    examples: String,
}

impl<'l, E, L> Supervised<'l, E, L> {
    pub(super) fn new(
        learner: &'l dyn Trained,
        train: Examples<E, L>,
        loss: impl Fn(&[&E], &[L]) -> Result<Tensor> + 'l,
    ) -> Self {
        Self { learner, train, loss: Box::new(loss), dev: None, name: "", margin: None }
    }

    /// The same by a loss of this name.
    pub(super) fn by(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// The same by a loss that has this margin.
    pub(super) fn with_margin(self, margin: f64) -> Self {
        Self { margin: Some(margin), ..self }
    }

    /// The same with a development set, unless that is empty; its examples may be of another form.
    pub(super) fn watched<D: Example + 'l, M: Debug + 'l>(
        self,
        dev: Examples<D, M>,
        score: impl Fn(&[D], &[M]) -> Result<f64> + 'l,
    ) -> Self {
        if dev.examples.is_empty() {
            return self;
        }
        let examples = dev.add_to(Fingerprint::new()).hex();
        let score: Score<'l> = Box::new(move || score(&dev.examples, &dev.labels));
        Self { dev: Some(Watched { score, examples }), ..self }
    }
}

impl<E: Example, L: Clone + Debug> Objective for Supervised<'_, E, L> {
    fn parameters(&self) -> Vec<(String, Tensor)> {
        self.learner.parameters()
    }

    fn lengths(&self) -> Vec<usize> {
        self.train.examples.iter().map(E::longest).collect()
    }

    fn examples(&self) -> String {
        let mut fingerprint = self.train.add_to(Fingerprint::new().text("train"));
        if let Some(dev) = &self.dev {
            fingerprint = fingerprint.text("dev").text(&dev.examples);
        }
        fingerprint.text(self.name).text(&format!("{:?}", self.margin)).hex()
    }

    fn loss(&self, chosen: &[usize]) -> Result<Tensor> {
        let examples: Vec<&E> = chosen.iter().filter_map(|&i| self.train.examples.get(i)).collect();
        let labels: Vec<L> =
            chosen.iter().filter_map(|&i| self.train.labels.get(i)).cloned().collect();
        (self.loss)(&examples, &labels)
    }

    fn evaluate(&self) -> Result<Option<f64>> {
        self.dev.as_ref().map(|dev| (dev.score)()).transpose()
    }
}
