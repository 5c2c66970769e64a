//! Statistics of many segments, added up again and again with other weights.

use crate::Stats;
use std::sync::OnceLock;

/// How many times each row counts in each resample of a batch.
#[derive(Debug, Clone)]
pub struct Batch {
    rows: usize,
    /// Resample after resample.
    weights: Vec<Times>,
}

/// How many times a row counts. No resample of fewer than 256 rows draws one of them more often than this holds, and one of
/// more rows does so with a probability below 10⁻⁵⁰⁰: there the greatest number stands for all beyond it.
pub(super) type Times = u8;

impl Batch {
    /// The resamples of these numbers, `draw` writing the weights of one.
    pub(super) fn new(
        rows: usize,
        resamples: std::ops::Range<usize>,
        draw: impl Fn(usize, &mut [Times]),
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
    pub(super) fn resamples(&self) -> std::slice::ChunksExact<'_, Times> {
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

    fn merged(&self, weights: &[Times]) -> S {
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
    /// Small whole numbers, as nearly all counts of a segment are: eight are multiplied where two others are.
    Counts(Vec<i16>),
    Varying(Vec<f64>),
}

impl Column {
    fn new(numbers: Vec<f64>) -> Self {
        if let [first, rest @ ..] = numbers.as_slice()
            && rest.iter().all(|number| number == first)
        {
            return Self::Constant(*first);
        }
        let count = |number: &f64| {
            let count = *number as i16;
            (count >= 0 && f64::from(count) == *number).then_some(count)
        };
        match numbers.iter().map(count).collect() {
            Some(counts) => Self::Counts(counts),
            None => Self::Varying(numbers),
        }
    }
}

/// Rows that are added up at a time: few enough that all columns of them stay near the processor for every resample, and
/// that the greatest counts with the greatest weights do not overflow their sum.
const BLOCK: usize = 128;
const _: () = assert!(BLOCK as i64 * Times::MAX as i64 * i16::MAX as i64 <= i32::MAX as i64);

/// Resamples that share one pass over the numbers.
const ABREAST: usize = 4;

/// The weights of a block of rows in some resamples, once for each kind of column. What a resample lacks, and what lies beyond
/// the last row, counts nothing.
struct Weights {
    whole: [[i16; BLOCK]; ABREAST],
    real: [[f64; BLOCK]; ABREAST],
    totals: [f64; ABREAST],
}

impl Weights {
    const NONE: Self = Self {
        whole: [[0; BLOCK]; ABREAST],
        real: [[0.0; BLOCK]; ABREAST],
        totals: [0.0; ABREAST],
    };

    /// Of the rows from `start` to `end`.
    fn set(&mut self, resamples: &[&[Times]], start: usize, end: usize) {
        *self = Self::NONE;
        let rows = self.whole.iter_mut().zip(&mut self.real).zip(&mut self.totals);
        for (((whole, real), total), resample) in rows.zip(resamples) {
            let block = resample.get(start..end).unwrap_or_default();
            for ((whole, real), &times) in whole.iter_mut().zip(real).zip(block) {
                *whole = i16::from(times);
                *real = f64::from(times);
            }
            *total = block.iter().map(|&times| u32::from(times)).sum::<u32>().into();
        }
    }

    /// The weighted sums of a block of a column.
    fn sums(&self, column: &Column, start: usize, end: usize) -> [f64; ABREAST] {
        match column {
            Column::Constant(constant) => self.totals.map(|total| constant * total),
            Column::Counts(counts) => {
                let counts = counts.get(start..end).unwrap_or_default();
                self.whole.each_ref().map(|weights| counted(weights, counts))
            }
            Column::Varying(numbers) => {
                dots(&self.real, numbers.get(start..end).unwrap_or_default())
            }
        }
    }
}

impl Columns {
    fn of<S: Stats>(stats: &[S]) -> Option<Self> {
        let mut rows = stats.iter().map(S::to_numbers);
        let first = rows.next()??;
        let mut columns: Vec<Vec<f64>> = vec![Vec::with_capacity(stats.len()); first.len()];
        for row in std::iter::once(Some(first)).chain(rows) {
            let row = row.filter(|row| row.len() == columns.len())?;
            columns.iter_mut().zip(row).for_each(|(column, number)| column.push(number));
        }
        Some(Self { rows: stats.len(), columns: columns.into_iter().map(Column::new).collect() })
    }

    /// For every resample, the weighted sum of each column.
    fn sums(&self, batch: &Batch) -> Vec<Vec<f64>> {
        let resamples: Vec<&[Times]> = batch.resamples().collect();
        let mut sums = vec![vec![0.0; self.columns.len()]; resamples.len()];
        let mut weights = Weights::NONE;
        for start in (0..self.rows).step_by(BLOCK) {
            let end = self.rows.min(start + BLOCK);
            for (resamples, sums) in resamples.chunks(ABREAST).zip(sums.chunks_mut(ABREAST)) {
                weights.set(resamples, start, end);
                for (number, column) in self.columns.iter().enumerate() {
                    let added = weights.sums(column, start, end);
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

/// The product of counts with one row of weights.
fn counted(weights: &[i16; BLOCK], counts: &[i16]) -> f64 {
    let products = weights.iter().zip(counts).map(|(&w, &c)| i32::from(w) * i32::from(c));
    f64::from(products.sum::<i32>())
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
                    *weight = (row.wrapping_mul(seed).wrapping_add(number as u16) % 4) as Times;
                });
            });
            let score = |stats: &MeanStats| -> Score { stats.score() };
            let fast: Vec<Score> = fast.totals(&batch).iter().map(score).collect();
            let plain: Vec<Score> = plain.totals(&batch).iter().map(|stats| score(&stats.0)).collect();
            prop_assert_eq!(fast, plain);
        }
    }
}
