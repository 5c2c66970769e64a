//! The bootstrap of whoever sees a corpus in parts: every row draws its own weights.

use super::at_least_one;
use crate::Result;

/// Poisson bootstrap: in every resample a segment counts as often as a Poisson distribution of mean 1 says, instead of a fixed
/// number of segments being drawn (Hanley and MacGibbon, *Creating non-parametric bootstrap samples using Poisson frequencies*, 2006).
///
/// How often is decided by the seed, the number of the resample and the segment's [key](Poisson::key), and by nothing else: not by the segment's
/// place, nor by the part of the corpus it was seen in. So parts that are measured elsewhere, in any number and any order, merge to the same
/// resamples. Segments of the same key count alike: give segments that may repeat a key of their own, or the interval is too wide.
///
/// ```
/// use ko_eval_core::significance::Poisson;
///
/// let poisson = Poisson::new(1000, 12345)?;
/// let weights: Vec<usize> = poisson.weights(Poisson::key(["비가 온다", "눈이 온다"])).collect();
/// assert_eq!(weights.len(), 1000);
/// let mean = weights.iter().sum::<usize>() as f64 / 1000.0;
/// assert!((0.9..1.1).contains(&mean));
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Poisson {
    samples: usize,
    seed: u64,
}

/// P(0), P(0) + P(1) … of a Poisson distribution of mean 1. The next one is 1 to the last bit of what is drawn.
const CUMULATIVE: [f64; 18] = cumulative();

const fn cumulative() -> [f64; 18] {
    let mut table = [0.0; 18];
    let mut probability = 1.0 / std::f64::consts::E;
    let mut sum = 0.0;
    let mut number = 0;
    while number < table.len() {
        sum += probability;
        #[allow(
            clippy::indexing_slicing,
            reason = "evaluated by the compiler, within the bounds of the loop"
        )]
        {
            table[number] = sum;
        }
        number += 1;
        probability /= number as f64;
    }
    table
}

impl Poisson {
    /// So many resamples from this seed.
    ///
    /// # Errors
    /// When `samples` is 0.
    pub fn new(samples: usize, seed: u64) -> Result<Self> {
        at_least_one("Poisson bootstrap", samples)?;
        Ok(Self { samples, seed })
    }

    /// How many resamples.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Where they come from.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The key of a segment by its texts, the same on every machine: FNV-1a over the bytes of each text and its end.
    pub fn key<'t>(texts: impl IntoIterator<Item = &'t str>) -> u64 {
        let byte = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        texts.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, text| {
            // No byte of a text is 0xff, so it can tell where one ends.
            byte(text.as_bytes().iter().fold(hash, byte), &0xff)
        })
    }

    /// How often the segment of this key counts in each resample.
    pub fn weights(&self, key: u64) -> impl Iterator<Item = usize> + use<> {
        let mut state = scatter(key ^ scatter(self.seed));
        (0..self.samples).map(move |_| {
            state = state.wrapping_add(STEP);
            let drawn = (scatter(state) >> 11) as f64 / (1u64 << 53) as f64;
            CUMULATIVE.iter().take_while(|below| drawn >= **below).count()
        })
    }
}

/// The step and the mixing of SplitMix64 (Steele, Lea and Flood 2014).
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

fn scatter(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_a_poisson_distribution() {
        let poisson = Poisson::new(200, 7).unwrap();
        let mut seen = [0u32; 19];
        for row in 0..2000 {
            poisson
                .weights(Poisson::key([format!("{row}").as_str()]))
                .for_each(|times| seen[times] += 1);
        }
        let all = 400_000.0;
        let mut probability = (-1.0f64).exp();
        for (times, count) in (0u32..6).zip(seen) {
            let error = (probability * (1.0 - probability) / all).sqrt();
            let share = f64::from(count) / all;
            assert!((share - probability).abs() < 5.0 * error, "{times}: {share} {probability}");
            probability /= f64::from(times + 1);
        }
    }

    #[test]
    fn keys_tell_texts_apart_and_never_change() {
        assert_eq!(Poisson::key([]), 0xcbf2_9ce4_8422_2325);
        assert_ne!(Poisson::key(["비가", "온다"]), Poisson::key(["비가온다"]));
        assert_ne!(Poisson::key(["", "가"]), Poisson::key(["가", ""]));
        // Written down: a run of next year must draw the same.
        let drawn: Vec<usize> =
            Poisson::new(12, 12345).unwrap().weights(Poisson::key(["비가 온다"])).collect();
        assert_eq!(drawn, [0, 5, 0, 0, 1, 1, 1, 1, 0, 2, 0, 1]);
        assert!(Poisson::new(0, 1).is_err());
    }
}
