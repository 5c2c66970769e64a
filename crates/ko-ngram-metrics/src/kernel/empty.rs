//! Texts without units: scored by each metric's rule, and never silently.

use ko_eval_core::{Flag, Score};
use serde::{Deserialize, Serialize};

/// How many segments had nothing to compare.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Empties {
    /// Hypotheses without units.
    hypotheses: u64,
    /// Segments whose references all have no units.
    references: u64,
}

impl Empties {
    /// One segment's texts, by their numbers of units.
    pub(crate) fn of(hypothesis: usize, references: impl IntoIterator<Item = usize>) -> Self {
        Self {
            hypotheses: u64::from(hypothesis == 0),
            references: u64::from(references.into_iter().all(|units| units == 0)),
        }
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.hypotheses = self.hypotheses.saturating_add(other.hypotheses);
        self.references = self.references.saturating_add(other.references);
    }

    /// What is wrong with counts that were read from a file as those of so many segments.
    pub(crate) fn check(self, segments: usize) -> Result<(), String> {
        match self.hypotheses.max(self.references) {
            most if most > segments as u64 => {
                Err(format!("{most} of {segments} segments are empty"))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn numbers(self) -> [f64; 2] {
        [self.hypotheses, self.references].map(|count| count as f64)
    }

    pub(crate) fn from_numbers([hypotheses, references]: [f64; 2]) -> Self {
        Self { hypotheses: hypotheses as u64, references: references as u64 }
    }

    pub(crate) fn flag(self, score: Score) -> Score {
        score
            .flag_if(self.hypotheses > 0, Flag::EmptyHypothesis)
            .flag_if(self.references > 0, Flag::EmptyReference)
    }
}
