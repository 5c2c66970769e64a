//! What a metric's author implements.

use crate::{Result, Score, Segment, Signed, parallel};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

/// Sufficient statistics: a commutative monoid with [`Default`] as its neutral element.
///
/// Shards, threads, bootstrap samples and cluster partitions merge in any order to the same
/// statistics, so floating-point sums belong into an [`ExactSum`](crate::ExactSum).
pub trait Stats:
    Clone + Default + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// Adds the other's segments to these.
    fn merge(&mut self, other: &Self);
}

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// A similarity: BLEU, chrF.
    HigherIsBetter,
    /// An error rate: TER, EED.
    LowerIsBetter,
}

/// A metric as its author writes it: statistics of a segment, and the score of statistics.
///
/// Callers use [`Scorer`](crate::Scorer), which every metric is by itself.
pub trait Metric: Signed + Debug + Send + Sync {
    /// What is known of one segment or of many.
    type Stats: Stats;

    /// Which way is better.
    fn direction(&self) -> Direction;

    /// The statistics of one segment.
    ///
    /// # Errors
    /// When the segment cannot be cut into units, or is beyond a documented limit.
    fn segment_stats(&self, segment: &Segment<'_>) -> Result<Self::Stats>;

    /// The score of merged statistics. Total: finite for any statistics.
    fn score(&self, stats: &Self::Stats) -> Score;

    /// The score of one segment's statistics, where the rule differs from the corpus's
    /// (BLEU's effective order).
    fn segment_score_of(&self, stats: &Self::Stats) -> Score {
        self.score(stats)
    }

    /// Only the value of [`Metric::score`]; override it where the details cost something, because
    /// resampling calls it thousands of times.
    fn value(&self, stats: &Self::Stats) -> f64 {
        self.score(stats).value
    }

    /// The statistics of many segments, in order, on all cores. Override it where a batch is
    /// cheaper than its parts (a neural encoder).
    ///
    /// # Errors
    /// The error of the first segment that fails.
    fn batch_stats(&self, segments: &[Segment<'_>]) -> Result<Vec<Self::Stats>> {
        parallel::try_map(segments, |segment| self.segment_stats(segment))
    }
}
