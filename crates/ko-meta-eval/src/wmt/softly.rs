//! Soft pairwise accuracy of mixed scores. A mixture is half the sum of two metrics and half their difference under the coins' signs, and
//! so are its sums in every swap of segments: they are computed once per metric, not once per pair of metrics.

use super::{
    ScoreTable,
    draws::keeps,
    permutation::{Mixtures, Prepared},
    soft::{LANES, PValues, Signs, complete},
    table::z_scores,
};
use crate::Result;

#[derive(Debug)]
pub(super) struct Softly {
    systems: usize,
    segments: usize,
    signs: Signs,
    gold: PValues,
    /// Standardised scores of each metric, system by system, of the segments that were judged for all.
    metrics: Vec<Vec<f32>>,
    /// Of each metric and system: what its sums exceed its own by.
    plain: Vec<Vec<Vec<f32>>>,
}

impl Softly {
    pub(super) fn new(table: &ScoreTable) -> Result<Self> {
        let gold = PValues::of_gold(table)?;
        let segments = complete(table);
        let places: Vec<usize> = (0..table.systems)
            .flat_map(|system| segments.iter().map(move |segment| system * table.items + segment))
            .collect();
        let standard = |scores: &[f64]| -> Vec<f32> {
            let chosen: Vec<f64> =
                places.iter().filter_map(|at| scores.get(*at).copied()).collect();
            z_scores(&chosen).into_iter().map(|z| z as f32).collect()
        };
        let metrics = table.metrics.iter().map(|metric| standard(&metric.scores)).collect();
        let mut softly = Self {
            systems: table.systems,
            segments: segments.len(),
            signs: Signs::new(segments.len()),
            gold,
            metrics,
            plain: Vec::new(),
        };
        softly.plain = softly.excess(|_| true);
        Ok(softly)
    }

    /// The sums of every metric and system when scores have these signs.
    fn excess(&self, keeps: impl Fn(usize) -> bool) -> Vec<Vec<Vec<f32>>> {
        let mut columns: Vec<Vec<Vec<f32>>> =
            self.metrics.iter().map(|_| Vec::with_capacity(self.systems)).collect();
        let mut out = Vec::new();
        for system in 0..self.systems {
            let places = system * self.segments..(system + 1) * self.segments;
            let signs: Vec<f32> =
                places.clone().map(|place| if keeps(place) { 1.0 } else { -1.0 }).collect();
            for (metrics, columns) in self.metrics.chunks(LANES).zip(columns.chunks_mut(LANES)) {
                let mut rows = vec![[0.0f32; LANES]; self.segments];
                for (lane, scores) in metrics.iter().enumerate() {
                    let own = scores.get(places.clone()).unwrap_or_default();
                    for ((row, score), sign) in rows.iter_mut().zip(own).zip(&signs) {
                        if let Some(slot) = row.get_mut(lane) {
                            *slot = sign * score;
                        }
                    }
                }
                self.signs.excess(&rows, &mut out);
                for (lane, column) in columns.iter_mut().enumerate() {
                    column.push(out.iter().filter_map(|sums| sums.get(lane).copied()).collect());
                }
            }
        }
        columns
    }
}

/// One system's sums by one metric.
fn column(all: &[Vec<Vec<f32>>], metric: usize, system: usize) -> &[f32] {
    all.get(metric).and_then(|columns| columns.get(system)).map(Vec::as_slice).unwrap_or_default()
}

impl Mixtures for Softly {
    fn own(&self, metric: usize) -> Result<f64> {
        let columns = self.plain.get(metric).map(Vec::as_slice).unwrap_or_default();
        Ok(self.gold.soft_accuracy(&PValues::of_columns(columns)))
    }

    fn places(&self) -> usize {
        self.systems * self.segments
    }

    fn prepare(&self, coins: &[u64]) -> Prepared {
        Prepared { columns: self.excess(|place| keeps(coins, place)), ..Prepared::default() }
    }

    fn mixed(
        &self,
        first: usize,
        second: usize,
        _: &[u64],
        prepared: &Prepared,
    ) -> Result<(f64, f64)> {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for system in 0..self.systems {
            // Twice the sums: halves would order them no differently.
            let (p, q) = (column(&self.plain, first, system), column(&self.plain, second, system));
            let (a, b) = (
                column(&prepared.columns, first, system),
                column(&prepared.columns, second, system),
            );
            let both = || p.iter().zip(q).zip(a).zip(b);
            ours.push(both().map(|(((p, q), a), b)| (p + q) + (a - b)).collect::<Vec<f32>>());
            theirs.push(both().map(|(((p, q), a), b)| (p + q) - (a - b)).collect::<Vec<f32>>());
        }
        let soft = |columns: &[Vec<f32>]| self.gold.soft_accuracy(&PValues::of_columns(columns));
        Ok((soft(&ours), soft(&theirs)))
    }
}
