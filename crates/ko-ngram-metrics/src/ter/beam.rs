//! Edit distance inside a beam around the diagonal, row by row.
//!
//! A row belongs to a unit of the hypothesis, a column to a unit of the reference. Of each row only a
//! band of columns around the pseudo-diagonal is alive; paths may not leave the bands. A row of up to
//! 64 live columns is three words of a processor: the differences between neighbouring columns are
//! −1, 0 or 1 also inside a beam, so two bit vectors hold them (Hyyrö, *A Bit-Vector Algorithm for
//! Computing Levenshtein and Damerau Edit Distances*, 2003), and one step makes the whole next row.

#![allow(
    clippy::indexing_slicing,
    reason = "rows, bands and words are indexed by positions below the hypothesis's length, for which \
              the vectors are made; columns stay inside their band"
)]

use crate::kernel::positions::Positions;

/// Live columns on either side of the pseudo-diagonal.
const WIDTH: usize = 25;

/// The live columns of a row, and what a row of bits needs to know of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Band {
    /// The first live column; column 0 is before the first unit.
    low: usize,
    /// One past the last live column.
    high: usize,
    /// The column of bit 0: the first live one that has a unit.
    base: usize,
    /// How many columns bit 0 moves from the row before.
    slide: u32,
    /// Nothing comes in from the left or the diagonal, because the band did not move.
    walled: bool,
    /// The bits that may match: those whose diagonal neighbour is alive.
    matching: u64,
    /// The bits of live columns.
    live: u64,
}

impl Band {
    /// The bands of all rows, that of row 0 (every column) included.
    fn all(hypothesis: usize, reference: usize) -> Vec<Self> {
        let ratio = if hypothesis == 0 { 1.0 } else { reference as f64 / hypothesis as f64 };
        // Rows of very short hypotheses would not touch each other otherwise.
        let width = if (WIDTH as f64) < ratio / 2.0 {
            (ratio / 2.0 + WIDTH as f64).ceil() as usize
        } else {
            WIDTH
        };
        let first = Self {
            low: 0,
            high: reference + 1,
            base: 1,
            slide: 0,
            walled: false,
            matching: u64::MAX,
            live: u64::MAX,
        };
        let mut bands = Vec::with_capacity(hypothesis + 1);
        bands.push(first);
        let mut before = first;
        for row in 1..=hypothesis {
            let diagonal = (row as f64 * ratio).floor() as usize;
            let low = diagonal.saturating_sub(width);
            let end = reference + 1;
            let high = if row == hypothesis { end } else { end.min(diagonal + width) };
            let base = low.max(1);
            before = Self {
                low,
                high,
                base,
                slide: (base - before.base) as u32,
                walled: row > 1 && low > 0 && low == before.low,
                matching: ones((before.high + 1).saturating_sub(base)),
                live: ones(high.saturating_sub(base)),
            };
            bands.push(before);
        }
        bands
    }

    fn fits_bits(&self) -> bool {
        self.high - self.base <= 64 && self.slide < 64
    }
}

