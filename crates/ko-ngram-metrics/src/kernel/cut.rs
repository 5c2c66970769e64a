//! A segment's units with their places in the texts: what explanations point at.

use super::units::{Cutter, Units};
use ko_eval_core::{Explanation, Result, Segment, Token, explain::Layer};

/// The tokens of a segment's texts.
#[derive(Debug)]
pub(crate) struct CutSegment<'t> {
    pub(crate) hypothesis: Vec<Token<'t>>,
    pub(crate) references: Vec<Vec<Token<'t>>>,
}

impl Cutter {
    /// The tokens of all texts.
    pub(crate) fn cut<'t>(&self, segment: &Segment<'t>) -> Result<CutSegment<'t>> {
        let hypothesis = self.tokens(segment.hypothesis())?;
        Ok(CutSegment { hypothesis, references: self.references(segment)? })
    }
}

impl CutSegment<'_> {
    /// The tokens as a layer without links yet.
    pub(crate) fn layer(&self, segment: &Segment<'_>) -> Layer {
        let references = segment.references().iter().copied().zip(&self.references);
        Layer::of_tokens("units", (segment.hypothesis(), &self.hypothesis), references)
    }

    /// Lends the tokens as numbers to `then`.
    pub(crate) fn numbered<T>(&self, then: impl FnOnce(&Units) -> T) -> T {
        Units::of_tokens(&self.hypothesis, &self.references, then)
    }
}

/// Adds what the score would be with each reference, where there are several.
pub(crate) fn with_references(
    explanation: Explanation,
    values: impl ExactSizeIterator<Item = f64>,
) -> Explanation {
    if values.len() < 2 {
        return explanation;
    }
    (1..).zip(values).fold(explanation, |explanation, (number, value)| {
        explanation.with_given(format!("with-reference-{number}"), value)
    })
}
