//! In which order examples are seen: as given, or shuffled, then texts of like length together, then batches shuffled.

use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

/// Batches within which lengths are sorted.
const WINDOW: usize = 32;

/// The batches of one epoch; the same for the same seed and epoch.
pub(crate) fn batches(lengths: &[usize], size: usize, seed: u64, epoch: usize) -> Vec<Vec<usize>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(epoch as u64 + 1);
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.shuffle(&mut rng);
    let mut batches: Vec<Vec<usize>> = Vec::with_capacity(order.len().div_ceil(size));
    for window in order.chunks_mut(size * WINDOW) {
        window.sort_by_key(|&example| lengths.get(example));
        batches.extend(window.chunks(size).map(<[usize]>::to_vec));
    }
    batches.shuffle(&mut rng);
    batches
}

/// The same examples one after the other, as they were given.
pub(crate) fn in_order(examples: usize, size: usize) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..examples).collect();
    all.chunks(size).map(<[usize]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_given_is_kept() {
        assert_eq!(in_order(5, 2), [vec![0, 1], vec![2, 3], vec![4]]);
        assert!(in_order(0, 2).is_empty());
    }

    #[test]
    fn every_example_once_and_the_same_again() {
        let lengths: Vec<usize> = (0..1001).map(|i| i * 7 % 50).collect();
        let first = batches(&lengths, 16, 1, 0);
        let mut seen: Vec<usize> = first.iter().flatten().copied().collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..1001).collect::<Vec<_>>());
        assert_eq!(first, batches(&lengths, 16, 1, 0));
        assert_ne!(first, batches(&lengths, 16, 1, 1));
        assert_ne!(first, batches(&lengths, 16, 2, 0));
    }
}
