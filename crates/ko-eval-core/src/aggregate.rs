//! Sums of many groups in one pass, as bytes that travel: what an aggregate function of a database holds.

use crate::{
    CorpusScore, Error, Fingerprint, Merging, Metric, References, Result, Scorer, Segment, Stats,
    measure::{check_stats, in_order},
    significance::Poisson,
};
use serde::{Deserialize, Serialize};
use std::{any::Any, fmt::Debug, sync::Arc};

mod sealed {
    pub trait Sealed {}
    impl<M: crate::Metric> Sealed for M {}
    impl Sealed for Box<dyn crate::Scorer + '_> {}
    impl Sealed for std::sync::Arc<dyn crate::Scorer + '_> {}
    impl Sealed for &(dyn crate::Scorer + '_) {}
}

/// The statistics of groups of segments, which are numbered from 0. Made, filled and read by an [`Aggregate`]; unlike a
/// [`Measurement`](crate::Measurement) it borrows nothing, and of each group it holds the sum alone.
#[derive(Debug)]
pub struct Totals {
    poisson: Option<Poisson>,
    groups: Box<dyn Groups>,
}

/// What a group came to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// The score of the group.
    pub corpus: CorpusScore,
    /// Its score in each resample that is not empty, if it was resampled. Two groups of the same keys leave out the same resamples.
    pub resamples: Vec<f64>,
}

/// A metric as a database's aggregate function: rows come in any order and in any number of parts, each part's sums travel as bytes, and the
/// merged sums are those of the whole, to the bit. Every [`Scorer`] is one.
///
/// ```
/// use ko_eval_core::{Aggregate, Segment};
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
/// let rows = [Segment::new("비가 온다.", ["비가 온다."])?, Segment::new("눈이 온다.", ["비가 온다."])?];
/// let mut here = ExactMatch.totals(None)?;
/// here.resize(2);
/// ExactMatch.add_to(&mut here, &rows, &[0, 1], &[])?; // the first row is of group 0, the second of group 1
///
/// let mut there = ExactMatch.totals(None)?;
/// there.resize(1);
/// for group in 0..2 {
///     ExactMatch.merge_into(&mut there, 0, &ExactMatch.to_bytes(&here, group)?)?;
/// }
/// assert_eq!(ExactMatch.outcome(&there, 0)?.unwrap().corpus.score.value, 0.5);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
pub trait Aggregate: sealed::Sealed {
    /// Sums of no groups yet, and of so many resamples.
    ///
    /// # Errors
    /// [`Error::InOrder`] if the order of segments matters.
    fn totals(&self, poisson: Option<Poisson>) -> Result<Totals>;

    /// Adds each segment to its group. `keys` are what the weights of segments in resamples are drawn by ([`Poisson::key`]); without resamples they
    /// are not looked at.
    ///
    /// # Errors
    /// [`Error::Needs`] before anything is measured, the error of the first segment that fails, or [`Error::LengthMismatch`].
    fn add_to(
        &self,
        totals: &mut Totals,
        segments: &[Segment<'_>],
        groups: &[usize],
        keys: &[u64],
    ) -> Result<()>;

    /// Adds the sums of a group of another part, from their bytes.
    ///
    /// # Errors
    /// [`Error::BadShard`] if they are another metric's (also: over another dictionary) or another bootstrap's, or cannot be true.
    fn merge_into(&self, totals: &mut Totals, group: usize, bytes: &[u8]) -> Result<()>;

    /// The sums of a group, for [`Aggregate::merge_into`]. A few bytes for each number, where a number is small.
    ///
    /// # Errors
    /// [`Error::BadShard`] if there is no such group.
    fn to_bytes(&self, totals: &Totals, group: usize) -> Result<Vec<u8>>;

    /// What a group came to; nothing where it has no segments.
    ///
    /// # Errors
    /// [`Error::NotFinite`] if the metric gave no number, [`Error::BadShard`] if there is no such group or more was merged than can be counted.
    fn outcome(&self, totals: &Totals, group: usize) -> Result<Option<Outcome>>;
}

impl Totals {
    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many segments a group has; none of a group that there is not.
    pub fn segments(&self, group: usize) -> usize {
        self.groups.segments(group)
    }

    /// Makes room for so many groups.
    pub fn resize(&mut self, groups: usize) {
        self.groups.resize(groups);
    }

    /// The first so many groups; those after them are numbered from 0 again.
    #[must_use]
    pub fn take_first(&mut self, groups: usize) -> Self {
        Self { poisson: self.poisson, groups: self.groups.take_first(groups) }
    }

