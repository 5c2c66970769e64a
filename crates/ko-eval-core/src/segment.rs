//! What is scored: a hypothesis with its own references and, where there is one, its source.

use crate::{Error, Result};
use serde::{Deserialize, Deserializer, Serialize};

/// A hypothesis, the references it is compared with, and the source it was made from, borrowed.
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
///
/// let summary = Segment::new("정부, 새 정책 발표", ["새 정책이 발표됐다"])?
///     .with_source("정부는 오늘 새 정책을 발표했다. 시민들은 환영했다.");
/// assert!(summary.source().is_some());
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment<'a> {
    hypothesis: &'a str,
    references: Vec<&'a str>,
    source: Option<&'a str>,
}

impl<'a> Segment<'a> {
    /// A segment.
    ///
    /// # Errors
    /// [`Error::NoReference`] if there is none; see [`Segment::alone`].
    pub fn new<S: AsRef<str> + ?Sized + 'a>(
        hypothesis: &'a str,
        references: impl IntoIterator<Item = &'a S>,
    ) -> Result<Self> {
        let references: Vec<_> = references.into_iter().map(AsRef::as_ref).collect();
        if references.is_empty() {
            return Err(Error::NoReference);
        }
        Ok(Self { hypothesis, references, source: None })
    }

    /// A segment without references, for metrics that [need](crate::Needs) none.
    pub fn alone(hypothesis: &'a str) -> Self {
        Self { hypothesis, references: Vec::new(), source: None }
    }

    /// The same with the text that the hypothesis was made from: the document of a summary, the original of a
    /// translation.
    #[must_use]
    pub fn with_source(self, source: &'a str) -> Self {
        Self { source: Some(source), ..self }
    }

    /// The text that is judged.
    pub fn hypothesis(&self) -> &'a str {
        self.hypothesis
    }

    /// What it is compared with.
    pub fn references(&self) -> &[&'a str] {
        &self.references
    }

    /// What it was made from, where that is known.
    pub fn source(&self) -> Option<&'a str> {
        self.source
    }

    /// The hypothesis, then the references.
    pub fn texts(&self) -> impl Iterator<Item = &'a str> + Clone {
        std::iter::once(self.hypothesis).chain(self.references.iter().copied())
    }
}

/// A segment that owns its texts: what is read from files and held in a [`Corpus`](crate::Corpus).
///
/// In JSON it is `{"hyp": "…", "refs": ["…"], "src": "…"}`; `refs` may be left out where no metric needs any, and `src`
/// where there is none. `hypothesis` and `prediction` are read as `hyp`; `ref`, `reference` and `references` as `refs`, a
/// single text for a list of one; `source` as `src`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "PairLine", into = "PairLine")]
pub struct OwnedSegment {
    hypothesis: String,
    references: Vec<String>,
    source: Option<String>,
}

impl OwnedSegment {
    /// A segment.
    ///
    /// # Errors
    /// [`Error::NoReference`] if there is none; see [`OwnedSegment::alone`].
    pub fn new<S: Into<String>>(
        hypothesis: impl Into<String>,
        references: impl IntoIterator<Item = S>,
    ) -> Result<Self> {
        let references: Vec<_> = references.into_iter().map(Into::into).collect();
        if references.is_empty() {
            return Err(Error::NoReference);
        }
        Ok(Self { hypothesis: hypothesis.into(), references, source: None })
    }

    /// A segment without references, for metrics that [need](crate::Needs) none.
    pub fn alone(hypothesis: impl Into<String>) -> Self {
        Self { hypothesis: hypothesis.into(), references: Vec::new(), source: None }
    }

    /// The same with the text that the hypothesis was made from.
    #[must_use]
    pub fn with_source(self, source: impl Into<String>) -> Self {
        Self { source: Some(source.into()), ..self }
    }

    /// The same segment, borrowed: what metrics take.
    pub fn as_segment(&self) -> Segment<'_> {
        Segment {
            hypothesis: &self.hypothesis,
            references: self.references.iter().map(String::as_str).collect(),
            source: self.source.as_deref(),
        }
    }
}

/// The JSON form.
#[derive(Serialize, Deserialize)]
struct PairLine {
    #[serde(alias = "hypothesis", alias = "prediction")]
    hyp: String,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "one_or_more",
        alias = "ref",
        alias = "reference",
        alias = "references"
    )]
    refs: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "source")]
    src: Option<String>,
}

/// A text, a list of texts, or nothing.
fn one_or_more<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Vec<String>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a text or a list of texts")]
    enum Texts {
        One(String),
        More(Vec<String>),
    }
    Ok(Option::deserialize(reader)?.map(|texts| match texts {
        Texts::One(text) => vec![text],
        Texts::More(texts) => texts,
    }))
}

impl TryFrom<PairLine> for OwnedSegment {
    type Error = Error;

    fn try_from(line: PairLine) -> Result<Self> {
        let segment = match line.refs {
            Some(references) => Self::new(line.hyp, references)?,
            None => Self::alone(line.hyp),
        };
        Ok(Self { source: line.src, ..segment })
    }
}

impl From<OwnedSegment> for PairLine {
    fn from(segment: OwnedSegment) -> Self {
        let refs = Some(segment.references).filter(|references| !references.is_empty());
        Self { hyp: segment.hypothesis, refs, src: segment.source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_keeps_what_there_is() {
        let summary = OwnedSegment::new("가", ["나"]).unwrap().with_source("다");
        for segment in [summary, OwnedSegment::alone("가"), OwnedSegment::new("", [""]).unwrap()] {
            let json = serde_json::to_string(&segment).unwrap();
            assert_eq!(serde_json::from_str::<OwnedSegment>(&json).unwrap(), segment, "{json}");
        }
        for other in [
            r#"{"hypothesis": "가", "references": ["나"], "source": "다"}"#,
            r#"{"prediction": "가", "ref": "나", "src": "다"}"#,
        ] {
            let summary = OwnedSegment::new("가", ["나"]).unwrap().with_source("다");
            assert_eq!(serde_json::from_str::<OwnedSegment>(other).unwrap(), summary);
        }
        let empty = serde_json::from_str::<OwnedSegment>(r#"{"hyp": "가", "refs": []}"#);
        assert!(empty.is_err(), "an empty list of references is a mistake");
    }
}
