//! Two lists prepared once, so that the coefficients of the whole and of every resample come from
//! one sorted order. A resample is a weight per row: how often the row was drawn.
#![allow(
    clippy::indexing_slicing,
    reason = "classes are below `classes`, rows below the common length; both are fixed in `new`"
)]

use super::Correlation;
use crate::{
    Error, Result,
    error::{all_finite, at_least, same_length},
};

/// What the two sides are called in errors.
const SIDES: [&str; 2] = ["the first list", "the second list"];

/// Magnitudes whose squares neither overflow nor vanish. Others are scaled; these are not, because
/// division rounds.
const ORDINARY: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

/// Two lists of one length, finite, neither constant.
#[derive(Debug)]
pub(super) struct Paired {
    x: Side,
    y: Side,
    /// Rows in the order of `x`.
    by_x: Vec<u32>,
    ones: Vec<u32>,
}

#[derive(Debug)]
struct Side {
    /// As given where ordinary, else scaled to a largest magnitude of 1.
    values: Vec<f64>,
    /// The rank of each row's value among the distinct values, from 0.
    class: Vec<u32>,
    classes: usize,
}

/// What Kendall's coefficients and their p-values are made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PairCounts {
    pub(super) n: u64,
    pub(super) concordant: u64,
    pub(super) discordant: u64,
    pub(super) x: Ties,
    pub(super) y: Ties,
}

/// Groups of equal values, of t values each.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Ties {
    /// Distinct values.
    pub(super) classes: u64,
    /// Σ t(t−1)/2: tied pairs.
    pub(super) pairs: u64,
    /// Σ t(t−1)(t−2), for the variance.
    pub(super) triples: f64,
    /// Σ t(t−1)(2t+5), for the variance.
    pub(super) spread: f64,
}

impl Paired {
    pub(super) fn new(x: &[f64], y: &[f64]) -> Result<Self> {
        same_length((SIDES[0], x.len()), (SIDES[1], y.len()))?;
        at_least("values to correlate", x.len(), 2)?;
        let (x, order) = Side::new(SIDES[0], x)?;
        let (y, _) = Side::new(SIDES[1], y)?;
        let ones = vec![1; order.len()];
        Ok(Self { x, y, by_x: order, ones })
    }

    pub(super) fn len(&self) -> usize {
        self.by_x.len()
    }

    /// The coefficient of all rows.
    pub(super) fn whole(&self, kind: Correlation) -> Result<f64> {
        self.weighted(kind, &self.ones)
            .ok_or_else(|| Error::Constant { what: "the two lists".into() })
    }

    /// The coefficient of rows that count `weights` times; `None` where a side does not vary.
    pub(super) fn weighted(&self, kind: Correlation, weights: &[u32]) -> Option<f64> {
        if !(self.x.varies(weights) && self.y.varies(weights)) {
            return None;
        }
        let value = match kind {
            Correlation::Pearson => {
                pearson(weights, self.x.values.iter().copied(), self.y.values.iter().copied())
            }
            Correlation::Spearman => {
                let (x, y) = (self.x.mid_ranks(weights), self.y.mid_ranks(weights));
                pearson(
                    weights,
                    self.x.class.iter().map(|&c| x[c as usize]),
                    self.y.class.iter().map(|&c| y[c as usize]),
                )
            }
            Correlation::KendallTauB => self.count_pairs(weights).tau_b(),
            Correlation::KendallTauC => self.count_pairs(weights).tau_c(),
        };
        value.is_finite().then(|| value.clamp(-1.0, 1.0))
    }

    pub(super) fn pair_counts(&self) -> PairCounts {
        self.count_pairs(&self.ones)
    }

