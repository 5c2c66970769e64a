//! Losses over the vectors of a batch, equal to those of sentence-transformers.
//!
//! - Ranking (`MultipleNegativesRankingLoss`): −ln of the softmax of λ·cos(aᵢ, c) over all candidates c of the batch, at aᵢ's own.
//! - CoSENT (`CoSENTLoss`): ln(1 + Σ exp(λ·(cosᵢ − cosⱼ))) over all i, j of which i should be less alike than j.
//!
//! λ is 20 in both.

use crate::{error::Result, model::place::Place};
use tch::{Reduction, Tensor};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::pairs::cosines;
    use serde::Deserialize;
    use tch::Kind;

    /// Written by `tests/losses/make.py`.
    #[derive(Deserialize)]
    struct Expected {
        cases: Vec<Case>,
    }

    #[derive(Deserialize)]
    struct Case {
        loss: String,
        rows: i64,
        width: i64,
        /// The factor of each side's numbers, which are sines.
        sides: Vec<f64>,
        scores: Vec<f64>,
        value: f64,
        gradients: Vec<Vec<f64>>,
    }

    fn side(case: &Case, factor: f64) -> Tensor {
        let numbers: Vec<f64> =
            (0..case.rows * case.width).map(|i| (i as f64 * factor).sin()).collect();
        Tensor::from_slice(&numbers).reshape([case.rows, case.width]).set_requires_grad(true)
    }

    #[test]
    fn losses_and_slopes_equal_sentence_transformers() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/losses/expected.json");
        let expected: Expected = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        assert!(expected.cases.len() >= 6);
        for case in expected.cases {
            let sides: Vec<Tensor> = case.sides.iter().map(|&f| side(&case, f)).collect();
            let scores = Tensor::from_slice(&case.scores);
            let loss = match case.loss.as_str() {
                "ranking" => ranking(&sides[0], &Tensor::cat(&sides[1..], 0), None).unwrap(),
                "cosent" => cosent(&cosines(&sides[0], &sides[1]).unwrap(), &scores).unwrap(),
                "cosine" => {
                    cosines(&sides[0], &sides[1]).unwrap().mse_loss(&scores, Reduction::Mean)
                }
                other => panic!("{other}"),
            };
            let value = loss.double_value(&[]);
            assert!((value - case.value).abs() < 1e-9, "{}: {value}, {}", case.loss, case.value);
            loss.backward();
            for (side, theirs) in sides.iter().zip(&case.gradients) {
                let ours = side.grad().flatten(0, -1);
                let difference = (ours - Tensor::from_slice(theirs)).abs().max().double_value(&[]);
                assert!(difference < 1e-9, "{}: slopes differ by {difference}", case.loss);
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
