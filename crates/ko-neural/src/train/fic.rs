//! Training of [`Fic`](crate::model::Fic): binary cross-entropy of the head's number on the tone.

use super::{
    learner::Learner,
    options::Training,
    pairs::chosen,
    trainer::{self, Objective, TrainingReport},
};
use crate::{
    error::Result,
    model::{block::Mode, head::Task, tokenizer::Pieces},
    pooling::Pooling,
    read::Tone,
};
use std::path::Path;
use tch::{Reduction, Tensor};

/// Trains a classifier on texts with their tone and writes it to `output`; the weights with the best accuracy on
/// `dev` are kept.
///
/// # Errors
/// What is wrong with the backbone, a loss that is not a number, or a file that cannot be written.
pub fn train_fic(
    backbone: impl AsRef<Path>,
    train: &[(&str, Tone)],
    dev: &[(&str, Tone)],
    output: impl AsRef<Path>,
    training: &Training,
) -> Result<TrainingReport> {
    let learner = Learner::open(backbone.as_ref(), Some(Task::Fic), Pooling::Mean, training)?;
    let encode = |(text, _): &(&str, Tone)| learner.text(text);
    let label = |&(_, tone): &(&str, Tone)| f32::from(u8::from(tone == Tone::Formal));
    let objective = Classification {
        train: train.iter().map(encode).collect::<Result<_>>()?,
        labels: train.iter().map(label).collect(),
        dev: dev.iter().map(encode).collect::<Result<_>>()?,
        dev_labels: dev.iter().map(label).collect(),
        learner: &learner,
    };
    let report = trainer::train(&objective, training)?;
    learner.save(output.as_ref())?;
    Ok(report)
}

struct Classification<'l> {
    learner: &'l Learner,
    train: Vec<Pieces>,
    labels: Vec<f32>,
    dev: Vec<Pieces>,
    dev_labels: Vec<f32>,
}

impl Objective for Classification<'_> {
    fn parameters(&self) -> Vec<(String, Tensor)> {
        self.learner.parameters()
    }

    fn lengths(&self) -> Vec<usize> {
        self.train.iter().map(Pieces::len).collect()
    }

    fn loss(&self, examples: &[usize]) -> Result<Tensor> {
        let texts = chosen(&self.train, examples);
        let labels: Vec<f32> = chosen(&self.labels, examples).into_iter().copied().collect();
        let logits = self.learner.head(&self.learner.pooled(&texts, Mode::Train)?)?;
        let labels = Tensor::f_from_slice(&labels)?;
        Ok(logits.f_squeeze_dim(-1)?.f_binary_cross_entropy_with_logits::<Tensor>(
            &labels,
            None,
            None,
            Reduction::Mean,
        )?)
    }

    fn evaluate(&self) -> Result<Option<f64>> {
        if self.dev.is_empty() {
            return Ok(None);
        }
        let guesses = self.learner.probabilities(&self.dev)?;
        let right =
            guesses.iter().zip(&self.dev_labels).filter(|(p, y)| (**p > 0.5) == (**y > 0.5));
        Ok(Some(right.count() as f64 / self.dev.len() as f64))
    }
}
