//! What a caller uses: any metric behind one object-safe face.

use crate::{
    CorpusScore, Direction, Error, Evaluation, Metric, OwnedSegment, Result, Score, Segment,
    Signature, Signed, Stats,
    significance::{self, Bootstrap, Comparison, Interval, PairedTest},
};
use serde::{Deserialize, Serialize};

/// How many segments of a stream are held at once.
const STREAM_CHUNK: usize = 4096;

mod sealed {
    pub trait Sealed {}
    impl<M: crate::Metric> Sealed for M {}
}

/// Any metric, ready to score. Implemented for every [`Metric`]; nobody else can.
///
/// A corpus score always comes from merged statistics, never from an average of segment scores
/// unless that average is the metric's definition.
pub trait Scorer: Signed + std::fmt::Debug + Send + Sync + sealed::Sealed {
    /// Which way is better.
    fn direction(&self) -> Direction;

    /// The score of one segment.
    ///
    /// # Errors
    /// When the segment cannot be scored; see [`Metric::segment_stats`].
    fn segment_score(&self, segment: &Segment<'_>) -> Result<Score>;

    /// The scores of many segments, in order, on all cores.
    ///
    /// # Errors
    /// The error of the first segment that fails.
    fn segment_scores(&self, segments: &[Segment<'_>]) -> Result<Vec<Score>>;

    /// The score of a corpus.
    ///
    /// # Errors
    /// [`Error::EmptyCorpus`], or the error of the first segment that fails.
    fn corpus_score(&self, segments: &[Segment<'_>]) -> Result<CorpusScore>;

    /// The scores of the corpus and of its segments from one pass.
    ///
    /// # Errors
    /// As [`Scorer::corpus_score`].
    fn evaluate(&self, segments: &[Segment<'_>]) -> Result<Evaluation>;

    /// The score of a corpus that passes by and may be larger than memory.
    ///
    /// # Errors
    /// As [`Scorer::corpus_score`], or the first error of the stream itself.
    fn stream_score(
        &self,
        segments: &mut dyn Iterator<Item = Result<OwnedSegment>>,
    ) -> Result<CorpusScore>;

    /// The statistics of some of a corpus's segments, to be merged later.
    ///
    /// # Errors
    /// The error of the first segment that fails.
    fn shard(&self, segments: &[Segment<'_>]) -> Result<Shard>;

    /// The score of shards, in any order.
    ///
    /// # Errors
    /// [`Error::BadShard`] if a shard is another metric's, [`Error::EmptyCorpus`] if there is none.
    fn merge_shards(&self, shards: &[Shard]) -> Result<CorpusScore>;

    /// The corpus score with a bootstrap confidence interval.
    ///
    /// # Errors
    /// As [`Scorer::corpus_score`].
    fn confidence(&self, segments: &[Segment<'_>], bootstrap: &Bootstrap) -> Result<Interval>;

    /// A system against a baseline on the same segments.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the two differ in length, else as [`Scorer::corpus_score`].
    fn compare(
        &self,
        baseline: &[Segment<'_>],
        system: &[Segment<'_>],
        test: &PairedTest,
    ) -> Result<Comparison>;
}

/// Statistics of part of a corpus, with the signature of the metric they belong to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shard {
    /// Whose statistics these are.
    pub signature: Signature,
    /// How many segments they cover.
    pub segments: usize,
    /// The least and the greatest number of references of a segment.
    pub references: References,
    /// The statistics.
    pub stats: serde_json::Value,
}

/// The least and the greatest number of references of a segment; neutral for no segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct References {
    /// The fewest.
    pub least: usize,
    /// The most.
    pub most: usize,
}

impl Default for References {
    fn default() -> Self {
        Self { least: usize::MAX, most: 0 }
    }
}

impl References {
    fn of(segments: &[Segment<'_>]) -> Self {
        segments
            .iter()
            .map(|s| s.references().len())
            .fold(Self::default(), |all, n| all.merge(Self { least: n, most: n }))
    }

    fn merge(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    fn sign(self, signature: Signature) -> Signature {
        if self.least == self.most {
            signature.with("nrefs", self.most)
        } else {
            signature.with("nrefs", format!("{}-{}", self.least, self.most))
        }
    }
}

/// Statistics so far, and what the signature needs to know of the segments.
struct Tally<S> {
    stats: S,
    segments: usize,
    references: References,
}

impl<S: Stats> Tally<S> {
    fn new() -> Self {
        Self { stats: S::default(), segments: 0, references: References::default() }
    }

    fn add(&mut self, segments: &[Segment<'_>], stats: &[S]) {
        stats.iter().for_each(|s| self.stats.merge(s));
        self.segments += segments.len();
        self.references = self.references.merge(References::of(segments));
    }

    fn score<M: Metric<Stats = S>>(&self, metric: &M) -> Result<CorpusScore> {
        if self.segments == 0 {
            return Err(Error::EmptyCorpus);
        }
        Ok(CorpusScore {
            score: metric.score(&self.stats),
            signature: self.references.sign(metric.signature()),
            segments: self.segments,
        })
    }
}

impl<M: Metric> Scorer for M {
    fn direction(&self) -> Direction {
        Metric::direction(self)
    }

    fn segment_score(&self, segment: &Segment<'_>) -> Result<Score> {
        Ok(self.segment_score_of(&self.segment_stats(segment)?))
    }

    fn segment_scores(&self, segments: &[Segment<'_>]) -> Result<Vec<Score>> {
        let stats = self.batch_stats(segments)?;
        Ok(stats.iter().map(|s| self.segment_score_of(s)).collect())
    }

    fn corpus_score(&self, segments: &[Segment<'_>]) -> Result<CorpusScore> {
        let mut tally = Tally::new();
        for chunk in segments.chunks(STREAM_CHUNK) {
            tally.add(chunk, &self.batch_stats(chunk)?);
        }
        tally.score(self)
    }

    fn evaluate(&self, segments: &[Segment<'_>]) -> Result<Evaluation> {
        let stats = self.batch_stats(segments)?;
        let mut tally = Tally::new();
        tally.add(segments, &stats);
        Ok(Evaluation {
            corpus: tally.score(self)?,
            segments: stats.iter().map(|s| self.segment_score_of(s)).collect(),
        })
    }

    fn stream_score(
        &self,
        segments: &mut dyn Iterator<Item = Result<OwnedSegment>>,
    ) -> Result<CorpusScore> {
        let mut tally = Tally::new();
        loop {
            let chunk: Vec<OwnedSegment> =
                (&mut *segments).take(STREAM_CHUNK).collect::<Result<_>>()?;
            if chunk.is_empty() {
                return tally.score(self);
            }
            let borrowed: Vec<_> = chunk.iter().map(OwnedSegment::as_segment).collect();
            tally.add(&borrowed, &self.batch_stats(&borrowed)?);
        }
    }

    fn shard(&self, segments: &[Segment<'_>]) -> Result<Shard> {
        let mut tally = Tally::new();
        tally.add(segments, &self.batch_stats(segments)?);
        let stats = serde_json::to_value(&tally.stats)
            .map_err(|e| Error::source("writing statistics", e))?;
        let signature = self.signature();
        Ok(Shard { signature, segments: tally.segments, references: tally.references, stats })
    }

    fn merge_shards(&self, shards: &[Shard]) -> Result<CorpusScore> {
        let own = self.signature();
        let mut tally = Tally::<M::Stats>::new();
        for shard in shards {
            if shard.signature != own {
                let reason = format!("it is of `{}`, not of `{own}`", shard.signature);
                return Err(Error::BadShard { reason });
            }
            let stats = M::Stats::deserialize(&shard.stats)
                .map_err(|e| Error::BadShard { reason: e.to_string() })?;
            tally.stats.merge(&stats);
            tally.segments += shard.segments;
            tally.references = tally.references.merge(shard.references);
        }
        tally.score(self)
    }

    fn confidence(&self, segments: &[Segment<'_>], bootstrap: &Bootstrap) -> Result<Interval> {
        bootstrap.interval(self, &self.batch_stats(segments)?)
    }

    fn compare(
        &self,
        baseline: &[Segment<'_>],
        system: &[Segment<'_>],
        test: &PairedTest,
    ) -> Result<Comparison> {
        if baseline.len() != system.len() {
            return Err(Error::LengthMismatch {
                left: "the baseline".into(),
                left_len: baseline.len(),
                right: "the system".into(),
                right_len: system.len(),
            });
        }
        significance::compare(self, &self.batch_stats(baseline)?, &self.batch_stats(system)?, test)
    }
}
