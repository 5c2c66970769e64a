//! The losses of a batch, equal to those of PyTorch and sentence-transformers.
//!
//! - Ranking (`MultipleNegativesRankingLoss`): −ln of the softmax of λ·cos(aᵢ, c) over all candidates c of the batch, at aᵢ's own.
//! - CoSENT (`CoSENTLoss`): ln(1 + Σ exp(λ·(cosᵢ − cosⱼ))) over all i, j of which i should be less alike than j.
//! - Softmax (`SoftmaxLoss`): the cross-entropy of a head over (u, v, |u − v|).
//! - Scores and shares of a head's one number: the squared error of its logistic function, and the binary cross-entropy.
//! - Labels: the mean over sets of labels of the cross-entropies of the rows that have a label.
//!
//! λ is 20 in both of the first two.

use crate::{error::Result, model::place::Place};
use tch::{Kind, Reduction, Tensor};

/// By how much cosines are stretched.
const SCALE: f64 = 20.0;

/// Row by row at length 1.
pub(super) fn unit(rows: &Tensor) -> Result<Tensor> {
    let norm = rows.f_norm_scalaropt_dim(2, [1i64].as_slice(), true)?;
    Ok(rows.f_div(&norm.f_clamp_min(1e-12)?)?)
}

/// Every anchor's own candidate, that of the same row, against all other candidates but those that it must not be compared with.
pub(super) fn ranking(
    anchors: &Tensor,
    candidates: &Tensor,
    exempt: Option<&Tensor>,
) -> Result<Tensor> {
    let cosines = unit(anchors)?.f_matmul(&unit(candidates)?.f_transpose(0, 1)?)?;
    let mut scores = cosines.f_mul_scalar(SCALE)?;
    if let Some(exempt) = exempt {
        scores = scores.f_masked_fill(exempt, f64::NEG_INFINITY)?;
    }
    let own: Vec<i64> = (0..anchors.size2()?.0).collect();
    let own = Place::of(anchors).tensor(&own)?;
    Ok(scores.f_cross_entropy_loss::<Tensor>(&own, None, Reduction::Mean, -100, 0.0)?)
}

/// Pairs' cosines against the order of their scores; 0 where no two scores differ.
pub(super) fn cosent(cosines: &Tensor, scores: &Tensor) -> Result<Tensor> {
    let stretched = cosines.f_mul_scalar(SCALE)?;
    let differences = stretched.f_unsqueeze(1)?.f_sub(&stretched.f_unsqueeze(0)?)?;
    let in_order = scores.f_unsqueeze(1)?.f_ge_tensor(&scores.f_unsqueeze(0)?)?;
    let terms = differences.f_masked_fill(&in_order, f64::NEG_INFINITY)?.f_flatten(0, -1)?;
    let one = stretched.f_narrow(0, 0, 1)?.f_zeros_like()?;
    Ok(Tensor::f_cat(&[one, terms], 0)?.f_logsumexp([0i64].as_slice(), false)?)
}

/// The squared error of the logistic function of a head's one number on shares of 1.
pub(super) fn shares_error(numbers: &Tensor, shares: &Tensor) -> Result<Tensor> {
    let guess = numbers.f_squeeze_dim(-1)?.f_sigmoid()?;
    Ok(guess.f_mse_loss(shares, Reduction::Mean)?)
}

/// The binary cross-entropy of a head's one number, where 1 is yes and 0 is no.
pub(super) fn binary(numbers: &Tensor, yes: &Tensor) -> Result<Tensor> {
    let numbers = numbers.f_squeeze_dim(-1)?;
    let none = None::<&Tensor>;
    Ok(numbers.f_binary_cross_entropy_with_logits(yes, none, none, Reduction::Mean)?)
}

/// The cross-entropy of a head's numbers over the vectors (u, v, |u − v|) of pairs.
pub(super) fn softmax(
    [u, v]: [&Tensor; 2],
    labels: &Tensor,
    head: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let joined = Tensor::f_cat(&[u, v, &u.f_sub(v)?.f_abs()?], 1)?;
    let numbers = head(&joined)?;
    Ok(numbers.f_cross_entropy_loss::<Tensor>(labels, None, Reduction::Mean, NONE, 0.0)?)
}

/// What has no label.
pub(super) const NONE: i64 = -100;

/// The mean over sets of labels of the cross-entropies with the right ones; columns are the labels of one set after the other. Every set has a label's
/// number, or [`NONE`], for each row.
pub(super) fn labels(numbers: &Tensor, counts: &[i64], right: &[Vec<i64>]) -> Result<Tensor> {
    let (mut first, mut losses) = (0, Vec::with_capacity(counts.len()));
    for (&count, right) in counts.iter().zip(right) {
        losses.push(cross_entropy(&numbers.f_narrow(1, first, count)?, right)?);
        first += count;
    }
    Ok(Tensor::f_stack(&losses, 0)?.f_mean(None::<Kind>)?)
}

