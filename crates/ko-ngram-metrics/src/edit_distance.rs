//! Levenshtein distance, 64 units at a time.
//!
//! Neighbours in the matrix of edit distances differ by −1, 0 or 1, so a column of 64 cells is two
//! words of bits, and a dozen instructions make the next column (Myers, *A Fast Bit-Vector Algorithm
//! for Approximate String Matching Based on Dynamic Programming*, 1999). Longer columns are blocks that
//! hand the difference at their lower edge on to the next.

#![allow(
    clippy::indexing_slicing,
    reason = "units are numbered below `kinds`, for which the masks are made"
)]

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
}

/// The bits of the last of a text's blocks: the index of its last unit in it. The text is not empty.
pub(crate) fn last_bit(units: usize) -> u32 {
    (units.wrapping_sub(1) % 64) as u32
}

/// The Levenshtein distance of two texts whose units are numbered below `kinds`.
///
/// O(|a| · |b| / 64) time, O(|a| + kinds) memory.
pub(crate) fn levenshtein(a: &[u32], b: &[u32], kinds: usize) -> usize {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    let same = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - same], &b[..b.len() - same]);
    if b.is_empty() {
        return a.len();
    }
    // Block by block instead of column by column: masks of one block are enough.
    let mut masks = vec![0u64; kinds];
    let mut differences = vec![1i8; a.len()];
    for block in b.chunks(64) {
        for (bit, &unit) in block.iter().enumerate() {
            masks[unit as usize] |= 1 << bit;
        }
        let edge = last_bit(block.len());
        let mut column = Block::FIRST;
        for (&unit, difference) in a.iter().zip(&mut differences) {
            let enters = i32::from(*difference);
            let leaves;
            (column, leaves) = column.step(masks[unit as usize], enters, edge);
            *difference = leaves as i8;
        }
        for &unit in block {
            masks[unit as usize] = 0;
        }
    }
    let change: i64 = differences.iter().map(|&d| i64::from(d)).sum();
    b.len().saturating_add_signed(change as isize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_the_book(a: &[u32], b: &[u32]) -> usize {
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
        fn equals_the_definition(
            a in proptest::collection::vec(0u32..5, 0..200),
            b in proptest::collection::vec(0u32..5, 0..200),
        ) {
            prop_assert_eq!(levenshtein(&a, &b, 5), by_the_book(&a, &b));
        }
    }
}
