//! Training of a sentence embedder (SBERT, Reimers and Gurevych 2019): on inference labels by a softmax over
//! (u, v, |u − v|), then on similarity scores by the squared error of the cosine.

use super::{
    learner::Learner,
    losses,
    options::TrainingSettings,
    pairs::{cosines, plain_cosines, shares, sides},
    pearson::pearson,
    supervised::{Examples, Supervised},
    trainer::{self, TrainingReport},
};
use crate::{
    error::Result,
    model::{head::Task, tokenizer::TokenIds},
    read::{NliLabel, NliPair, ScoredPair},
};
use std::path::Path;
use tch::Reduction;

/// Trains an embedder on pairs with inference labels and writes it to `output`; the head that only training needs
/// is written beside it.
///
/// # Errors
/// What is wrong with the backbone, a loss that is not a number, or a file that cannot be written.
pub fn train_sbert_nli(
    backbone: impl AsRef<Path>,
    train: &[NliPair],
    output: impl AsRef<Path>,
    training: &TrainingSettings,
) -> Result<TrainingReport> {
    let learner = Learner::embedder(backbone.as_ref(), Some(Task::Nli), training)?;
    let report = trainer::train(&softmax(&learner, train)?, training)?;
    learner.save_embedder(output.as_ref())?;
    Ok(report)
}

/// The softmax over (u, v, |u − v|) of a learner with its head.
pub(super) fn softmax<'l>(
    learner: &'l Learner,
    train: &[NliPair],
) -> Result<Supervised<'l, [TokenIds; 2], i64>> {
    let sides_of = |p: &NliPair| Ok([learner.text(&p.premise)?, learner.text(&p.hypothesis)?]);
    let label = |pair: &NliPair| match pair.label {
        NliLabel::Entailment => 0i64,
        NliLabel::Neutral => 1,
        NliLabel::Contradiction => 2,
    };
    let train = Examples::encode(train, sides_of, label)?;
    Ok(Supervised::new(learner, train, |pairs, labels| {
        let [u, v] = sides(learner, pairs)?;
        losses::softmax([&u, &v], &learner.tensor(labels)?, |joined| learner.head(joined))
    }))
}

/// Trains an embedder on pairs scored 0 to 5 and writes it to `output`; the weights with the best Pearson
/// correlation on `dev` are kept.
///
/// # Errors
/// As [`train_sbert_nli`].
pub fn train_sbert_sts(
    backbone: impl AsRef<Path>,
    train: &[ScoredPair],
    dev: &[ScoredPair],
    output: impl AsRef<Path>,
    training: &TrainingSettings,
) -> Result<TrainingReport> {
    let learner = Learner::embedder(backbone.as_ref(), None, training)?;
    let labelled = |pairs: &[ScoredPair]| {
        let sides = |p: &ScoredPair| Ok([learner.text(&p.first)?, learner.text(&p.second)?]);
        Examples::encode(pairs, sides, |pair| pair.score)
    };
    let objective = Supervised::new(&learner, labelled(train)?, |pairs, scores| {
        let [a, b] = sides(&learner, pairs)?;
        Ok(cosines(&a, &b)?.f_mse_loss(&shares(&learner, scores)?, Reduction::Mean)?)
    })
    .watched(labelled(dev)?, |pairs, scores| {
        Ok(pearson(&plain_cosines(&learner, pairs)?, scores).unwrap_or(0.0))
    });
    let report = trainer::train(&objective, training)?;
    learner.save_embedder(output.as_ref())?;
    Ok(report)
}
