//! Coins that the script of golden values flips as well.

use ko_meta_eval::wmt::Draws;

/// The coins of the script: the last bit of SplitMix64's finaliser of draw and place.
#[derive(Debug)]
pub(crate) struct Hash;

impl Draws for Hash {
    fn fill(&self, draw: usize, bits: &mut [u64]) {
        let coin = |place: usize| {
            let mut z = ((draw as u64) << 32)
                .wrapping_add(place as u64)
                .wrapping_add(0x9E37_79B9_7F4A_7C15);
            z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            (z ^ z >> 31) & 1
        };
        for (number, word) in bits.iter_mut().enumerate() {
            *word = (0..64).map(|bit| coin(number * 64 + bit) << bit).sum();
        }
    }
}
