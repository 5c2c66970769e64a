//! Statistics of many segments, added up again and again with other weights.

use crate::Stats;
use std::sync::OnceLock;

/// How many times each row counts in each resample of a batch.
#[derive(Debug, Clone)]
pub struct Batch {
    rows: usize,
    /// Resample after resample.
    weights: Vec<u16>,
}

impl Batch {
    /// The resamples of these numbers, `draw` writing the weights of one.
    pub(super) fn new(
        rows: usize,
        resamples: std::ops::Range<usize>,
        draw: impl Fn(usize, &mut [u16]),
    ) -> Self {
        let mut weights = vec![0; rows * resamples.len()];
        for (weights, number) in weights.chunks_exact_mut(rows.max(1)).zip(resamples) {
            draw(number, weights);
        }
        Self { rows, weights }
    }

    /// Of weights 1 and 0: what is 1 here is 0 there.
    pub(crate) fn opposite(&self) -> Self {
        Self { rows: self.rows, weights: self.weights.iter().map(|w| 1 - w.min(&1)).collect() }
    }

    /// The weights of each resample.
    pub(super) fn resamples(&self) -> std::slice::ChunksExact<'_, u16> {
        self.weights.chunks_exact(self.rows.max(1))
    }
}

/// The statistics of segments in order. Where they are sums, their numbers are laid out column by column the first time
/// that somebody resamples them.
#[derive(Debug)]
pub(crate) struct Rows<S> {
    stats: Vec<S>,
    columns: OnceLock<Option<Columns>>,
}

impl<S> Default for Rows<S> {
    fn default() -> Self {
        Self { stats: Vec::new(), columns: OnceLock::new() }
    }
}

impl<S: Stats> Rows<S> {
    pub(crate) fn extend(&mut self, stats: Vec<S>) {
        self.columns = OnceLock::new();
        if self.stats.is_empty() {
            self.stats = stats;
        } else {
            self.stats.extend(stats);
        }
    }

    pub(crate) fn stats(&self) -> &[S] {
        &self.stats
    }

    /// The merged statistics of every resample.
    pub(crate) fn totals(&self, batch: &Batch) -> Vec<S> {
        let columns = self.columns.get_or_init(|| Columns::of(&self.stats));
        let summed = columns.as_ref().and_then(|columns| {
            columns.sums(batch).iter().map(|sums| S::from_numbers(sums)).collect::<Option<Vec<S>>>()
        });
        summed.unwrap_or_else(|| batch.resamples().map(|weights| self.merged(weights)).collect())
    }

    fn merged(&self, weights: &[u16]) -> S {
        let mut total = S::default();
        for (stats, &weight) in self.stats.iter().zip(weights) {
            (0..weight).for_each(|_| total.merge(stats));
        }
        total
    }
}

/// Rows of equally many numbers.
#[derive(Debug)]
struct Columns {
    rows: usize,
    columns: Vec<Column>,
}

#[derive(Debug)]
enum Column {
    /// The same number in every row: counts of what never happens, and ones.
    Constant(f64),
    Varying(Vec<f64>),
}

/// Rows that are added up at a time: few enough that all columns of them stay near the processor for every resample.
const BLOCK: usize = 128;

/// Resamples that share one pass over the numbers.
const ABREAST: usize = 4;

impl Columns {
    fn of<S: Stats>(stats: &[S]) -> Option<Self> {
        let mut rows = stats.iter().map(S::to_numbers);
        let first = rows.next()??;
        let mut varying: Vec<Vec<f64>> = vec![Vec::with_capacity(stats.len()); first.len()];
        for row in std::iter::once(Some(first)).chain(rows) {
            let row = row.filter(|row| row.len() == varying.len())?;
            varying.iter_mut().zip(row).for_each(|(column, number)| column.push(number));
        }
        let column = |numbers: Vec<f64>| match numbers.as_slice() {
            [first, rest @ ..] if rest.iter().all(|n| n == first) => Column::Constant(*first),
            _ => Column::Varying(numbers),
        };
        Some(Self { rows: stats.len(), columns: varying.into_iter().map(column).collect() })
    }