    fn count_pairs(&self, weights: &[u32]) -> PairCounts {
        let mut below = Fenwick::new(self.y.classes);
        let (mut n, mut concordant, mut discordant) = (0, 0, 0);
        // Rows of equal x are no pairs: count the group against what came before, then add it.
        for group in
            self.by_x.chunk_by(|&a, &b| self.x.class[a as usize] == self.x.class[b as usize])
        {
            let drawn = || {
                group
                    .iter()
                    .map(|&row| (self.y.class[row as usize], weights[row as usize]))
                    .filter(|(_, w)| *w > 0)
            };
            for (class, weight) in drawn() {
                let (less, less_or_equal) = below.around(class as usize);
                concordant += u64::from(weight) * less;
                discordant += u64::from(weight) * (n - less_or_equal);
            }
            for (class, weight) in drawn() {
                below.add(class as usize, u64::from(weight));
                n += u64::from(weight);
            }
        }
        PairCounts { n, concordant, discordant, x: self.x.ties(weights), y: self.y.ties(weights) }
    }
}

impl Side {
    /// The side, and its rows in the order of their values.
    fn new(what: &str, values: &[f64]) -> Result<(Self, Vec<u32>)> {
        all_finite(what, values)?;
        let rows = u32::try_from(values.len()).map_err(|_| {
            Error::invalid("number of values", values.len(), format!("at most {}", u32::MAX))
        })?;
        let mut order: Vec<u32> = (0..rows).collect();
        order.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
        let mut class = vec![0; values.len()];
        let mut classes = 0;
        // `==` and not the total order: 0 and −0 are one value.
        for group in order.chunk_by(|&a, &b| values[a as usize] == values[b as usize]) {
            group.iter().for_each(|&row| class[row as usize] = classes);
            classes += 1;
        }
        if classes < 2 {
            return Err(Error::Constant { what: what.into() });
        }
        let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let scale = if ORDINARY.contains(&largest) { 1.0 } else { largest };
        let values = values.iter().map(|v| v / scale).collect();
        Ok((Self { values, class, classes: classes as usize }, order))
    }

    fn varies(&self, weights: &[u32]) -> bool {
        let mut drawn = self.class.iter().zip(weights).filter(|(_, w)| **w > 0).map(|(c, _)| c);
        let first = drawn.next();
        drawn.any(|c| Some(c) != first)
    }

    fn class_weights(&self, weights: &[u32]) -> Vec<u64> {
        let mut sums = vec![0; self.classes];
        for (class, weight) in self.class.iter().zip(weights) {
            sums[*class as usize] += u64::from(*weight);
        }
        sums
    }

    /// The rank of each class, ties at their mean.
    fn mid_ranks(&self, weights: &[u32]) -> Vec<f64> {
        let mut before = 0;
        let rank = |t: u64| {
            let rank = before as f64 + (t as f64 + 1.0) / 2.0;
            before += t;
            rank
        };
        self.class_weights(weights).into_iter().map(rank).collect()
    }

    fn ties(&self, weights: &[u32]) -> Ties {
        let sizes = self.class_weights(weights).into_iter().filter(|t| *t > 0);
        sizes.fold(Ties::default(), |all, t| {
            let f = t as f64;
            Ties {
                classes: all.classes + 1,
                pairs: all.pairs + t * (t - 1) / 2,
                triples: all.triples + f * (f - 1.0) * (f - 2.0),
                spread: all.spread + f * (f - 1.0) * (2.0 * f + 5.0),
            }
        })
    }
}

impl PairCounts {
    pub(super) fn pairs(&self) -> u64 {
        self.n * self.n.saturating_sub(1) / 2
    }

    /// Concordant minus discordant pairs.
    pub(super) fn balance(&self) -> f64 {
        self.concordant as f64 - self.discordant as f64
    }

    fn tau_b(&self) -> f64 {
        let untied = |ties: Ties| ((self.pairs() - ties.pairs) as f64).sqrt();
        self.balance() / untied(self.x) / untied(self.y)
    }

    fn tau_c(&self) -> f64 {
        let (n, m) = (self.n as f64, self.x.classes.min(self.y.classes) as f64);
        2.0 * self.balance() / (n * n * (m - 1.0) / m)
    }
}

