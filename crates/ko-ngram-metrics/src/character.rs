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
//! Equals CharacTER (rwth-i6). Gains are compared there as quotients in `f32`, here as the whole
//! numbers they come from, which order the same.
//!
//! One round of the search costs O(p · h · r / 64), where *p* is the number of pairs of equal units at
//! different positions; moves that cannot gain enough are not tried. It is an error if a text has more
//! than [`MOST_UNITS`] units, or if the search would take more than [`MOST_STEPS`] steps, which is some
//! seconds.
//!
//! ```
//! use ko_eval_core::{Scorer, Segment};
//! use ko_ngram_metrics::CharacTer;
//! use ko_tokenize::Word;
//! use std::sync::Arc;
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
    reason = "rows are made for every unit of the hypothesis and every block of the reference; phrases \
              lie inside the hypothesis"
)]

use crate::{
    edit_distance::{Block, last_bit, levenshtein},
    positions::Positions,
    units::{Units, sign},
};
use ko_eval_core::{
    Direction, Error, MeanStats, Metric, MetricEntry, Result, Score, Segment, Signature, Signed,
    Token, Tokenizer,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The registry row.
pub(crate) const ENTRY: MetricEntry = MetricEntry {
    name: "character",
    summary: "character edits after phrases were moved to where the reference has them",
    reference: "CharacTER (rwth-i6)",
    params: &[],
    build: |_, tokenizer| Ok(Box::new(CharacTer::new(tokenizer))),
};

/// The most units that a text may have.
pub const MOST_UNITS: usize = 10_000;

/// The most steps of the search for shifts, each one unit of the hypothesis against up to 64 units of
/// the reference.
pub const MOST_STEPS: usize = 1 << 31;

/// CharacTER over any units.
#[derive(Debug, Clone)]
pub struct CharacTer {
    tokenizer: Arc<dyn Tokenizer>,
}

impl CharacTer {
    /// CharacTER over these units.
    pub fn new(tokenizer: Arc<dyn Tokenizer>) -> Self {
        Self { tokenizer }
    }
}

impl Signed for CharacTer {
    fn signature(&self) -> Signature {
        sign(Signature::new("CharacTER"), &*self.tokenizer)
    }
}

impl Metric for CharacTer {
    type Stats = MeanStats;

    fn direction(&self) -> Direction {
        Direction::LowerIsBetter
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<MeanStats> {
        let hypothesis = self.tokenizer.tokenize(segment.hypothesis())?;
        let references: Vec<Vec<Token<'_>>> = segment
            .references()
            .iter()
            .map(|text| self.tokenizer.tokenize(text))
            .collect::<Result<_>>()?;
        let units = Units::number(&hypothesis, &references);
        let mut lowest = 1.0;
        for (tokens, reference) in references.iter().zip(&units.references) {
            if hypothesis.is_empty() || tokens.is_empty() {
                continue;
            }
            let positions = Positions::of(reference, units.kinds);
            let shifted = Search::new(&hypothesis, &units.hypothesis, &positions)?.run()?;
            let rate = rate(&hypothesis, &units, &shifted, tokens);
            lowest = f64::min(lowest, rate);
        }
        let no_reference = references.iter().all(Vec::is_empty);
        Ok(MeanStats::of(lowest).note_empty(hypothesis.is_empty(), no_reference))
    }

    fn score(&self, stats: &MeanStats) -> Score {
        stats.score()
    }

    fn value(&self, stats: &MeanStats) -> f64 {
        stats.mean()
    }
}

/// The error rate of the shifted hypothesis.
fn rate(hypothesis: &[Token<'_>], units: &Units, shifted: &[u32], reference: &[Token<'_>]) -> f64 {
    let names = names(hypothesis, &units.hypothesis);
    let mut numbers = FxHashMap::default();
    let shifted_characters =
        characters(shifted.iter().map(|&unit| names[unit as usize]), &mut numbers);
    let reference = characters(reference.iter().map(Token::as_str), &mut numbers);
    let distance = levenshtein(&shifted_characters, &reference, numbers.len());
    let cost = shift_cost(shifted, &units.hypothesis, &names);
    (distance as f64 + cost) / shifted_characters.len() as f64
}

/// The hypothesis's units by their numbers, which are the lowest.
fn names<'t>(tokens: &'t [Token<'_>], numbers: &[u32]) -> Vec<&'t str> {
    let mut names = Vec::new();
    for (token, &number) in tokens.iter().zip(numbers) {
        if number as usize == names.len() {
            names.push(token.as_str());
        }
    }
    names
}

/// Characters of the units joined by spaces, numbered in order of appearance.
fn characters<'t>(
    units: impl Iterator<Item = &'t str>,
    numbers: &mut FxHashMap<char, u32>,
) -> Vec<u32> {
    let mut characters = Vec::new();
    for unit in units {
        for c in unit.chars().chain([' ']) {
            let next = numbers.len() as u32;
            characters.push(*numbers.entry(c).or_insert(next));
        }
    }
    characters.pop();
    characters
}

/// The mean length of the units of each moved phrase, summed. What was moved is read off the two orders:
/// where they differ, the phrase from there on is looked for further back.
fn shift_cost(shifted: &[u32], original: &[u32], names: &[&str]) -> f64 {
    let mut cost = 0.0;
    let mut at = 0;
    while at < original.len() {
        let phrase = &original[at..];
        let place = (at + 1..shifted.len()).find(|&place| shifted[place] == original[at]);
        match place {
            Some(place) if shifted[at] != original[at] => {
                let same = phrase.iter().zip(&shifted[place..]).take_while(|(a, b)| a == b);
                let length = same.count();
                let characters = |&unit: &u32| names[unit as usize].chars().count();
                let total: usize = phrase[..length].iter().map(characters).sum();
                cost += total as f64 / length as f64;
                at += length;
            }
            _ => at += 1,
        }
    }
    cost
}

/// The greedy search for shifts, on the matrix of edit distances of units.
struct Search<'a> {
    names: Vec<&'a str>,
    words: Vec<u32>,
    reference: &'a Positions<'a>,
    blocks: usize,
    /// For each number of units of the hypothesis, a column of blocks and the distance at its end.
    columns: Vec<Block>,
    distances: Vec<u32>,
    scratch: Vec<Block>,
    steps: usize,
}

/// The best order so far and its distance.
struct Best {
    distance: u32,
    words: Vec<u32>,
    found: bool,
}

impl<'a> Search<'a> {
    fn new(tokens: &'a [Token<'a>], words: &[u32], reference: &'a Positions<'a>) -> Result<Self> {
        let longer = words.len().max(reference.units().len());
        if longer > MOST_UNITS {
            return Err(too_long(longer, "units", MOST_UNITS));
        }
        let blocks = reference.units().len().div_ceil(64);
        Ok(Self {
            names: names(tokens, words),
            words: words.to_vec(),
            reference,
            blocks,
            columns: vec![Block::FIRST; (words.len() + 1) * blocks],
            distances: vec![reference.units().len() as u32; words.len() + 1],
            scratch: vec![Block::FIRST; blocks],
            steps: 0,
        })
    }

    /// The hypothesis after all shifts that gain something.
    fn run(mut self) -> Result<Vec<u32>> {
        let mut shifted = self.words.clone();
        let mut best = Best { distance: 0, words: self.words.clone(), found: false };
        loop {
            let distance = self.fill();
            // A better order than this one is looked for; there is none below the difference in length.
            let Some(below) = distance.checked_sub(1) else { return Ok(self.words) };
            (best.distance, best.found) = (below, false);
            // Long phrases first: what they gain rules out most of the short ones.
            self.round(&mut shifted, &mut best, distance, |length| length > 2)?;
            self.round(&mut shifted, &mut best, distance, |length| length <= 2)?;
            if !best.found {
                return Ok(self.words);
            }
            self.words.copy_from_slice(&best.words);
        }
    }

    /// Tries all phrases of certain lengths.
    fn round(
        &mut self,
        shifted: &mut [u32],
        best: &mut Best,
        distance: u32,
        lengths: impl Fn(usize) -> bool,
    ) -> Result<()> {
        let reference = self.reference;
        let units = reference.units();
        for start in 0..self.words.len() {
            for &place in reference.between(self.words[start], 0, units.len()) {
                let place = place as usize;
                if place == start {
                    continue;
                }
                let run = self.words[start..].iter().zip(&units[place..]);
                let length = run.take_while(|(a, b)| a == b).count();
                // Beyond the end is the end.
                let target = place.min(self.words.len() - length);
                // Moving a phrase, or what it leaps over, undoes and does each unit at most once.
                let most = 2 * length.min(target.abs_diff(start)) as u32;
                if !lengths(length) || most < distance - best.distance {
                    continue;
                }
                shifted.copy_from_slice(&self.words);
                let range = start.min(target)..start.max(target) + length;
                let left = if target < start { start - target } else { length };
                shifted[range.clone()].rotate_left(left);
                self.try_shift(shifted, range.start, best);
                if self.steps > MOST_STEPS {
                    return Err(too_long(self.steps, "steps of the search", MOST_STEPS));
                }
            }
        }
        Ok(())
    }

    /// Takes a shifted order if it is better than the best.
    fn try_shift(&mut self, shifted: &[u32], from: usize, best: &mut Best) {
        let same = shifted[from..].iter().zip(&self.words[from..]).take_while(|(a, b)| a == b);
        let from = from + same.count();
        self.steps += 1 + (shifted.len() - from) * self.blocks;
        if from == shifted.len() {
            return;
        }
        let distance = self.distance(shifted, from);
        let better = distance < best.distance
            || distance == best.distance && (!best.found || self.is_greater(shifted, &best.words));
        if better {
            (best.distance, best.found) = (distance, true);
            best.words.copy_from_slice(shifted);
        }
    }

    /// Whether the first order is greater, unit by unit in the order of code points.
    fn is_greater(&self, a: &[u32], b: &[u32]) -> bool {
        let name = |unit: &u32| self.names[*unit as usize];
        a.iter().zip(b).find(|(a, b)| a != b).is_some_and(|(a, b)| name(a) > name(b))
    }

    /// Makes the matrix of the present order, and gives its distance.
    fn fill(&mut self) -> u32 {
        let edge = last_bit(self.reference.units().len());
        for (i, &unit) in self.words.iter().enumerate() {
            let (before, after) = self.columns.split_at_mut((i + 1) * self.blocks);
            after[..self.blocks].copy_from_slice(&before[i * self.blocks..]);
            let change = advance(&mut after[..self.blocks], self.reference, unit, edge);
            self.distances[i + 1] = self.distances[i].saturating_add_signed(change);
        }
        self.steps += self.words.len() * self.blocks;
        self.distances[self.words.len()]
    }

    /// The distance of an order that differs from the present one only from a position on.
    fn distance(&mut self, shifted: &[u32], from: usize) -> u32 {
        let edge = last_bit(self.reference.units().len());
        let mut distance = self.distances[from];
        let column = &self.columns[from * self.blocks..(from + 1) * self.blocks];
        self.scratch.copy_from_slice(column);
        for &unit in &shifted[from..] {
            let change = advance(&mut self.scratch, self.reference, unit, edge);
            distance = distance.saturating_add_signed(change);
        }
        distance
    }
}

/// Makes the next column of the matrix from this one, and gives the change at its end.
#[inline]
fn advance(column: &mut [Block], reference: &Positions<'_>, unit: u32, edge: u32) -> i32 {
    let mut difference = 1;
    let last = column.len() - 1;
    for (k, block) in column.iter_mut().enumerate() {
        let edge = if k == last { edge } else { 63 };
        (*block, difference) = block.step(reference.window(unit, k * 64), difference, edge);
    }
    difference
}

fn too_long(len: usize, unit: &'static str, limit: usize) -> Error {
    Error::TooLong { what: "CharacTER".to_owned(), len, unit, limit }
}
