//! What a metric's author implements.

use crate::{Explanation, Needs, Result, Score, Segment, Signed, parallel};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    fmt::{self, Debug},
    sync::Arc,
};

/// Sufficient statistics: a commutative monoid with [`Default`] as its neutral element.
///
/// Shards, threads, bootstrap samples and cluster partitions merge in any order to the same
/// statistics, so floating-point sums belong into an [`ExactSum`](crate::ExactSum).
pub trait Stats:
    Clone + Default + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// Adds the other's segments to these. Counts saturate instead of overflowing; what was merged from files is
    /// checked once more, and refused where it is more than can be counted.
    fn merge(&mut self, other: &Self);

    /// What is wrong with statistics that were read from a file: more matches than n-grams, sums that are not finite.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// How many segments went into them, where they know; never more than there were.
    fn known_segments(&self) -> Option<u64> {
        None
    }

    /// The statistics as numbers, if they are sums and nothing else: those of two segments merged are then the sums of
    /// theirs, number by number. Resampling adds up such numbers ten times faster than it merges statistics.
    fn to_numbers(&self) -> Option<Vec<f64>> {
        None
    }

    /// Statistics from their numbers: what [`Stats::to_numbers`] gave, summed over segments.
    fn from_numbers(_numbers: &[f64]) -> Option<Self> {
        None
    }
}

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// A similarity: BLEU, chrF.
    HigherIsBetter,
    /// An error rate: TER, EED.
    LowerIsBetter,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HigherIsBetter => "higher is better",
            Self::LowerIsBetter => "lower is better",
        })
    }
}

/// In which order a metric's statistics may be merged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Merging {
    /// In any: shards, resamples and partitions give the same score.
    #[default]
    AnyOrder,
    /// Only in the order of the segments, because the reference implementation looks at one segment's place. A whole
    /// corpus is scored; shards, intervals and paired tests are refused.
    InOrder,
}

/// A metric as its author writes it: statistics of a segment, and the score of statistics.
///
/// Callers use [`Scorer`](crate::Scorer), which every metric is by itself.
pub trait Metric: Signed + Debug + Send + Sync {
    /// What is known of one segment or of many.
    type Stats: Stats;

    /// Which way is better.
    fn direction(&self) -> Direction;

    /// What a segment must have; checked before anything is measured.
    fn needs(&self) -> Needs {
        Needs::REFERENCES
    }

    /// What is wrong with statistics that were read from a file as those of so many segments. Override it where the metric's settings decide which are
    /// possible (how many orders there are), and ask [`Stats::check`] as well.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    fn check(&self, stats: &Self::Stats, _segments: usize) -> Result<(), String> {
        stats.check()
    }

    /// Whether the order of segments matters.
    fn merging(&self) -> Merging {
        Merging::AnyOrder
    }

    /// The statistics of one segment, which has what the metric [needs](Metric::needs).
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
        parallel::par_map(segments, |segment| self.segment_stats(segment))
    }

    /// Why a segment, which has what the metric [needs](Metric::needs), has its score. By default only the score and its
    /// details; override it to tell what met what. The score is that of [`Metric::segment_score_of`].
    ///
    /// # Errors
    /// As [`Metric::segment_stats`].
    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let score = self.segment_score_of(&self.segment_stats(segment)?);
        Ok(Explanation::of_score(self.signature(), self.direction(), score))
    }

    /// Why many segments have their scores, in order, on all cores. Override it where a batch is cheaper than its parts.
    ///
    /// # Errors
    /// The error of the first segment that fails.
    fn explain_all(&self, segments: &[Segment<'_>]) -> Result<Vec<Explanation>> {
        parallel::par_map(segments, |segment| self.explain(segment))
    }
}

/// A pointer to a metric is the metric it points to.
macro_rules! pointer {
    ($pointer:ty) => {
        impl<M: Metric> Metric for $pointer {
            type Stats = M::Stats;

            fn direction(&self) -> Direction {
                (**self).direction()
            }

            fn needs(&self) -> Needs {
                (**self).needs()
            }

            fn check(&self, stats: &M::Stats, segments: usize) -> Result<(), String> {
                (**self).check(stats, segments)
            }

            fn merging(&self) -> Merging {
                (**self).merging()
            }

            fn segment_stats(&self, segment: &Segment<'_>) -> Result<M::Stats> {
                (**self).segment_stats(segment)
            }

            fn score(&self, stats: &M::Stats) -> Score {
                (**self).score(stats)
            }

            fn segment_score_of(&self, stats: &M::Stats) -> Score {
                (**self).segment_score_of(stats)
            }

            fn value(&self, stats: &M::Stats) -> f64 {
                (**self).value(stats)
            }

            fn batch_stats(&self, segments: &[Segment<'_>]) -> Result<Vec<M::Stats>> {
                (**self).batch_stats(segments)
            }

            fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
                (**self).explain(segment)
            }

            fn explain_all(&self, segments: &[Segment<'_>]) -> Result<Vec<Explanation>> {
                (**self).explain_all(segments)
            }
        }
    };
}

pointer!(&M);
pointer!(Box<M>);
pointer!(Arc<M>);
