//! The paper's decoding settings, for the program that runs a generator.

use crate::Error;
use serde::{Deserialize, Serialize};

/// Settings of a beam search.
///
/// ```
/// use ko_commongen::Decoding;
///
/// let paper = Decoding::default();
/// assert_eq!((paper.beams, paper.min_tokens, paper.max_tokens, paper.no_repeat_ngram), (10, 10, 30, 3));
/// assert!(Decoding { candidates: 11, ..paper }.check().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decoding {
    /// Hypotheses kept at each step.
    pub beams: usize,
    /// The fewest tokens of a sentence.
    pub min_tokens: usize,
    /// The most.
    pub max_tokens: usize,
    /// No run of so many tokens occurs twice; 0 allows all.
    pub no_repeat_ngram: usize,
    /// Sentences returned, for [`Reranker`](crate::Reranker) to choose from.
    pub candidates: usize,
}

impl Default for Decoding {
    /// The paper's values.
    fn default() -> Self {
        Self { beams: 10, min_tokens: 10, max_tokens: 30, no_repeat_ngram: 3, candidates: 5 }
    }
}

impl Decoding {
    /// Whether the settings make sense together.
    ///
    /// # Errors
    /// [`Error::BadSetting`] naming the first that does not.
    pub fn check(self) -> Result<Self, Error> {
        let bad = |name, value: usize, expected| {
            Err(Error::BadSetting { name, value: value.to_string(), expected })
        };
        if self.beams == 0 {
            return bad("beams", self.beams, "at least 1");
        }
        if self.max_tokens == 0 || self.min_tokens > self.max_tokens {
            return bad("max_tokens", self.max_tokens, "at least 1 and at least `min_tokens`");
        }
        if self.candidates == 0 || self.candidates > self.beams {
            return bad("candidates", self.candidates, "1 to `beams`");
        }
        Ok(self)
    }
}
