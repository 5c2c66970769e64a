//! Does the metric order pairs as people do? Pairs are formed inside groups only: for segment-level
//! comparison of systems, a row's group is the number of its source sentence.
//!
//! **τ-like** is (C−D)/(C+D) over all groups' pairs together. It is not Kendall's τ: pairs that people
//! tie are left out, and campaigns of the Conference on Machine Translation differ in what they
//! do with pairs that only the metric ties (Macháček and Bojar, *Results of the WMT14 Metrics
//! Shared Task*, Table 2). The variant is therefore named:
//!
//! | variant | a pair tied by the metric alone | a pair that people hold nearly alike |
//! |---|---|---|
//! | [`TauLike::WMT12`] | discordant | counts |
//! | [`TauLike::WMT13`] | left out | counts |
//! | [`TauLike::WMT14`] | neither, but in the denominator | counts |
//! | [`TauLike::DARR`], 2017 to 2020 | discordant | left out below 25 of 100 points |
//!
//! **Pairwise accuracy with tie calibration**, acc\*ₑq (Deutsch, Foster and Freitag, *Ties Matter*,
//! EMNLP 2023), gives the metric credit for ties too: a pair is right if both sides order it alike or
//! both tie it, where the metric ties what differs by at most ε. ε is the value that makes the accuracy
//! largest, the smallest such one. Accuracies of groups are averaged.
//!
//! With P pairs, τ-like takes O(P) and calibration O(P log P): the differences are sorted once and
//! each ε is one step of a sweep. Where no pair can be compared, the answer is an error.
//!
//! ```
//! use ko_meta_eval::correlation::pairwise::{TauLike, calibrated_accuracy, tau_like};
//!
//! // Three systems, two sentences.
//! let 사람 = [2.0, 1.0, 1.0, 0.0, 2.0, 1.0];
//! let 척도 = [0.9, 0.5, 0.48, 0.2, 0.7, 0.7];
//! let 문장 = [0, 0, 0, 1, 1, 1];
//! assert_eq!(tau_like(&사람, &척도, &문장, TauLike::WMT14)?.value, 0.8); // one metric tie of five pairs
//! let best = calibrated_accuracy(&사람, &척도, &문장)?;
//! assert!((best.epsilon - 0.02).abs() < 1e-12); // .50 and .48 are now a tie, as people have it
//! assert!((best.accuracy - (1.0 + 2.0 / 3.0) / 2.0).abs() < 1e-12);
//! # Ok::<(), ko_meta_eval::Error>(())
//! ```

use crate::{
    Error, Result,
    error::{all_finite, same_length},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most pairs that calibration holds in memory, at 16 bytes each.
pub const MAX_PAIRS: usize = 1 << 27;

/// What a pair counts that the metric ties and people do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MetricTies {
    /// As wrong.
    Discordant,
    /// Nothing.
    LeftOut,
    /// Neither right nor wrong, but it makes the denominator larger.
    Neutral,
}

/// A variant of τ-like.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TauLike {
    /// What ties of the metric count.
    pub metric_ties: MetricTies,
    /// Pairs whose human scores differ by less are left out, as are those that do not differ.
    pub least_difference: f64,
}

impl TauLike {
    /// As in 2012.
    pub const WMT12: Self = Self { metric_ties: MetricTies::Discordant, least_difference: 0.0 };
    /// As in 2013.
    pub const WMT13: Self = Self { metric_ties: MetricTies::LeftOut, least_difference: 0.0 };
    /// As in 2014 to 2016.
    pub const WMT14: Self = Self { metric_ties: MetricTies::Neutral, least_difference: 0.0 };
    /// Direct assessments turned into relative rankings: scores from 0 to 100.
    pub const DARR: Self = Self { metric_ties: MetricTies::Discordant, least_difference: 25.0 };
}

/// τ-like with its counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TauLikeValue {
    /// Between −1 and 1.
    pub value: f64,
    /// Pairs that both sides order alike.
    pub concordant: u64,
    /// Pairs that the sides order differently.
    pub discordant: u64,
    /// Pairs that only the metric ties, whatever the variant makes of them.
    pub metric_ties: u64,
    /// Pairs left out because people tie them or hold them nearly alike.
    pub left_out: u64,
}

