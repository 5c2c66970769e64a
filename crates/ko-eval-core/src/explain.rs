//! Why a segment has its score: what met what, and how the score is made of it.
//!
//! One shape serves every metric and every output. An [`Explanation`] holds *layers* (the units that were compared and the
//! [links](Link) between them) and *parts* (named figures, each with the [`Formula`] that makes it of links and of parts
//! before it). The last part is the score, so whoever reads an explanation can compute the score again:
//! [`Explanation::recomputed`].

mod formula;
mod layer;
mod role;

pub use formula::{Formula, Selection};
pub use layer::{InReference, Layer, Link, LinkKind, Unit};
pub use role::{Role, UnitRole};

use crate::{Direction, Error, Result, Score, Segment, Signature};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Why a segment has its score.
///
/// The texts themselves stay in the [`Segment`]; units point into them.
///
/// ```
/// use ko_eval_core::explain::{Explanation, Formula, Layer, Link, LinkKind, Selection};
/// use ko_eval_core::{Direction, Score, Signature, Token};
///
/// // Two of three words are in the reference.
/// let (hypothesis, reference) = ("나는 밥을 먹었다", "나는 죽을 먹었다");
/// let words = |text: &'static str| {
///     text.split(' ').map(|word| {
///         let start = word.as_ptr() as usize - text.as_ptr() as usize;
///         Token::new(word, start..start + word.len())
///     }).collect::<Vec<_>>()
/// };
/// let mut layer = Layer::of_tokens("units", (hypothesis, &words(hypothesis)), [(reference, &words(reference))]);
/// layer.links.push(Link::new(LinkKind::Match, 0..1).with(0, 0..1));
/// layer.links.push(Link::new(LinkKind::Match, 2..3).with(0, 2..3));
/// let explanation = Explanation::new(Signature::new("Shared"), Direction::HigherIsBetter, Score::new(2.0 / 3.0))
///     .with_layer(layer)
///     .with_part("matches", Formula::links(Selection::of(LinkKind::Match)))
///     .with_given("hypothesis-length", 3.0)
///     .with_part("score", Formula::ratio("matches", "hypothesis-length"));
/// assert_eq!(explanation.recomputed(), Some(explanation.score.value));
/// assert_eq!(explanation.parts[2].formula.to_string(), "matches / hypothesis-length");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The metric's signature.
    pub signature: Signature,
    /// Which way is better.
    pub direction: Direction,
    /// The segment's score, as [`Scorer::segment_score`](crate::Scorer::segment_score) gives it.
    pub score: Score,
    /// The reference that counted, counted from 0, where one alone does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<u32>,
    /// What was compared, and what met what. Most metrics have one layer; chrF++ has characters and words; a metric that
    /// looks at no units has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<Layer>,
    /// What the score is made of, each part of those before it; the last one is the score.
    pub parts: Vec<Part>,
}

/// A named figure, and how it comes about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Part {
    /// What it is, in kebab-case: `brevity-penalty`.
    pub name: Cow<'static, str>,
    /// The figure.
    pub value: f64,
    /// What it is made of: links, and parts before it.
    pub formula: Formula,
}

/// The name of the last part.
const SCORE: &str = "score";

impl Explanation {
    /// A score without layers or parts yet. The last part that is added must be the score.
    pub fn new(signature: Signature, direction: Direction, score: Score) -> Self {
        let (layers, parts) = (Vec::new(), Vec::new());
        Self { signature, direction, score, reference: None, layers, parts }
    }

    /// What a metric can always say: the score, and its details as they are.
    pub fn of_score(signature: Signature, direction: Direction, score: Score) -> Self {
        let details: Vec<_> = score.details.iter().map(|d| (d.name.clone(), d.value)).collect();
        let value = score.value;
        let plain = Self::new(signature, direction, score);
        let all = details.into_iter().fold(plain, |all, (name, value)| all.with_given(name, value));
        all.with_given(SCORE, value)
    }

    /// The same with the reference that counted.
    #[must_use]
    pub fn with_reference(self, reference: Option<usize>) -> Self {
        Self { reference: reference.map(|number| number as u32), ..self }
    }

