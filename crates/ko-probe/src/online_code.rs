//! Minimum description length by an online code (Voita and Titov 2020): how many bits does it take to tell the labels to somebody
//! who has the vectors?
//!
//! The sentences that are learnt from, in an order of chance, are sent in blocks that end at 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.25, 12.5, 25, 50
//! and 100 % of them, as published. The first block costs log₂ *K* bits a label (*K* classes); every other is coded by a probe that has
//! learnt from all blocks before it:
//!
//! *L* = *t*₁ log₂ *K* − Σᵢ log₂ *p*(block *i* + 1 | probe of blocks 1 … *i*)
//!
//! What is easy to find in the vectors is learnt from few labels and costs few bits, so the length tells how much a probe had to do,
//! where accuracy tells only how it ended. The *compression* is *n* log₂ *K* / *L*: 1 is what labels cost of which nothing is known.
//! Where classes are uneven, their sizes alone shorten the code, so that vectors which tell nothing have more than 1: compare with those
//! of [`RandomVectors`](crate::embedders::RandomVectors). Probes are those of [`Classifier`], whose penalty and last epoch are the ones of least cross-entropy on the dev set.
//!
//! Where ⌊share · *n*⌋ of two blocks is equal (fewer than a thousand sentences), the later one is empty and left out; a block that would
//! end at 0 as well.
//!
//! Cost: as one training on all sentences; blocks run in parallel.
//!
//! ```
//! use ko_probe::{Classifier, OnlineCode};
//! use ndarray::Array2;
//!
//! let classes: Vec<usize> = (0..400).map(|n| n % 2).collect();
//! let vectors = Array2::from_shape_fn((400, 3), |(row, place)| if row % 2 == place { 2.0 } else { 0.0 });
//! let data = (vectors.view(), classes.as_slice());
//! let code = OnlineCode::of(&Classifier::new(), data, data, 2)?;
//! assert_eq!(code.uniform_bits(), 400.0);
//! assert!(code.compression() > 2.0);
//! # Ok::<(), ko_probe::Error>(())
//! ```

use crate::{
    classifier::{Aim, Classifier, LabelledVectors},
    error::Result,
};
use ko_eval_core::par_map;
use ndarray::{Axis, Slice};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Where blocks end, in shares of the sentences.
const ENDS: [f64; 11] = [0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.0625, 0.125, 0.25, 0.5, 1.0];

/// Labels as they were sent, block by block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OnlineCode {
    /// How many classes there are.
    pub classes: usize,
    /// The blocks in order.
    pub blocks: Vec<CodedBlock>,
}

/// Labels that were sent together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CodedBlock {
    /// How many labels.
    pub labels: usize,
    /// What they cost.
    pub bits: f64,
}

impl OnlineCode {
    /// Codes the classes of the first vectors; the second are the dev set.
    ///
    /// # Errors
    /// As [`Classifier::fit`].
    pub fn of(
        classifier: &Classifier,
        train: LabelledVectors<'_>,
        dev: LabelledVectors<'_>,
        classes: usize,
    ) -> Result<Self> {
        let mut order: Vec<usize> = (0..train.0.nrows().min(train.1.len())).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(classifier.seed_value());
        // Not the numbers that initialisation and training draw.
        rng.set_stream(2);
        order.shuffle(&mut rng);
        let vectors = train.0.select(Axis(0), &order);
        let labels: Vec<usize> = order.iter().filter_map(|at| train.1.get(*at).copied()).collect();
        let ends = ends(labels.len());
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let blocks: Vec<(usize, usize)> = starts.zip(ends.iter().copied()).collect();
        let uniform = (classes.max(1) as f64).log2();
        let blocks = par_map(&blocks, |&(start, end)| {
            let count = end - start;
            if start == 0 {
                return Ok(CodedBlock { labels: count, bits: count as f64 * uniform });
            }
            let part = |from: usize, to: usize| {
                (
                    vectors.slice_axis(Axis(0), Slice::from(from..to)),
                    labels.get(from..to).unwrap_or_default(),
                )
            };
            let probe = classifier.fit_for(Aim::ShortCode, part(0, start), dev, classes)?;
            Ok(CodedBlock { labels: count, bits: probe.bits(part(start, end))? })
        })?;
        Ok(Self { classes, blocks })
    }

    /// How long the code is.
    pub fn bits(&self) -> f64 {
        self.blocks.iter().map(|block| block.bits).sum()
    }

    /// How long a code is that knows nothing: log₂ of the classes for every label.
    pub fn uniform_bits(&self) -> f64 {
        let labels: usize = self.blocks.iter().map(|block| block.labels).sum();
        labels as f64 * (self.classes.max(1) as f64).log2()
    }

