//! Signed sums of scores in every swap of segments, of several columns at once.
//!
//! A swap gives each segment a sign; the sums of all swaps are the product of a matrix of signs with the scores, which is looked up eight
//! segments at a time (Arlazarov et al. 1970).

use super::numpy;
use std::ops::{Add, AddAssign, Neg, Sub};

/// How often segments are swapped for a p-value.
pub(super) const SWAPS: usize = 1000;

/// Swaps whose sums lie and are compared together: those of all systems stay in the processor's nearest memory.
pub(super) const BLOCK: usize = 200;

/// How many blocks that are.
pub(super) const BLOCKS: usize = SWAPS / BLOCK;
const _: () = assert!(SWAPS.is_multiple_of(BLOCK));

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

/// The sums of eight segments under every combination of signs.
type Table<T> = [[T; LANES]; 256];

/// The signs of all swaps for so many segments, and one swap more that swaps nothing.
#[derive(Debug)]
pub(super) struct Signs {
    /// By eight segments, then by swap: a set bit is a plus.
    bytes: Vec<[u8; SWAPS + 1]>,
}

impl Signs {
    pub(super) fn new(segments: usize) -> Self {
        let mut bytes = vec![[0u8; SWAPS + 1]; segments.div_ceil(BYTE)];
        let mut generator = numpy::Pcg64::new(SEED);
        for swap in 0..SWAPS {
            for segment in 0..segments {
                let plus = u8::from(generator.rounds_up());
                if let Some(byte) = bytes.get_mut(segment / BYTE).and_then(|row| row.get_mut(swap))
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

    /// Of columns of scores, one row of [`LANES`] per segment: the signed sums of every swap, less the sum that swaps nothing; by block, then
    /// by column.
    pub(super) fn excess<T: Float>(&self, rows: &[[T; LANES]]) -> Vec<[[T; BLOCK]; LANES]> {
        let zero = [T::default(); LANES];
        let mut sums = vec![zero; SWAPS + 1];
        let mut tables: [Table<T>; 2] = [[zero; 256]; 2];
        // Two tables at a time, so that a sum is fetched and stored half as often.
        for (rows, bytes) in rows.chunks(2 * BYTE).zip(self.bytes.chunks(2)) {
            for (eight, table) in rows.chunks(BYTE).zip(&mut tables) {
                tabulate(eight, table);
            }
            let [first, second] = &tables;
            match bytes {
                [one, other] => {
                    for ((sum, one), other) in sums.iter_mut().zip(one).zip(other) {
                        add(sum, first, *one);
                        add(sum, second, *other);
                    }
                }
                [one] => sums.iter_mut().zip(one).for_each(|(sum, one)| add(sum, first, *one)),
                _ => {}
            }
        }
        let unswapped = sums.pop().unwrap_or(zero);
        let mut out = vec![[[T::default(); BLOCK]; LANES]; BLOCKS];
        for (sums, out) in sums.chunks(BLOCK).zip(&mut out) {
            for ((lane, column), unswapped) in out.iter_mut().enumerate().zip(unswapped) {
                for (slot, sums) in column.iter_mut().zip(sums) {
                    *slot = sums.get(lane).copied().unwrap_or_default() - unswapped;
                }
            }
        }
        out
    }
}

fn add<T: Float>(sums: &mut [T; LANES], table: &Table<T>, byte: u8) {
    // A byte is always below 256.
    let Some(part) = table.get(usize::from(byte)) else { return };
    for (sum, part) in sums.iter_mut().zip(part) {
        *sum += *part;
    }
}

fn tabulate<T: Float>(rows: &[[T; LANES]], sums: &mut Table<T>) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Whole numbers have exact sums, so the plain product must be the same, also of segments that fill no byte.
    #[test]
    fn tables_give_the_plain_product() {
        for segments in [1, 7, 8, 9, 16, 21, 40] {
            let signs = Signs::new(segments);
            let rows: Vec<[f64; LANES]> = (0..segments)
                .map(|segment| std::array::from_fn(|lane| ((segment * 7 + lane * 3) % 11) as f64))
                .collect();
            let found = signs.excess(&rows);
            for swap in [0, 1, BLOCK - 1, BLOCK, SWAPS - 1] {
                for lane in 0..LANES {
                    let plain = |segment: usize| {
                        let plus = signs.bytes[segment / BYTE][swap] >> (segment % BYTE) & 1 == 1;
                        if plus { 0.0 } else { -2.0 * rows[segment][lane] }
                    };
                    let plain: f64 = (0..segments).map(plain).sum();
                    assert_eq!(found[swap / BLOCK][lane][swap % BLOCK], plain, "{segments}");
                }
            }
        }
    }
}
