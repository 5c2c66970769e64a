//! Who is swapped in which draw.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// Coins for permutation tests: for each draw and each place, whether a metric keeps its own score (or outcome) or gets the
/// other's. Places are counted group by group, in a group by system or by item; for pairs by the first of the two, then by the second.
pub trait Draws: Sync + fmt::Debug {
    /// Fills bit `i % 64` of word `i / 64` for every place `i`: 1 to keep, 0 to swap.
    fn fill(&self, draw: usize, bits: &mut [u64]);
}

/// Draw number *i* is stream *i* of a ChaCha8 generator: the same on every machine and with any number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seeded(pub u64);

impl Draws for Seeded {
    fn fill(&self, draw: usize, bits: &mut [u64]) {
        let mut generator = ChaCha8Rng::seed_from_u64(self.0);
        generator.set_stream(draw as u64);
        bits.iter_mut().for_each(|word| *word = generator.next_u64());
    }
}

/// Coins of several draws.
#[derive(Debug)]
pub(super) struct Coins {
    words: usize,
    bits: Vec<u64>,
}

impl Coins {
    pub(super) fn new(draws: &dyn Draws, first: usize, count: usize, places: usize) -> Self {
        let words = places.div_ceil(64);
        let mut bits = vec![0; words * count];
        for (number, row) in bits.chunks_mut(words.max(1)).enumerate() {
            draws.fill(first + number, row);
        }
        Self { words, bits }
    }

    /// The coins of one draw.
    pub(super) fn of(&self, number: usize) -> &[u64] {
        self.bits.get(number * self.words..(number + 1) * self.words).unwrap_or_default()
    }
}

/// Whether the coin of a place says to keep.
pub(super) fn keeps(bits: &[u64], place: usize) -> bool {
    bits.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
}
