//! What is scored: a hypothesis with its own references.

use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// A hypothesis and the references it is compared with, borrowed.
///
/// The references lie in the segment, so they cannot be laid out the wrong way round, and
/// their number may vary from segment to segment.
///
/// ```
/// use ko_eval_core::Segment;
///
/// let segment = Segment::new("나는 밥을 먹었다", ["나는 밥을 먹었어요", "밥을 먹었다"])?;
/// assert_eq!(segment.references().len(), 2);
/// assert!(Segment::new("나는 밥을 먹었다", [] as [&str; 0]).is_err());
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment<'a> {
    hypothesis: &'a str,
    references: Vec<&'a str>,
}

impl<'a> Segment<'a> {
    /// A segment.
    ///
    /// # Errors
    /// [`Error::NoReference`] if there is none.
    pub fn new<S: AsRef<str> + ?Sized + 'a>(
        hypothesis: &'a str,
        references: impl IntoIterator<Item = &'a S>,
    ) -> Result<Self> {
        let references: Vec<_> = references.into_iter().map(AsRef::as_ref).collect();
        if references.is_empty() {
            return Err(Error::NoReference);
        }
        Ok(Self { hypothesis, references })
    }

    /// The text that is judged.
    pub fn hypothesis(&self) -> &'a str {
        self.hypothesis
    }

    /// What it is compared with: one text or more.
    pub fn references(&self) -> &[&'a str] {
        &self.references
    }
}

/// A segment that owns its texts: what is read from files and held in a [`Corpus`](crate::Corpus).
///
/// In JSON it is `{"hyp": "…", "refs": ["…"]}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "PairLine", into = "PairLine")]
pub struct OwnedSegment {
    hypothesis: String,
    references: Vec<String>,
}

impl OwnedSegment {
    /// A segment.
    ///
    /// # Errors
    /// [`Error::NoReference`] if there is none.
    pub fn new<S: Into<String>>(
        hypothesis: impl Into<String>,
        references: impl IntoIterator<Item = S>,
    ) -> Result<Self> {
        let references: Vec<_> = references.into_iter().map(Into::into).collect();
        if references.is_empty() {
            return Err(Error::NoReference);
        }
        Ok(Self { hypothesis: hypothesis.into(), references })
    }

    /// The same segment, borrowed: what metrics take.
    pub fn as_segment(&self) -> Segment<'_> {
        Segment {
            hypothesis: &self.hypothesis,
            references: self.references.iter().map(String::as_str).collect(),
        }
    }
}

/// The JSON form.
#[derive(Serialize, Deserialize)]
struct PairLine {
    hyp: String,
    refs: Vec<String>,
}

impl TryFrom<PairLine> for OwnedSegment {
    type Error = Error;

    fn try_from(line: PairLine) -> Result<Self> {
        Self::new(line.hyp, line.refs)
    }
}

impl From<OwnedSegment> for PairLine {
    fn from(segment: OwnedSegment) -> Self {
        Self { hyp: segment.hypothesis, refs: segment.references }
    }
}
