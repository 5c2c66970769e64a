//! Training of [`Sts`](crate::model::Sts): mean squared error of h on the label scaled to 0…1.

use super::{
    learner::Learner,
    options::Training,
    pairs::chosen,
    trainer::{self, Objective, TrainingReport},
};
use crate::{
    agreement::pearson,
    error::Result,
    model::{block::Mode, head::Task, tokenizer::Pieces},
    pooling::Pooling,
    read::ScoredPair,
};
use std::path::Path;
use tch::{Reduction, Tensor};

/// Trains a cross-encoder on pairs scored 0 to 5 and writes it to `output`; the weights with the best
/// Pearson correlation on `dev` are kept.
///
/// # Errors
/// What is wrong with the backbone, a loss that is not a number, or a file that cannot be written.
pub fn train_sts(
    backbone: impl AsRef<Path>,
    train: &[ScoredPair],
    dev: &[ScoredPair],
    output: impl AsRef<Path>,
    training: &Training,
) -> Result<TrainingReport> {
    let learner = Learner::open(backbone.as_ref(), Some(Task::Sts), Pooling::Mean, training)?;
    let encode = |pair: &ScoredPair| learner.pair(&pair.first, &pair.second);
    let objective = Regression {
        train: train.iter().map(encode).collect::<Result<_>>()?,
        labels: train.iter().map(|pair| (pair.score / 5.0) as f32).collect(),
        dev: dev.iter().map(encode).collect::<Result<_>>()?,
        dev_scores: dev.iter().map(|pair| pair.score).collect(),
        learner: &learner,
    };
    let report = trainer::train(&objective, training)?;
    learner.save(output.as_ref())?;
    Ok(report)
}

struct Regression<'l> {
    learner: &'l Learner,
    train: Vec<Pieces>,
    labels: Vec<f32>,
    dev: Vec<Pieces>,
    dev_scores: Vec<f64>,
}

impl Objective for Regression<'_> {
    fn parameters(&self) -> Vec<(String, Tensor)> {
        self.learner.parameters()
    }

    fn lengths(&self) -> Vec<usize> {
        self.train.iter().map(Pieces::len).collect()
    }

    fn loss(&self, examples: &[usize]) -> Result<Tensor> {
        let texts = chosen(&self.train, examples);
        let labels: Vec<f32> = chosen(&self.labels, examples).into_iter().copied().collect();
        let guess = self.learner.head(&self.learner.pooled(&texts, Mode::Train)?)?;
        let guess = guess.f_squeeze_dim(-1)?.f_sigmoid()?;
        Ok(guess.f_mse_loss(&Tensor::f_from_slice(&labels)?, Reduction::Mean)?)
    }

    fn evaluate(&self) -> Result<Option<f64>> {
        if self.dev.is_empty() {
            return Ok(None);
        }
        Ok(Some(pearson(&self.learner.probabilities(&self.dev)?, &self.dev_scores).unwrap_or(0.0)))
    }
}
