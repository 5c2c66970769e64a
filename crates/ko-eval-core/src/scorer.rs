//! What a caller uses: any metric behind one object-safe face.

use crate::{
    Aggregate, CorpusScore, Direction, Evaluation, Explanation, Keep, Measurement, Metric, Needs,
    OwnedSegment, Result, Score, Segment, Segments, Shard, Signed, Statistics,
    measure::Measured,
    significance::{Bootstrap, Comparison, Interval, PairedTest},
    stream::{CHUNK, in_chunks},
};
use std::sync::Arc;

mod sealed {
    pub trait Sealed {}
    impl<M: crate::Metric> Sealed for M {}
    impl Sealed for Box<dyn super::Scorer + '_> {}
    impl Sealed for std::sync::Arc<dyn super::Scorer + '_> {}
    impl Sealed for &(dyn super::Scorer + '_) {}
}

/// Any metric, ready to score. Implemented for every [`Metric`], and for `Box<dyn Scorer>`, `Arc<dyn Scorer>` and
/// `&dyn Scorer`; nobody else can.
///
/// A corpus score always comes from merged statistics, never from an average of segment scores
/// unless that average is the metric's definition. Whoever wants more than one answer measures once
/// ([`Scorer::measure`]) and asks the [`Measurement`]; the other methods are shorthands for one answer.
pub trait Scorer: Signed + Aggregate + std::fmt::Debug + Send + Sync + sealed::Sealed {
    /// Which way is better.
    fn direction(&self) -> Direction;

    /// What a segment must have.
    fn needs(&self) -> Needs;

    /// A measurement of nothing yet, to be [added](Measurement::add) to.
    fn begin(&self, keep: Keep) -> Box<dyn Measurement + '_>;

    /// The score of shards, in any order.
    ///
    /// # Errors
    /// [`Error::BadShard`](crate::Error::BadShard) if a shard is another metric's or cannot be true, [`Error::EmptyCorpus`](crate::Error::EmptyCorpus) if there is none.
    fn merge_shards(&self, shards: &[Shard]) -> Result<CorpusScore>;

    /// A measurement from the statistics of its segments, which another measurement [kept](Measurement::statistics).
    ///
    /// # Errors
    /// [`Error::BadShard`](crate::Error::BadShard) if they are another metric's or cannot be true, [`Error::InOrder`](crate::Error::InOrder) if the order of segments matters.
    fn restore(&self, statistics: &Statistics) -> Result<Box<dyn Measurement + '_>>;

