//! How a generator chooses its tokens.

use ko_eval_core::Signature;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Settings of a generation, the same for every [`Generator`](crate::Generator). Lengths count new tokens, neither the prompt's
/// nor a mark that starts every answer.
///
/// ```
/// use ko_eval_model::{Decoding, DecodingError};
///
/// let beams = Decoding::beam(10, 30);
/// assert_eq!((beams.beams(), beams.min_tokens, beams.max_tokens), (10, 0, 30));
/// let refused = Decoding { min_tokens: 31, ..beams }.check();
/// assert_eq!(refused, Err(DecodingError::MinAboveMax { min: 31, max: 30 }));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decoding {
    /// How tokens are looked for.
    pub search: Search,
    /// The fewest tokens of an answer, the mark at its end not counted.
    pub min_tokens: usize,
    /// The most tokens of an answer, the mark at its end included.
    pub max_tokens: usize,
    /// No run of so many tokens occurs twice; 0 allows all.
    pub no_repeat_ngram: usize,
    /// What makes tokens that were there less likely, above 1; 1 changes nothing.
    pub repetition_penalty: f64,
    /// The token that every answer begins with, as the model's vocabulary writes it: `ko_KR` for mBART-50. Without it, the one that the
    /// model asks for, if it does. A model without an encoder (GPT-2) takes none: it continues the prompt's own tokens.
    pub first_token: Option<String>,
    /// Answers per prompt, best first.
    pub candidates: usize,
}

/// How tokens are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Search {
    /// The likeliest token at each step.
    Greedy,
    /// The likeliest answers among those that begin as one of so many.
    Beam {
        /// Beginnings kept at each step, at least 2.
        beams: usize,
        /// A score is the sum of log-probabilities divided by the length to this power: above 0 prefers long answers, below 0 short ones.
        length_penalty: f64,
        /// When it ends.
        early_stopping: EarlyStopping,
    },
    /// Drawn at random among likely tokens; the same for the same seed, whatever else is generated with it.
    Sample {
        /// Above 1 flattens the probabilities, below 1 sharpens them.
        temperature: f64,
        /// Only so many of the likeliest tokens; 0 takes all.
        top_k: usize,
        /// Only the likeliest tokens that together have this probability; 1 takes all.
        top_p: f64,
        /// What the draws follow from.
        seed: u64,
    },
}

/// When a beam search ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EarlyStopping {
    /// When no running beginning scores better at its present length than the worst answer found.
    #[default]
    Heuristic,
    /// As soon as there are as many answers as beams.
    Full,
    /// When no running beginning can score better at any length.
    Never,
}

impl EarlyStopping {
    /// As one writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Heuristic => "heuristic",
            Self::Full => "full",
            Self::Never => "never",
        }
    }
}

impl fmt::Display for EarlyStopping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Settings that make no sense.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodingError {
    /// No answer could be that long and that short.
    #[error("an answer cannot have at least {min} and at most {max} tokens")]
    MinAboveMax {
        /// The fewest.
        min: usize,
        /// The most.
        max: usize,
    },

    /// More answers are asked for than the search has.
    #[error(
        "{candidates} candidates cannot come from {beams} beams; take as many beams, or draw them"
    )]
    TooManyCandidates {
        /// Asked for.
        candidates: usize,
        /// At hand; 1 without beams.
        beams: usize,
    },

    /// A value out of its range.
    #[error("{name} cannot be {value}: expected {expected}")]
    OutOfRange {
        /// Which setting.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would do.
        expected: &'static str,
    },
}

impl From<DecodingError> for ko_eval_core::Error {
    fn from(error: DecodingError) -> Self {
        Self::other(error)
    }
}

/// More beams, candidates and tokens than anybody needs, and few enough that a settings file that says more cannot ask for all memory.
const MOST_BEAMS: usize = 10_000;
const MOST_TOKENS: usize = 1 << 20;

impl Decoding {
    /// The likeliest token at each step, at most so many.
    pub fn greedy(max_tokens: usize) -> Self {
        Self {
            search: Search::Greedy,
            min_tokens: 0,
            max_tokens,
            no_repeat_ngram: 0,
            repetition_penalty: 1.0,
            first_token: None,
            candidates: 1,
        }
    }

    /// A beam search whose scores are mean log-probabilities.
    pub fn beam(beams: usize, max_tokens: usize) -> Self {
        let (length_penalty, early_stopping) = (1.0, EarlyStopping::default());
        let search = Search::Beam { beams, length_penalty, early_stopping };
        Self { search, ..Self::greedy(max_tokens) }
    }

    /// The same with another number of candidates.
    #[must_use]
    pub fn with_candidates(self, candidates: usize) -> Self {
        Self { candidates, ..self }
    }

    /// How many beginnings are kept at each step.
    pub fn beams(&self) -> usize {
        match self.search {
            Search::Beam { beams, .. } => beams,
            Search::Greedy | Search::Sample { .. } => 1,
        }
    }

