//! Training of [`Csl`](crate::kosmic::Csl)'s embedder by a contrastive loss over cosine similarities *D*, with *Y* = 1 for equal
//! tone:
//!
//! > 1/(2N) Σ [(1 − Y) · ½D² + Y · ½max(0, m − D)²]
//!
//! Unequal tone is pushed to similarity 0, equal tone above the margin *m*.

use super::{
    learner::Learner,
    options::TrainingSettings,
    pairs::{cosines, plain_cosines, sides},
    supervised::{Examples, Supervised},
    trainer::{self, TrainingReport},
};
use crate::error::{Error, Result};
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
    training: &TrainingSettings,
) -> Result<TrainingReport> {
    if !(margin > 0.0 && margin <= 1.0) {
        return Err(Error::setting("margin", margin, "above 0, at most 1"));
    }
    let learner = Learner::embedder(backbone.as_ref(), None, training)?;
    let labelled = |pairs: &[TonePair<'_>]| {
        let sides = |&(a, b, _): &TonePair<'_>| Ok([learner.text(a)?, learner.text(b)?]);
        Examples::encode(pairs, sides, |&(_, _, same)| same)
    };
    let objective = Supervised::new(&learner, labelled(train)?, |pairs, same| {
        let [a, b] = sides(&learner, pairs)?;
        let same: Vec<f32> = same.iter().map(|&same| f32::from(u8::from(same))).collect();
        contrastive(&cosines(&a, &b)?, &learner.tensor(&same)?, margin)
    })
    .with_margin(margin)
    .watched(labelled(dev)?, |pairs, same| {
        let cosines = plain_cosines(&learner, pairs)?;
        let right = cosines.iter().zip(same).filter(|(cosine, same)| (**cosine > 0.5) == **same);
        Ok(right.count() as f64 / pairs.len() as f64)
    });
    let report = trainer::train(&objective, training)?;
    learner.save_embedder(output.as_ref())?;
    Ok(report)
}

/// The loss of some pairs, with gradients.
pub(super) fn contrastive(similarity: &Tensor, same: &Tensor, margin: f64) -> Result<Tensor> {
    let apart = similarity.f_square()?.f_mul(&same.f_neg()?.f_add_scalar(1.0)?)?;
    let near =
        similarity.f_neg()?.f_add_scalar(margin)?.f_clamp_min(0.0)?.f_square()?.f_mul(same)?;
    Ok(apart.f_add(&near)?.f_mean(None::<Kind>)?.f_div_scalar(4.0)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loss_and_its_slope_are_the_formula() {
        let same = [0.0, 1.0, 1.0, 0.0];
        let similarities = [0.8, 0.1, 0.9, -0.3];
        let tensor = Tensor::from_slice(&similarities).set_requires_grad(true);
        let loss = contrastive(&tensor, &Tensor::from_slice(&same), 0.5).unwrap();
        // (0.8² + max(0, 0.5 − 0.1)² + 0 + 0.3²) / 2 / (2 · 4)
        assert!((loss.double_value(&[]) - (0.64 + 0.16 + 0.09) / 16.0).abs() < 1e-12);
        loss.backward();
        // D/(2N) apart, −(m − D)/(2N) below the margin, 0 above it.
        for (at, slope) in [0.8 / 8.0, -0.4 / 8.0, 0.0, -0.3 / 8.0].into_iter().enumerate() {
            assert!((tensor.grad().double_value(&[at as i64]) - slope).abs() < 1e-12, "{at}");
        }
    }
}
