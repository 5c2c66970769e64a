//! Pairs that are ordered alike, and the threshold below which a metric's difference is a tie.

use crate::{Error, Result, correlation::pairwise::MAX_PAIRS};
use std::cmp::Ordering;

/// How two scores are ordered.
pub(super) fn order(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// Whether a pair is right when the metric ties what differs by at most `epsilon`.
pub(super) fn is_right(gold: (f64, f64), metric: (f64, f64), epsilon: f64) -> bool {
    let gold = order(gold.0, gold.1);
    match (metric.0 - metric.1).abs() <= epsilon {
        true => gold == Ordering::Equal,
        false => gold != Ordering::Equal && gold == order(metric.0, metric.1),
    }
}

/// Pairs of places below `len`, row by row.
pub(super) fn pairs(len: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..len).flat_map(move |i| (i + 1..len).map(move |j| (i, j)))
}

/// The pairs of a group as (gold, metric).
fn pairs_of<'a>(
    gold: &'a [f64],
    metric: &'a [f64],
) -> impl Iterator<Item = ((f64, f64), (f64, f64))> + 'a {
    pairs(gold.len()).filter_map(|(i, j)| {
        Some(((*gold.get(i)?, *gold.get(j)?), (*metric.get(i)?, *metric.get(j)?)))
    })
}

/// The share of pairs that are right; none of fewer than two values.
pub(super) fn accuracy(gold: &[f64], metric: &[f64], epsilon: f64) -> Option<f64> {
    let (mut right, mut all) = (0u64, 0u64);
    for (gold, metric) in pairs_of(gold, metric) {
        all += 1;
        right += u64::from(is_right(gold, metric, epsilon));
    }
    (all > 0).then(|| right as f64 / all as f64)
}

/// The bits of all pairs of a group that are right.
pub(super) fn right_pairs(gold: &[f64], metric: &[f64], epsilon: f64) -> Vec<bool> {
    pairs_of(gold, metric).map(|(gold, metric)| is_right(gold, metric, epsilon)).collect()
}

/// The accuracy at the best threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Calibrated {
    pub(super) accuracy: f64,
    pub(super) epsilon: f64,
    pub(super) groups: usize,
}

/// Tie calibration as mt-metrics-eval computes it, in the order of its additions and subtractions: where thresholds are equally
/// good, its rounding chooses one of them, and what is tested afterwards depends on which.
pub(super) fn calibrate(groups: &[(Vec<f64>, Vec<f64>)]) -> Result<Calibrated> {
    let count: usize =
        groups.iter().map(|(gold, _)| gold.len() * gold.len().saturating_sub(1) / 2).sum();
    if count > MAX_PAIRS {
        return Err(Error::invalid("pairs", count, format!("at most {MAX_PAIRS}")));
    }
    // Of every pair: its distance, its group, and what tying it adds to the pairs that are right.
    let mut steps: Vec<(f64, u32, i8)> = Vec::with_capacity(count);
    let mut counts: Vec<(i64, i64)> = Vec::with_capacity(groups.len());
    for (number, (gold, metric)) in groups.iter().enumerate() {
        let (mut right, mut all) = (0, 0);
        for (gold, metric) in pairs_of(gold, metric) {
            let before = is_right(gold, metric, 0.0);
            let tied = order(gold.0, gold.1) == Ordering::Equal;
            steps.push((
                (metric.0 - metric.1).abs(),
                number as u32,
                i8::from(tied) - i8::from(before),
            ));
            right += i64::from(before);
            all += 1;
        }
        counts.push((right, all));
    }
    let groups = counts.iter().filter(|(_, all)| *all > 0).count();
    if groups == 0 {
        return Ok(Calibrated { accuracy: 0.0, epsilon: 0.0, groups: 0 });
    }
    let share = |(right, all): (i64, i64)| right as f64 / all as f64;
    let mut total: f64 =
        counts.iter().filter(|(_, all)| *all > 0).map(|counts| share(*counts)).sum();
    steps.sort_by(|a, b| a.0.total_cmp(&b.0));
    let first = total / groups as f64;
    let (mut best, mut best_epsilon) = (first, 0.0);
    let (mut now, mut epsilon) = (first, 0.0);
    for (distance, group, gain) in steps {
        let Some(counts) = counts.get_mut(group as usize) else { continue };
        // A threshold is done when a greater one begins.
        if distance != epsilon {
            if now > best || epsilon == 0.0 {
                (best, best_epsilon) = (now, epsilon);
            }
            epsilon = distance;
        }
        total -= share(*counts);
        counts.0 += i64::from(gain);
        total += share(*counts);
        now = total / groups as f64;
    }
    if now > best || epsilon == 0.0 {
        (best, best_epsilon) = (now, epsilon);
    }
    Ok(Calibrated { accuracy: best, epsilon: best_epsilon, groups })
}