    /// Whether the settings make sense together.
    ///
    /// # Errors
    /// What does not.
    pub fn check(&self) -> Result<(), DecodingError> {
        let out = |name, value: String, expected| {
            Err(DecodingError::OutOfRange { name, value, expected })
        };
        if self.min_tokens > self.max_tokens {
            let (min, max) = (self.min_tokens, self.max_tokens);
            return Err(DecodingError::MinAboveMax { min, max });
        }
        if !(1..=MOST_TOKENS).contains(&self.max_tokens) {
            let value = self.max_tokens.to_string();
            return out("the longest answer", value, "1 to 1048576 tokens");
        }
        if !(1..=MOST_BEAMS).contains(&self.candidates) {
            return out("candidates", self.candidates.to_string(), "1 to 10000");
        }
        let positive = |value: f64| value.is_finite() && value > 0.0;
        if !positive(self.repetition_penalty) {
            return out("repetition penalty", self.repetition_penalty.to_string(), "above 0");
        }
        match self.search {
            Search::Beam { beams, .. } if !(2..=MOST_BEAMS).contains(&beams) => {
                return out("beams", beams.to_string(), "2 to 10000; one beam is a greedy search");
            }
            Search::Beam { length_penalty, .. } if !length_penalty.is_finite() => {
                return out("length penalty", length_penalty.to_string(), "a number");
            }
            Search::Sample { temperature, .. } if !positive(temperature) => {
                return out("temperature", temperature.to_string(), "above 0");
            }
            Search::Sample { top_p, .. } if !(top_p > 0.0 && top_p <= 1.0) => {
                return out("top-p", top_p.to_string(), "above 0, at most 1");
            }
            Search::Sample { .. } => return Ok(()),
            Search::Greedy | Search::Beam { .. } => {}
        }
        let (candidates, beams) = (self.candidates, self.beams());
        if candidates > beams {
            return Err(DecodingError::TooManyCandidates { candidates, beams });
        }
        Ok(())
    }

    /// Adds what decides the answers to a signature.
    #[must_use]
    pub fn sign(&self, signature: Signature) -> Signature {
        let mut signature = match self.search {
            Search::Greedy => signature.with("search", "greedy"),
            Search::Beam { beams, length_penalty, early_stopping } => signature
                .with("search", "beam")
                .with("beams", beams)
                .with("length-penalty", length_penalty)
                .with("stop", early_stopping),
            Search::Sample { temperature, top_k, top_p, seed } => signature
                .with("search", "sample")
                .with("temperature", temperature)
                .with("top-k", top_k)
                .with("top-p", top_p)
                .with("seed", seed),
        };
        signature = signature
            .with("min", self.min_tokens)
            .with("max", self.max_tokens)
            .with("no-repeat", self.no_repeat_ngram);
        if self.repetition_penalty != 1.0 {
            signature = signature.with("repetition-penalty", self.repetition_penalty);
        }
        if let Some(token) = &self.first_token {
            signature = signature.with("first", token);
        }
        signature.with("candidates", self.candidates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_is_refused() {
        let beam = Decoding::beam(4, 20);
        let sample = |temperature, top_p| Decoding {
            search: Search::Sample { temperature, top_k: 0, top_p, seed: 1 },
            ..Decoding::greedy(20)
        };
        let named = |decoding: Decoding| match decoding.check() {
            Err(DecodingError::OutOfRange { name, .. }) => name,
            other => panic!("{other:?}"),
        };
        assert_eq!(beam.check(), Ok(()));
        assert_eq!(named(Decoding::beam(1, 20)), "beams");
        assert_eq!(named(Decoding::greedy(0)), "the longest answer");
        // A file that asks for all memory.
        assert_eq!(named(Decoding::greedy(usize::MAX)), "the longest answer");
        assert_eq!(named(Decoding::beam(usize::MAX, 20)), "beams");
        assert_eq!(named(Decoding { candidates: usize::MAX, ..sample(1.0, 1.0) }), "candidates");
        assert_eq!(named(Decoding { candidates: 0, ..beam.clone() }), "candidates");
        assert_eq!(
            named(Decoding { repetition_penalty: f64::NAN, ..beam.clone() }),
            "repetition penalty"
        );
        assert_eq!(named(sample(0.0, 1.0)), "temperature");
        assert_eq!(named(sample(1.0, 1.5)), "top-p");
        let five = Decoding { candidates: 5, ..beam };
        assert_eq!(five.check(), Err(DecodingError::TooManyCandidates { candidates: 5, beams: 4 }));
        assert_eq!(Decoding { candidates: 5, ..sample(1.0, 0.9) }.check(), Ok(()));
    }

    #[test]
    fn a_signature_tells_settings_apart_and_json_brings_them_back() {
        let all = [
            Decoding::greedy(30),
            Decoding::beam(10, 30),
            Decoding { first_token: Some("ko_KR".into()), ..Decoding::beam(10, 30) },
            Decoding { repetition_penalty: 1.2, ..Decoding::beam(10, 30) },
            Decoding {
                search: Search::Sample { temperature: 0.7, top_k: 50, top_p: 0.9, seed: 3 },
                ..Decoding::greedy(30)
            },
        ];
        let signed = |decoding: &Decoding| decoding.sign(Signature::new("m")).to_string();
        for (i, one) in all.iter().enumerate() {
            let json = serde_json::to_string(one).unwrap();
            assert_eq!(&serde_json::from_str::<Decoding>(&json).unwrap(), one);
            for other in &all[i + 1..] {
                assert_ne!(signed(one), signed(other));
            }
        }
    }
}
