//! Soft pairwise accuracy of mixed scores. A mixture is half the sum of two metrics and half their difference under the coins' signs, and
//! so are its sums in every swap of segments: they are computed once per metric and draw, not once per pair of metrics.

use super::{
    ScoreTable,
    draws::keeps,
    permutation::Mixtures,
    signs::{BLOCK, BLOCKS, LANES},
    soft::{People, Tally},
    table::z_scores,
};
use crate::Result;

#[derive(Debug)]
pub(super) struct Softly<'t> {
    people: People<'t>,
    systems: usize,
    metrics: usize,
    /// Standardised scores of the segments that were judged for all, up to [`LANES`] metrics in a row: by system, then by
    /// these metrics, then by segment.
    scores: Vec<Vec<[f32; LANES]>>,
    plain: Sums,
}

/// Of each metric and system, what its sums exceed its own by: by block of swaps, then by metric, then by system.
#[derive(Debug, Default)]
struct Sums(Vec<Vec<[f32; BLOCK]>>);

impl Sums {
    fn of(&self, block: usize, metric: usize, systems: usize) -> &[[f32; BLOCK]] {
        let sums = self.0.get(block).map(Vec::as_slice).unwrap_or_default();
        sums.get(metric * systems..(metric + 1) * systems).unwrap_or_default()
    }
}

impl<'t> Softly<'t> {
    pub(super) fn new(table: &'t ScoreTable) -> Result<Self> {
        let people = People::new(table)?;
        let places: Vec<usize> = (0..table.systems)
            .flat_map(|system| {
                people.segments.iter().map(move |segment| system * table.items + segment)
            })
            .collect();
        let standard = |scores: &[f64]| -> Vec<f32> {
            let chosen: Vec<f64> =
                places.iter().filter_map(|at| scores.get(*at).copied()).collect();
            z_scores(&chosen).into_iter().map(|z| z as f32).collect()
        };
        let metrics: Vec<Vec<f32>> =
            table.metrics.iter().map(|metric| standard(&metric.scores)).collect();
        let segments = people.segments.len();
        let mut scores = Vec::new();
        for system in 0..table.systems {
            for metrics in metrics.chunks(LANES) {
                let mut rows = vec![[0.0f32; LANES]; segments];
                for (lane, own) in metrics.iter().enumerate() {
                    for (row, score) in rows.iter_mut().zip(own.iter().skip(system * segments)) {
                        if let Some(slot) = row.get_mut(lane) {
                            *slot = *score;
                        }
                    }
                }
                scores.push(rows);
            }
        }
        let (systems, metrics) = (table.systems, metrics.len());
        let mut softly = Self { people, systems, metrics, scores, plain: Sums::default() };
        softly.plain = softly.sums(|_| true);
        Ok(softly)
    }

    /// The sums of every metric and system when scores have these signs.
    fn sums(&self, keeps: impl Fn(usize) -> bool) -> Sums {
        let segments = self.people.segments.len();
        let mut sums = vec![vec![[0.0; BLOCK]; self.metrics * self.systems]; BLOCKS];
        let mut rows = Vec::with_capacity(segments);
        for (at, scores) in self.scores.iter().enumerate() {
            let groups = self.metrics.div_ceil(LANES);
            let (system, group) = (at / groups, at % groups);
            rows.clear();
            rows.extend(scores.iter().enumerate().map(|(segment, scores)| {
                let sign = if keeps(system * segments + segment) { 1.0 } else { -1.0 };
                scores.map(|score| sign * score)
            }));
            for (sums, columns) in sums.iter_mut().zip(self.people.signs.excess(&rows)) {
                for (metric, column) in (group * LANES..self.metrics).zip(columns) {
                    if let Some(slot) = sums.get_mut(metric * self.systems + system) {
                        *slot = column;
                    }
                }
            }
        }
        Sums(sums)
    }

    fn soft_accuracy(&self, tally: &Tally) -> f64 {
        self.people.p_values.soft_accuracy(&tally.p_values())
    }
}

impl Mixtures for Softly<'_> {
    fn own(&self, metric: usize) -> Result<f64> {
        let mut tally = Tally::new(self.systems);
        for block in 0..BLOCKS {
            tally.add(self.plain.of(block, metric, self.systems));
        }
        Ok(self.soft_accuracy(&tally))
    }

    fn places(&self) -> usize {
        self.systems * self.people.segments.len()
    }

    fn mixed(&self, pairs: &[(usize, usize)], coins: &[u64]) -> Result<Vec<(f64, f64)>> {
        let signed = self.sums(|place| keeps(coins, place));
        let mut tallies = vec![(Tally::new(self.systems), Tally::new(self.systems)); pairs.len()];
        let mut mixture = vec![[0.0f32; BLOCK]; self.systems];
        // All pairs of metrics look at one block before the next one: it stays in the processor's memory.
        for block in 0..BLOCKS {
            for ((first, second), (ours, theirs)) in pairs.iter().zip(&mut tallies) {
                for (tally, own, other) in [(ours, first, second), (theirs, second, first)] {
                    let plain = |metric: &usize| self.plain.of(block, *metric, self.systems).iter();
                    let signed = |metric: &usize| signed.of(block, *metric, self.systems).iter();
                    let sums = plain(own).zip(plain(other)).zip(signed(own).zip(signed(other)));
                    for (mixture, ((p, q), (a, b))) in mixture.iter_mut().zip(sums) {
                        let swaps = p.iter().zip(q).zip(a.iter().zip(b));
                        for (mixed, ((p, q), (a, b))) in mixture.iter_mut().zip(swaps) {
                            // Twice the sum: halves would order them no differently.
                            *mixed = (p + q) + (a - b);
                        }
                    }
                    tally.add(&mixture);
                }
            }
        }
        let of =
            |tally: &(Tally, Tally)| (self.soft_accuracy(&tally.0), self.soft_accuracy(&tally.1));
        Ok(tallies.iter().map(of).collect())
    }
}