/// The lowest `count` bits.
#[inline]
fn ones(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// One row of the matrix, and how the next one comes from it.
pub(super) trait Row: Clone {
    /// Row 0: the distance from no unit at all.
    fn first(reference: usize) -> Self;

    /// The row below, of this unit of the hypothesis.
    fn next(&self, band: &Band, before: &Band, unit: u32, reference: &Positions<'_>) -> Self;

    /// The distance in a live column.
    fn at(&self, band: &Band, column: usize) -> u32;

    /// By how much this row is above the other if they differ by a constant: so do all rows below.
    fn above(&self, other: &Self) -> Option<i32>;
}

/// A row as bits: whether a column is one more, or one less, than the column before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bits {
    more: u64,
    less: u64,
    /// The value in the column before bit 0; made up where that column is not alive.
    corner: i32,
}

impl Bits {
    /// The value `columns` after the corner.
    #[inline]
    fn value(&self, columns: usize) -> i32 {
        let mask = ones(columns);
        let more = (self.more & mask).count_ones() as i32;
        self.corner + more - (self.less & mask).count_ones() as i32
    }
}

impl Row for Bits {
    fn first(_: usize) -> Self {
        Self { more: u64::MAX, less: 0, corner: 0 }
    }

    #[inline]
    fn next(&self, band: &Band, _: &Band, unit: u32, reference: &Positions<'_>) -> Self {
        let Self { mut more, mut less, mut corner } = *self;
        if band.slide > 0 {
            corner = self.value(band.slide as usize);
            // Columns that were not alive rise by 1 each, so nothing cheaper comes from them.
            more = more >> band.slide | !(u64::MAX >> band.slide);
            less >>= band.slide;
        } else if band.walled {
            // The column before the band is made up so dear that the path from above wins.
            corner = self.value(1) + 1;
            more &= !1;
            less |= 1;
        }
        let equal = reference.window(unit, band.base - 1) & band.matching;
        let diagonal = ((equal & more).wrapping_add(more) ^ more) | equal | less;
        // Differences to the row above, moved to the column they enter from the left.
        let rise = (less | !(diagonal | more)) << 1 | 1;
        let fall = (diagonal & more) << 1;
        Self {
            more: (fall | !(diagonal | rise)) | !band.live,
            less: diagonal & rise & band.live,
            corner: corner + 1,
        }
    }

    #[inline]
    fn at(&self, band: &Band, column: usize) -> u32 {
        self.value(column + 1 - band.base) as u32
    }

    #[inline]
    fn above(&self, other: &Self) -> Option<i32> {
        (self.more == other.more && self.less == other.less).then_some(self.corner - other.corner)
    }
}

/// A row as numbers, for bands of any width: the reference is more than fifty times as long as the
/// hypothesis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cells(Vec<u32>);

/// The value of a column that is not alive.
const DEAD: u32 = u32::MAX / 2;

impl Row for Cells {
    fn first(reference: usize) -> Self {
        Self((0..=reference as u32).collect())
    }

    fn next(&self, band: &Band, before: &Band, unit: u32, reference: &Positions<'_>) -> Self {
        let above = |column: usize| {
            if (before.low..before.high).contains(&column) {
                self.0[column - before.low]
            } else {
                DEAD
            }
        };
        let mut cells = Vec::with_capacity(band.high - band.low);
        let mut left = DEAD;
        for column in band.low..band.high {
            let mut cell = (above(column) + 1).min(left + 1);
            if column > 0 {
                let differs = reference.units()[column - 1] != unit;
                cell = cell.min(above(column - 1) + u32::from(differs));
            }
            left = cell.min(DEAD);
            cells.push(left);
        }
        Self(cells)
    }

    fn at(&self, band: &Band, column: usize) -> u32 {
        self.0[column - band.low]
    }

    fn above(&self, _: &Self) -> Option<i32> {
        None
    }
}

/// One step of the cheapest way from the hypothesis to the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The units are equal.
    Match,
    /// One stands for the other.
    Substitute,
    /// The hypothesis has a unit too many.
    Delete,
    /// The hypothesis lacks a unit.
    Insert,
}

/// The matrix of a hypothesis and its reference, from which shifted hypotheses borrow rows.
#[derive(Debug)]
pub(super) struct Beam<'r, R> {
    reference: &'r Positions<'r>,
    bands: &'r [Band],
    rows: Vec<R>,
    distance: u32,
}

/// The bands of a pair of lengths, neither of them 0, and whether all of them fit [`Bits`].
pub(super) fn bands(hypothesis: usize, reference: usize) -> (Vec<Band>, bool) {
    let bands = Band::all(hypothesis, reference);
    let narrow = bands.iter().skip(1).all(Band::fits_bits);
    (bands, narrow)
}

impl<'r, R: Row> Beam<'r, R> {
    pub(super) fn new(reference: &'r Positions<'r>, bands: &'r [Band]) -> Self {
        let rows = Vec::with_capacity(bands.len());
        Self { reference, bands, rows, distance: 0 }
    }