    /// About how many bytes of memory the groups take, what their statistics hold elsewhere left out.
    pub fn memory(&self) -> usize {
        self.groups.memory()
    }
}

/// Groups of whatever statistics.
trait Groups: Any + Debug + Send + Sync {
    fn len(&self) -> usize;
    fn segments(&self, group: usize) -> usize;
    fn resize(&mut self, groups: usize);
    fn take_first(&mut self, groups: usize) -> Box<dyn Groups>;
    fn memory(&self) -> usize;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

/// The sums of one group.
#[derive(Debug, Clone)]
struct Group<S> {
    segments: usize,
    references: References,
    total: S,
    resamples: Vec<Resample<S>>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Resample<S> {
    /// How many segments it drew, each as often as it was drawn.
    drawn: u64,
    total: S,
}

impl<S: Stats> Default for Group<S> {
    fn default() -> Self {
        let references = References::default();
        Self { segments: 0, references, total: S::default(), resamples: Vec::new() }
    }
}

impl<S: Stats> Groups for Vec<Group<S>> {
    fn len(&self) -> usize {
        self.len()
    }

    fn segments(&self, group: usize) -> usize {
        self.get(group).map_or(0, |group| group.segments)
    }

    fn resize(&mut self, groups: usize) {
        self.resize_with(groups, Group::default);
    }

    fn take_first(&mut self, groups: usize) -> Box<dyn Groups> {
        let rest = self.split_off(groups.min(self.len()));
        Box::new(std::mem::replace(self, rest))
    }

