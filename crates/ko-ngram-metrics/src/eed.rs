//! EED, extended edit distance: character edits, when a jump between words is one edit too.
//!
//! Stanchev, Wang and Ney, *EED: Extended Edit Distance Measure for Machine Translation*, WMT 2019.
//!
//! > EED = min(1, (e + ρ·v) / (|r| + ρ·v))
//!
//! where *e* is the cheapest way through the characters of the hypothesis and the reference *r*: a
//! substitution costs 1, an insertion and a deletion what is set, a jump to any place of the hypothesis
//! α, and only at a space of the reference. *v* counts where the way comes by more than once, and 1 for
//! each character that it never visits. Both texts are the units joined by spaces, with a space at
//! either end. The lowest of several references counts; a corpus has the mean of its segments.
//!
//! Equals `eed_python` of the authors' `EED.py` (rwth-i6, f944adc), without the preprocessing of its callers. Their C++
//! version computes in `f32` and does not count the place before the first character. Sums are formed in the same
//! order in `f64`, because ties between almost equal sums decide what counts as visited.
//!
//! O(characters of the hypothesis × characters of the reference); over
//! [`MOST_CELLS`] of them, some seconds' work, it is an error.
//!
//! ```
//! use ko_eval_core::{Scorer, Segment};
//! use ko_ngram_metrics::Eed;
//! use ko_tokenize::Word;
//! use std::sync::Arc;
//!
//! let eed = Eed::new(Arc::new(Word::new()));
//! let near = eed.segment_score(&Segment::new("나는 밥을 먹었다", ["나는 밥을 먹었어요"])?)?;
//! let far = eed.segment_score(&Segment::new("비가 온다", ["나는 밥을 먹었어요"])?)?;
//! assert!(near.value < far.value);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```
//!
//! | input | value |
//! |---|---|
//! | equal texts | little above 0: ρ / (characters + 2 + ρ), because the place before the first character is never visited |
//! | hypothesis without units | as the formula gives for two spaces, flagged |
//! | only references without units | likewise, flagged |

mod explain;
mod recurrence;
mod way;

use crate::{
    Case,
    kernel::{joined::join, units::Cutter},
    settings::CASE,
};
use ko_eval_core::{
    BuildMetric, Direction, Error, Explanation, MeanStats, Metric, MetricEntry, Pieces, Result,
    Score, Segment, Signature, Signed, Tokenizer, setting::Number,
};
use std::sync::Arc;

/// The registry row.
pub(crate) const ENTRY: MetricEntry = MetricEntry {
    name: "eed",
    summary: "character edits with jumps between words, and a price for what is not covered",
    reference: "the authors' EED.py (f944adc), eed_python",
    argument: None,
    params: &[ALPHA.param(), RHO.param(), DELETION.param(), INSERTION.param(), CASE.param()],
    range: (0.0, 1.0),
    variants: &[],
    build: BuildMetric::OverUnits(|params, tokenizer| {
        let settings = Eed::builder()
            .alpha(params.read(&ALPHA)?)
            .rho(params.read(&RHO)?)
            .deletion(params.read(&DELETION)?)
            .insertion(params.read(&INSERTION)?)
            .case(params.read(&CASE)?);
        Ok(Box::new(settings.build(tokenizer)?))
    }),
};

const ALPHA: Number = Number::new("alpha", 2.0, 0.0, 1000.0, "what a jump costs");
const RHO: Number = Number::new("rho", 0.3, 0.0, 1000.0, "what uneven coverage costs");
const DELETION: Number = Number::new("deletion", 0.2, 0.0, 1000.0, "what a deletion costs");
const INSERTION: Number = Number::new("insertion", 1.0, 0.0, 1000.0, "what an insertion costs");

/// The most pairs of characters, one of the hypothesis and one of a reference, that are compared.
pub const MOST_CELLS: usize = 1 << 31;

/// EED over any units.
///
/// ```
/// use ko_ngram_metrics::prelude::*;
/// use ko_tokenize::Word;
/// use std::sync::Arc;
///
/// let metric = Eed::new(Arc::new(Word::new()));
/// let score = metric.segment_score(&Segment::new("나는 밥을 먹었다.", ["나는 밥을 먹었어요."])?)?;
/// assert_eq!(format!("{score:.3}"), "0.225");
/// # Ok::<(), ko_ngram_metrics::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Eed {
    cutter: Cutter,
    settings: EedSettings,
}

/// Settings of [`Eed`], checked in [`EedSettings::build`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EedSettings {
    alpha: f64,
    rho: f64,
    deletion: f64,
    insertion: f64,
    case: Case,
}

impl Default for EedSettings {
    fn default() -> Self {
        Self {
            alpha: ALPHA.default,
            rho: RHO.default,
            deletion: DELETION.default,
            insertion: INSERTION.default,
            case: CASE.default,
        }
    }
}

impl EedSettings {
    /// What a jump costs; 2 by default.
    #[must_use]
    pub fn alpha(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }

