//! Measured once, asked often: a corpus's statistics, and everything that follows from them.

use crate::{
    CorpusScore, Direction, Error, Evaluation, Merging, Metric, References, Result, Score, Segment,
    Shard, Signature, Statistics, Stats,
    significance::{Batch, Bootstrap, Comparison, Interval, PairedTest, Rows},
};
use serde::Deserialize as _;
use std::any::Any;

/// What a measurement keeps of its segments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Keep {
    /// The statistics of each: for segment scores, intervals and paired tests.
    #[default]
    Segments,
    /// Only their sum: memory does not grow with the number of segments (but for NIST, whose sum is all of the texts).
    Total,
}

mod sealed {
    pub trait Sealed {}
    impl<M: crate::Metric> Sealed for super::Measured<'_, M> {}
}

/// What one pass over a corpus has found. No text is cut, and no model run, for any of the answers.
///
/// Made by [`Scorer::measure`](crate::Scorer::measure), or begun empty by [`Scorer::begin`](crate::Scorer::begin) and
/// added to.
///
/// ```
/// use ko_eval_core::{Corpus, Scorer, significance::{Bootstrap, PairedTest}};
/// # use ko_eval_core::*;
/// # #[derive(Debug)] struct ExactMatch;
/// # impl Signed for ExactMatch { fn signature(&self) -> Signature { Signature::new("ExactMatch") } }
/// # impl Metric for ExactMatch {
/// #     type Stats = MeanStats;
/// #     fn direction(&self) -> Direction { Direction::HigherIsBetter }
/// #     fn segment_stats(&self, s: &Segment<'_>) -> Result<MeanStats> {
/// #         MeanStats::of(f64::from(u8::from(s.references().contains(&s.hypothesis()))))
/// #     }
/// #     fn score(&self, stats: &MeanStats) -> Score { stats.score() }
/// # }
/// let references = [["비가 온다.", "눈이 온다.", "해가 뜬다."]];
/// let one = Corpus::from_columns(["비가 온다.", "눈이 온다.", "달이 뜬다."], references)?;
/// let other = Corpus::from_columns(["비가 온다.", "눈이 내린다.", "달이 뜬다."], references)?;
///
/// let [one, other] = [ExactMatch.measure(&one.segments())?, ExactMatch.measure(&other.segments())?];
/// assert_eq!(one.corpus_score()?.score.value, 2.0 / 3.0);
/// assert_eq!(one.segment_scores()?[2].value, 0.0);
/// let interval = one.interval(&Bootstrap::default())?;
/// assert!(interval.low <= interval.score && interval.score <= interval.high);
/// assert!(one.compare(&*other, &PairedTest::bootstrap(1000, 1)?)?.p_value > 0.05);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
pub trait Measurement: std::fmt::Debug + Send + Sync + sealed::Sealed {
    /// Measures more segments.
    ///
    /// # Errors
    /// [`Error::Needs`] before anything is measured, or the error of the first segment that fails.
    fn add(&mut self, segments: &[Segment<'_>]) -> Result<()>;

    /// How many segments were measured.
    fn len(&self) -> usize;

    /// Whether none was.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Which way is better.
    fn direction(&self) -> Direction;

    /// The score of the corpus.
    ///
    /// # Errors
    /// [`Error::EmptyCorpus`], or [`Error::NotFinite`] if the metric gave no number.
    fn corpus_score(&self) -> Result<CorpusScore>;

    /// The score of every segment, in order.
    ///
    /// # Errors
    /// [`Error::NotKept`] if only the total was kept, [`Error::NotFinite`] if the metric gave no number.
    fn segment_scores(&self) -> Result<Vec<Score>>;

    /// The scores of the corpus and of its segments.
    ///
    /// # Errors
    /// As [`Measurement::corpus_score`] and [`Measurement::segment_scores`].
    fn evaluation(&self) -> Result<Evaluation> {
        Ok(Evaluation { corpus: self.corpus_score()?, segments: self.segment_scores()? })
    }

    /// The corpus score with a bootstrap confidence interval. For several measurements of the same segments,
    /// [`Bootstrap::intervals`] draws once.
    ///
    /// # Errors
    /// [`Error::EmptyCorpus`], [`Error::NotKept`], or [`Error::InOrder`] if the order of segments matters.
    fn interval(&self, bootstrap: &Bootstrap) -> Result<Interval>;

    /// This system against a baseline that was measured by the same metric on the same segments.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], [`Error::BadShard`] if another metric measured the baseline, else as
    /// [`Measurement::interval`].
    fn compare(&self, baseline: &dyn Measurement, test: &PairedTest) -> Result<Comparison>;

    /// The statistics, to be merged with others later.
    ///
    /// # Errors
    /// [`Error::InOrder`] if the order of segments matters.
    fn shard(&self) -> Result<Shard>;

    /// The same of some of the segments only, by their numbers from 0; what was measured is not measured again.
    ///
    /// # Errors
    /// [`Error::NotKept`], or [`Error::InOrder`] if the order of segments matters.
    fn select(&self, segments: &[usize]) -> Result<Box<dyn Measurement + '_>>;

    /// The statistics of each segment, to be taken up again by [`Scorer::restore`](crate::Scorer::restore).
    ///
    /// # Errors
    /// [`Error::NotKept`], or [`Error::InOrder`] if the order of segments matters.
    fn statistics(&self) -> Result<Statistics>;

    /// The metric's signature, without the number of references.
    fn signature(&self) -> Signature;

    #[doc(hidden)]
    fn rows(&self) -> Option<&dyn Any>;

    /// The score of the corpus in each resample of a batch.
    #[doc(hidden)]
    fn resampled(&self, batch: &Batch) -> Vec<f64>;

    /// Whether intervals and tests can be had.
    #[doc(hidden)]
    fn check_resampling(&self) -> Result<()>;

    /// Both scores in each resample of a batch whose weights, 1 or 0, say which of the two systems comes first.
    #[doc(hidden)]
    fn swapped(&self, other: &dyn Measurement, batch: &Batch) -> Result<Vec<(f64, f64)>>;
}

/// 2⁵³: up to here every whole number is a number of its own, and no corpus has more of anything.
const MOST_COUNTED: f64 = (1u64 << 53) as f64;

/// Whether statistics from elsewhere can be true of so many segments.
pub(crate) fn check_stats<M: Metric>(
    metric: &M,
    stats: &M::Stats,
    segments: usize,
) -> Result<(), String> {
    metric.check(stats, segments)?;
    if let Some(counted) = stats.known_segments().filter(|counted| *counted > segments as u64) {
        return Err(format!("statistics of {counted} segments, where {segments} are stated"));
    }
    let numbers = stats.to_numbers().unwrap_or_default();
    let possible = -MOST_COUNTED..=MOST_COUNTED;
    match numbers.iter().find(|number| !possible.contains(*number)) {
        Some(number) => Err(format!("{number} is more than can be counted")),
        None => Ok(()),
    }
}

/// What is said where a metric's segments would be taken in any order.
pub(crate) fn in_order<M: Metric>(metric: &M) -> Error {
    Error::InOrder { metric: metric.signature().to_string() }
}

/// A metric's statistics so far.
#[derive(Debug)]
pub(crate) struct Measured<'m, M: Metric> {
    metric: &'m M,
    total: M::Stats,
    /// Of each segment, if they are kept.
    rows: Option<Rows<M::Stats>>,
    segments: usize,
    references: References,
}

impl<'m, M: Metric> Measured<'m, M> {
    pub(crate) fn new(metric: &'m M, keep: Keep) -> Self {
        let rows = match keep {
            Keep::Segments => Some(Rows::default()),
            Keep::Total => None,
        };
        let (total, references) = (M::Stats::default(), References::default());
        Self { metric, total, rows, segments: 0, references }
    }