    /// The same with another layer.
    #[must_use]
    pub fn with_layer(mut self, layer: Layer) -> Self {
        self.layers.push(layer);
        self
    }

    /// The same with another part, whose value is what the formula makes of the layers and parts that are there; 0 where
    /// it names none that is.
    #[must_use]
    pub fn with_part(mut self, name: impl Into<Cow<'static, str>>, formula: Formula) -> Self {
        let value = formula.value(&self.layers, &self.parts, None).unwrap_or(0.0);
        self.parts.push(Part { name: name.into(), value, formula });
        self
    }

    /// The same with a figure that is not made of others: a length, a setting.
    #[must_use]
    pub fn with_given(mut self, name: impl Into<Cow<'static, str>>, value: f64) -> Self {
        self.parts.push(Part { name: name.into(), value, formula: Formula::Given });
        self
    }

    /// A part's value.
    pub fn part(&self, name: &str) -> Option<f64> {
        self.parts.iter().rev().find(|part| part.name == name).map(|part| part.value)
    }

    /// The score, computed again from the links and the given figures alone. Nothing if there is no part, or one is made
    /// of parts that do not stand before it.
    pub fn recomputed(&self) -> Option<f64> {
        let mut values: Vec<f64> = Vec::with_capacity(self.parts.len());
        for (part, before) in self.parts.iter().zip(0..) {
            let earlier = self.parts.get(..before)?;
            let value = match &part.formula {
                Formula::Given => part.value,
                formula => formula.value(&self.layers, earlier, Some(&values))?,
            };
            values.push(value);
        }
        values.last().copied()
    }

    /// Writes into every unit the text that was compared, also where it is what stands in the text: for readers that
    /// count characters differently. The segment is the one that was explained.
    pub fn spell_out(&mut self, segment: &Segment<'_>) {
        self.layers.iter_mut().for_each(|layer| layer.spell_out(segment));
    }

    /// Refuses a score that is no number.
    pub(crate) fn checked(self) -> Result<Self> {
        if self.score.value.is_finite() {
            return Ok(self);
        }
        let what = self.signature.name().to_owned();
        Err(Error::NotFinite { what, value: self.score.value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Flag;

    fn plain() -> Explanation {
        let score = Score::new(0.5).with("precision", 0.25).flag_if(true, Flag::Undefined);
        Explanation::of_score(Signature::new("Plain"), Direction::LowerIsBetter, score)
    }

    #[test]
    fn a_score_explains_itself_by_its_details() {
        assert_eq!(plain().part("precision"), Some(0.25));
        assert_eq!(plain().recomputed(), Some(0.5));
    }

    #[test]
    fn formulas_see_only_what_stands_before_them() {
        let mut explanation = plain().with_part("score", Formula::part("precision"));
        assert_eq!(explanation.recomputed(), Some(0.25));
        explanation.parts.swap(0, 2);
        assert_eq!(explanation.recomputed(), None);
        explanation.parts.clear();
        assert_eq!(explanation.recomputed(), None);
    }

    #[test]
    fn parts_that_were_tampered_with_do_not_add_up() {
        let mut explanation = plain().with_part("score", Formula::part("precision"));
        explanation.parts[2].value = 7.0;
        assert_eq!(explanation.recomputed(), Some(0.25));
    }

    #[test]
    fn json_keeps_all_of_it() {
        let text = "비가 온다";
        let tokens = [crate::Token::new("비가", 0..6), crate::Token::new("오", 7..10)];
        let mut layer = Layer::of_tokens("units", (text, &tokens), [(text, &tokens)]);
        layer.links.push(Link::new(LinkKind::NGram, 0..2).with(0, 0..2).worth(0.5).labelled("둘"));
        let formula = Formula::product([Formula::Constant(2.0), Formula::part("precision")]);
        let explanation = plain()
            .with_layer(layer)
            .with_reference(Some(0))
            .with_part("shared", Formula::links(Selection::of(LinkKind::NGram).order(2)))
            .with_part("score", formula);
        let json = serde_json::to_string(&explanation).unwrap();
        assert_eq!(serde_json::from_str::<Explanation>(&json).unwrap(), explanation, "{json}");
    }
}
