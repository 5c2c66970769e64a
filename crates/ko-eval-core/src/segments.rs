//! Segments in memory, however they are held.

use crate::{Corpus, Segment};
use std::borrow::Cow;

/// What a [`Scorer`](crate::Scorer) measures: a [`Corpus`], or [`Segment`]s in an array, a vector or a slice.
///
/// A slice stands behind a reference already, and takes another one: `scorer.measure(&slice)`.
///
/// ```
/// use ko_eval_core::{Corpus, Segment, Segments};
///
/// fn longest(segments: &dyn Segments) -> Option<usize> {
///     segments.as_segments().iter().map(|segment| segment.hypothesis().chars().count()).max()
/// }
///
/// let corpus = Corpus::from_columns(["비가 온다", "눈이 내린다"], [["비가 온다", "눈이 온다"]])?;
/// assert_eq!(longest(&corpus), Some(6));
/// assert_eq!(longest(&[Segment::alone("비가 온다")]), Some(5));
/// assert_eq!(longest(&corpus.segments().as_slice()), Some(6));
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
pub trait Segments {
    /// The segments, in order.
    fn as_segments(&self) -> Cow<'_, [Segment<'_>]>;
}

impl Segments for &[Segment<'_>] {
    fn as_segments(&self) -> Cow<'_, [Segment<'_>]> {
        Cow::Borrowed(self)
    }
}

impl<const N: usize> Segments for [Segment<'_>; N] {
    fn as_segments(&self) -> Cow<'_, [Segment<'_>]> {
        Cow::Borrowed(self)
    }
}

impl Segments for Vec<Segment<'_>> {
    fn as_segments(&self) -> Cow<'_, [Segment<'_>]> {
        Cow::Borrowed(self)
    }
}

impl Segments for Corpus {
    fn as_segments(&self) -> Cow<'_, [Segment<'_>]> {
        Cow::Owned(self.segments())
    }
}
