//! The greedy search for shifts.
//!
//! Distances of all beginnings of the two texts, and of all their endings, are known as whole matrices:
//! the distance of an order that differs from the present one in a range is the least sum of a
//! beginning, continued through the range, and an ending. They also tell what a move can gain at most.
//! A moved phrase of *n* units is taken out and put in again, and putting in *n* units lowers a distance
//! by *n* at most, so neither the text without the phrase nor the text with a second one may be farther
//! from the reference than *n* more than the best known order.

#![allow(
    clippy::indexing_slicing,
    reason = "columns and rows are made for every number of units of the hypothesis; phrases lie inside \
              both texts"
)]

use super::{MOST_STEPS, MOST_UNITS};
use crate::{
    edit_distance::{Block, last_bit, write_out},
    positions::Positions,
};
use ko_eval_core::{Error, Result};
use std::ops::Range;

/// The hypothesis after all shifts that bring it nearer to the reference. Neither text is empty; units
/// are numbered in order of appearance, those of the hypothesis first, and `names` are their texts.
pub(super) fn shifted(hypothesis: &[u32], reference: &[u32], names: &[&str]) -> Result<Vec<u32>> {
    if hypothesis == reference {
        return Ok(hypothesis.to_vec());
    }
    let longer = hypothesis.len().max(reference.len());
    if longer > MOST_UNITS {
        return Err(too_long(longer, "units", MOST_UNITS));
    }
    let kinds = names.len().max(reference.iter().max().map_or(0, |&unit| unit as usize + 1));
    let backwards: Vec<u32> = reference.iter().rev().copied().collect();
    let forwards = Positions::of(reference, kinds);
    let backwards = Positions::of(&backwards, kinds);
    let blocks = reference.len().div_ceil(64);
    let cells = blocks * 64 + 1;
    let mut search = Search {
        names,
        words: hypothesis.to_vec(),
        forwards: &forwards,
        backwards: &backwards,
        columns: vec![Block::FIRST; (hypothesis.len() + 1) * blocks],
        beginnings: vec![0; (hypothesis.len() + 1) * cells],
        endings: vec![0; (hypothesis.len() + 1) * cells],
        inserted: Vec::new(),
        column: vec![Block::FIRST; blocks],
        row: vec![0; cells],
        steps: 0,
    };
    search.run()?;
    Ok(search.words)
}

struct Search<'a> {
    names: &'a [&'a str],
    words: Vec<u32>,
    forwards: &'a Positions<'a>,
    backwards: &'a Positions<'a>,
    /// The distances of every beginning of the hypothesis to those of the reference, as differences …
    columns: Vec<Block>,
    /// … and as numbers, and likewise of the endings.
    beginnings: Vec<i16>,
    endings: Vec<i16>,
    /// For short phrases of the reference, the distance with one more of them; [`UNKNOWN`] if not asked.
    inserted: Vec<i16>,
    column: Vec<Block>,
    row: Vec<i16>,
    steps: usize,
}

const UNKNOWN: i16 = -1;
/// What is remembered of phrases is remembered up to this length.
const SHORT: usize = 4;

/// The best order so far and its distance.
struct Best {
    distance: i16,
    words: Vec<u32>,
    found: bool,
}

/// A phrase of the hypothesis that also stands at `place` in the reference.
#[derive(Clone, Copy)]
struct Phrase {
    start: usize,
    place: usize,
    length: usize,
}

impl Phrase {
    /// Where it comes to stand: beyond the end is the end.
    fn target(self, units: usize) -> usize {
        self.place.min(units - self.length)
    }
}

