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

/// The coins of one draw.
pub(super) fn coins(draws: &dyn Draws, draw: usize, places: usize) -> Vec<u64> {
    let mut bits = vec![0; places.div_ceil(64)];
    draws.fill(draw, &mut bits);
    bits
}

/// Whether the coin of a place says to keep.
pub(super) fn keeps(bits: &[u64], place: usize) -> bool {
    bits.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
}
