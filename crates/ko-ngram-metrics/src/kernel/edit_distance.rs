//! Levenshtein distance, 64 units at a time.
//!
//! Neighbours in the matrix of edit distances differ by −1, 0 or 1, so a column of 64 cells is two
//! words of bits, and a dozen instructions make the next column (Myers, *A Fast Bit-Vector Algorithm
//! for Approximate String Matching Based on Dynamic Programming*, 1999). Longer columns are blocks that
//! hand the difference at their lower edge on to the next.

#![allow(
    clippy::indexing_slicing,
    reason = "a slot's index is a hash of as many bits as the table's length has, or wrapped around; a \
              byte has an entry; a row is as long as its column and one more"
)]

use std::ops::RangeInclusive;

/// Differences down a block of a column: which cells are one more, or one less, than the cell above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block {
    more: u64,
    less: u64,
}

impl Block {
    /// The first column: every cell one more than the cell above.
    pub(crate) const FIRST: Self = Self { more: u64::MAX, less: 0 };

    /// The block in the next column, and the difference to this one at the cell of bit `edge`. `equal`
    /// are the cells whose unit is the column's, `enters` the difference above the block.
    #[inline]
    pub(crate) fn step(self, equal: u64, enters: i32, edge: u32) -> (Self, i32) {
        let Self { more, less } = self;
        let falls = u64::from(enters < 0);
        let down = equal | less;
        let equal = equal | falls;
        let across = ((equal & more).wrapping_add(more) ^ more) | equal;
        let rise = less | !(across | more);
        let fall = more & across;
        let leaves = (rise >> edge & 1) as i32 - (fall >> edge & 1) as i32;
        let rise = rise << 1 | u64::from(enters > 0);
        let fall = fall << 1 | falls;
        (Self { more: fall | !(down | rise), less: rise & down }, leaves)
    }

    /// Equal cells up to and without bit `first`, at most 64; from there on every cell one more.
    pub(crate) fn flat(first: usize) -> Self {
        Self { more: u64::MAX.checked_shl(first as u32).unwrap_or(0), less: 0 }
    }

    /// How much higher the lower end of these cells is than the upper.
    #[inline]
    fn rise(self, cells: u64) -> i16 {
        (self.more & cells).count_ones() as i16 - (self.less & cells).count_ones() as i16
    }

    /// What is known of a byte of each word of bits, the byte's number counted over all blocks.
    #[inline]
    fn counts(self, byte: usize) -> (&'static Counts, &'static Counts) {
        let byte = byte % 8 * 8;
        (&COUNTS[(self.more >> byte & 0xff) as usize], &COUNTS[(self.less >> byte & 0xff) as usize])
    }
}

/// The bits of the last of a text's blocks: the index of its last unit in it. The text is not empty.
pub(crate) fn last_bit(units: usize) -> u32 {
    (units.wrapping_sub(1) % 64) as u32
}

/// By how much the cell after so many units differs from the first of its column.
pub(crate) fn difference(column: &[Block], cells: usize) -> i16 {
    let whole = column.iter().take(cells / 64).map(|block| block.rise(u64::MAX)).sum::<i16>();
    whole + column.get(cells / 64).map_or(0, |block| block.rise((1 << (cells % 64)) - 1))
}

/// The least sum of a cell of the one column and the cell of the other that is as far from its end, of
/// these cells of the first, their neighbours in groups of eight perhaps included. Cells count as their
/// difference to the first of their column; those before the end count, not the one at it.
pub(crate) fn least_sum(column: &[Block], other: &[Block], cells: RangeInclusive<usize>) -> i16 {
    let (first, last) = (cells.start() / 8, cells.end() / 8);
    let mut opposite = column.len() * 8 - 1 - first;
    let mut sum = difference(column, first * 8) + difference(other, opposite * 8);
    let mut least = [i16::MAX; 8];
    for group in first..=last {
        let (more, less) = column[group / 8].counts(group);
        let (more_after, less_after) = other[opposite / 8].counts(opposite);
        for (k, least) in least.iter_mut().enumerate() {
            let here = sum + more.below[k] - less.below[k];
            *least = i16::min(*least, here + more_after.above[k] - less_after.above[k]);
        }
        opposite = opposite.saturating_sub(1);
        let (more_after, less_after) = other[opposite / 8].counts(opposite);
        sum += more.above[0] - less.above[0] - more_after.above[0] + less_after.above[0];
    }
    least.into_iter().fold(i16::MAX, i16::min)
}

/// How many bits of a byte are set below each of them, and how many without the highest 0 to 7.
struct Counts {
    below: [i16; 8],
    above: [i16; 8],
}

static COUNTS: [Counts; 256] = {
    let mut counts = [const { Counts { below: [0; 8], above: [0; 8] } }; 256];
    let mut byte = 0usize;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            counts[byte].below[bit] = (byte & ((1 << bit) - 1)).count_ones() as i16;
            counts[byte].above[bit] = (byte & (0xff >> bit)).count_ones() as i16;
            bit += 1;
        }
        byte += 1;
    }
    counts
};

/// The Levenshtein distance of two texts.
///
/// O(|a| · |b| / 64) time, O(|a|) memory.
pub(crate) fn levenshtein(a: &[char], b: &[char]) -> usize {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    let same = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - same], &b[..b.len() - same]);
    // Block by block instead of column by column: masks of one block are enough.
    let mut differences = vec![1i8; a.len()];
    for block in b.chunks(64) {
        let masks = Masks::of(block);
        let edge = last_bit(block.len());
        let mut column = Block::FIRST;
        for (&c, difference) in a.iter().zip(&mut differences) {
            let leaves;
            (column, leaves) = column.step(masks.get(c), i32::from(*difference), edge);
            *difference = leaves as i8;
        }
    }
    let change: i64 = differences.iter().map(|&d| i64::from(d)).sum();
    b.len().saturating_add_signed(change as isize)
}

/// Where in a block of at most 64 characters each stands: a hash table that is at most half full.
struct Masks {
    slots: [(u32, u64); 128],
}

impl Masks {
    /// No character.
    const VACANT: u32 = u32::MAX;

    fn of(block: &[char]) -> Self {
        let mut masks = Self { slots: [(Self::VACANT, 0); 128] };
        for (bit, &c) in block.iter().enumerate() {
            let at = masks.find(c);
            masks.slots[at].0 = c as u32;
            masks.slots[at].1 |= 1 << bit;
        }
        masks
    }

    #[inline]
    fn get(&self, c: char) -> u64 {
        self.slots[self.find(c)].1
    }

    /// The character's slot, or the vacant one where it belongs.
    #[inline]
    fn find(&self, c: char) -> usize {
        let mut at = ((c as u32).wrapping_mul(0x9e37_79b1) >> 25) as usize;
        while self.slots[at].0 != c as u32 && self.slots[at].0 != Self::VACANT {
            at = (at + 1) % self.slots.len();
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_the_book(a: &[char], b: &[char]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let here = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
                diagonal = row[j + 1];
                row[j + 1] = here;
            }
        }
        row[b.len()]
    }

    proptest! {
        #[test]
        fn equals_the_definition(a in "[가-마]{0,200}", b in "[가-마]{0,200}|.{0,200}") {
            let [a, b] = [a, b].map(|text| text.chars().collect::<Vec<_>>());
            prop_assert_eq!(levenshtein(&a, &b), by_the_book(&a, &b));
        }
    }
}
