//! Training of [`Sts`](crate::model::Sts): mean squared error of h on the label scaled to 0…1.

use super::{
    learner::Learner,
    losses::shares_error,
    options::TrainingSettings,
    pairs::shares,
    pearson::pearson,
    supervised::{Examples, Supervised},
    trainer::{self, TrainingReport},
};
use crate::{
    error::Result,
    model::{block::Mode, head::Task},
    pooling::Pooling,
    read::ScoredPair,
};
use std::path::Path;

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
    training: &TrainingSettings,
) -> Result<TrainingReport> {
    let learner = Learner::open(backbone.as_ref(), Some(Task::Sts), Pooling::Mean, training)?;
    let labelled = |pairs: &[ScoredPair]| {
        Examples::encode(pairs, |p| learner.pair(&p.first, &p.second), |pair| pair.score)
    };
    let objective = Supervised::new(&learner, labelled(train)?, |pairs, scores| {
        let numbers = learner.head(&learner.pooled(pairs, Mode::Train)?)?;
        shares_error(&numbers, &shares(&learner, scores)?)
    })
    .watched(labelled(dev)?, |pairs, scores| {
        Ok(pearson(&learner.probabilities(pairs)?, scores).unwrap_or(0.0))
    });
    let report = trainer::train(&objective, training)?;
    learner.save(output.as_ref())?;
    Ok(report)
}
