//! Numbers, and what a reader needs to trust them.

use crate::Signature;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A metric's value with the figures behind it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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

    /// One figure by name.
    pub fn detail(&self, name: &str) -> Option<f64> {
        self.details.iter().find(|d| d.name == name).map(|d| d.value)
    }
}

/// The score of a corpus, from merged statistics, with its signature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CorpusScore {
    /// The number.
    #[serde(flatten)]
    pub score: Score,
    /// How it came about, the number of references included.
    pub signature: Signature,
    /// How many segments it covers.
    pub segments: usize,
}

/// Corpus and segment scores from one pass over the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The whole.
    pub corpus: CorpusScore,
    /// Each segment, in order.
    pub segments: Vec<Score>,
}