    /// How many times shorter it is than the uniform code; 1 of no labels.
    pub fn compression(&self) -> f64 {
        match self.bits() {
            0.0 => 1.0,
            bits => self.uniform_bits() / bits,
        }
    }
}

/// Where the blocks of so many sentences end, the empty ones left out.
fn ends(sentences: usize) -> Vec<usize> {
    let mut ends: Vec<usize> = ENDS
        .iter()
        .map(|share| (share * sentences as f64) as usize)
        .filter(|end| *end > 0)
        .collect();
    ends.dedup();
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;
    use rand::RngExt;

    #[test]
    fn blocks_end_where_they_were_published_to_end() {
        assert_eq!(ends(4342), [4, 8, 17, 34, 69, 138, 271, 542, 1085, 2171, 4342]);
        assert_eq!(ends(100), [1, 3, 6, 12, 25, 50, 100]);
        assert_eq!(ends(1), [1]);
        assert!(ends(0).is_empty());
    }

    /// Vectors of chance, with the class in the first place so clearly.
    fn data(sentences: usize, clear: f32) -> (Array2<f32>, Vec<usize>) {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let labels: Vec<usize> = (0..sentences).map(|_| rng.random_range(0..4)).collect();
        let numbers = labels.iter().flat_map(|label| {
            let mut row = [0.0; 4].map(|_: f32| rng.random::<f32>() * 2.0 - 1.0);
            row[*label] += clear;
            row
        });
        (Array2::from_shape_vec((sentences, 4), numbers.collect()).unwrap(), labels)
    }

    fn code(sentences: usize, clear: f32) -> OnlineCode {
        let (vectors, labels) = data(sentences, clear);
        let (train, dev) = vectors.view().split_at(Axis(0), sentences * 4 / 5);
        let (learnt, judged) = labels.split_at(sentences * 4 / 5);
        let classifier = Classifier::new().penalties(&[1e-5]).unwrap();
        OnlineCode::of(&classifier, (train, learnt), (dev, judged), 4).unwrap()
    }

    #[test]
    fn what_is_clearer_costs_less_and_chance_costs_what_it_is() {
        let [chance, dim, clear] = [0.0, 0.5, 3.0].map(|clear| code(1250, clear));
        assert_eq!(chance.uniform_bits(), 2000.0);
        assert_eq!(chance.blocks[0], CodedBlock { labels: 1, bits: 2.0 });
        let labels: Vec<_> = chance.blocks.iter().map(|block| block.labels).collect();
        assert_eq!(labels, [1, 1, 2, 4, 8, 16, 30, 63, 125, 250, 500]);
        assert!((0.85..1.02).contains(&chance.compression()), "{}", chance.compression());
        assert!(dim.compression() > chance.compression() + 0.02, "{}", dim.compression());
        assert!(clear.compression() > dim.compression() + 0.3, "{}", clear.compression());
    }

    #[test]
    fn a_block_costs_what_a_probe_of_those_before_it_says() {
        let (vectors, labels) = data(20, 1.0);
        let all = (vectors.view(), labels.as_slice());
        let classifier = Classifier::new().max_epochs(8);
        let code = OnlineCode::of(&classifier, all, all, 4).unwrap();
        // 20 · (0.0625, 0.125, 0.25, 0.5, 1)
        let labels: Vec<_> = code.blocks.iter().map(|block| block.labels).collect();
        assert_eq!(labels, [1, 1, 3, 5, 10]);
        let mut order: Vec<usize> = (0..20).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(classifier.seed_value());
        rng.set_stream(2);
        order.shuffle(&mut rng);
        let take = |places: &[usize]| {
            let classes: Vec<usize> = places.iter().map(|at| all.1[*at]).collect();
            (vectors.select(Axis(0), places), classes)
        };
        let ((learnt, classes), (rest, others)) = (take(&order[..10]), take(&order[10..]));
        let probe = classifier.fit_for(Aim::ShortCode, (learnt.view(), &classes), all, 4).unwrap();
        assert_eq!(code.blocks[4].bits, probe.bits((rest.view(), &others)).unwrap());
    }

    #[test]
    fn nothing_costs_nothing() {
        let empty = Array2::<f32>::zeros((0, 4));
        let none = (empty.view(), &[][..]);
        let code = OnlineCode::of(&Classifier::new(), none, none, 3).unwrap();
        assert_eq!((code.bits(), code.uniform_bits(), code.compression()), (0.0, 0.0, 1.0));
    }
}
