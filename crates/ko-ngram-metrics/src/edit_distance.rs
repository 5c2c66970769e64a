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

/// Writes out a column as numbers, from its first cell on; the row has room for whole blocks.
pub(crate) fn write_out(column: &[Block], first: i16, row: &mut [i16]) {
    row[0] = first;
    let mut above = first;
    for (block, cells) in column.iter().zip(row[1..].chunks_exact_mut(64)) {
        let bytes = block.more.to_le_bytes().into_iter().zip(block.less.to_le_bytes());
        for ((more, less), cells) in bytes.zip(cells.chunks_exact_mut(8)) {
            let (more, less) = (&COUNTS[more as usize], &COUNTS[less as usize]);
            for ((cell, more), less) in cells.iter_mut().zip(more).zip(less) {
                *cell = above + more - less;
            }
            above += more[7] - less[7];
        }
    }
}

/// For every byte, how many of its bits are set up to each of them.
static COUNTS: [[i16; 8]; 256] = {
    let mut counts = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            count += (byte >> bit & 1) as i16;
            counts[byte][bit] = count;
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