impl Search<'_> {
    fn run(&mut self) -> Result<()> {
        let mut shifted = self.words.clone();
        let mut best = Best { distance: 0, words: self.words.clone(), found: false };
        loop {
            let distance = self.fill();
            (best.distance, best.found) = (distance - 1, false);
            // Long phrases first: what they gain rules out most of the short ones.
            self.round(distance, &mut shifted, &mut best, |length| length > 2)?;
            self.round(distance, &mut shifted, &mut best, |length| length <= 2)?;
            if !best.found {
                return Ok(());
            }
            self.words.copy_from_slice(&best.words);
        }
    }

    /// Makes the matrices of the present order, and gives its distance.
    fn fill(&mut self) -> i16 {
        let (units, blocks, cells) = (self.words.len(), self.column.len(), self.row.len());
        let reference = self.forwards.units().len();
        self.column.fill(Block::FIRST);
        for i in 0..=units {
            self.columns[i * blocks..][..blocks].copy_from_slice(&self.column);
            write_out(&self.column, i as i16, &mut self.beginnings[i * cells..][..cells]);
            if let Some(&unit) = self.words.get(i) {
                advance(&mut self.column, self.forwards, unit);
            }
        }
        self.column.fill(Block::FIRST);
        for i in (0..=units).rev() {
            write_out(&self.column, (units - i) as i16, &mut self.row);
            let row = &mut self.endings[i * cells..][..=reference];
            row.iter_mut()
                .zip(self.row[..=reference].iter().rev())
                .for_each(|(to, &cell)| *to = cell);
            if let Some(&unit) = i.checked_sub(1).and_then(|before| self.words.get(before)) {
                advance(&mut self.column, self.backwards, unit);
            }
        }
        self.inserted.clear();
        self.inserted.resize(reference * SHORT * 2, UNKNOWN);
        self.steps += 2 * units * blocks;
        self.beginnings[units * cells + reference]
    }

    /// Tries all phrases of certain lengths.
    fn round(
        &mut self,
        distance: i16,
        shifted: &mut [u32],
        best: &mut Best,
        lengths: impl Fn(usize) -> bool,
    ) -> Result<()> {
        let forwards = self.forwards;
        let units = forwards.units();
        for start in 0..self.words.len() {
            let mut deleted = [UNKNOWN; SHORT];
            for &place in forwards.between(self.words[start], 0, units.len()) {
                let place = place as usize;
                let run = self.words[start..].iter().zip(&units[place..]);
                let length = run.take_while(|(a, b)| a == b).count();
                self.steps += 1;
                let phrase = Phrase { start, place, length };
                // Moving a phrase is moving what it leaps over: the shorter of the two counts.
                let leap = phrase.target(self.words.len()).abs_diff(start);
                let most = 2 * length.min(leap) as i16;
                if place == start || !lengths(length) || most < distance - best.distance {
                    continue;
                }
                let bearable = best.distance + length as i16;
                let without = match deleted.get_mut(length - 1) {
                    Some(known) if *known != UNKNOWN => *known,
                    known => {
                        let without = self.without(phrase);
                        known.into_iter().for_each(|known| *known = without);
                        without
                    }
                };
                if without <= bearable && self.with_another(phrase) <= bearable {
                    self.try_shift(phrase, shifted, best);
                }
                if self.steps > MOST_STEPS {
                    return Err(too_long(self.steps, "steps of the search", MOST_STEPS));
                }
            }
        }
        Ok(())
    }

    /// The distance of the text without the phrase.
    fn without(&mut self, Phrase { start, length, .. }: Phrase) -> i16 {
        self.steps += self.column.len();
        let cells = self.row.len();
        self.least_sum(&self.beginnings[start * cells..][..cells], start + length)
    }

    /// The distance of the text with the phrase a second time, where it would come to stand.
    fn with_another(&mut self, phrase: Phrase) -> i16 {
        let Phrase { start, place, length } = phrase;
        let target = phrase.target(self.words.len());
        let behind = target > start;
        let slot = (place * SHORT + length - 1) * 2 + usize::from(behind);
        let known = (length <= SHORT).then(|| self.inserted[slot]).filter(|&d| d != UNKNOWN);
        known.unwrap_or_else(|| {
            let at = if behind { target + length } else { target };
            let units = self.forwards.units();
            let distance = self.through(at, &units[place..place + length], at);
            if length <= SHORT {
                self.inserted[slot] = distance;
            }
            distance
        })
    }

    /// Moves the phrase, and keeps the new order if it is better than the best.
    fn try_shift(&mut self, phrase: Phrase, shifted: &mut [u32], best: &mut Best) {
        let Phrase { start, length, .. } = phrase;
        let target = phrase.target(self.words.len());
        let Range { start: from, end: to } = start.min(target)..start.max(target) + length;
        shifted.copy_from_slice(&self.words);
        shifted[from..to].rotate_left(if target < start { start - target } else { length });
        let distance = self.through(from, &shifted[from..to], to);
        let better = distance < best.distance
            || distance == best.distance && (!best.found || self.is_greater(shifted, &best.words));
        if better {
            (best.distance, best.found) = (distance, true);
            best.words.copy_from_slice(shifted);
        }
    }

    /// The distance of the text that has these units instead of its own in `from..to`.
    fn through(&mut self, from: usize, units: &[u32], to: usize) -> i16 {
        let blocks = self.column.len();
        self.steps += (units.len() + 1) * blocks;
        self.column.copy_from_slice(&self.columns[from * blocks..][..blocks]);
        for &unit in units {
            advance(&mut self.column, self.forwards, unit);
        }
        write_out(&self.column, (from + units.len()) as i16, &mut self.row);
        self.least_sum(&self.row, to)
    }

    /// The least sum of a beginning's distances and those of the ending at `at`.
    fn least_sum(&self, beginning: &[i16], at: usize) -> i16 {
        let cells = self.forwards.units().len() + 1;
        let ending = &self.endings[at * self.row.len()..][..cells];
        let sums = beginning[..cells].iter().zip(ending).map(|(a, b)| a + b);
        sums.fold(i16::MAX, i16::min)
    }

    /// Whether the first order is greater, unit by unit in the order of code points.
    fn is_greater(&self, a: &[u32], b: &[u32]) -> bool {
        let name = |unit: &u32| self.names[*unit as usize];
        a.iter().zip(b).find(|(a, b)| a != b).is_some_and(|(a, b)| name(a) > name(b))
    }
}

/// Makes the next column of the matrix from this one.
#[inline]
fn advance(column: &mut [Block], reference: &Positions<'_>, unit: u32) {
    let mut difference = 1;
    for (k, block) in column.iter_mut().enumerate() {
        (*block, difference) = block.step(reference.window(unit, k * 64), difference, last_bit(64));
    }
}

fn too_long(len: usize, unit: &'static str, limit: usize) -> Error {
    Error::TooLong { what: "CharacTER".to_owned(), len, unit, limit }
}
