//! Choosing by agreement with people: which of several scorers, and how much weight each part of a score deserves.
//!
//! [`rank`] orders scorers (the layers of a model, the settings of a metric) by Pearson's r of their segment scores with
//! human ones. [`tune`] searches the weights of a sum of `N` parts on the grid of the simplex, O(steps^(N−1)) sums of all
//! items. What is chosen on some data says nothing about the same data: judge it on others.
//!
//! ```
//! use ko_meta_eval::selection::tune;
//!
//! // People looked at meaning and at tone, at meaning twice as much.
//! let parts = [[5.0, 5.0], [5.0, 0.0], [2.0, 5.0], [1.0, 1.0]];
//! let people = parts.map(|[meaning, tone]| (2.0 * meaning + tone) / 3.0);
//! let tuned = tune(&parts, &people, 3, [true, true])?;
//! assert_eq!(tuned.weights.map(|weight| (3.0 * weight).round()), [2.0, 1.0]);
//! // An ablation: the first part alone.
//! let ablated = tune(&parts, &people, 3, [true, false])?;
//! assert_eq!(ablated.weights, [1.0, 0.0]);
//! assert!(ablated.pearson < tuned.pearson);
//! # Ok::<(), ko_meta_eval::Error>(())
//! ```

use crate::{
    Correlation, Error, Result,
    correlation::{Bootstrapped, Draw, interval},
    error::{at_least, same_length},
};
use ko_eval_core::{Scorer, Segment, significance::Bootstrap};
use serde::Serialize;

/// How well one of several scorers agrees with people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ranked<T> {
    /// Which one.
    pub candidate: T,
    /// Pearson's r of its segment scores with the human ones; none where one side does not vary.
    pub pearson: Option<f64>,
    /// Its 95 % interval over resampled segments, the same ones for every candidate; none where there is no coefficient.
    pub interval: Option<Bootstrapped>,
}

/// Every candidate's agreement with human scores of the same segments, best first. Each scorer is made when its turn
/// comes, so a model's layers need not be in memory together.
///
/// # Errors
/// [`Error::LengthMismatch`], no segment, or as the scorers'.
pub fn rank<T>(
    candidates: impl IntoIterator<Item = (T, ko_eval_core::Result<Box<dyn Scorer>>)>,
    segments: &[Segment<'_>],
    human: &[f64],
) -> Result<Vec<Ranked<T>>> {
    same_length(("the corpus", segments.len()), ("the human scores", human.len()))?;
    at_least("segments", segments.len(), 1)?;
    let (mut ranked, bootstrap) = (Vec::new(), Bootstrap::default());
    for (candidate, scorer) in candidates {
        let scores = scorer?.segment_scores(&segments)?;
        let values: Vec<f64> = scores.iter().map(|score| score.value).collect();
        let pearson = pearson(&values, human)?;
        let spread = || interval(Correlation::Pearson, &values, human, Draw::Rows, &bootstrap);
        let interval = pearson.map(|_| spread()).transpose()?;
        ranked.push(Ranked { candidate, pearson, interval });
    }
    // `None` sorts below every number, whose order is total because none is NaN.
    ranked.sort_by(|a, b| b.pearson.partial_cmp(&a.pearson).unwrap_or(std::cmp::Ordering::Equal));
    Ok(ranked)
}

/// What a search over weights found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tuned<const N: usize> {
    /// The best weights: none negative, 1 together.
    pub weights: [f64; N],
    /// Pearson's r of their sums with the human scores.
    pub pearson: f64,
}

/// The weights on a grid of 1/`steps` whose sums of the parts correlate best with human scores (Pearson); of equally
/// good ones, the one with the greatest first weight, then second. Parts that are not `allowed` have no weight.
///
/// # Errors
/// [`Error::LengthMismatch`], no step, or [`Error::Undefined`] when no weights give sums that vary.
pub fn tune<const N: usize>(
    parts: &[[f64; N]],
    human: &[f64],
    steps: usize,
    allowed: [bool; N],
) -> Result<Tuned<N>> {
    same_length(("the list of parts", parts.len()), ("the human scores", human.len()))?;
    at_least("steps", steps, 1)?;
    let mut best: Option<Tuned<N>> = None;
    for counts in grid(&allowed, steps) {
        let mut weights = [0.0; N];
        weights.iter_mut().zip(counts).for_each(|(w, count)| *w = count as f64 / steps as f64);
        let sums: Vec<f64> = parts.iter().map(|parts| weighted_sum(parts, &weights)).collect();
        if let Some(pearson) = pearson(&sums, human)?
            && best.is_none_or(|best| pearson > best.pearson)
        {
            best = Some(Tuned { weights, pearson });
        }
    }
    let reason = "the human scores, or the parts under all weights, do not vary";
    best.ok_or_else(|| Error::undefined("the best weights", reason))
}

/// A score from its parts.
pub(crate) fn weighted_sum<const N: usize>(parts: &[f64; N], weights: &[f64; N]) -> f64 {
    parts.iter().zip(weights).map(|(part, weight)| part * weight).sum()
}

/// Every way to deal `steps` to the allowed places, the most to the first place first.
fn grid(allowed: &[bool], steps: usize) -> Vec<Vec<usize>> {
    let Some((first, rest)) = allowed.split_first() else {
        return if steps == 0 { vec![Vec::new()] } else { Vec::new() };
    };
    let most = if *first { steps } else { 0 };
    let with = |count: usize| {
        grid(rest, steps - count).into_iter().map(move |tail| [vec![count], tail].concat())
    };
    (0..=most).rev().flat_map(with).collect()
}

/// Pearson's r, if there is one.
fn pearson(scores: &[f64], human: &[f64]) -> Result<Option<f64>> {
    crate::correlation::value(Correlation::Pearson, scores, human)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_finds_the_weights_that_people_used() {
        let parts: Vec<[f64; 3]> = (0..60u32)
            .map(|i| [(7, 11), (5, 13), (3, 17)].map(|(by, of)| f64::from(i * by % of)))
            .collect();
        let used = [0.5, 0.3, 0.2];
        let human: Vec<f64> = parts.iter().map(|parts| weighted_sum(parts, &used)).collect();
        let tuned = tune(&parts, &human, 10, [true; 3]).unwrap();
        for (found, used) in tuned.weights.iter().zip(used) {
            assert!((found - used).abs() < 1e-12);
        }
        assert!((tuned.pearson - 1.0).abs() < 1e-12);
        let without = tune(&parts, &human, 10, [true, true, false]).unwrap();
        assert!(without.weights[2] == 0.0 && without.pearson < tuned.pearson);
        assert!(tune(&parts, &human[1..], 10, [true; 3]).is_err());
        assert!(tune(&parts, &human, 0, [true; 3]).is_err());
        let constant = tune(&parts, &[3.0; 60], 10, [true; 3]);
        assert!(matches!(constant, Err(Error::Undefined { .. })));
    }

    #[test]
    fn the_grid_is_whole_and_in_order() {
        let all = grid(&[true; 3], 2);
        assert_eq!(all, [[2, 0, 0], [1, 1, 0], [1, 0, 1], [0, 2, 0], [0, 1, 1], [0, 0, 2]]);
        assert_eq!(grid(&[true, false, true], 1), [[1, 0, 0], [0, 0, 1]]);
    }
}
