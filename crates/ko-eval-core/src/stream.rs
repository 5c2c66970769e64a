//! Segments that pass by: a corpus larger than memory, from any iterator, 4,096 segments at a time.
//!
//! ```
//! use ko_eval_core::{OwnedSegment, stream};
//! # use ko_eval_core::*;
//! # #[derive(Debug)] struct Length;
//! # impl Signed for Length { fn signature(&self) -> Signature { Signature::new("Length") } }
//! # impl Metric for Length {
//! #     type Stats = MeanStats;
//! #     fn direction(&self) -> Direction { Direction::HigherIsBetter }
//! #     fn segment_stats(&self, s: &Segment<'_>) -> Result<MeanStats> { MeanStats::of(s.hypothesis().chars().count() as f64) }
//! #     fn score(&self, stats: &MeanStats) -> Score { stats.score() }
//! # }
//! # let metric = Length;
//! let lines = ["비가 온다\t비가 와요", "눈이 내린다\t눈이 와요"]; // from a file, a socket, a database
//! let segments = lines.iter().map(|line| {
//!     let (hypothesis, reference) = line.split_once('\t').unwrap_or((line, ""));
//!     OwnedSegment::new(hypothesis, [reference])
//! });
//! assert_eq!(stream::score(&metric, segments.clone())?.score.value, 5.5);
//! for score in stream::segment_scores(&metric, segments) {
//!     println!("{}", score?.value);
//! }
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use crate::{CorpusScore, Error, Keep, OwnedSegment, Result, Score, Scorer, Segment};

/// How many segments of a stream are held at once.
pub(crate) const CHUNK: usize = 4096;

/// An item of a stream: a segment, or one that may fail to be read, as the readers of ko-eval-io
/// give it.
pub trait IntoSegment {
    /// The segment.
    ///
    /// # Errors
    /// Why it could not be read.
    fn into_segment(self) -> Result<OwnedSegment>;
}

impl IntoSegment for OwnedSegment {
    fn into_segment(self) -> Result<OwnedSegment> {
        Ok(self)
    }
}

impl IntoSegment for Result<OwnedSegment> {
    fn into_segment(self) -> Result<OwnedSegment> {
        self
    }
}

/// Hands the segments of a stream on, a chunk at a time.
pub(crate) fn in_chunks<I>(
    segments: I,
    mut add: impl FnMut(&[Segment<'_>]) -> Result<()>,
) -> Result<()>
where
    I: IntoIterator<Item: IntoSegment>,
{
    let mut segments = segments.into_iter().map(IntoSegment::into_segment);
    loop {
        let chunk: Vec<OwnedSegment> = segments.by_ref().take(CHUNK).collect::<Result<_>>()?;
        if chunk.is_empty() {
            return Ok(());
        }
        let borrowed: Vec<_> = chunk.iter().map(OwnedSegment::as_segment).collect();
        add(&borrowed)?;
    }
}

/// The score of a corpus that passes by.
///
/// # Errors
/// As [`Scorer::corpus_score`], or the first error of the stream itself.
pub fn score(
    scorer: &dyn Scorer,
    segments: impl IntoIterator<Item: IntoSegment>,
) -> Result<CorpusScore> {
    let mut measurement = scorer.begin(Keep::Total);
    in_chunks(segments, |chunk| measurement.add(chunk))?;
    measurement.corpus_score()
}

/// The score of each segment that passes by, in order, scored on all cores. The first error is the last item.
pub fn segment_scores<I: IntoIterator<Item: IntoSegment>>(
    scorer: &dyn Scorer,
    segments: I,
) -> SegmentScores<'_, I::IntoIter> {
    SegmentScores::new(scorer, segments.into_iter())
}

/// The scores of segments that pass by; made by [`segment_scores`].
#[derive(Debug)]
pub struct SegmentScores<'s, I> {
    scorer: &'s dyn Scorer,
    segments: I,
    /// The scores of the chunk that was scored last.
    scored: std::vec::IntoIter<Score>,
    /// How many segments the chunks so far have had.
    passed: usize,
    failed: Option<Error>,
    ended: bool,
}

impl<'s, I> SegmentScores<'s, I> {
    fn new(scorer: &'s dyn Scorer, segments: I) -> Self {
        let scored = Vec::new().into_iter();
        Self { scorer, segments, scored, passed: 0, failed: None, ended: false }
    }
}

impl<I: Iterator<Item: IntoSegment>> SegmentScores<'_, I> {
    /// Scores the next chunk. A segment that cannot be read is told of after the scores of those before it.
    fn score_chunk(&mut self) -> Result<()> {
        let mut chunk = Vec::new();
        for segment in self.segments.by_ref().take(CHUNK) {
            match segment.into_segment() {
                Ok(segment) => chunk.push(segment),
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            }
        }
        self.ended = chunk.len() < CHUNK;
        let borrowed: Vec<_> = chunk.iter().map(OwnedSegment::as_segment).collect();
        let mut measurement = self.scorer.begin(Keep::Segments);
        measurement.add(&borrowed).map_err(|error| match error {
            Error::Needs { metric, what, segment } => {
                Error::Needs { metric, what, segment: segment + self.passed }
            }
            other => other,
        })?;
        self.scored = measurement.segment_scores()?.into_iter();
        self.passed += chunk.len();
        Ok(())
    }
}

impl<I: Iterator<Item: IntoSegment>> Iterator for SegmentScores<'_, I> {
    type Item = Result<Score>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(score) = self.scored.next() {
            return Some(Ok(score));
        }
        if !self.ended
            && let Err(error) = self.score_chunk()
        {
            self.ended = true;
            self.failed = None;
            return Some(Err(error));
        }
        self.scored.next().map(Ok).or_else(|| self.failed.take().map(Err))
    }
}

impl<I: Iterator<Item: IntoSegment>> std::iter::FusedIterator for SegmentScores<'_, I> {}
