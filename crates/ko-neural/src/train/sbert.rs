//! Training of a sentence embedder (SBERT, Reimers and Gurevych 2019): on inference labels by a softmax over
//! (u, v, |u − v|), then on similarity scores by the squared error of the cosine.

use super::{
    learner::Learner,
    options::Training,
    pairs::{chosen, cosines, lengths, save, sides},
    trainer::{self, Objective, TrainingReport},
};
use crate::{
    agreement::pearson,
    error::Result,
    model::{head::Task, tokenizer::Pieces},
    pooling::Pooling,
    read::{NliLabel, NliPair, ScoredPair},
    vector::cosine,
};
use std::path::Path;
use tch::{Reduction, Tensor};

/// Trains an embedder on pairs with inference labels and writes it to `output`; the head that only training needs
/// is written beside it.
///
/// # Errors
/// What is wrong with the backbone, a loss that is not a number, or a file that cannot be written.
pub fn train_sbert_nli(
    backbone: impl AsRef<Path>,
    train: &[NliPair],
    output: impl AsRef<Path>,
    training: &Training,
) -> Result<TrainingReport> {
    let learner = Learner::open(backbone.as_ref(), Some(Task::Nli), Pooling::Mean, training)?;
    let encode = |p: &NliPair| Ok([learner.text(&p.premise)?, learner.text(&p.hypothesis)?]);
    let label = |pair: &NliPair| match pair.label {
        NliLabel::Entailment => 0,
        NliLabel::Neutral => 1,
        NliLabel::Contradiction => 2,
    };
    let objective = Softmax {
        train: train.iter().map(encode).collect::<Result<_>>()?,
        labels: train.iter().map(label).collect(),
        learner: &learner,
    };
    let report = trainer::train(&objective, training)?;
    save(&learner, output.as_ref())?;
    Ok(report)
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
    training: &Training,
) -> Result<TrainingReport> {
    let learner = Learner::open(backbone.as_ref(), None, Pooling::Mean, training)?;
    let encode = |p: &ScoredPair| Ok([learner.text(&p.first)?, learner.text(&p.second)?]);
    let objective = CosineRegression {
        train: train.iter().map(encode).collect::<Result<_>>()?,
        labels: train.iter().map(|pair| (pair.score / 5.0) as f32).collect(),
        dev: dev.iter().map(encode).collect::<Result<_>>()?,
        dev_scores: dev.iter().map(|pair| pair.score).collect(),
        learner: &learner,
    };
    let report = trainer::train(&objective, training)?;
    save(&learner, output.as_ref())?;
    Ok(report)
}

struct Softmax<'l> {
    learner: &'l Learner,
    train: Vec<[Pieces; 2]>,
    labels: Vec<i64>,
}

impl Objective for Softmax<'_> {
    fn parameters(&self) -> Vec<(String, Tensor)> {
        self.learner.parameters()
    }

    fn lengths(&self) -> Vec<usize> {
        lengths(&self.train)
    }

    fn loss(&self, examples: &[usize]) -> Result<Tensor> {
        let [u, v] = sides(self.learner, &chosen(&self.train, examples))?;
        let labels: Vec<i64> = chosen(&self.labels, examples).into_iter().copied().collect();
        let joined = Tensor::f_cat(&[&u, &v, &u.f_sub(&v)?.f_abs()?], 1)?;
        let logits = self.learner.head(&joined)?;
        let labels = Tensor::f_from_slice(&labels)?;
        Ok(logits.f_cross_entropy_loss::<Tensor>(&labels, None, Reduction::Mean, -100, 0.0)?)
    }

    fn evaluate(&self) -> Result<Option<f64>> {
        Ok(None)
    }
}

struct CosineRegression<'l> {
    learner: &'l Learner,
    train: Vec<[Pieces; 2]>,
    labels: Vec<f32>,
    dev: Vec<[Pieces; 2]>,
    dev_scores: Vec<f64>,
}

impl Objective for CosineRegression<'_> {
    fn parameters(&self) -> Vec<(String, Tensor)> {
        self.learner.parameters()
    }

    fn lengths(&self) -> Vec<usize> {
        lengths(&self.train)
    }

    fn loss(&self, examples: &[usize]) -> Result<Tensor> {
        let [a, b] = sides(self.learner, &chosen(&self.train, examples))?;
        let labels: Vec<f32> = chosen(&self.labels, examples).into_iter().copied().collect();
        Ok(cosines(&a, &b)?.f_mse_loss(&Tensor::f_from_slice(&labels)?, Reduction::Mean)?)
    }

    fn evaluate(&self) -> Result<Option<f64>> {
        if self.dev.is_empty() {
            return Ok(None);
        }
        let vectors = self.learner.embed(&self.dev.concat())?;
        let cosines: Vec<f64> =
            vectors.as_chunks().0.iter().map(|[a, b]| f64::from(cosine(a, b))).collect();
        Ok(Some(pearson(&cosines, &self.dev_scores).unwrap_or(0.0)))
    }
}