/// Pairwise accuracy at its best ε.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Accuracy {
    /// The share of pairs that are right, averaged over groups.
    pub accuracy: f64,
    /// The metric ties what differs by at most this.
    pub epsilon: f64,
    /// Groups with a pair.
    pub groups: usize,
    /// Pairs in all of them.
    pub pairs: usize,
}

/// τ-like of the metric with people over the pairs inside groups.
///
/// # Errors
/// Unequal lengths, values that are not finite, or no pair that counts.
pub fn tau_like(
    human: &[f64],
    metric: &[f64],
    groups: &[usize],
    variant: TauLike,
) -> Result<TauLikeValue> {
    let groups = grouped(human, metric, groups)?;
    let (mut concordant, mut discordant, mut metric_ties, mut left_out) = (0u64, 0u64, 0u64, 0u64);
    for pair in groups.iter().flat_map(|group| pairs(group)) {
        if pair.human == 0.0 || pair.human.abs() < variant.least_difference {
            left_out += 1;
        } else {
            match pair.metric {
                0.0 => metric_ties += 1,
                metric if (metric > 0.0) == (pair.human > 0.0) => concordant += 1,
                _ => discordant += 1,
            }
        }
    }
    let (wrong, silent) = match variant.metric_ties {
        MetricTies::Discordant => (discordant + metric_ties, 0),
        MetricTies::LeftOut => (discordant, 0),
        MetricTies::Neutral => (discordant, metric_ties),
    };
    let counted = concordant + wrong + silent;
    if counted == 0 {
        return Err(Error::undefined("τ-like", "no pair inside a group counts"));
    }
    let value = (concordant as f64 - wrong as f64) / counted as f64;
    Ok(TauLikeValue { value, concordant, discordant, metric_ties, left_out })
}

/// The share of pairs that are right when the metric ties what differs by at most `epsilon`, averaged over
/// groups.
///
/// # Errors
/// Unequal lengths, values that are not finite, or no pair at all.
pub fn accuracy(human: &[f64], metric: &[f64], groups: &[usize], epsilon: f64) -> Result<f64> {
    let groups = grouped(human, metric, groups)?;
    let shares: Vec<f64> = groups
        .iter()
        .map(|group| {
            let right = pairs(group).filter(|pair| pair.right_at(epsilon)).count();
            right as f64 / pair_count(group.len()) as f64
        })
        .collect();
    Ok(shares.iter().sum::<f64>() / shares.len() as f64)
}

/// Pairwise accuracy with tie calibration, acc\*ₑq, averaged over groups.
///
/// # Errors
/// Unequal lengths, values that are not finite, no pair at all, or more than [`MAX_PAIRS`].
pub fn calibrated_accuracy(human: &[f64], metric: &[f64], groups: &[usize]) -> Result<Accuracy> {
    let groups = grouped(human, metric, groups)?;
    let total: usize = groups.iter().map(|group| pair_count(group.len())).sum();
    if total > MAX_PAIRS {
        return Err(Error::invalid("pairs", total, format!("at most {MAX_PAIRS}")));
    }
    // What the accuracy gains or loses when ε reaches a pair's difference.
    let mut steps = Vec::with_capacity(total);
    let mut now = 0.0;
    for group in &groups {
        let weight = 1.0 / pair_count(group.len()) as f64 / groups.len() as f64;
        for pair in pairs(group) {
            let distance = pair.metric.abs();
            match (pair.right_below(distance), pair.human == 0.0) {
                (true, _) => {
                    now += weight;
                    steps.push((distance, -weight));
                }
                (false, true) => steps.push((distance, weight)),
                (false, false) => {}
            }
        }
    }
    steps.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut best, mut epsilon) = (f64::NEG_INFINITY, 0.0);
    if steps.first().is_none_or(|step| step.0 > 0.0) {
        best = now;
    }
    for level in steps.chunk_by(|a, b| a.0 == b.0) {
        now += level.iter().map(|step| step.1).sum::<f64>();
        // Rounding must not make a later ε look better than an equal earlier one.
        if now > best + 1e-12 {
            best = now;
            epsilon = level.first().map_or(0.0, |step| step.0);
        }
    }
    Ok(Accuracy { accuracy: best.clamp(0.0, 1.0), epsilon, groups: groups.len(), pairs: total })
}