    /// Adds statistics that were measured elsewhere; their segments are not known one by one.
    pub(crate) fn merge(&mut self, shard: &Shard) -> Result<()> {
        self.any_order()?;
        self.same_metric(&shard.signature)?;
        shard.verify()?;
        let stats = self.checked(&shard.stats, shard.segments)?;
        let segments = self.segments.checked_add(shard.segments);
        self.segments = segments.ok_or_else(|| Error::BadShard {
            reason: "more segments than can be counted".into(),
        })?;
        self.total.merge(&stats);
        self.references = self.references.merge(shard.references);
        Ok(())
    }

    /// Adds the statistics of single segments that were measured at another time.
    pub(crate) fn take_up(&mut self, kept: &Statistics) -> Result<()> {
        self.any_order()?;
        self.same_metric(&kept.signature)?;
        kept.verify()?;
        let stats = kept.segments.iter().map(|stats| self.checked(stats, 1));
        let stats = stats.collect::<Result<Vec<_>>>()?;
        stats.iter().for_each(|s| self.total.merge(s));
        self.segments += stats.len();
        self.references = self.references.merge(kept.references);
        if let Some(rows) = &mut self.rows {
            rows.extend(stats);
        }
        Ok(())
    }

    fn same_metric(&self, signature: &Signature) -> Result<()> {
        let own = self.metric.signature();
        if *signature == own {
            return Ok(());
        }
        Err(Error::BadShard { reason: format!("it is of `{signature}`, not of `{own}`") })
    }

    /// Statistics from a file, if they can be true of so many segments.
    fn checked(&self, stats: &serde_json::Value, segments: usize) -> Result<M::Stats> {
        let bad = |reason| Error::BadShard { reason };
        let stats = M::Stats::deserialize(stats).map_err(|e| bad(e.to_string()))?;
        check_stats(self.metric, &stats, segments).map_err(bad)?;
        Ok(stats)
    }

    /// Whether all that was merged can be true: counts that saturated cannot.
    pub(crate) fn check_total(&self) -> Result<()> {
        check_stats(self.metric, &self.total, self.segments)
            .map_err(|reason| Error::BadShard { reason })
    }

    fn any_order(&self) -> Result<()> {
        match self.metric.merging() {
            Merging::AnyOrder => Ok(()),
            Merging::InOrder => Err(in_order(self.metric)),
        }
    }