    /// What uneven coverage costs; 0.3 by default.
    #[must_use]
    pub fn rho(self, rho: f64) -> Self {
        Self { rho, ..self }
    }

    /// What a deletion costs; 0.2 by default.
    #[must_use]
    pub fn deletion(self, deletion: f64) -> Self {
        Self { deletion, ..self }
    }

    /// What an insertion costs; 1 by default.
    #[must_use]
    pub fn insertion(self, insertion: f64) -> Self {
        Self { insertion, ..self }
    }

    /// Whether upper and lower case differ.
    #[must_use]
    pub fn case(self, case: Case) -> Self {
        Self { case, ..self }
    }

    /// EED over these units.
    ///
    /// # Errors
    /// [`Error::InvalidParameter`] if a cost is not a number from 0 to 1000.
    pub fn build(self, tokenizer: Arc<dyn Tokenizer>) -> Result<Eed> {
        ALPHA.check(ENTRY.name, self.alpha)?;
        RHO.check(ENTRY.name, self.rho)?;
        DELETION.check(ENTRY.name, self.deletion)?;
        INSERTION.check(ENTRY.name, self.insertion)?;
        Ok(Eed { cutter: Cutter::new(tokenizer, self.case), settings: self })
    }
}

/// The smaller of two numbers, neither of which is NaN: one instruction, unlike [`f64::min`].
#[inline]
fn min(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

impl Eed {
    /// EED with the published costs.
    pub fn new(tokenizer: Arc<dyn Tokenizer>) -> Self {
        Self { cutter: Cutter::new(tokenizer, CASE.default), settings: EedSettings::default() }
    }

    /// Other settings.
    pub fn builder() -> EedSettings {
        EedSettings::default()
    }

    /// The distance of two texts that begin and end in a space.
    fn distance(&self, hypothesis: &[char], reference: &[char]) -> Result<f64> {
        let cells = hypothesis.len().saturating_mul(reference.len());
        if cells > MOST_CELLS {
            let (what, unit) = ("EED".to_owned(), "pairs of characters");
            return Err(Error::TooLong { what, len: cells, unit, limit: MOST_CELLS });
        }
        let (edits, uneven) = recurrence::walk(&self.settings, hypothesis, reference);
        let coverage = self.settings.rho * uneven as f64;
        Ok(min(1.0, (edits + coverage) / (reference.len() as f64 + coverage)))
    }

    /// The characters of the units joined by spaces, with a space at either end. The pieces are only room
    /// to work in.
    fn characters(&self, text: &str, pieces: &mut Pieces) -> Result<Vec<char>> {
        pieces.clear();
        self.cutter.pieces(text, pieces)?;
        let mut characters = Vec::with_capacity(text.len() + 2);
        characters.push(' ');
        join(pieces.iter(), &mut characters);
        characters.push(' ');
        Ok(characters)
    }
}

/// Whether a text is only the two spaces that were added.
fn is_empty(characters: &[char]) -> bool {
    characters.len() == 2
}

impl Signed for Eed {
    fn signature(&self) -> Signature {
        let EedSettings { alpha, rho, deletion, insertion, .. } = self.settings;
        let signature = Signature::new("EED")
            .with("alpha", alpha)
            .with("rho", rho)
            .with("del", deletion)
            .with("ins", insertion);
        self.cutter.sign(self.cutter.sign_lower_case(signature))
    }
}

impl Metric for Eed {
    type Stats = MeanStats;

    fn direction(&self) -> Direction {
        Direction::LowerIsBetter
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<MeanStats> {
        let mut pieces = Pieces::new();
        let hypothesis = self.characters(segment.hypothesis(), &mut pieces)?;
        let mut lowest = 1.0;
        let mut no_reference = true;
        for reference in segment.references() {
            let reference = self.characters(reference, &mut pieces)?;
            lowest = min(self.distance(&hypothesis, &reference)?, lowest);
            no_reference &= is_empty(&reference);
        }
        Ok(MeanStats::of(lowest)?.note_empty(is_empty(&hypothesis), no_reference))
    }

    fn score(&self, stats: &MeanStats) -> Score {
        stats.score()
    }

    fn value(&self, stats: &MeanStats) -> f64 {
        stats.mean()
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        self.explained(segment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ko_tokenize::Word;

    #[test]
    fn costs_are_checked() {
        let build = |builder: EedSettings| builder.build(Arc::new(Word::new()));
        assert!(build(Eed::builder().alpha(-1.0)).is_err());
        assert!(build(Eed::builder().rho(f64::NAN)).is_err());
        assert!(build(Eed::builder().deletion(f64::INFINITY)).is_err());
        assert!(build(Eed::builder().insertion(0.5)).is_ok());
    }

    #[test]
    fn a_text_beyond_the_limit_is_refused() {
        let long = "가 ".repeat(50_000);
        let error = Eed::new(Arc::new(Word::new()))
            .segment_stats(&Segment::new(&long, [long.as_str()]).unwrap())
            .unwrap_err();
        assert!(matches!(error, Error::TooLong { limit: MOST_CELLS, .. }), "{error}");
    }
}
