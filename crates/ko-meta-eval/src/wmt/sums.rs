//! Pearson's r of mixed scores from sums: a mixture's sums are those of its two metrics, half with and half without the coins' signs.

use super::{
    Grouping, ScoreTable, Statistic,
    draws::keeps,
    permutation::{Mixtures, averaged, mixture, standardised},
};
use crate::Result;
use std::ops::Range;

/// Where a variance is so small a part of the squares, sums have lost too many digits, and the mixture is looked at itself.
const TOO_SMALL: f64 = 1e-5;

/// What halves of sums may be off by.
const ROUNDING: f64 = 1e-12;

/// Standardised scores with their sums.
#[derive(Debug)]
pub(super) struct Sums {
    groups: Vec<Group>,
    /// Less their group's mean.
    gold: Vec<f64>,
    metrics: Vec<Vec<f64>>,
    /// Of each metric and group: Σz, Σgz, Σz².
    plain: Vec<Vec<f64>>,
}

#[derive(Debug)]
struct Group {
    range: Range<usize>,
    /// Σg² of people's scores less their mean; none where they do not vary.
    gold_squares: Option<f64>,
}

impl Sums {
    pub(super) fn new(table: &ScoreTable, grouping: Grouping) -> Self {
        let places = table.groups(grouping);
        let metrics = standardised(table, &places);
        let (mut gold, mut groups) = (Vec::new(), Vec::new());
        for places in &places {
            let scores = table.gold_at(places);
            let mean = scores.iter().sum::<f64>() / scores.len() as f64;
            let varies = scores.iter().any(|score| Some(score) != scores.first());
            let start = gold.len();
            gold.extend(scores.iter().map(|score| score - mean));
            let squares = gold.iter().skip(start).map(|g| g * g).sum();
            groups
                .push(Group { range: start..gold.len(), gold_squares: varies.then_some(squares) });
        }
        let mut sums = Self { groups, gold, metrics, plain: Vec::new() };
        let ones = vec![1.0; sums.gold.len()];
        sums.plain = sums.metrics.iter().map(|scores| sums.signed(scores, &ones)).collect();
        sums
    }

    /// Σsz, Σsgz, Σsz² of every group.
    fn signed(&self, scores: &[f64], signs: &[f64]) -> Vec<f64> {
        let mut sums = Vec::with_capacity(3 * self.groups.len());
        for Group { range, .. } in &self.groups {
            let part = |values: &'_ [f64]| -> Vec<f64> {
                values.get(range.clone()).unwrap_or_default().to_vec()
            };
            let (scores, signs, gold) = (part(scores), part(signs), part(&self.gold));
            let (mut plain, mut product, mut squares) = (0.0, 0.0, 0.0);
            for ((z, sign), g) in scores.iter().zip(&signs).zip(&gold) {
                plain += sign * z;
                product += sign * g * z;
                squares += sign * z * z;
            }
            sums.extend([plain, product, squares]);
        }
        sums
    }

    /// r of a mixture in one group; none where a side does not vary.
    fn r(
        &self,
        group: &Group,
        sums: [f64; 3],
        mixed: impl FnOnce() -> Vec<f64>,
    ) -> Result<Option<f64>> {
        let Some(gold_squares) = group.gold_squares else { return Ok(None) };
        let [sum, product, squares] = sums;
        let n = group.range.len() as f64;
        let variance = squares - sum * sum / n;
        if group.range.len() > 2 && variance > TOO_SMALL * squares {
            return Ok(Some((product / gold_squares.sqrt() / variance.sqrt()).clamp(-1.0, 1.0)));
        }
        let gold = self.gold.get(group.range.clone()).unwrap_or_default();
        Statistic::Pearson.of(gold, &mixed())
    }

    fn metric(&self, number: usize) -> &[f64] {
        self.metrics.get(number).map(Vec::as_slice).unwrap_or_default()
    }

    /// r of the mixtures of two metrics, of which each draw gives the signed sums.
    fn mixed_pair(
        &self,
        (first, second): (usize, usize),
        coins: &[u64],
        signed: &[Vec<f64>],
    ) -> Result<(f64, f64)> {
        let plain = threes(self.plain.get(first)).iter().zip(threes(self.plain.get(second)));
        let signed = threes(signed.get(first)).iter().zip(threes(signed.get(second)));
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for ((group, (p, q)), (a, b)) in self.groups.iter().zip(plain).zip(signed) {
            let half = |way: f64| -> [f64; 3] {
                std::array::from_fn(|at| {
                    let of = |sums: &[f64; 3]| sums.get(at).copied().unwrap_or_default();
                    f64::midpoint(of(p) + of(q), way * (of(a) - of(b)))
                })
            };
            let mixed = |own: usize, other: usize| {
                let all: Vec<f64> = mixture(self.metric(own), self.metric(other), coins)
                    .skip(group.range.start)
                    .take(group.range.len())
                    .collect();
                all
            };
            ours.extend(self.r(group, half(1.0), || mixed(first, second))?);
            theirs.extend(self.r(group, half(-1.0), || mixed(second, first))?);
        }
        Ok((averaged(&ours), averaged(&theirs)))
    }
}

/// Three sums of every group.
fn threes(sums: Option<&Vec<f64>>) -> &[[f64; 3]] {
    sums.map_or(&[], |sums| sums.as_chunks::<3>().0)
}

impl Mixtures for Sums {
    fn own(&self, metric: usize) -> Result<f64> {
        let scores = self.metric(metric);
        let mut values = Vec::with_capacity(self.groups.len());
        for (group, sums) in self.groups.iter().zip(threes(self.plain.get(metric))) {
            let own = || scores.get(group.range.clone()).unwrap_or_default().to_vec();
            values.extend(self.r(group, *sums, own)?);
        }
        Ok(averaged(&values))
    }

    fn rounding(&self) -> f64 {
        ROUNDING
    }

    fn places(&self) -> usize {
        self.gold.len()
    }

    fn mixed(&self, pairs: &[(usize, usize)], coins: &[u64]) -> Result<Vec<(f64, f64)>> {
        let sign = |place: usize| if keeps(coins, place) { 1.0 } else { -1.0 };
        let signs: Vec<f64> = (0..self.gold.len()).map(sign).collect();
        let signed: Vec<Vec<f64>> =
            self.metrics.iter().map(|scores| self.signed(scores, &signs)).collect();
        pairs.iter().map(|pair| self.mixed_pair(*pair, coins, &signed)).collect()
    }
}
