//! CharacTER: character edits after phrases have been moved to where the reference has them.
//!
//! Wang, Peter, Rosendahl and Ney, *CharacTER: Translation Edit Rate on Character Level*, WMT 2016.
//!
//! > CharacTER = min(1, (Levenshtein(h′, r) + shift cost) / |h′|)
//!
//! over characters, where *h′* is the hypothesis after a greedy search has moved phrases: of all phrases
//! that also stand elsewhere in the reference, each as long as it goes, the one whose move to the
//! reference's position lowers the edit distance *in units* most, until none lowers it. Of several that
//! lower it as much, the one whose result is greatest in the order of code points is taken. The cost of
//! a moved phrase is the mean length of its units in characters. Units are joined by spaces. The
//! lowest of several references counts; a corpus has the mean of its segments.
//!
//! Equals the authors' `CharacTER.py` (rwth-i6, c4b25cb). Gains are compared there as quotients in `f32`, here as the whole
//! numbers they come from, which order the same.
//!
//! One round of the search costs at most O(p · h · r / 64), where *p* is the number of pairs of equal
//! units at different positions; moves that cannot gain enough are not tried, which are nearly all. It
//! is an error if a text has more than [`MOST_UNITS`] units, or if the search would take more than
//! [`MOST_STEPS`] steps, which is some seconds.
//!
//! ```
//! use ko_eval_core::{Scorer, Segment};
//! use ko_ngram_metrics::CharacTer;
//! use ko_tokenize::Word;
//! use std::{ops::Range, sync::Arc};
//!
//! let character = CharacTer::new(Arc::new(Word::new()));
//! // Moving 어제 costs its two characters; nothing else differs.
//! let segment = Segment::new("어제 나는 밥을 먹었다", ["나는 밥을 어제 먹었다"])?;
//! assert_eq!(character.segment_score(&segment)?.value, 2.0 / 12.0);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```
//!
//! | input | value |
//! |---|---|
//! | hypothesis without units | 1, flagged |
//! | only references without units | 1, flagged |
//! | both | 1, flagged |

#![allow(
    clippy::indexing_slicing,
    reason = "phrases lie inside the hypothesis, and every unit of it has a name"
)]

mod explain;
mod search;

use crate::{
    Case,
    kernel::{
        edit_distance::levenshtein,
        joined::join,
        units::{Cutter, Units},
    },
    settings::CASE,
};
use ko_eval_core::{
    BuildMetric, Direction, Explanation, MeanStats, Metric, MetricEntry, Result, Score, Segment,
    Signature, Signed, Token, Tokenizer,
};
use std::{ops::Range, sync::Arc};

/// The registry row.
pub(crate) const ENTRY: MetricEntry = MetricEntry {
    name: "character",
    summary: "character edits after phrases were moved to where the reference has them",
    reference: "the authors' CharacTER.py (c4b25cb)",
    argument: None,
    params: &[CASE.param()],
    range: (0.0, 1.0),
    variants: &[],
    build: BuildMetric::OverUnits(|params, tokenizer| {
        let settings = CharacTer::builder().case(params.read(&CASE)?);
        Ok(Box::new(settings.build(tokenizer)?))
    }),
};

/// The most units that a text may have.
pub const MOST_UNITS: usize = 4096;

/// The most steps of the search for shifts, each one unit of the hypothesis against up to 64 units of
/// the reference, or eight sums of distances.
pub const MOST_STEPS: usize = 1 << 30;

/// CharacTER over any units.
///
/// ```
/// use ko_ngram_metrics::prelude::*;
/// use ko_tokenize::Word;
/// use std::sync::Arc;
///
/// let metric = CharacTer::new(Arc::new(Word::new()));
/// let score = metric.segment_score(&Segment::new("나는 밥을 먹었다.", ["나는 밥을 먹었어요."])?)?;
/// assert_eq!(format!("{score:.3}"), "0.200");
/// # Ok::<(), ko_ngram_metrics::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct CharacTer {
    cutter: Cutter,
}

/// Settings of [`CharacTer`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CharacTerSettings {
    case: Case,
}

