//! Where in the reference a unit stands.

#![allow(
    clippy::indexing_slicing,
    reason = "units are numbered below `kinds`, for which the tables are made; a window starts at or \
              before the end of the reference, which the masks cover with a word to spare"
)]

/// Masks of at most this many words are made for all units at once.
const MOST_MASKS: usize = 1 << 20;

/// The reference's units, and each unit's places among them.
#[derive(Debug)]
pub(crate) struct Positions<'r> {
    units: &'r [u32],
    /// All positions, by unit, increasing.
    places: Vec<u32>,
    /// Where a unit's places start.
    starts: Vec<u32>,
    /// For each unit one bit for every position, or nothing where that would be too much.
    masks: Vec<u64>,
    words: usize,
}

impl<'r> Positions<'r> {
    /// The positions of units that are numbered below `kinds`.
    pub(crate) fn of(units: &'r [u32], kinds: usize) -> Self {
        let mut starts = vec![0; kinds + 1];
        for &unit in units {
            starts[unit as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut free = starts.clone();
        let mut places = vec![0; units.len()];
        for (at, &unit) in units.iter().enumerate() {
            let slot = &mut free[unit as usize];
            places[*slot as usize] = at as u32;
            *slot += 1;
        }
        let words = units.len() / 64 + 2;
        let mut masks = Vec::new();
        if kinds.saturating_mul(words) <= MOST_MASKS {
            masks.resize(kinds * words, 0);
            for (at, &unit) in units.iter().enumerate() {
                masks[unit as usize * words + at / 64] |= 1 << (at % 64);
            }
        }
        Self { units, places, starts, masks, words }
    }

    pub(crate) fn units(&self) -> &'r [u32] {
        self.units
    }

    /// A unit's places from `from` up to `to`, increasing.
    pub(crate) fn between(&self, unit: u32, from: usize, to: usize) -> &[u32] {
        let unit = unit as usize;
        let places = &self.places[self.starts[unit] as usize..self.starts[unit + 1] as usize];
        let first = places.partition_point(|&place| (place as usize) < from);
        let last = places.partition_point(|&place| place as usize <= to);
        &places[first..last]
    }

    /// The 64 positions from `first` on as bits: which of them hold the unit.
    #[inline]
    pub(crate) fn window(&self, unit: u32, first: usize) -> u64 {
        if self.masks.is_empty() {
            let bits = self.between(unit, first, first + 63).iter();
            return bits.fold(0, |mask, &place| mask | 1 << (place as usize - first));
        }
        let at = unit as usize * self.words + first / 64;
        let shift = first % 64;
        // Shifted twice, because a shift by 64 is none at all.
        self.masks[at] >> shift | self.masks[at + 1] << 1 << (63 - shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_the_same_with_and_without_masks() {
        let units: Vec<u32> = (0..300u32).map(|i| i * i % 11).collect();
        let masked = Positions::of(&units, 12);
        let bare = Positions { masks: Vec::new(), ..Positions::of(&units, 12) };
        for unit in 0..12 {
            for first in 0..300 {
                assert_eq!(masked.window(unit, first), bare.window(unit, first));
            }
        }
    }
}
