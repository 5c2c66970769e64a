//! What the trainings differ in: how examples are read, the loss over some of them, and the score of a development set.

use super::{learner::Learner, trainer::Objective};
use crate::{error::Result, model::tokenizer::TokenIds};
use tch::Tensor;

/// What is seen at once: a text, or several that belong together.
pub(super) trait Example {
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

/// Examples as the model reads them, a label for each.
pub(super) struct Examples<E, L> {
    examples: Vec<E>,
    labels: Vec<L>,
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

/// How well all examples of a set are done, higher is better.
type Score<'l, E, L> = Box<dyn Fn(&[E], &[L]) -> Result<f64> + 'l>;

/// A training on labelled examples.
pub(super) struct Supervised<'l, E, L> {
    learner: &'l Learner,
    train: Examples<E, L>,
    loss: Loss<'l, E, L>,
    dev: Option<(Examples<E, L>, Score<'l, E, L>)>,
}

impl<'l, E, L> Supervised<'l, E, L> {
    pub(super) fn new(
        learner: &'l Learner,
        train: Examples<E, L>,
        loss: impl Fn(&[&E], &[L]) -> Result<Tensor> + 'l,
    ) -> Self {
        Self { learner, train, loss: Box::new(loss), dev: None }
    }

    /// The same with a development set, unless that is empty.
    pub(super) fn watched(
        self,
        dev: Examples<E, L>,
        score: impl Fn(&[E], &[L]) -> Result<f64> + 'l,
    ) -> Self {
        let score: Score<'l, E, L> = Box::new(score);
        Self { dev: Some((dev, score)).filter(|(dev, _)| !dev.examples.is_empty()), ..self }
    }
}

impl<E: Example, L: Copy> Objective for Supervised<'_, E, L> {
    fn parameters(&self) -> Vec<(String, Tensor)> {
        self.learner.parameters()
    }

    fn lengths(&self) -> Vec<usize> {
        self.train.examples.iter().map(E::longest).collect()
    }

    fn loss(&self, chosen: &[usize]) -> Result<Tensor> {
        let examples: Vec<&E> = chosen.iter().filter_map(|&i| self.train.examples.get(i)).collect();
        let labels: Vec<L> =
            chosen.iter().filter_map(|&i| self.train.labels.get(i)).copied().collect();
        (self.loss)(&examples, &labels)
    }

    fn evaluate(&self) -> Result<Option<f64>> {
        self.dev.as_ref().map(|(dev, score)| score(&dev.examples, &dev.labels)).transpose()
    }
}
