//! Training of [`Csl`](crate::kosmic::Csl)'s embedder by the [contrastive loss](crate::loss::contrastive).

use super::{
    learner::Learner,
    options::Training,
    pairs::{cosines, plain_cosines, save, sides},
    supervised::{Labelled, Supervised},
    trainer::{self, TrainingReport},
};
use crate::{
    error::{Error, Result},
    pooling::Pooling,
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
    let labelled = |pairs: &[TonePair<'_>]| {
        let sides = |&(a, b, _): &TonePair<'_>| Ok([learner.text(a)?, learner.text(b)?]);
        Labelled::encode(pairs, sides, |&(_, _, same)| same)
    };
    let objective = Supervised::new(&learner, labelled(train)?, |pairs, same| {
        let [a, b] = sides(&learner, pairs)?;
        let same: Vec<f32> = same.iter().map(|&same| f32::from(u8::from(same))).collect();
        contrastive(&cosines(&a, &b)?, &Tensor::f_from_slice(&same)?, margin)
    })
    .watched(labelled(dev)?, |pairs, same| {
        let cosines = plain_cosines(&learner, pairs)?;
        let right = cosines.iter().zip(same).filter(|(cosine, same)| (**cosine > 0.5) == **same);
        Ok(right.count() as f64 / pairs.len() as f64)
    });
    let report = trainer::train(&objective, training)?;
    save(&learner, output.as_ref())?;
    Ok(report)
}

/// [`crate::loss::contrastive`] with gradients.
pub(super) fn contrastive(similarity: &Tensor, same: &Tensor, margin: f64) -> Result<Tensor> {
    let apart = similarity.f_square()?.f_mul(&same.f_neg()?.f_add_scalar(1.0)?)?;
    let near =
        similarity.f_neg()?.f_add_scalar(margin)?.f_clamp_min(0.0)?.f_square()?.f_mul(same)?;
    Ok(apart.f_add(&near)?.f_mean(None::<Kind>)?.f_div_scalar(4.0)?)
}
