//! Soft pairwise accuracy: does the metric know how sure people are that one system is better than another?
//!
//! A pair of systems has a p-value by a paired permutation test over segments: each segment's two scores are swapped or not, and p is
//! the share of 1,000 swaps whose difference of sums is at least the observed one. The swaps are those of mt-metrics-eval (NumPy's
//! generator from seed 4), so the p-values are the same.

use super::{
    ScoreTable, numpy,
    signs::{BLOCK, BLOCKS, Float, LANES, SWAPS, Signs},
};
use crate::{Result, error::at_least};

/// How often each system's sum was at least another's, for all pairs of systems.
#[derive(Debug, Clone)]
pub(super) struct Tally(Vec<u16>);

impl Tally {
    pub(super) fn new(systems: usize) -> Self {
        Self(vec![0; systems * systems.saturating_sub(1) / 2])
    }

    /// Counts one block of swaps: of every system what its sums exceed its own by.
    pub(super) fn add<T: Float>(&mut self, systems: &[[T; BLOCK]]) {
        let ranges: Vec<(T, T)> = systems.iter().map(range).collect();
        let mut counts = self.0.iter_mut();
        let all = || systems.iter().zip(&ranges);
        for (number, (first, (first_least, first_most))) in all().enumerate() {
            // Systems come first: the zip must not take a count for a pair that is not there.
            for ((second, (least, most)), count) in all().skip(number + 1).zip(counts.by_ref()) {
                // Systems that are far apart never come near each other.
                *count += match (first_least >= most, first_most < least) {
                    (true, _) => BLOCK as u16,
                    (_, true) => 0,
                    _ => at_least_as_much(first, second),
                };
            }
        }
    }

    pub(super) fn p_values(&self) -> PValues {
        PValues(self.0.iter().map(|count| f64::from(*count) / SWAPS as f64).collect())
    }
}

fn at_least_as_much<T: Float>(first: &[T; BLOCK], second: &[T; BLOCK]) -> u16 {
    // Counted in as many bits as singles have: the compiler then counts several at once.
    let count: u32 = first.iter().zip(second).map(|(a, b)| u32::from(a >= b)).sum();
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// The least and the greatest.
fn range<T: Float>(sums: &[T; BLOCK]) -> (T, T) {
    let (eights, _) = sums.as_chunks::<LANES>();
    let first = eights.first().copied().unwrap_or_default();
    let (mut least, mut most) = (first, first);
    for eight in eights {
        for ((least, most), sum) in least.iter_mut().zip(&mut most).zip(eight) {
            *least = if *sum < *least { *sum } else { *least };
            *most = if *sum > *most { *sum } else { *most };
        }
    }
    let of = |all: [T; LANES], keep: fn(&T, &T) -> bool| {
        all.into_iter().reduce(|a, b| if keep(&a, &b) { a } else { b }).unwrap_or_default()
    };
    (of(least, |a, b| a < b), of(most, |a, b| a > b))
}
const _: () = assert!(BLOCK.is_multiple_of(LANES));

/// The p-values of all pairs of systems: that the first is the better one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PValues(Vec<f64>);

impl PValues {
    /// 1 − the mean difference.
    pub(super) fn soft_accuracy(&self, metric: &Self) -> f64 {
        let apart: Vec<f64> = self.0.iter().zip(&metric.0).map(|(p, q)| (p - q).abs()).collect();
        1.0 - numpy::mean(&apart)
    }
}

/// What people are sure of, over the segments that were judged for every system.
#[derive(Debug)]
pub(super) struct People<'t> {
    table: &'t ScoreTable,
    pub(super) segments: Vec<usize>,
    pub(super) signs: Signs,
    pub(super) p_values: PValues,
}

impl<'t> People<'t> {
    /// # Errors
    /// No segment that was judged for every system.
    pub(super) fn new(table: &'t ScoreTable) -> Result<Self> {
        let segments = complete(table);
        at_least("segments judged for every system", segments.len(), 1)?;
        let signs = Signs::new(segments.len());
        let mut people = Self { table, segments, signs, p_values: PValues(Vec::new()) };
        let gold: Vec<f64> = table.gold.iter().map(|score| score.unwrap_or_default()).collect();
        people.p_values = people.p_values_of(&gold);
        Ok(people)
    }

    /// A metric's soft pairwise accuracy.
    pub(super) fn soft_accuracy(&self, scores: &[f64]) -> f64 {
        self.p_values.soft_accuracy(&self.p_values_of(scores))
    }

    fn p_values_of(&self, scores: &[f64]) -> PValues {
        let (count, items) = (self.table.systems, self.table.items);
        let systems: Vec<usize> = (0..count).collect();
        let mut blocks: Vec<Vec<[f64; BLOCK]>> = vec![Vec::new(); BLOCKS];
        for lanes in systems.chunks(LANES) {
            let row = |segment: &usize| {
                let mut row = [0.0; LANES];
                for (slot, system) in row.iter_mut().zip(lanes) {
                    let score = scores.get(system * items + segment).copied();
                    // The reference computes with singles.
                    *slot = f64::from(score.unwrap_or_default() as f32);
                }
                row
            };
            let rows: Vec<[f64; LANES]> = self.segments.iter().map(row).collect();
            for (block, columns) in blocks.iter_mut().zip(self.signs.excess(&rows)) {
                block.extend(columns.iter().take(lanes.len()));
            }
        }
        let mut tally = Tally::new(count);
        blocks.iter().for_each(|block| tally.add(block));
        tally.p_values()
    }
}

/// The items that were judged for every system.
fn complete(table: &ScoreTable) -> Vec<usize> {
    let judged = |system: usize, item: usize| {
        table.gold.get(system * table.items + item).is_some_and(Option::is_some)
    };
    (0..table.items).filter(|item| (0..table.systems).all(|system| judged(system, *item))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Systems that overlap, touch and lie apart are counted as one by one.
    #[test]
    fn ranges_only_save_time() {
        let column = |start: f32, step: f32| -> [f32; BLOCK] {
            std::array::from_fn(|at| start + step * ((at * 37) % 50) as f32)
        };
        let systems = [
            column(0.0, 1.0),
            column(3.0, 0.5),
            column(49.0, 0.0),
            column(50.0, 2.0),
            column(-9.0, 0.1),
            column(0.0, 1.0),
        ];
        let mut tally = Tally::new(systems.len());
        tally.add(&systems);
        let mut plain = Vec::new();
        for (number, first) in systems.iter().enumerate() {
            for second in &systems[number + 1..] {
                plain.push(first.iter().zip(second).filter(|(a, b)| a >= b).count() as u16);
            }
        }
        assert_eq!(tally.0, plain);
        assert!(plain.contains(&0) && plain.contains(&(BLOCK as u16)));
    }
}
