//! Soft pairwise accuracy: does the metric know how sure people are that one system is better than another?
//!
//! A pair of systems has a p-value by a paired permutation test over segments: each segment's two scores are swapped or not, and p is
//! the share of 1,000 draws whose difference of sums is at least the observed one. The draws are those of mt-metrics-eval (NumPy's
//! generator from seed 4), so the p-values are the same. A draw gives each segment a sign; the sums of all draws are the
//! product of a matrix of signs with the scores, which is looked up eight segments at a time (Arlazarov et al. 1970).

use super::{ScoreTable, numpy};
use crate::{Result, error::at_least};
use std::ops::{Add, AddAssign, Neg, Sub};

/// How often segments are swapped for a p-value.
pub(super) const SWAPS: usize = 1000;

/// The seed of mt-metrics-eval.
const SEED: u32 = 4;

/// Segments that are looked up together.
const BYTE: usize = 8;

/// Columns that are added up together.
pub(super) const LANES: usize = 8;

/// What sums are made of: singles where there are many, doubles where there are few.
pub(super) trait Float:
    Copy
    + Default
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + AddAssign
{
}

impl Float for f32 {}
impl Float for f64 {}

/// The signs of all draws for so many segments, and one draw more that swaps nothing.
#[derive(Debug)]
pub(super) struct Signs {
    /// By eight segments, then by draw: a set bit is a plus.
    bytes: Vec<Vec<u8>>,
}

impl Signs {
    pub(super) fn new(segments: usize) -> Self {
        let mut bytes = vec![vec![0u8; SWAPS + 1]; segments.div_ceil(BYTE)];
        let mut generator = numpy::Pcg64::new(SEED);
        for draw in 0..SWAPS {
            for segment in 0..segments {
                let plus = u8::from(generator.rounds_up());
                if let Some(byte) = bytes.get_mut(segment / BYTE).and_then(|row| row.get_mut(draw))
                {
                    *byte |= plus << (segment % BYTE);
                }
            }
        }
        for row in &mut bytes {
            if let Some(byte) = row.last_mut() {
                *byte = u8::MAX;
            }
        }
        Self { bytes }
    }

    /// Of columns of scores, one row of [`LANES`] per segment: the signed sums of every draw, less the sum that swaps nothing.
    pub(super) fn excess<T: Float>(&self, rows: &[[T; LANES]], out: &mut Vec<[T; LANES]>) {
        out.clear();
        out.resize(SWAPS + 1, [T::default(); LANES]);
        let mut sums = [[T::default(); LANES]; 256];
        for (eight, bytes) in rows.chunks(BYTE).zip(&self.bytes) {
            tabulate(eight, &mut sums);
            for (sum, byte) in out.iter_mut().zip(bytes) {
                // A byte is always below 256.
                let Some(part) = sums.get(usize::from(*byte)) else { continue };
                for (sum, part) in sum.iter_mut().zip(part) {
                    *sum += *part;
                }
            }
        }
        let unswapped = out.pop().unwrap_or_default();
        for sum in out {
            for (sum, unswapped) in sum.iter_mut().zip(unswapped) {
                *sum = *sum - unswapped;
            }
        }
    }
}

/// The sums of up to eight rows under every combination of signs.
fn tabulate<T: Float>(rows: &[[T; LANES]], sums: &mut [[T; LANES]; 256]) {
    let mut least = [T::default(); LANES];
    for row in rows {
        for (least, score) in least.iter_mut().zip(row) {
            *least = *least - *score;
        }
    }
    let mut filled = 1;
    if let Some(first) = sums.first_mut() {
        *first = least;
    }
    for bit in 0..BYTE {
        let row = rows.get(bit).copied().unwrap_or_default();
        // With this bit, what was minus is plus: twice the score more.
        let (known, rest) = sums.split_at_mut(filled);
        for (sum, known) in rest.iter_mut().zip(known.iter()) {
            for ((sum, known), score) in sum.iter_mut().zip(known).zip(row) {
                *sum = *known + score + score;
            }
        }
        filled *= 2;
    }
}

/// The p-values of all pairs of systems: that the first is the better one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PValues(Vec<f64>);

impl PValues {
    /// Of people's scores, over the segments that were judged for every system.
    ///
    /// # Errors
    /// No such segment.
    pub(super) fn of_gold(table: &ScoreTable) -> Result<Self> {
        let segments = complete(table);
        at_least("segments judged for every system", segments.len(), 1)?;
        let gold: Vec<f64> = table.gold.iter().map(|score| score.unwrap_or_default()).collect();
        Ok(Self::over(table, &gold, &segments))
    }

    /// Of a metric's scores, over the same segments.
    pub(super) fn of_scores(table: &ScoreTable, scores: &[f64]) -> Self {
        Self::over(table, scores, &complete(table))
    }

    fn over(table: &ScoreTable, scores: &[f64], segments: &[usize]) -> Self {
        let signs = Signs::new(segments.len());
        let mut columns: Vec<Vec<f64>> = Vec::with_capacity(table.systems);
        let systems: Vec<usize> = (0..table.systems).collect();
        let mut out = Vec::new();
        for lanes in systems.chunks(LANES) {
            let row = |segment: &usize| {
                let mut row = [0.0; LANES];
                for (slot, system) in row.iter_mut().zip(lanes) {
                    let score = scores.get(system * table.items + segment).copied();
                    // The reference computes with singles.
                    *slot = f64::from(score.unwrap_or_default() as f32);
                }
                row
            };
            let rows: Vec<[f64; LANES]> = segments.iter().map(row).collect();
            signs.excess(&rows, &mut out);
            for lane in 0..lanes.len() {
                columns.push(out.iter().filter_map(|sums| sums.get(lane).copied()).collect());
            }
        }
        Self::of_columns(&columns)
    }

    /// Of every system's sums in all draws, less the observed one.
    pub(super) fn of_columns<T: Float, C: AsRef<[T]>>(columns: &[C]) -> Self {
        let mut values = Vec::with_capacity(columns.len() * columns.len().saturating_sub(1) / 2);
        for (number, first) in columns.iter().enumerate() {
            for second in columns.iter().skip(number + 1) {
                let both = first.as_ref().iter().zip(second.as_ref());
                let beyond: u32 = both.map(|(a, b)| u32::from(a >= b)).sum();
                values.push(f64::from(beyond) / SWAPS as f64);
            }
        }
        Self(values)
    }

    /// 1 − the mean difference.
    pub(super) fn soft_accuracy(&self, metric: &Self) -> f64 {
        let apart: Vec<f64> = self.0.iter().zip(&metric.0).map(|(p, q)| (p - q).abs()).collect();
        1.0 - numpy::mean(&apart)
    }
}

/// The items that were judged for every system.
pub(super) fn complete(table: &ScoreTable) -> Vec<usize> {
    let judged = |system: usize, item: usize| {
        table.gold.get(system * table.items + item).is_some_and(Option::is_some)
    };
    (0..table.items).filter(|item| (0..table.systems).all(|system| judged(system, *item))).collect()
}