    /// The score of one segment.
    ///
    /// # Errors
    /// [`Error::Needs`](crate::Error::Needs), or when the segment cannot be scored; see [`Metric::segment_stats`].
    fn segment_score(&self, segment: &Segment<'_>) -> Result<Score>;

    /// Why a segment has its score: what met what, and how the score is made of it.
    ///
    /// # Errors
    /// As [`Scorer::segment_score`].
    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation>;

    /// Why many segments have their scores, in order, on all cores; see also [`Panel::explain`](crate::Panel::explain).
    ///
    /// # Errors
    /// [`Error::Needs`](crate::Error::Needs) before anything is explained, or the error of the first segment that fails.
    fn explain_all(&self, segments: &[Segment<'_>]) -> Result<Vec<Explanation>>;

    /// Measures the segments once, for any number of answers.
    ///
    /// # Errors
    /// [`Error::Needs`](crate::Error::Needs) before anything is measured, or the error of the first segment that fails.
    fn measure(&self, segments: &dyn Segments) -> Result<Box<dyn Measurement + '_>> {
        let mut measurement = self.begin(Keep::Segments);
        measurement.add(&segments.as_segments())?;
        Ok(measurement)
    }

    /// The scores of many segments, in order, on all cores.
    ///
    /// # Errors
    /// As [`Scorer::measure`].
    fn segment_scores(&self, segments: &dyn Segments) -> Result<Vec<Score>> {
        self.measure(segments)?.segment_scores()
    }

    /// The score of a corpus.
    ///
    /// # Errors
    /// [`Error::EmptyCorpus`](crate::Error::EmptyCorpus), or as [`Scorer::measure`].
    fn corpus_score(&self, segments: &dyn Segments) -> Result<CorpusScore> {
        let mut measurement = self.begin(Keep::Total);
        for chunk in segments.as_segments().chunks(CHUNK) {
            measurement.add(chunk)?;
        }
        measurement.corpus_score()
    }

    /// The scores of the corpus and of its segments.
    ///
    /// # Errors
    /// As [`Scorer::corpus_score`].
    fn evaluate(&self, segments: &dyn Segments) -> Result<Evaluation> {
        self.measure(segments)?.evaluation()
    }

    /// The score of a corpus that passes by and may be larger than memory; [`stream`](crate::stream) has the same for
    /// any iterator.
    ///
    /// # Errors
    /// As [`Scorer::corpus_score`], or the first error of the stream itself.
    fn stream_score(
        &self,
        segments: &mut dyn Iterator<Item = Result<OwnedSegment>>,
    ) -> Result<CorpusScore> {
        let mut measurement = self.begin(Keep::Total);
        in_chunks(segments, |chunk| measurement.add(chunk))?;
        measurement.corpus_score()
    }

    /// The statistics of some of a corpus's segments, to be merged later.
    ///
    /// # Errors
    /// As [`Scorer::measure`], or as [`Measurement::shard`].
    fn shard(&self, segments: &dyn Segments) -> Result<Shard> {
        let mut measurement = self.begin(Keep::Total);
        measurement.add(&segments.as_segments())?;
        measurement.shard()
    }

    /// The corpus score with a bootstrap confidence interval.
    ///
    /// # Errors
    /// As [`Scorer::measure`], or as [`Measurement::interval`].
    fn confidence(&self, segments: &dyn Segments, bootstrap: &Bootstrap) -> Result<Interval> {
        self.measure(segments)?.interval(bootstrap)
    }

    /// A system against a baseline on the same segments.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`](crate::Error::LengthMismatch) if the two differ in length, else as [`Scorer::confidence`].
    fn compare(
        &self,
        baseline: &dyn Segments,
        system: &dyn Segments,
        test: &PairedTest,
    ) -> Result<Comparison> {
        self.measure(system)?.compare(&*self.measure(baseline)?, test)
    }
}

impl<M: Metric> Scorer for M {
    fn direction(&self) -> Direction {
        Metric::direction(self)
    }

    fn needs(&self) -> Needs {
        Metric::needs(self)
    }

    fn begin(&self, keep: Keep) -> Box<dyn Measurement + '_> {
        Box::new(Measured::new(self, keep))
    }

    fn merge_shards(&self, shards: &[Shard]) -> Result<CorpusScore> {
        let mut measured = Measured::new(self, Keep::Total);
        shards.iter().try_for_each(|shard| measured.merge(shard))?;
        measured.check_total()?;
        measured.corpus_score()
    }

    fn restore(&self, statistics: &Statistics) -> Result<Box<dyn Measurement + '_>> {
        let mut measured = Measured::new(self, Keep::Segments);
        measured.take_up(statistics)?;
        Ok(Box::new(measured))
    }

    fn segment_score(&self, segment: &Segment<'_>) -> Result<Score> {
        Metric::needs(self).check(&self.signature(), std::slice::from_ref(segment), 1)?;
        self.segment_score_of(&self.segment_stats(segment)?).finite(self)
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        Metric::needs(self).check(&self.signature(), std::slice::from_ref(segment), 1)?;
        Metric::explain(self, segment)?.checked()
    }

    fn explain_all(&self, segments: &[Segment<'_>]) -> Result<Vec<Explanation>> {
        Metric::needs(self).check(&self.signature(), segments, 1)?;
        Metric::explain_all(self, segments)?.into_iter().map(Explanation::checked).collect()
    }
}

/// A pointer to a scorer scores as what it points to.
macro_rules! pointer {
    ($pointer:ty) => {
        impl Scorer for $pointer {
            fn direction(&self) -> Direction {
                (**self).direction()
            }

            fn needs(&self) -> Needs {
                (**self).needs()
            }

            fn begin(&self, keep: Keep) -> Box<dyn Measurement + '_> {
                (**self).begin(keep)
            }

            fn merge_shards(&self, shards: &[Shard]) -> Result<CorpusScore> {
                (**self).merge_shards(shards)
            }

            fn restore(&self, statistics: &Statistics) -> Result<Box<dyn Measurement + '_>> {
                (**self).restore(statistics)
            }

            fn segment_score(&self, segment: &Segment<'_>) -> Result<Score> {
                (**self).segment_score(segment)
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

pointer!(Box<dyn Scorer + '_>);
pointer!(Arc<dyn Scorer + '_>);
pointer!(&(dyn Scorer + '_));
