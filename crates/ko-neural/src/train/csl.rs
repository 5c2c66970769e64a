//! Training of [`Csl`](crate::kosmic::Csl)'s embedder by the [contrastive loss](crate::loss::contrastive).

use super::{
    learner::Learner,
    options::Training,
    pairs::{chosen, cosines, lengths, save, sides},
    trainer::{self, Objective, TrainingReport},
};
use crate::{
    error::{Error, Result},
    model::tokenizer::Pieces,
    pooling::Pooling,
    vector::cosine,
};
use std::path::Path;
use tch::{Kind, Tensor};

/// Two sentences, and whether they have one tone.
pub type TonePair<'a> = (&'a str, &'a str, bool);

/// Trains an embedder on pairs of equal and unequal tone and writes it to `output`; the weights that tell most
/// pairs of `dev` apart at a cosine of a half are kept.
///
/// # Errors
/// What is wrong with the backbone or the margin (above 0, at most 1), a loss that is not a number, or a file
/// that cannot be written.
pub fn train_csl(
    backbone: impl AsRef<Path>,
    train: &[TonePair<'_>],
    dev: &[TonePair<'_>],
    margin: f64,
    output: impl AsRef<Path>,
    training: &Training,
) -> Result<TrainingReport> {
    if !(margin > 0.0 && margin <= 1.0) {
        return Err(Error::setting("margin", margin, "above 0, at most 1"));
    }
    let learner = Learner::open(backbone.as_ref(), None, Pooling::Mean, training)?;
    let encode = |&(a, b, _): &TonePair<'_>| Ok([learner.text(a)?, learner.text(b)?]);
    let objective = Contrast {
        train: train.iter().map(encode).collect::<Result<_>>()?,
        same: train.iter().map(|&(_, _, same)| f32::from(u8::from(same))).collect(),
        dev: dev.iter().map(encode).collect::<Result<_>>()?,
        dev_same: dev.iter().map(|&(_, _, same)| same).collect(),
        margin,
        learner: &learner,
    };
    let report = trainer::train(&objective, training)?;
    save(&learner, output.as_ref())?;
    Ok(report)
}

struct Contrast<'l> {
    learner: &'l Learner,
    train: Vec<[Pieces; 2]>,
    same: Vec<f32>,
    dev: Vec<[Pieces; 2]>,
    dev_same: Vec<bool>,
    margin: f64,
}

impl Objective for Contrast<'_> {
    fn parameters(&self) -> Vec<(String, Tensor)> {
        self.learner.parameters()
    }

    fn lengths(&self) -> Vec<usize> {
        lengths(&self.train)
    }

    fn loss(&self, examples: &[usize]) -> Result<Tensor> {
        let [a, b] = sides(self.learner, &chosen(&self.train, examples))?;
        let same: Vec<f32> = chosen(&self.same, examples).into_iter().copied().collect();
        contrastive(&cosines(&a, &b)?, &Tensor::f_from_slice(&same)?, self.margin)
    }

    fn evaluate(&self) -> Result<Option<f64>> {
        if self.dev.is_empty() {
            return Ok(None);
        }
        let vectors = self.learner.embed(&self.dev.concat())?;
        let pairs = vectors.as_chunks().0.iter().zip(&self.dev_same);
        let right = pairs.filter(|([a, b], same)| (cosine(a, b) > 0.5) == **same).count();
        Ok(Some(right as f64 / self.dev.len() as f64))
    }
}

/// [`crate::loss::contrastive`] with gradients.
pub(super) fn contrastive(similarity: &Tensor, same: &Tensor, margin: f64) -> Result<Tensor> {
    let apart = similarity.f_square()?.f_mul(&same.f_neg()?.f_add_scalar(1.0)?)?;
    let near =
        similarity.f_neg()?.f_add_scalar(margin)?.f_clamp_min(0.0)?.f_square()?.f_mul(same)?;
    Ok(apart.f_add(&near)?.f_mean(None::<Kind>)?.f_div_scalar(4.0)?)
}
