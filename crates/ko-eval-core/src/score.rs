//! Numbers, and what a reader needs to trust them.

use crate::{Error, Result, Signature, Signed};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, fmt};

/// A metric's value with the figures behind it.
///
/// ```
/// let score = ko_eval_core::Score::new(37.9917).with("brevity-penalty", 1.0);
/// assert_eq!(format!("{score:.2}"), "37.99");
/// assert_eq!(score.detail("brevity-penalty"), Some(1.0));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Score {
    /// The value, always finite, on the scale of the metric's reference implementation.
    pub value: f64,
    /// Named figures: precisions, lengths, penalties. Empty where the value says it all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<Detail>,
    /// What a reader should know before quoting the value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<Flag>,
}

/// One named figure of a [`Score`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Detail {
    /// What it is, in kebab-case: `brevity-penalty`.
    pub name: Cow<'static, str>,
    /// The figure.
    pub value: f64,
}

/// Why a value may not mean what it seems to mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Flag {
    /// A hypothesis has no units, so the value follows the metric's rule for empty input.
    EmptyHypothesis,
    /// A segment has only references without units.
    EmptyReference,
    /// The reference implementation gives no value here (it divides by zero or fails); ours is the
    /// one that the metric's documentation states.
    Undefined,
}

impl Score {
    /// A value without details.
    pub fn new(value: f64) -> Self {
        Self { value, details: Vec::new(), flags: Vec::new() }
    }

    /// Adds a named figure.
    #[must_use]
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, value: f64) -> Self {
        self.details.push(Detail { name: name.into(), value });
        self
    }

    /// Adds a flag if the condition holds.
    #[must_use]
    pub fn flag_if(mut self, condition: bool, flag: Flag) -> Self {
        if condition && !self.flags.contains(&flag) {
            self.flags.push(flag);
        }
        self
    }

    /// The score itself if its value and all its details are numbers; whoever wrote the metric may have divided by zero.
    pub(crate) fn finite(self, metric: &dyn Signed) -> Result<Self> {
        let figures = self.details.iter().map(|detail| (&*detail.name, detail.value));
        let wrong = std::iter::once(("", self.value)).chain(figures).find(|(_, v)| !v.is_finite());
        let Some((name, value)) = wrong else { return Ok(self) };
        let metric = metric.signature().name().to_owned();
        let what = if name.is_empty() { metric } else { format!("`{name}` of {metric}") };
        Err(Error::NotFinite { what, value })
    }

    /// One figure by name.
    pub fn detail(&self, name: &str) -> Option<f64> {
        self.details.iter().find(|d| d.name == name).map(|d| d.value)
    }
}

/// Decimals of a number that is written without saying how many.
const DECIMALS: usize = 4;

/// The value, with four decimals unless the format says otherwise: `{score:.2}`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (f.precision(), f.width()) {
            (None, Some(width)) => write!(f, "{:width$.DECIMALS$}", self.value),
            (None, None) => write_number(f, self.value),
            (Some(_), _) => self.value.fmt(f),
        }
    }
}

/// A number as a score is written, with the decimals that the format asks for.
pub(crate) fn write_number(f: &mut fmt::Formatter<'_>, value: f64) -> fmt::Result {
    let decimals = f.precision().unwrap_or(DECIMALS);
    write!(f, "{value:.decimals$}")
}

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EmptyHypothesis => "empty-hypothesis",
            Self::EmptyReference => "empty-reference",
            Self::Undefined => "undefined",
        })
    }
}

/// The score of a corpus, from merged statistics, with its signature.
///
/// Written as `37.9918 BLEU|…|nrefs:1`; `{score:.2}` says how many decimals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CorpusScore {
    /// The number.
    #[serde(flatten)]
    pub score: Score,
    /// How it came about, the number of references included.
    pub signature: Signature,
    /// How many segments it covers.
    pub segments: usize,
}

impl fmt::Display for CorpusScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_number(f, self.score.value)?;
        write!(f, " {}", self.signature)
    }
}

/// Corpus and segment scores from one pass over the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Evaluation {
    /// The whole.
    pub corpus: CorpusScore,
    /// Each segment, in order.
    pub segments: Vec<Score>,
}

impl Evaluation {
    /// A corpus's score and those of its segments, in order.
    pub fn new(corpus: CorpusScore, segments: Vec<Score>) -> Self {
        Self { corpus, segments }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_says_how_it_came_about() {
        let signature = Signature::new("BLEU").with("order", 4);
        let score = CorpusScore { score: Score::new(37.99178), signature, segments: 2 };
        assert_eq!(score.to_string(), "37.9918 BLEU|order:4");
        assert_eq!(format!("{score:.1}"), "38.0 BLEU|order:4");
        assert_eq!(
            format!("{0}|{0:.2}|{0:9}|{0:6.1}", score.score),
            "37.9918|37.99|  37.9918|  38.0"
        );
        for flag in [Flag::EmptyHypothesis, Flag::EmptyReference, Flag::Undefined] {
            assert_eq!(serde_json::to_value(flag).unwrap(), flag.to_string());
        }
    }
}
