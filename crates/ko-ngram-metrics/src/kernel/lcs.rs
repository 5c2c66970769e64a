//! Longest common subsequences, 64 cells at a time.
//!
//! Row *i* of the classic table, `t[i][j]` = length of the longest common subsequence of the first *i* units
//! of one text and the first *j* of the other, never falls and rises by at most 1. So a row is a string of
//! bits, a 0 where it rises, and the next row follows by one addition (Crochemore, Iliopoulos, Pinzon and
//! Reid, *A fast and practical bit-vector algorithm for the longest common subsequence problem*, 2001).
//! O(n · m / 64).

#![allow(
    clippy::indexing_slicing,
    reason = "bits are positions of the text that the rows were made for; units are below `kinds`"
)]

use rustc_hash::FxHashMap;

/// The rows of the table over one text: its columns.
struct Columns {
    len: usize,
    /// The last place of each unit, and of each place the one before it with the same unit.
    last: Vec<u32>,
    before: Vec<u32>,
    /// The places of one unit as bits; all 0 between uses.
    places: Vec<u64>,
    /// The same of every unit that is more than one in 64 of the text. There are at most 63 of them; looking their
    /// places up one by one would take the square of the length where a text repeats itself.
    frequent: FxHashMap<u32, Vec<u64>>,
}

const NOWHERE: u32 = u32::MAX;

/// In shorter texts no unit is worth a row of bits of its own.
const LONG: usize = 4096;

impl Columns {
    fn of(text: &[u32], kinds: usize) -> Self {
        let mut last = vec![NOWHERE; kinds];
        let before = (0..)
            .zip(text)
            .map(|(place, &unit)| std::mem::replace(&mut last[unit as usize], place))
            .collect();
        let width = text.len().div_ceil(64);
        let mut columns = Self {
            len: text.len(),
            last,
            before,
            places: vec![0; width],
            frequent: FxHashMap::default(),
        };
        if text.len() > LONG {
            columns.frequent = (0..kinds as u32)
                .filter(|&unit| columns.places_of(unit).nth(width).is_some())
                .map(|unit| (unit, bits(columns.places_of(unit), width)))
                .collect();
        }
        columns
    }

    /// The row before any unit: it never rises.
    fn first_row(&self) -> Vec<u64> {
        vec![u64::MAX; self.places.len()]
    }

    /// The places of a unit, from the last to the first.
    fn places_of(&self, unit: u32) -> impl Iterator<Item = usize> {
        let mut place = self.last[unit as usize];
        std::iter::from_fn(move || {
            let here = (place != NOWHERE).then_some(place as usize)?;
            place = self.before[here];
            Some(here)
        })
    }

    /// Turns a row into the next, which has read one unit more.
    fn advance(&mut self, row: &mut [u64], unit: u32) {
        if let Some(places) = self.frequent.get(&unit) {
            return step(row, places);
        }
        let mut places = std::mem::take(&mut self.places);
        self.places_of(unit).for_each(|place| places[place / 64] |= 1 << (place % 64));
        step(row, &places);
        self.places_of(unit).for_each(|place| places[place / 64] = 0);
        self.places = places;
    }

    /// Whether `t[i][column]` is more than the one before it.
    fn rises(row: &[u64], column: usize) -> bool {
        row[(column - 1) / 64] >> ((column - 1) % 64) & 1 == 0
    }

    /// `t[i][columns]` of the row of *i*.
    fn value(row: &[u64], columns: usize) -> usize {
        let (whole, rest) = (columns / 64, columns % 64);
        let rises: u32 = row[..whole].iter().map(|bits| bits.count_zeros()).sum();
        let partial = match rest {
            0 => 0,
            _ => (!row[whole] << (64 - rest)).count_ones(),
        };
        (rises + partial) as usize
    }
}

/// Places as bits.
fn bits(places: impl Iterator<Item = usize>, width: usize) -> Vec<u64> {
    let mut bits = vec![0; width];
    places.for_each(|place| bits[place / 64] |= 1 << (place % 64));
    bits
}

/// Turns a row into the next, by the places that match.
fn step(row: &mut [u64], places: &[u64]) {
    let mut carry = false;
    for (bits, &matches) in row.iter_mut().zip(places) {
        let (sum, over) = bits.overflowing_add(*bits & matches);
        let (sum, carried_over) = sum.overflowing_add(u64::from(carry));
        carry = over | carried_over;
        *bits = sum | (*bits & !matches);
    }
}

