//! What a metric must be given beside the hypothesis.

use crate::{Error, Result, Segment, Signature};

/// What a metric must be given beside the hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Needs {
    /// References.
    pub references: bool,
    /// The source: the document of a summary, the original of a translation.
    pub source: bool,
}

impl Needs {
    /// Nothing: the hypothesis alone is judged.
    pub const NOTHING: Self = Self { references: false, source: false };
    /// References, as most metrics.
    pub const REFERENCES: Self = Self { references: true, source: false };
    /// References and a source.
    pub const REFERENCES_AND_SOURCE: Self = Self { references: true, source: true };

    /// What both need together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { references: self.references | other.references, source: self.source | other.source }
    }

    /// Whether all segments have what is needed.
    ///
    /// # Errors
    /// [`Error::Needs`], which names the first segment, counted from `first`.
    pub fn check(self, metric: &Signature, segments: &[Segment<'_>], first: usize) -> Result<()> {
        let lacking = |segment: &Segment<'_>| match segment {
            s if self.references && s.references().is_empty() => Some("a reference"),
            s if self.source && s.source().is_none() => Some("a source"),
            _ => None,
        };
        let found =
            segments.iter().zip(first..).find_map(|(s, number)| Some((lacking(s)?, number)));
        match found {
            None => Ok(()),
            Some((what, segment)) => {
                Err(Error::Needs { metric: metric.name().to_owned(), what, segment })
            }
        }
    }
}