/// The mean over the rows that have a label; 0 where none has one.
fn cross_entropy(numbers: &Tensor, right: &[i64]) -> Result<Tensor> {
    let labelled = right.iter().filter(|label| **label != NONE).count().max(1);
    let right = Place::of(numbers).tensor(right)?;
    let sum = numbers.f_cross_entropy_loss::<Tensor>(&right, None, Reduction::Sum, NONE, 0.0)?;
    Ok(sum.f_div_scalar(labelled as f64)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::tokenizer::TokenIds,
        train::{
            csl::contrastive,
            generator::{Example, likelihood},
            pairs::cosines,
            triplet::triplet,
        },
    };
    use serde::Deserialize;

    /// Written by `tests/losses/make.py`.
    #[derive(Deserialize)]
    struct Expected {
        cases: Vec<Case>,
    }

    #[derive(Deserialize)]
    struct Case {
        loss: String,
        /// What it is a loss of: rows, columns, and the factor of the numbers, which are sines.
        sides: Vec<(i64, i64, f64)>,
        scores: Vec<f64>,
        labels: Vec<Vec<i64>>,
        margin: Option<f64>,
        #[serde(default)]
        sets: Vec<i64>,
        value: f64,
        gradients: Vec<Vec<f64>>,
    }

    /// The loss, as the trainings call it.
    fn loss(case: &Case, sides: &[Tensor]) -> Result<Tensor> {
        let scores = Tensor::from_slice(&case.scores).to_kind(sides[0].kind());
        let margin = || case.margin.unwrap();
        match case.loss.as_str() {
            "ranking" => ranking(&sides[0], &Tensor::cat(&sides[1..], 0), None),
            "cosent" => cosent(&cosines(&sides[0], &sides[1])?, &scores),
            "cosine" => Ok(cosines(&sides[0], &sides[1])?.f_mse_loss(&scores, Reduction::Mean)?),
            "softmax" => {
                let right = Tensor::from_slice(&case.labels[0]);
                softmax([&sides[0], &sides[1]], &right, |all| {
                    Ok(all.f_linear(&sides[2], None::<&Tensor>)?)
                })
            }
            "contrastive" => contrastive(&cosines(&sides[0], &sides[1])?, &scores, margin()),
            "triplet" => triplet(&sides[0], &sides[1], &sides[2], margin()),
            "shares" => shares_error(&sides[0], &scores),
            "binary" => binary(&sides[0], &scores),
            "labels" => labels(&sides[0], &case.sets, &case.labels),
            "likelihood" => {
                let target = case.labels[0].iter().map(|&id| id as u32).collect();
                let source = TokenIds { ids: vec![], types: vec![], special: vec![] };
                let (sum, tokens) = likelihood(&sides[0], &[&Example { source, target }])?;
                Ok(sum.f_div_scalar(tokens as f64)?)
            }
            other => panic!("{other}"),
        }
    }

    /// In double precision to nine digits; in the single precision of trainings to five of the largest number, as every order of sums has them.
    #[test]
    fn losses_and_gradients_equal_pytorchs() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/losses/expected.json");
        let expected: Expected = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        assert_eq!(expected.cases.len(), 16);
        for case in expected.cases {
            for (kind, tolerance) in [(Kind::Double, 1e-9), (Kind::Float, 1e-5)] {
                let side = |&(rows, columns, factor): &(i64, i64, f64)| {
                    let sines: Vec<f64> =
                        (0..rows * columns).map(|i| (i as f64 * factor).sin()).collect();
                    let side = Tensor::from_slice(&sines).reshape([rows, columns]).to_kind(kind);
                    side.set_requires_grad(true)
                };
                let sides: Vec<Tensor> = case.sides.iter().map(side).collect();
                let loss = loss(&case, &sides).unwrap();
                let (value, what) = (loss.double_value(&[]), format!("{} in {kind:?}", case.loss));
                assert!(
                    (value / case.value - 1.0).abs() < tolerance,
                    "{what}: {value}, {}",
                    case.value
                );
                loss.backward();
                for (side, theirs) in sides.iter().zip(&case.gradients) {
                    let theirs = Tensor::from_slice(theirs);
                    let ours = side.grad().flatten(0, -1).to_kind(Kind::Double);
                    let largest = |tensor: Tensor| tensor.abs().max().double_value(&[]);
                    let (apart, whole) = (largest(ours - &theirs), largest(theirs));
                    assert!(
                        apart < tolerance * whole,
                        "{what}: gradients of {whole} differ by {apart}"
                    );
                }
            }
        }
    }

    #[test]
    fn an_exempt_candidate_does_not_count() {
        let anchors = Tensor::from_slice(&[1.0f64, 0.0, 0.0, 1.0]).reshape([2, 2]);
        let three = Tensor::from_slice(&[1.0f64, 0.5, 0.5, 1.0, 1.0, 0.5]).reshape([3, 2]);
        // The third candidate is the first anchor's own positive once more, and must not be held against it.
        let exempt = Tensor::from_slice(&[false, false, true, false, false, true]).reshape([2, 3]);
        let ours = ranking(&anchors, &three, Some(&exempt)).unwrap();
        let two = ranking(&anchors, &three.narrow(0, 0, 2), None).unwrap();
        assert!((ours.double_value(&[]) - two.double_value(&[])).abs() < 1e-12);
    }

    #[test]
    fn scores_that_do_not_differ_teach_nothing() {
        let cosines = Tensor::from_slice(&[0.3f64, -0.2, 0.9]).set_requires_grad(true);
        let loss = cosent(&cosines, &Tensor::from_slice(&[2.0f64, 2.0, 2.0])).unwrap();
        assert_eq!(loss.double_value(&[]), 0.0);
        loss.backward();
        assert_eq!(cosines.grad().abs().sum(Kind::Double).double_value(&[]), 0.0);
    }
}
