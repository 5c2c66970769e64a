//! Fine-tuning of RDASS's embedder (the paper's FWA step): a summary is drawn to its own reference and document,
//! and away from those of other items, by the triplet loss over Euclidean distances, `max(0, ‖a−p‖ − ‖a−n‖ + m)`, as
//! `torch.nn.TripletMarginLoss`. Distances are of the vectors that the model gives: of length 1 where its folder normalises them.

use super::{
    learner::Learner,
    options::TrainingSettings,
    pairs::sides,
    supervised::{Examples, Supervised},
    trainer::{self, TrainingReport},
};
use crate::error::{Error, Result};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use tch::{Kind, Tensor};

/// A summary with its reference and its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SummaryItem<'a> {
    /// The summary of a system, or a second reference.
    pub summary: &'a str,
    /// The right reference.
    pub reference: &'a str,
    /// The right document; its beginning, as far as the model reads.
    pub document: &'a str,
}

/// Trains an embedder on triples (summary, right reference, wrong reference) and (summary, right document, wrong
/// document) and writes it to `output`; wrong ones are drawn by the seed from items with another reference and another document.
///
/// # Errors
/// What is wrong with the backbone or the margin (above 0), an item that shares its reference or its document with all others, a loss that is
/// not a number, or a file that cannot be written.
pub fn train_rdass(
    backbone: impl AsRef<Path>,
    items: &[SummaryItem<'_>],
    margin: f64,
    output: impl AsRef<Path>,
    training: &TrainingSettings,
) -> Result<TrainingReport> {
    check(margin, items.len())?;
    let differ = |one: usize, other: usize| match (items.get(one), items.get(other)) {
        (Some(one), Some(other)) => {
            one.reference != other.reference && one.document != other.document
        }
        _ => false,
    };
    let others = others(items.len(), differ, training.seed, 0)?;
    let learner = Learner::embedder(backbone.as_ref(), None, training)?;
    let mut triples = Vec::with_capacity(2 * items.len());
    for (item, other) in items.iter().zip(others) {
        let Some(other) = items.get(other) else { continue };
        triples.push([item.summary, item.reference, other.reference]);
        triples.push([item.summary, item.document, other.document]);
    }
    let sides_of = |&[anchor, right, wrong]: &[&str; 3]| {
        Ok([learner.text(anchor)?, learner.text(right)?, learner.text(wrong)?])
    };
    let train = Examples::encode(&triples, sides_of, |_| ())?;
    let objective = Supervised::new(&learner, train, |triples, _| {
        let [anchor, right, wrong] = sides(&learner, triples)?;
        triplet(&anchor, &right, &wrong, margin)
    })
    .with_margin(margin);
    let report = trainer::train(&objective, training)?;
    learner.save_embedder(output.as_ref())?;
    Ok(report)
}

/// What every training on triples needs, as far as it can be told before a model is opened.
pub(super) fn check(margin: f64, items: usize) -> Result<()> {
    if !(margin > 0.0 && margin.is_finite()) {
        return Err(Error::setting("margin", margin, "above 0"));
    }
    match items {
        0 | 1 => Err(Error::setting("items", items, "at least 2: wrong ones come from others")),
        _ => Ok(()),
    }
}

/// For every item another one that differs from it, the same for the same seed and epoch. Items may share a document or a reference: what is
/// right for one of them is not wrong for the other.
pub(super) fn others(
    count: usize,
    differ: impl Fn(usize, usize) -> bool,
    seed: u64,
    epoch: usize,
) -> Result<Vec<usize>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(epoch as u64);
    let around = count.saturating_sub(1);
    let other = |item: usize| {
        let step = (rng.next_u64() % (around as u64).max(1)) as usize;
        let mut from_there = (step..step + around).map(|step| (item + 1 + step % around) % count);
        let expected = "items of other documents and references, from which wrong ones are drawn";
        let none = || Error::setting("items", count, expected);
        from_there.find(|&other| differ(item, other)).ok_or_else(none)
    };
    (0..count).map(other).collect()
}

/// The loss of some triples, with gradients.
pub(super) fn triplet(
    anchor: &Tensor,
    right: &Tensor,
    wrong: &Tensor,
    margin: f64,
) -> Result<Tensor> {
    let distance = |other: &Tensor| -> Result<Tensor> {
        let square =
            anchor.f_sub(other)?.f_square()?.f_sum_dim_intlist([1i64].as_slice(), false, None)?;
        // The root has no slope at 0, where a summary is its reference.
        Ok(square.f_add_scalar(1e-12)?.f_sqrt()?)
    };
    let excess = distance(right)?.f_sub(&distance(wrong)?)?.f_add_scalar(margin)?;
    Ok(excess.f_clamp_min(0.0)?.f_mean(None::<Kind>)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tch::Device;

    #[test]
    fn a_summary_that_is_its_reference_has_a_slope() {
        let anchor = Tensor::ones([1, 4], (Kind::Float, Device::Cpu)).set_requires_grad(true);
        triplet(&anchor, &Tensor::ones_like(&anchor), &Tensor::zeros_like(&anchor), 9.0)
            .unwrap()
            .backward();
        assert_eq!(anchor.grad().isfinite().all(), Tensor::from(true));
    }

    #[test]
    fn nobody_is_their_own_negative() {
        for (epoch, count) in [2, 3, 100].into_iter().enumerate() {
            let others = others(count, |_, _| true, 5, epoch).unwrap();
            assert_eq!(others.len(), count);
            assert!(others.iter().enumerate().all(|(item, &other)| item != other && other < count));
        }
        assert!(others(1, |_, _| true, 5, 0).is_err());
    }

    #[test]
    fn what_is_right_for_one_is_not_wrong_for_another_of_the_same_document() {
        // Four documents with three references each.
        let differ = |one: usize, other: usize| one / 3 != other / 3;
        for epoch in 0..20 {
            let others = others(12, differ, 5, epoch).unwrap();
            assert!(others.iter().enumerate().all(|(item, &other)| differ(item, other)));
        }
        // One document alone has no wrong one.
        let error = others(3, differ, 5, 0).unwrap_err().to_string();
        assert!(error.contains("other documents"), "{error}");
    }
}