    fn kept(&self) -> Result<&Rows<M::Stats>> {
        self.rows.as_ref().ok_or(Error::NotKept)
    }

    /// The rows of a measurement by the same metric of as many segments.
    fn rows_of<'o>(&self, other: &'o dyn Measurement) -> Result<&'o Rows<M::Stats>> {
        let (own, theirs) = (Measurement::signature(self), other.signature());
        if own != theirs {
            let reason = format!("one system was measured by `{own}`, the other by `{theirs}`");
            return Err(Error::BadShard { reason });
        }
        if self.len() != other.len() {
            return Err(Error::LengthMismatch {
                left: "the baseline".into(),
                left_len: other.len(),
                right: "the system".into(),
                right_len: self.len(),
            });
        }
        let rows = other.rows().and_then(|rows| rows.downcast_ref());
        rows.ok_or(Error::NotKept)
    }
}

impl<M: Metric> Measurement for Measured<'_, M> {
    fn add(&mut self, segments: &[Segment<'_>]) -> Result<()> {
        self.metric.needs().check(&self.metric.signature(), segments, self.segments + 1)?;
        let stats = self.metric.batch_stats(segments)?;
        stats.iter().for_each(|s| self.total.merge(s));
        self.segments += segments.len();
        self.references = self.references.merge(References::of(segments));
        if let Some(rows) = &mut self.rows {
            rows.extend(stats);
        }
        Ok(())
    }

    fn len(&self) -> usize {
        self.segments
    }

    fn direction(&self) -> Direction {
        self.metric.direction()
    }

    fn signature(&self) -> Signature {
        self.metric.signature()
    }

    fn corpus_score(&self) -> Result<CorpusScore> {
        if self.segments == 0 {
            return Err(Error::EmptyCorpus);
        }
        Ok(CorpusScore {
            score: self.metric.score(&self.total).finite(self.metric)?,
            signature: self.references.sign(self.metric.signature()),
            segments: self.segments,
        })
    }

    fn segment_scores(&self) -> Result<Vec<Score>> {
        let stats = self.kept()?.stats().iter();
        stats.map(|stats| self.metric.segment_score_of(stats).finite(self.metric)).collect()
    }

    fn interval(&self, bootstrap: &Bootstrap) -> Result<Interval> {
        let mut intervals = bootstrap.intervals(&[self])?;
        intervals.pop().ok_or(Error::EmptyCorpus)
    }

    fn compare(&self, baseline: &dyn Measurement, test: &PairedTest) -> Result<Comparison> {
        let mut comparisons = test.compare(&[(baseline, self)])?;
        comparisons.pop().ok_or(Error::EmptyCorpus)
    }

    fn shard(&self) -> Result<Shard> {
        self.any_order()?;
        let stats = serde_json::to_value(&self.total)
            .map_err(|e| Error::source("writing statistics", e))?;
        let signature = self.metric.signature();
        let (segments, references) = (self.segments, self.references);
        Ok(Shard { signature, unit: None, segments, references, stats, digest: None }.sealed())
    }

    fn select(&self, segments: &[usize]) -> Result<Box<dyn Measurement + '_>> {
        self.any_order()?;
        let all = self.kept()?.stats();
        let stats: Vec<M::Stats> =
            segments.iter().filter_map(|number| all.get(*number)).cloned().collect();
        let mut part = Self::new(self.metric, Keep::Segments);
        stats.iter().for_each(|s| part.total.merge(s));
        part.segments = stats.len();
        part.references = self.references;
        if let Some(rows) = &mut part.rows {
            rows.extend(stats);
        }
        Ok(Box::new(part))
    }

    fn statistics(&self) -> Result<Statistics> {
        self.any_order()?;
        let stats = self.kept()?.stats().iter().map(serde_json::to_value);
        let segments =
            stats.collect::<Result<_, _>>().map_err(|e| Error::source("writing statistics", e))?;
        let signature = self.metric.signature();
        Ok(Statistics::new(signature, self.references, segments))
    }

    fn rows(&self) -> Option<&dyn Any> {
        self.rows.as_ref().map(|rows| rows as &dyn Any)
    }

    fn check_resampling(&self) -> Result<()> {
        self.any_order()?;
        self.kept()?;
        if self.segments == 0 { Err(Error::EmptyCorpus) } else { Ok(()) }
    }

    fn resampled(&self, batch: &Batch) -> Vec<f64> {
        let Some(rows) = &self.rows else { return Vec::new() };
        rows.totals(batch).iter().map(|total| self.metric.value(total)).collect()
    }

    fn swapped(&self, other: &dyn Measurement, batch: &Batch) -> Result<Vec<(f64, f64)>> {
        let (own, theirs) = (self.kept()?, self.rows_of(other)?);
        let opposite = batch.opposite();
        let sides = |weights, others| {
            let mut totals = own.totals(weights);
            totals.iter_mut().zip(theirs.totals(others)).for_each(|(all, more)| all.merge(&more));
            totals.into_iter().map(|total| self.metric.value(&total)).collect::<Vec<_>>()
        };
        let (left, right) = (sides(batch, &opposite), sides(&opposite, batch));
        Ok(left.into_iter().zip(right).collect())
    }
}