    /// Makes the matrix of this hypothesis, of as many units as there are bands, and gives its distance.
    pub(super) fn set(&mut self, hypothesis: &[u32]) -> u32 {
        self.rows.clear();
        let mut row = R::first(self.reference.units().len());
        for (i, &unit) in hypothesis.iter().enumerate() {
            let next = row.next(&self.bands[i + 1], &self.bands[i], unit, self.reference);
            self.rows.push(row);
            row = next;
        }
        self.distance = self.last(&row);
        self.rows.push(row);
        self.distance
    }

    /// The distance of a hypothesis that differs from the matrix's only in the units `from..to`.
    pub(super) fn distance(&self, hypothesis: &[u32], from: usize, to: usize) -> u32 {
        let mut row = self.rows[from].clone();
        for (i, &unit) in hypothesis.iter().enumerate().skip(from) {
            row = row.next(&self.bands[i + 1], &self.bands[i], unit, self.reference);
            if i + 1 >= to
                && let Some(above) = row.above(&self.rows[i + 1])
            {
                return self.distance.saturating_add_signed(above);
            }
        }
        self.last(&row)
    }

    fn last(&self, row: &R) -> u32 {
        let band = &self.bands[self.bands.len() - 1];
        row.at(band, self.reference.units().len())
    }

    fn at(&self, row: usize, column: usize) -> u32 {
        match self.bands[row] {
            // Row 0 is wider than any row of bits.
            _ if row == 0 => column as u32,
            band if (band.low..band.high).contains(&column) => self.rows[row].at(&band, column),
            _ => DEAD,
        }
    }

    /// The steps from the hypothesis set last to the reference, from the end. Where several are
    /// cheapest, a match or substitution is taken first, then a deletion.
    pub(super) fn trace(&self, hypothesis: &[u32]) -> impl Iterator<Item = Step> {
        let units = self.reference.units();
        let (mut row, mut column) = (hypothesis.len(), units.len());
        let mut here = self.distance;
        std::iter::from_fn(move || {
            if row == 0 && column == 0 {
                return None;
            }
            if row == 0 {
                column -= 1;
                return Some(Step::Insert);
            }
            if column > 0 {
                let equal = hypothesis[row - 1] == units[column - 1];
                let diagonal = self.at(row - 1, column - 1);
                if diagonal + u32::from(!equal) == here {
                    (row, column, here) = (row - 1, column - 1, diagonal);
                    return Some(if equal { Step::Match } else { Step::Substitute });
                }
            }
            let above = self.at(row - 1, column);
            if column == 0 || above + 1 == here {
                (row, here) = (row - 1, above);
                return Some(Step::Delete);
            }
            (column, here) = (column - 1, here - 1);
            Some(Step::Insert)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn steps<R: Row>(hypothesis: &[u32], reference: &[u32]) -> (u32, Vec<Step>) {
        let positions = Positions::of(reference, 8);
        let (bands, _) = bands(hypothesis.len(), reference.len());
        let mut beam = Beam::<R>::new(&positions, &bands);
        (beam.set(hypothesis), beam.trace(hypothesis).collect())
    }

    proptest! {
        #[test]
        fn bits_are_cells(
            hypothesis in proptest::collection::vec(0u32..6, 1..160),
            reference in proptest::collection::vec(0u32..6, 1..160),
        ) {
            let (bands, narrow) = bands(hypothesis.len(), reference.len());
            prop_assume!(narrow);
            prop_assert_eq!(steps::<Bits>(&hypothesis, &reference), steps::<Cells>(&hypothesis, &reference));
            // A hypothesis that differs in the middle, from the rows of the other.
            let positions = Positions::of(&reference, 8);
            let mut beam = Beam::<Bits>::new(&positions, &bands);
            beam.set(&hypothesis);
            let mut turned = hypothesis.clone();
            let (from, to) = (hypothesis.len() / 3, hypothesis.len() / 2);
            turned[from..to].reverse();
            prop_assert_eq!(beam.distance(&turned, from, to), steps::<Cells>(&turned, &reference).0);
        }
    }

    #[test]
    fn a_long_reference_widens_the_beam() {
        let reference: Vec<u32> = (0..200).map(|i| i % 7).collect();
        assert!(!bands(2, 200).1);
        assert_eq!(steps::<Cells>(&[3, 5], &reference).0, 198);
    }
}