    /// For every resample, the weighted sum of each column.
    fn sums(&self, batch: &Batch) -> Vec<Vec<f64>> {
        let resamples: Vec<&[u16]> = batch.resamples().collect();
        let mut sums = vec![vec![0.0; self.columns.len()]; resamples.len()];
        let mut weights = [[0.0; BLOCK]; ABREAST];
        for start in (0..self.rows).step_by(BLOCK) {
            let end = self.rows.min(start + BLOCK);
            for (resamples, sums) in resamples.chunks(ABREAST).zip(sums.chunks_mut(ABREAST)) {
                let mut totals = [0.0; ABREAST];
                // What a resample lacks, and what lies beyond the last row, counts nothing.
                weights.as_flattened_mut().fill(0.0);
                for ((weights, total), resample) in
                    weights.iter_mut().zip(&mut totals).zip(resamples)
                {
                    let block = resample.get(start..end).unwrap_or_default();
                    for (weight, &times) in weights.iter_mut().zip(block) {
                        *weight = f64::from(times);
                        *total += *weight;
                    }
                }
                for (number, column) in self.columns.iter().enumerate() {
                    let added = match column {
                        Column::Constant(constant) => totals.map(|total| constant * total),
                        Column::Varying(numbers) => {
                            dots(&weights, numbers.get(start..end).unwrap_or_default())
                        }
                    };
                    for (sums, added) in sums.iter_mut().zip(added) {
                        if let Some(sum) = sums.get_mut(number) {
                            *sum += added;
                        }
                    }
                }
            }
        }
        sums
    }
}

/// The products of numbers with several rows of weights. Sums side by side, so that one addition need not wait for the one
/// before, and every number is loaded once for all rows.
fn dots(weights: &[[f64; BLOCK]; ABREAST], numbers: &[f64]) -> [f64; ABREAST] {
    const LANES: usize = 4;
    let (chunks, rest) = numbers.as_chunks::<LANES>();
    let mut sums = [[0.0; LANES]; ABREAST];
    let [a, b, c, d] = weights.each_ref().map(|row| row.as_chunks::<LANES>().0);
    for ((((numbers, a), b), c), d) in chunks.iter().zip(a).zip(b).zip(c).zip(d) {
        for (sums, weights) in sums.iter_mut().zip([a, b, c, d]) {
            for ((sum, weight), number) in sums.iter_mut().zip(weights).zip(numbers) {
                *sum += weight * number;
            }
        }
    }
    let done = chunks.len() * LANES;
    let mut row = 0;
    sums.map(|lanes| {
        let weights = weights.get(row).and_then(|row| row.get(done..)).unwrap_or_default();
        row += 1;
        let rest: f64 = weights.iter().zip(rest).map(|(w, n)| w * n).sum();
        lanes.iter().sum::<f64>() + rest
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MeanStats, Score};
    use proptest::prelude::*;

    /// Statistics that are sums, but do not say so: the plain twin.
    #[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
    struct Plain(MeanStats);

    impl Stats for Plain {
        fn merge(&mut self, other: &Self) {
            self.0.merge(&other.0);
        }
    }

    proptest! {
        #[test]
        fn summed_columns_are_merged_statistics(
            scores in proptest::collection::vec(0u32..64, 1..1500),
            seed in any::<u16>(),
        ) {
            // Multiples of 1/64 are added without rounding, so both ways give the same to the bit.
            let mean = |score: &u32| MeanStats::of(f64::from(*score) / 64.0).unwrap();
            let mut fast = Rows::default();
            fast.extend(scores.iter().map(mean).collect());
            let mut plain = Rows::default();
            plain.extend(scores.iter().map(|score| Plain(mean(score))).collect());
            let batch = Batch::new(scores.len(), 0..3, |number, weights| {
                weights.iter_mut().zip(0u16..).for_each(|(weight, row)| {
                    *weight = row.wrapping_mul(seed).wrapping_add(number as u16) % 4;
                });
            });
            let score = |stats: &MeanStats| -> Score { stats.score() };
            let fast: Vec<Score> = fast.totals(&batch).iter().map(score).collect();
            let plain: Vec<Score> = plain.totals(&batch).iter().map(|stats| score(&stats.0)).collect();
            prop_assert_eq!(fast, plain);
        }
    }
}