/// The differences of a pair, first minus second.
#[derive(Debug, Clone, Copy)]
struct Pair {
    human: f64,
    metric: f64,
}

impl Pair {
    /// Whether both sides order the pair alike, so that it is right while ε is below `distance` > 0.
    fn right_below(self, distance: f64) -> bool {
        distance > 0.0 && self.human != 0.0 && (self.human > 0.0) == (self.metric > 0.0)
    }

    fn right_at(self, epsilon: f64) -> bool {
        let distance = self.metric.abs();
        if distance <= epsilon { self.human == 0.0 } else { self.right_below(distance) }
    }
}

/// Rows of (human, metric) by group; groups of one row hold no pair.
fn grouped(human: &[f64], metric: &[f64], groups: &[usize]) -> Result<Vec<Vec<(f64, f64)>>> {
    same_length(("the human scores", human.len()), ("the metric's scores", metric.len()))?;
    same_length(("the human scores", human.len()), ("the groups", groups.len()))?;
    all_finite("the human scores", human)?;
    all_finite("the metric's scores", metric)?;
    let mut rows = BTreeMap::<usize, Vec<(f64, f64)>>::new();
    for ((h, m), group) in human.iter().zip(metric).zip(groups) {
        rows.entry(*group).or_default().push((*h, *m));
    }
    let rows: Vec<_> = rows.into_values().filter(|group| group.len() > 1).collect();
    if rows.is_empty() {
        return Err(Error::TooShort {
            what: "rows in the largest group".into(),
            len: human.len().min(1),
            least: 2,
        });
    }
    Ok(rows)
}

fn pairs(group: &[(f64, f64)]) -> impl Iterator<Item = Pair> {
    group.iter().enumerate().flat_map(move |(i, a)| {
        // Clamped: ε is one of these differences, and never infinite.
        let metric = move |b: &(f64, f64)| (a.1 - b.1).clamp(f64::MIN, f64::MAX);
        group.iter().take(i).map(move |b| Pair { human: a.0 - b.0, metric: metric(b) })
    })
}

fn pair_count(rows: usize) -> usize {
    rows * rows.saturating_sub(1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn calibration_finds_what_trying_every_epsilon_finds(
            rows in proptest::collection::vec((0..4u8, 0..6u8, 0..3usize), 2..16),
        ) {
            let human: Vec<f64> = rows.iter().map(|r| f64::from(r.0)).collect();
            let metric: Vec<f64> = rows.iter().map(|r| f64::from(r.1)).collect();
            let groups: Vec<usize> = rows.iter().map(|r| r.2).collect();
            let Ok(found) = calibrated_accuracy(&human, &metric, &groups) else { return Ok(()) };
            let tried = (0..6).map(|e| {
                accuracy(&human, &metric, &groups, f64::from(e)).unwrap()
            });
            let best = tried.fold(0.0, f64::max);
            prop_assert!((found.accuracy - best).abs() < 1e-9);
            let at = accuracy(&human, &metric, &groups, found.epsilon).unwrap();
            prop_assert!((found.accuracy - at).abs() < 1e-9);
        }
    }

    #[test]
    fn campaigns_differ_in_ties() {
        // One concordant pair, one tied by the metric, one tied by people.
        let (human, metric) = ([3.0, 2.0, 2.0], [0.8, 0.8, 0.4]);
        let of = |variant| tau_like(&human, &metric, &[7; 3], variant).map(|t| t.value);
        assert_eq!(of(TauLike::WMT12).unwrap(), 0.0);
        assert_eq!(of(TauLike::WMT13).unwrap(), 1.0);
        assert_eq!(of(TauLike::WMT14).unwrap(), 0.5);
        assert!(of(TauLike::DARR).is_err(), "nothing differs by 25 points");
        assert!(tau_like(&human, &metric, &[1, 2, 3], TauLike::WMT14).is_err());
    }
}