    fn memory(&self) -> usize {
        let resamples: usize = self.iter().map(|group| group.resamples.capacity()).sum();
        self.capacity() * size_of::<Group<S>>() + resamples * size_of::<Resample<S>>()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// The sums of a group on their way.
#[derive(Serialize, Deserialize)]
struct Bytes<S> {
    /// Of the metric's signature: what another dictionary or another setting gave must not be added.
    signature: [u8; 8],
    seed: u64,
    segments: u64,
    least: u64,
    most: u64,
    total: S,
    resamples: Vec<Resample<S>>,
}

fn bad(reason: impl Into<String>) -> Error {
    Error::BadShard { reason: reason.into() }
}

fn groups_of<M: Metric>(totals: &Totals) -> Result<&Vec<Group<M::Stats>>> {
    let groups = totals.groups.as_any().downcast_ref();
    groups.ok_or_else(|| bad("these sums are another metric's"))
}

fn groups_of_mut<M: Metric>(totals: &mut Totals) -> Result<&mut Vec<Group<M::Stats>>> {
    let groups = totals.groups.as_any_mut().downcast_mut();
    groups.ok_or_else(|| bad("these sums are another metric's"))
}

fn no_group(group: usize) -> Error {
    bad(format!("there is no group {group}"))
}

/// Eight bytes of the signature's checksum.
fn short<M: Metric>(metric: &M) -> [u8; 8] {
    let digest = Fingerprint::new().text(&metric.signature().to_string()).digest();
    digest.first_chunk().copied().unwrap_or_default()
}

impl<M: Metric> Aggregate for M {
    fn totals(&self, poisson: Option<Poisson>) -> Result<Totals> {
        match self.merging() {
            Merging::AnyOrder => {
                Ok(Totals { poisson, groups: Box::new(Vec::<Group<M::Stats>>::new()) })
            }
            Merging::InOrder => Err(in_order(self)),
        }
    }

    fn add_to(
        &self,
        totals: &mut Totals,
        segments: &[Segment<'_>],
        groups: &[usize],
        keys: &[u64],
    ) -> Result<()> {
        let poisson = totals.poisson;
        let lengths = [("groups", groups.len()), ("keys", keys.len())];
        for (what, len) in lengths.into_iter().take(if poisson.is_some() { 2 } else { 1 }) {
            if len != segments.len() {
                return Err(Error::LengthMismatch {
                    left: "the segments".into(),
                    left_len: segments.len(),
                    right: format!("their {what}"),
                    right_len: len,
                });
            }
        }
        let all = groups_of_mut::<M>(totals)?;
        self.needs().check(&self.signature(), segments, 1)?;
        if let Some(group) = groups.iter().find(|group| **group >= all.len()) {
            return Err(no_group(*group));
        }
        let stats = self.batch_stats(segments)?;
        for (number, ((segment, stats), group)) in
            segments.iter().zip(&stats).zip(groups).enumerate()
        {
            let Some(group) = all.get_mut(*group) else { continue };
            group.segments += 1;
            group.references =
                group.references.merge(References::of(std::slice::from_ref(segment)));
            group.total.merge(stats);
            let (Some(poisson), Some(key)) = (poisson, keys.get(number)) else { continue };
            group.resamples.resize_with(poisson.samples(), Resample::default);
            for (resample, times) in group.resamples.iter_mut().zip(poisson.weights(*key)) {
                resample.drawn += times as u64;
                (0..times).for_each(|_| resample.total.merge(stats));
            }
        }
        Ok(())
    }

    fn merge_into(&self, totals: &mut Totals, group: usize, bytes: &[u8]) -> Result<()> {
        let poisson = totals.poisson;
        let all = groups_of_mut::<M>(totals)?;
        let own = all.get_mut(group).ok_or_else(|| no_group(group))?;
        let (read, rest) = postcard::take_from_bytes::<Bytes<M::Stats>>(bytes)
            .map_err(|e| bad(format!("its bytes are no sums: {e}")))?;
        if !rest.is_empty() {
            return Err(bad(format!("its bytes are no sums: {} are left over", rest.len())));
        }
        if read.signature != short(self) {
            let own = self.signature();
            return Err(bad(format!(
                "the sums were not measured by `{own}`: another metric, setting, dictionary or model was used there"
            )));
        }
        let samples = if read.segments == 0 { 0 } else { poisson.map_or(0, |p| p.samples()) };
        if read.seed != poisson.map_or(0, |p| p.seed()) || read.resamples.len() != samples {
            return Err(bad("the sums are of other resamples"));
        }
        let count = |n: u64| usize::try_from(n).map_err(|_| bad("more than can be counted"));
        let segments = count(read.segments)?;
        let references = References { least: count(read.least)?, most: count(read.most)? };
        references.check(segments)?;
        check_stats(self, &read.total, segments).map_err(bad)?;
        for resample in &read.resamples {
            check_stats(self, &resample.total, count(resample.drawn)?).map_err(bad)?;
        }
        let sum = own.segments.checked_add(segments);
        own.segments = sum.ok_or_else(|| bad("more segments than can be counted"))?;
        own.references = own.references.merge(references);
        own.total.merge(&read.total);
        if own.resamples.is_empty() {
            own.resamples = read.resamples;
            return Ok(());
        }
        for (own, read) in own.resamples.iter_mut().zip(&read.resamples) {
            own.drawn = own.drawn.saturating_add(read.drawn);
            own.total.merge(&read.total);
        }
        Ok(())
    }

    fn to_bytes(&self, totals: &Totals, group: usize) -> Result<Vec<u8>> {
        let group = groups_of::<M>(totals)?.get(group).ok_or_else(|| no_group(group))?;
        let bytes = Bytes {
            signature: short(self),
            seed: totals.poisson.map_or(0, |p| p.seed()),
            segments: group.segments as u64,
            least: group.references.least as u64,
            most: group.references.most as u64,
            total: &group.total,
            resamples: group
                .resamples
                .iter()
                .map(|Resample { drawn, total }| Resample { drawn: *drawn, total })
                .collect(),
        };
        postcard::to_allocvec(&bytes).map_err(|e| Error::source("writing statistics", e))
    }

    fn outcome(&self, totals: &Totals, group: usize) -> Result<Option<Outcome>> {
        let group = groups_of::<M>(totals)?.get(group).ok_or_else(|| no_group(group))?;
        if group.segments == 0 {
            return Ok(None);
        }
        check_stats(self, &group.total, group.segments).map_err(bad)?;
        let corpus = CorpusScore {
            score: self.score(&group.total).finite(self)?,
            signature: group.references.sign(self.signature()),
            segments: group.segments,
        };
        let drawn = group.resamples.iter().filter(|resample| resample.drawn > 0);
        let resamples = drawn.map(|resample| self.value(&resample.total)).collect();
        Ok(Some(Outcome { corpus, resamples }))
    }
}

/// A pointer to a scorer aggregates as what it points to.
macro_rules! pointer {
    ($pointer:ty) => {
        impl Aggregate for $pointer {
            fn totals(&self, poisson: Option<Poisson>) -> Result<Totals> {
                (**self).totals(poisson)
            }

            fn add_to(
                &self,
                totals: &mut Totals,
                segments: &[Segment<'_>],
                groups: &[usize],
                keys: &[u64],
            ) -> Result<()> {
                (**self).add_to(totals, segments, groups, keys)
            }

            fn merge_into(&self, totals: &mut Totals, group: usize, bytes: &[u8]) -> Result<()> {
                (**self).merge_into(totals, group, bytes)
            }

            fn to_bytes(&self, totals: &Totals, group: usize) -> Result<Vec<u8>> {
                (**self).to_bytes(totals, group)
            }

            fn outcome(&self, totals: &Totals, group: usize) -> Result<Option<Outcome>> {
                (**self).outcome(totals, group)
            }
        }
    };
}

pointer!(Box<dyn Scorer + '_>);
pointer!(Arc<dyn Scorer + '_>);
pointer!(&(dyn Scorer + '_));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Direction, MeanStats, Score, Signature, Signed};
    use proptest::prelude::*;

    /// How long a hypothesis is, in characters over a number: sums that round.
    #[derive(Debug)]
    struct Length(u8);

    impl Signed for Length {
        fn signature(&self) -> Signature {
            Signature::new("Length").with("over", self.0)
        }
    }

    impl Metric for Length {
        type Stats = MeanStats;

        fn direction(&self) -> Direction {
            Direction::HigherIsBetter
        }

        fn segment_stats(&self, segment: &Segment<'_>) -> Result<MeanStats> {
            MeanStats::of(segment.hypothesis().chars().count() as f64 / f64::from(self.0))
        }

        fn score(&self, stats: &MeanStats) -> Score {
            stats.score()
        }
    }

    fn poisson() -> Option<Poisson> {
        Some(Poisson::new(9, 4).unwrap())
    }

    fn filled(texts: &[String], poisson: Option<Poisson>) -> Totals {
        let segments: Vec<_> = texts.iter().map(|text| Segment::new(text, [""]).unwrap()).collect();
        let keys: Vec<u64> = texts.iter().map(|text| Poisson::key([text.as_str()])).collect();
        let mut totals = Length(7).totals(poisson).unwrap();
        totals.resize(1);
        Length(7).add_to(&mut totals, &segments, &vec![0; texts.len()], &keys).unwrap();
        totals
    }

    proptest! {
        #[test]
        fn parts_merge_to_the_whole(texts in proptest::collection::vec(".{0,9}", 1..30), cut in any::<proptest::sample::Index>()) {
            let (one, other) = texts.split_at(cut.index(texts.len()));
            for poisson in [None, poisson()] {
                let whole = Length(7).outcome(&filled(&texts, poisson), 0).unwrap();
                let mut merged = Length(7).totals(poisson).unwrap();
                merged.resize(1);
                for part in [other, one] {
                    let bytes = Length(7).to_bytes(&filled(part, poisson), 0).unwrap();
                    Length(7).merge_into(&mut merged, 0, &bytes).unwrap();
                }
                prop_assert_eq!(Length(7).outcome(&merged, 0).unwrap(), whole);
            }
        }

        #[test]
        fn changed_bytes_are_errors_or_sums(at in any::<proptest::sample::Index>(), byte in any::<u8>(), keep in any::<proptest::sample::Index>()) {
            let texts = ["비가 온다".to_owned(), "눈".to_owned()];
            let mut bytes = Length(7).to_bytes(&filled(&texts, poisson()), 0).unwrap();
            let place = at.index(bytes.len());
            bytes[place] = byte;
            bytes.truncate(keep.index(bytes.len() * 4).max(1));
            let mut merged = Length(7).totals(poisson()).unwrap();
            merged.resize(1);
            if Length(7).merge_into(&mut merged, 0, &bytes).is_ok() {
                // Whatever passes gives a number or an error.
                let _ = Length(7).outcome(&merged, 0);
            }
        }
    }

    #[test]
    fn sums_of_others_are_refused() {
        let texts = ["비가 온다".to_owned()];
        let bytes = Length(7).to_bytes(&filled(&texts, None), 0).unwrap();
        let mut other = Length(3).totals(None).unwrap();
        other.resize(1);
        let error = Length(3).merge_into(&mut other, 0, &bytes).unwrap_err().to_string();
        assert!(error.contains("not measured by `Length|over:3`"), "{error}");
        let mut resampled = Length(7).totals(poisson()).unwrap();
        resampled.resize(1);
        let error = Length(7).merge_into(&mut resampled, 0, &bytes).unwrap_err().to_string();
        assert!(error.contains("other resamples"), "{error}");
        assert!(Length(7).merge_into(&mut resampled, 1, &bytes).is_err());
        assert!(Length(7).outcome(&resampled, 0).unwrap().is_none());
    }

    #[test]
    fn groups_are_taken_from_the_front() {
        let mut totals = Length(7).totals(None).unwrap();
        totals.resize(3);
        let rows = [Segment::alone("가"), Segment::alone("나다")];
        assert!(
            Length(7).add_to(&mut totals, &rows, &[0, 2], &[]).is_err(),
            "it needs a reference"
        );
        let rows = rows.map(|row| Segment::new(row.hypothesis(), [""]).unwrap());
        assert!(Length(7).add_to(&mut totals, &rows, &[0, 3], &[]).is_err(), "there is no group 3");
        Length(7).add_to(&mut totals, &rows, &[0, 2], &[]).unwrap();
        let first = totals.take_first(2);
        assert_eq!((first.len(), totals.len()), (2, 1));
        assert_eq!(
            [first.segments(0), first.segments(1), totals.segments(0), totals.segments(9)],
            [1, 0, 1, 0]
        );
        assert!(first.memory() > 0);
    }
}
