//! What a caller uses: any metric behind one object-safe face.

use crate::{
    CorpusScore, Direction, Error, Evaluation, Explanation, Keep, Measurement, Metric, Needs,
    OwnedSegment, Result, Score, Segment, Shard, Signed, Statistics,
    measure::Measured,
    significance::{Bootstrap, Comparison, Interval, PairedTest},
};

/// How many segments of a stream are held at once.
pub(crate) const STREAM_CHUNK: usize = 4096;

mod sealed {
    pub trait Sealed {}
    impl<M: crate::Metric> Sealed for M {}
}

/// Any metric, ready to score. Implemented for every [`Metric`]; nobody else can.
///
/// A corpus score always comes from merged statistics, never from an average of segment scores
/// unless that average is the metric's definition. Whoever wants more than one answer measures once
/// ([`Scorer::measure`]) and asks the [`Measurement`]; the other methods are shorthands for one answer.
pub trait Scorer: Signed + std::fmt::Debug + Send + Sync + sealed::Sealed {
    /// Which way is better.
    fn direction(&self) -> Direction;

    /// What a segment must have.
    fn needs(&self) -> Needs;

    /// A measurement of nothing yet, to be [added](Measurement::add) to.
    fn begin(&self, keep: Keep) -> Box<dyn Measurement + '_>;

    /// The score of shards, in any order.
    ///
    /// # Errors
    /// [`Error::BadShard`] if a shard is another metric's or cannot be true, [`Error::EmptyCorpus`] if there is none.
    fn merge_shards(&self, shards: &[Shard]) -> Result<CorpusScore>;

    /// A measurement from the statistics of its segments, which another measurement [kept](Measurement::statistics).
    ///
    /// # Errors
    /// [`Error::BadShard`] if they are another metric's or cannot be true, [`Error::InOrder`] if the order of segments matters.
    fn restore(&self, statistics: &Statistics) -> Result<Box<dyn Measurement + '_>>;

    /// The score of one segment.
    ///
    /// # Errors
    /// [`Error::Needs`], or when the segment cannot be scored; see [`Metric::segment_stats`].
    fn segment_score(&self, segment: &Segment<'_>) -> Result<Score>;

    /// Why a segment has its score: what met what, and how the score is made of it.
    ///
    /// # Errors
    /// As [`Scorer::segment_score`].
    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation>;

    /// Why many segments have their scores, in order, on all cores; see also [`Panel::explain`](crate::Panel::explain).
    ///
    /// # Errors
    /// [`Error::Needs`] before anything is explained, or the error of the first segment that fails.
    fn explain_all(&self, segments: &[Segment<'_>]) -> Result<Vec<Explanation>>;

    /// Measures the segments once, for any number of answers.
    ///
    /// # Errors
    /// [`Error::Needs`] before anything is measured, or the error of the first segment that fails.
    fn measure(&self, segments: &[Segment<'_>]) -> Result<Box<dyn Measurement + '_>> {
        let mut measurement = self.begin(Keep::Segments);
        measurement.add(segments)?;
        Ok(measurement)
    }

    /// The scores of many segments, in order, on all cores.
    ///
    /// # Errors
    /// As [`Scorer::measure`].
    fn segment_scores(&self, segments: &[Segment<'_>]) -> Result<Vec<Score>> {
        self.measure(segments)?.segment_scores()
    }

    /// The score of a corpus.
    ///
    /// # Errors
    /// [`Error::EmptyCorpus`], or as [`Scorer::measure`].
    fn corpus_score(&self, segments: &[Segment<'_>]) -> Result<CorpusScore> {
        let mut measurement = self.begin(Keep::Total);
        for chunk in segments.chunks(STREAM_CHUNK) {
            measurement.add(chunk)?;
        }
        measurement.corpus_score()
    }

    /// The scores of the corpus and of its segments.
    ///
    /// # Errors
    /// As [`Scorer::corpus_score`].
    fn evaluate(&self, segments: &[Segment<'_>]) -> Result<Evaluation> {
        self.measure(segments)?.evaluation()
    }

    /// The score of a corpus that passes by and may be larger than memory.
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
    fn shard(&self, segments: &[Segment<'_>]) -> Result<Shard> {
        let mut measurement = self.begin(Keep::Total);
        measurement.add(segments)?;
        measurement.shard()
    }

    /// The corpus score with a bootstrap confidence interval.
    ///
    /// # Errors
    /// As [`Scorer::measure`], or as [`Measurement::interval`].
    fn confidence(&self, segments: &[Segment<'_>], bootstrap: &Bootstrap) -> Result<Interval> {
        self.measure(segments)?.interval(bootstrap)
    }

    /// A system against a baseline on the same segments.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the two differ in length, else as [`Scorer::confidence`].
    fn compare(
        &self,
        baseline: &[Segment<'_>],
        system: &[Segment<'_>],
        test: &PairedTest,
    ) -> Result<Comparison> {
        self.measure(system)?.compare(&*self.measure(baseline)?, test)
    }
}

/// Hands the segments of a stream on, a chunk at a time.
pub(crate) fn in_chunks(
    segments: &mut dyn Iterator<Item = Result<OwnedSegment>>,
    mut add: impl FnMut(&[Segment<'_>]) -> Result<()>,
) -> Result<()> {
    loop {
        let chunk: Vec<OwnedSegment> =
            (&mut *segments).take(STREAM_CHUNK).collect::<Result<_>>()?;
        if chunk.is_empty() {
            return Ok(());
        }
        let borrowed: Vec<_> = chunk.iter().map(OwnedSegment::as_segment).collect();
        add(&borrowed)?;
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
        measured.corpus_score()
    }

    fn restore(&self, statistics: &Statistics) -> Result<Box<dyn Measurement + '_>> {
        let mut measured = Measured::new(self, Keep::Segments);
        measured.take_up(statistics)?;
        Ok(Box::new(measured))
    }

    fn segment_score(&self, segment: &Segment<'_>) -> Result<Score> {
        Metric::needs(self).check(&self.signature(), std::slice::from_ref(segment), 1)?;
        let score = self.segment_score_of(&self.segment_stats(segment)?);
        if score.value.is_finite() {
            return Ok(score);
        }
        let what = self.signature().name().to_owned();
        Err(Error::NotFinite { what, value: score.value })
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