/// The length of the longest common subsequence. All units are below `kinds`.
pub(crate) fn length(a: &[u32], b: &[u32], kinds: usize) -> usize {
    let mut columns = Columns::of(b, kinds);
    let mut row = columns.first_row();
    a.iter().for_each(|&unit| columns.advance(&mut row, unit));
    Columns::value(&row, columns.len)
}

/// The places in `a` of one longest common subsequence: the one that rouge-score reads out, which goes back
/// from the ends, takes equal units at once, and drops a unit of `b` only if dropping one of `a` would cost.
///
/// Needs many rows of the table, so it keeps every √n-th and computes the others again when it comes to them.
pub(crate) fn places(a: &[u32], b: &[u32], kinds: usize) -> Vec<usize> {
    let mut columns = Columns::of(b, kinds);
    let stride = a.len().isqrt().max(64);
    let width = columns.places.len();
    let mut row = columns.first_row();
    let mut kept = Vec::with_capacity((a.len() / stride + 1) * width);
    for run in a.chunks(stride) {
        kept.extend_from_slice(&row);
        // Nobody looks at the rows behind the last run's.
        if run.len() == stride {
            run.iter().for_each(|&unit| columns.advance(&mut row, unit));
        }
    }
    let mut found = Vec::with_capacity(a.len().min(b.len()));
    let mut rows = Vec::with_capacity((a.len().min(stride) + 1) * width);
    let mut j = b.len();
    for (number, run) in a.chunks(stride).enumerate().rev() {
        rows.clear();
        rows.extend_from_slice(&kept[number * width..(number + 1) * width]);
        for (i, &unit) in run.iter().enumerate() {
            rows.extend_from_within(i * width..);
            columns.advance(&mut rows[(i + 1) * width..], unit);
        }
        let row = |i: usize| &rows[i * width..(i + 1) * width];
        let mut i = run.len();
        while i > 0 && j > 0 {
            if run[i - 1] == b[j - 1] {
                i -= 1;
                j -= 1;
                found.push(number * stride + i);
            } else if Columns::rises(row(i), j)
                || Columns::value(row(i), j) == Columns::value(row(i - 1), j)
            {
                // Without this unit of `a` it would be as long; without the one of `b` it would not, or is no longer.
                i -= 1;
            } else {
                j -= 1;
            }
        }
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn table(a: &[u32], b: &[u32]) -> Vec<Vec<usize>> {
        let mut t = vec![vec![0; b.len() + 1]; a.len() + 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                t[i + 1][j + 1] = if x == y { t[i][j] + 1 } else { t[i][j + 1].max(t[i + 1][j]) };
            }
        }
        t
    }

    fn read_out(a: &[u32], b: &[u32]) -> Vec<usize> {
        let t = table(a, b);
        let (mut i, mut j) = (a.len(), b.len());
        let mut found = Vec::new();
        while i > 0 && j > 0 {
            if a[i - 1] == b[j - 1] {
                (i, j) = (i - 1, j - 1);
                found.insert(0, i);
            } else if t[i][j - 1] > t[i - 1][j] {
                j -= 1;
            } else {
                i -= 1;
            }
        }
        found
    }

    proptest! {
        #[test]
        fn equals_the_table(
            a in proptest::collection::vec(0u32..4, 0..200),
            b in proptest::collection::vec(0u32..4, 0..200),
        ) {
            prop_assert_eq!(length(&a, &b, 4), table(&a, &b)[a.len()][b.len()]);
            prop_assert_eq!(places(&a, &b, 4), read_out(&a, &b));
        }
    }

    /// In long texts that repeat themselves, too, where frequent units have rows of their own.
    #[test]
    fn equals_the_table_where_units_are_frequent() {
        let text = |length: u32, kinds: u32| -> Vec<u32> {
            (0..length).map(|n| n.wrapping_mul(2_654_435_761) >> 7).map(|n| n % kinds).collect()
        };
        for kinds in [1, 3, 500] {
            let (a, b) = (text(90, kinds), text(LONG as u32 + 77, kinds));
            assert_eq!(Columns::of(&b, kinds as usize).frequent.is_empty(), kinds == 500);
            assert_eq!(length(&a, &b, kinds as usize), table(&a, &b)[a.len()][b.len()]);
            assert_eq!(places(&a, &b, kinds as usize), read_out(&a, &b));
        }
    }
}
