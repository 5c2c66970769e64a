//! Training of [`Fic`](crate::model::Fic): binary cross-entropy of the head's number on the tone.

use super::{
    learner::Learner,
    losses::binary,
    options::TrainingSettings,
    supervised::{Examples, Supervised},
    trainer::{self, TrainingReport},
};
use crate::{
    error::Result,
    model::{block::Mode, head::Task},
    pooling::Pooling,
    read::Tone,
};
use std::path::Path;

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
    training: &TrainingSettings,
) -> Result<TrainingReport> {
    let learner = Learner::open(backbone.as_ref(), Some(Task::Fic), Pooling::Mean, training)?;
    let labelled = |texts: &[(&str, Tone)]| {
        let formal = |&(_, tone): &(&str, Tone)| f32::from(u8::from(tone == Tone::Formal));
        Examples::encode(texts, |(text, _)| learner.text(text), formal)
    };
    let objective = Supervised::new(&learner, labelled(train)?, |texts, formal| {
        let numbers = learner.head(&learner.pooled(texts, Mode::Train)?)?;
        binary(&numbers, &learner.tensor(formal)?)
    })
    .watched(labelled(dev)?, |texts, formal| {
        let guesses = learner.probabilities(texts)?;
        let right = guesses.iter().zip(formal).filter(|(p, y)| (**p > 0.5) == (**y > 0.5));
        Ok(right.count() as f64 / texts.len() as f64)
    });
    let report = trainer::train(&objective, training)?;
    learner.save(output.as_ref())?;
    Ok(report)
}