/// Weighted Pearson; NaN where a side does not vary.
fn pearson(
    weights: &[u32],
    x: impl Iterator<Item = f64> + Clone,
    y: impl Iterator<Item = f64> + Clone,
) -> f64 {
    let weights = || weights.iter().map(|w| f64::from(*w));
    let n: f64 = weights().sum();
    let mean_x = weights().zip(x.clone()).map(|(w, x)| w * x).sum::<f64>() / n;
    let mean_y = weights().zip(y.clone()).map(|(w, y)| w * y).sum::<f64>() / n;
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for ((w, x), y) in weights().zip(x).zip(y) {
        let (dx, dy) = (x - mean_x, y - mean_y);
        xx += w * dx * dx;
        yy += w * dy * dy;
        xy += w * dx * dy;
    }
    xy / xx.sqrt() / yy.sqrt()
}

/// Sums over the classes below any class, each in O(log n).
#[derive(Debug)]
struct Fenwick {
    sums: Vec<u64>,
}

impl Fenwick {
    fn new(len: usize) -> Self {
        Self { sums: vec![0; len + 1] }
    }

    fn add(&mut self, class: usize, weight: u64) {
        let mut at = class + 1;
        while at < self.sums.len() {
            self.sums[at] += weight;
            at += at & at.wrapping_neg();
        }
    }

    /// The weight of the classes below `class`, and of those up to it.
    fn around(&self, class: usize) -> (u64, u64) {
        (self.prefix(class), self.prefix(class + 1))
    }

    fn prefix(&self, len: usize) -> u64 {
        let (mut at, mut sum) = (len, 0);
        while at > 0 {
            sum += self.sums[at];
            at &= at - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Small whole numbers: many ties.
    fn lists() -> impl Strategy<Value = (Vec<f64>, Vec<f64>, Vec<u32>)> {
        proptest::collection::vec((0..5i8, 0..5i8, 0..4u32), 2..20).prop_map(|rows| {
            let x = rows.iter().map(|r| f64::from(r.0)).collect();
            let y = rows.iter().map(|r| f64::from(r.1)).collect();
            (x, y, rows.iter().map(|r| r.2).collect())
        })
    }

    proptest! {
        #[test]
        fn counts_pairs_as_two_loops_do((x, y, _) in lists()) {
            let Ok(pairs) = Paired::new(&x, &y) else { return Ok(()) };
            let (mut concordant, mut discordant) = (0, 0);
            for i in 0..x.len() {
                for j in 0..i {
                    let product = (x[i] - x[j]) * (y[i] - y[j]);
                    concordant += u64::from(product > 0.0);
                    discordant += u64::from(product < 0.0);
                }
            }
            let counts = pairs.pair_counts();
            prop_assert_eq!((counts.concordant, counts.discordant), (concordant, discordant));
        }

        #[test]
        fn a_weight_is_a_repetition((x, y, weights) in lists()) {
            let Ok(pairs) = Paired::new(&x, &y) else { return Ok(()) };
            let repeat = |values: &[f64]| -> Vec<f64> {
                let each = values.iter().zip(&weights);
                each.flat_map(|(v, w)| std::iter::repeat_n(*v, *w as usize)).collect()
            };
            let repeated = Paired::new(&repeat(&x), &repeat(&y)).ok();
            for kind in Correlation::ALL {
                let weighted = pairs.weighted(kind, &weights);
                let whole = repeated.as_ref().and_then(|p| p.whole(kind).ok());
                prop_assert_eq!(weighted.is_some(), whole.is_some());
                let (a, b) = (weighted.unwrap_or_default(), whole.unwrap_or_default());
                prop_assert!((a - b).abs() < 1e-12, "{} {} {}", kind, a, b);
            }
        }

        #[test]
        fn any_numbers_give_a_coefficient_or_an_error(
            rows in proptest::collection::vec((any::<f64>(), any::<f64>()), 0..8),
        ) {
            let (x, y): (Vec<f64>, Vec<f64>) = rows.into_iter().unzip();
            for kind in Correlation::ALL {
                if let Ok(estimate) = kind.of(&x, &y) {
                    prop_assert!((-1.0..=1.0).contains(&estimate.value));
                    prop_assert!((0.0..=1.0).contains(&estimate.p_value));
                }
            }
        }
    }
}
