//! Many segments: held in memory, or passing by.

use crate::{Error, OwnedSegment, Result, Segment};
use serde::{Deserialize, Serialize};

/// Segments held in memory, in order.
///
/// A corpus larger than memory is any iterator of [`OwnedSegment`]s instead; see
/// [`stream`](crate::stream).
///
/// ```
/// use ko_eval_core::Corpus;
///
/// let corpus = Corpus::from_columns(
///     ["비가 온다", "눈이 온다"],
///     [["비가 온다", "눈이 내린다"], ["비 온다", "눈 온다"]], // a column per reference
/// )?;
/// assert_eq!(corpus.len(), 2);
/// assert_eq!(corpus.segments()[1].references(), ["눈이 내린다", "눈 온다"]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
///
/// In JSON it is a list of [`OwnedSegment`]s.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Corpus {
    segments: Vec<OwnedSegment>,
}

impl Corpus {
    /// Hypotheses and columns of references, all of one length.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if a column is longer or shorter than the hypotheses,
    /// [`Error::NoReference`] if there is no column.
    pub fn from_columns<H, C, R>(
        hypotheses: impl IntoIterator<Item = H>,
        columns: impl IntoIterator<Item = C>,
    ) -> Result<Self>
    where
        H: Into<String>,
        C: IntoIterator<Item = R>,
        R: Into<String>,
    {
        let hypotheses: Vec<String> = hypotheses.into_iter().map(Into::into).collect();
        let mut references = vec![Vec::new(); hypotheses.len()];
        for (number, column) in columns.into_iter().enumerate() {
            let column: Vec<String> = column.into_iter().map(Into::into).collect();
            if column.len() != hypotheses.len() {
                return Err(Error::LengthMismatch {
                    left: "the hypotheses".into(),
                    left_len: hypotheses.len(),
                    right: format!("reference column {}", number + 1),
                    right_len: column.len(),
                });
            }
            for (list, text) in references.iter_mut().zip(column) {
                list.push(text);
            }
        }
        let segments = hypotheses.into_iter().zip(references);
        segments.map(|(hypothesis, list)| OwnedSegment::new(hypothesis, list)).collect()
    }

    /// Adds a segment at the end.
    pub fn push(&mut self, segment: OwnedSegment) {
        self.segments.push(segment);
    }

    /// How many segments there are.
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// All segments, borrowed. A [`Scorer`](crate::Scorer) takes the corpus itself as well.
    pub fn segments(&self) -> Vec<Segment<'_>> {
        self.segments.iter().map(OwnedSegment::as_segment).collect()
    }

    /// The segments in at most `count` runs of nearly equal length, for machines that work apart.
    pub fn shards(&self, count: usize) -> impl Iterator<Item = Vec<Segment<'_>>> {
        let size = self.segments.len().div_ceil(count.max(1)).max(1);
        self.segments.chunks(size).map(|run| run.iter().map(OwnedSegment::as_segment).collect())
    }
}

impl FromIterator<OwnedSegment> for Corpus {
    fn from_iter<I: IntoIterator<Item = OwnedSegment>>(segments: I) -> Self {
        Self { segments: segments.into_iter().collect() }
    }
}

impl Extend<OwnedSegment> for Corpus {
    fn extend<I: IntoIterator<Item = OwnedSegment>>(&mut self, segments: I) {
        self.segments.extend(segments);
    }
}

impl IntoIterator for Corpus {
    type Item = OwnedSegment;
    type IntoIter = std::vec::IntoIter<OwnedSegment>;

    fn into_iter(self) -> Self::IntoIter {
        self.segments.into_iter()
    }
}