impl CharacTerSettings {
    /// Whether upper and lower case differ.
    #[must_use]
    pub fn case(self, case: Case) -> Self {
        Self { case }
    }

    /// CharacTER over these units.
    ///
    /// # Errors
    /// None today: every setting makes sense.
    pub fn build(self, tokenizer: Arc<dyn Tokenizer>) -> Result<CharacTer> {
        Ok(CharacTer { cutter: Cutter::new(tokenizer, self.case) })
    }
}

impl CharacTer {
    /// CharacTER over these units.
    pub fn new(tokenizer: Arc<dyn Tokenizer>) -> Self {
        Self { cutter: Cutter::new(tokenizer, CASE.default) }
    }

    /// Other settings.
    pub fn builder() -> CharacTerSettings {
        CharacTerSettings::default()
    }
}

impl Signed for CharacTer {
    fn signature(&self) -> Signature {
        self.cutter.sign(self.cutter.sign_lower_case(Signature::new("CharacTER")))
    }
}

impl Metric for CharacTer {
    type Stats = MeanStats;

    fn direction(&self) -> Direction {
        Direction::LowerIsBetter
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<MeanStats> {
        let hypothesis = self.cutter.tokens(segment.hypothesis())?;
        let references = self.cutter.references(segment)?;
        let lowest: Result<f64> = Units::of_tokens(&hypothesis, &references, |units| {
            let names = names(&hypothesis, units.hypothesis());
            let mut lowest = 1.0;
            for (tokens, reference) in references.iter().zip(units.references()) {
                if hypothesis.is_empty() || tokens.is_empty() {
                    continue;
                }
                let shifted = search::shifted(units.hypothesis(), reference, &names)?;
                lowest = f64::min(lowest, rate(&names, units.hypothesis(), &shifted, tokens));
            }
            Ok(lowest)
        });
        let no_reference = references.iter().all(Vec::is_empty);
        Ok(MeanStats::of(lowest?)?.note_empty(hypothesis.is_empty(), no_reference))
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

/// The error rate of the shifted hypothesis.
fn rate(names: &[&str], original: &[u32], shifted: &[u32], reference: &[Token<'_>]) -> f64 {
    let characters = joined(shifted.iter().map(|&unit| names[unit as usize]));
    let distance = levenshtein(&characters, &joined(reference.iter().map(Token::as_str)));
    let cost = shift_cost(shifted, original, names);
    (distance as f64 + cost) / characters.len() as f64
}

/// The units by their numbers, which are given in order of appearance.
fn names<'t>(tokens: &'t [Token<'_>], numbers: &[u32]) -> Vec<&'t str> {
    let mut names = Vec::with_capacity(tokens.len());
    for (token, &number) in tokens.iter().zip(numbers) {
        if number as usize == names.len() {
            names.push(token.as_str());
        }
    }
    names
}

/// The characters of the units joined by spaces.
fn joined<'t>(units: impl Iterator<Item = &'t str>) -> Vec<char> {
    let mut characters = Vec::new();
    join(units, &mut characters);
    characters
}

/// The mean length of the units of each moved phrase, summed.
fn shift_cost(shifted: &[u32], original: &[u32], names: &[&str]) -> f64 {
    let cost = |phrase: Range<usize>| {
        let length = phrase.len();
        let characters = |&unit: &u32| names[unit as usize].chars().count();
        original[phrase].iter().map(characters).sum::<usize>() as f64 / length as f64
    };
    moved_phrases(shifted, original).map(cost).sum()
}

/// The moved phrases, as places of the original order. What was moved is read off the two orders: where they differ, the
/// phrase from there on is looked for further back.
fn moved_phrases<U: PartialEq>(
    shifted: &[U],
    original: &[U],
) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < original.len() {
            let moved = || (at + 1..shifted.len()).find(|&place| shifted[place] == original[at]);
            let place = if shifted[at] == original[at] { None } else { moved() };
            let Some(place) = place else {
                at += 1;
                continue;
            };
            let same = original[at..].iter().zip(&shifted[place..]).take_while(|(a, b)| a == b);
            let start = at;
            at += same.count();
            return Some(start..at);
        }
        None
    })
}
