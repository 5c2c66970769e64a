//! The greedy search for shifts.
//!
//! The distances of all beginnings of the two texts are known, and of all their endings: the distance of
//! an order that differs from the present one in a range is the least sum of a beginning, continued
//! through the range, and an ending. They also tell what a move can gain at most. A moved phrase of *n*
//! units is taken out and put in again, and putting in *n* units lowers a distance by *n* at most, so
//! neither the text without the phrase nor the text with a second one may be farther from the reference
//! than *n* more than the best known order. And no order is nearer than the units allow that the texts
//! have in common.

#![allow(
    clippy::indexing_slicing,
    reason = "masks are made for every unit of the hypothesis, columns for every number of them; phrases \
              lie inside both texts"
)]

use super::{MOST_STEPS, MOST_UNITS};
use crate::kernel::edit_distance::{Block, difference, least_sum};
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
    let mut search = Search::new(hypothesis, reference, names);
    search.run()?;
    Ok(search.words)
}

struct Search<'a> {
    names: &'a [&'a str],
    words: Vec<u32>,
    reference: &'a [u32],
    /// The distance that no order can go below.
    floor: i16,
    /// Words of bits for a column, with a bit to spare.
    blocks: usize,
    /// For each unit of the hypothesis, where it stands in the reference …
    masks: Vec<u64>,
    /// … and where counted from the end of the last block.
    backward_masks: Vec<u64>,
    /// The distances of every beginning of the hypothesis to those of the reference, and of the endings.
    beginnings: Vec<Block>,
    endings: Vec<Block>,
    /// For short phrases of the reference, the distance with one more of them; [`UNKNOWN`] if not asked.
    inserted: Vec<i16>,
    /// For each unit of the hypothesis the places of [`Search::fill_runs`].
    runs: Vec<[u64; SHORT + 1]>,
    /// For each diagonal, where in the hypothesis the long run of equal units ends that was met last.
    run_ends: Vec<u16>,
    column: Vec<Block>,
    steps: usize,
}

const UNKNOWN: i16 = -1;
/// What is remembered of phrases is remembered up to this length.
const SHORT: usize = 4;
/// Long phrases first: what they gain rules out most of the short ones.
const LENGTHS: [Range<usize>; 3] = [SHORT + 1..MOST_UNITS + 1, 3..SHORT + 1, 1..3];

/// The best order so far and its distance.
struct Best {
    distance: i16,
    words: Vec<u32>,
    found: bool,
    /// What the present order has.
    present: i16,
}

impl Best {
    /// The least that a move must gain: ties are decided by the order.
    fn gain(&self) -> usize {
        usize::from((self.present - self.distance).unsigned_abs())
    }
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

impl<'a> Search<'a> {
    fn new(hypothesis: &[u32], reference: &'a [u32], names: &'a [&'a str]) -> Self {
        let (kinds, units) = (names.len(), hypothesis.len());
        let blocks = reference.len() / 64 + 1;
        let mut masks = vec![0; kinds * blocks];
        let mut backward_masks = vec![0; kinds * blocks];
        let mut counts = vec![0u16; kinds];
        hypothesis.iter().for_each(|&unit| counts[unit as usize] += 1);
        let mut common = 0;
        for (at, &unit) in reference.iter().enumerate() {
            let unit = unit as usize;
            let Some(count) = counts.get_mut(unit) else { continue };
            common += i16::from(*count > 0);
            *count = count.saturating_sub(1);
            masks[unit * blocks + at / 64] |= 1 << (at % 64);
            let back = blocks * 64 - 1 - at;
            backward_masks[unit * blocks + back / 64] |= 1 << (back % 64);
        }
        Self {
            names,
            words: hypothesis.to_vec(),
            reference,
            floor: units.max(reference.len()) as i16 - common,
            blocks,
            masks,
            backward_masks,
            beginnings: vec![Block::FIRST; (units + 1) * blocks],
            endings: Vec::new(),
            inserted: Vec::new(),
            runs: vec![[0; SHORT + 1]; (units + 1) * (blocks + 1)],
            run_ends: vec![0; units + reference.len()],
            column: vec![Block::FIRST; blocks],
            steps: 0,
        }
    }

    fn run(&mut self) -> Result<()> {
        let mut shifted = Vec::new();
        let mut best = Best { distance: 0, words: Vec::new(), found: false, present: 0 };
        loop {
            best.present = self.fill_beginnings();
            if best.present <= self.floor {
                return Ok(());
            }
            self.fill_endings();
            self.fill_runs();
            (best.distance, best.found) = (best.present - 1, false);
            for lengths in LENGTHS {
                if best.gain() < 2 * lengths.end {
                    self.round(&lengths, &mut shifted, &mut best)?;
                }
            }
            if !best.found {
                return Ok(());
            }
            self.words.copy_from_slice(&best.words);
        }
    }

    /// Makes the distances of all beginnings of the present order, and gives its own.
    fn fill_beginnings(&mut self) -> i16 {
        let blocks = self.blocks;
        for (i, &unit) in self.words.iter().enumerate() {
            let (before, after) = self.beginnings.split_at_mut((i + 1) * blocks);
            let masks = &self.masks[unit as usize * blocks..][..blocks];
            advance(&before[i * blocks..], &mut after[..blocks], masks);
        }
        let units = self.words.len();
        self.steps += units * blocks;
        units as i16 + difference(&self.beginnings[units * blocks..], self.reference.len())
    }

    fn fill_endings(&mut self) {
        let (units, blocks) = (self.words.len(), self.blocks);
        if self.endings.is_empty() {
            // The reference stands at the upper end; cells below it are all like the one before its units.
            self.endings.resize((units + 1) * blocks, Block::FIRST);
            self.endings[units * blocks] = Block::flat(blocks * 64 - self.reference.len());
        }
        for (i, &unit) in self.words.iter().enumerate().rev() {
            let (after, before) = self.endings.split_at_mut((i + 1) * blocks);
            let masks = &self.backward_masks[unit as usize * blocks..][..blocks];
            advance(&before[..blocks], &mut after[i * blocks..], masks);
        }
        self.steps += 2 * units * blocks;
        self.inserted.clear();
        self.inserted.resize(self.reference.len() * SHORT * 2, UNKNOWN);
    }

    /// Finds from which other places of the reference at least one unit, two, three … are those of the
    /// hypothesis.
    fn fill_runs(&mut self) {
        let (blocks, width) = (self.blocks, self.blocks + 1);
        for (start, &unit) in self.words.iter().enumerate().rev() {
            let (runs, longer) = self.runs.split_at_mut((start + 1) * width);
            let runs = &mut runs[start * width..];
            let masks = &self.masks[unit as usize * blocks..][..blocks];
            // A run is one longer than that from the next units on.
            for ((runs, &mask), next) in runs.iter_mut().zip(masks).zip(longer.windows(2)) {
                runs[0] = mask;
                for k in 0..SHORT {
                    runs[k + 1] = mask & (next[0][k] >> 1 | next[1][k] << 63);
                }
            }
            // Where it stands already.
            let own = start / 64;
            if own < blocks {
                runs[own].iter_mut().for_each(|places| *places &= !(1 << (start % 64)));
            }
        }
    }

    /// Tries all phrases of certain lengths.
    fn round(
        &mut self,
        lengths: &Range<usize>,
        shifted: &mut Vec<u32>,
        best: &mut Best,
    ) -> Result<()> {
        for start in (0..self.words.len()).rev() {
            let mut without = [UNKNOWN; SHORT];
            self.steps += self.blocks;
            for block in 0..self.blocks {
                let runs = self.runs[start * (self.blocks + 1) + block];
                if lengths.start > SHORT {
                    for place in bits(runs[SHORT], block) {
                        let length = self.long_run(start, place);
                        let phrase = Phrase { start, place, length };
                        self.consider(phrase, None, shifted, best)?;
                    }
                    continue;
                }
                for length in lengths.clone() {
                    let places = runs[length - 1] & !runs[length];
                    if places == 0 || best.gain() > 2 * length {
                        continue;
                    }
                    let bearable = best.distance + length as i16;
                    let without = &mut without[length - 1];
                    if *without == UNKNOWN {
                        *without = self.without(start, length, bearable);
                    }
                    if *without <= bearable {
                        for place in bits(places, block) {
                            let phrase = Phrase { start, place, length };
                            self.consider(phrase, Some(*without), shifted, best)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// How many units are equal from here on, of which more than [`SHORT`] are known to be.
    fn long_run(&mut self, start: usize, place: usize) -> usize {
        let known = SHORT + 1;
        let end = &mut self.run_ends[place + self.words.len() - 1 - start];
        let next = self.words.get(start + known);
        if next.is_none() || next != self.reference.get(place + known) {
            *end = (start + known) as u16;
        }
        usize::from(*end) - start
    }

    /// Moves the phrase if that can be better than the best. `without` is the distance without it, if known.
    fn consider(
        &mut self,
        phrase: Phrase,
        without: Option<i16>,
        shifted: &mut Vec<u32>,
        best: &mut Best,
    ) -> Result<()> {
        self.steps += 1;
        // Moving a phrase is moving what it leaps over: the shorter of the two counts.
        let leap = phrase.target(self.words.len()).abs_diff(phrase.start);
        if 2 * phrase.length.min(leap) < best.gain() {
            return Ok(());
        }
        let bearable = best.distance + phrase.length as i16;
        let without =
            without.unwrap_or_else(|| self.without(phrase.start, phrase.length, bearable));
        if without <= bearable && self.with_another(phrase, bearable) <= bearable {
            self.try_shift(phrase, shifted, best);
        }
        if self.steps > MOST_STEPS {
            return Err(too_long(self.steps, "steps of the search", MOST_STEPS));
        }
        Ok(())
    }

    /// The distance of the text without a phrase.
    fn without(&mut self, start: usize, length: usize, most: i16) -> i16 {
        self.steps += self.blocks + most as usize / 8;
        let beginning = &self.beginnings[start * self.blocks..][..self.blocks];
        self.completed(beginning, start, start + length, most)
    }

    /// The distance of the text with the phrase a second time, where it would come to stand.
    fn with_another(&mut self, phrase: Phrase, most: i16) -> i16 {
        let Phrase { start, place, length } = phrase;
        let target = phrase.target(self.words.len());
        let behind = target > start;
        let slot = (place * SHORT + length - 1) * 2 + usize::from(behind);
        let known = (length <= SHORT).then(|| self.inserted[slot]).filter(|&d| d != UNKNOWN);
        known.unwrap_or_else(|| {
            let at = if behind { target + length } else { target };
            let reference = self.reference;
            let distance = self.through(at, &reference[place..place + length], at, most);
            if length <= SHORT {
                self.inserted[slot] = distance;
            }
            distance
        })
    }

    /// Moves the phrase, and keeps the new order if it is better than the best.
    fn try_shift(&mut self, phrase: Phrase, shifted: &mut Vec<u32>, best: &mut Best) {
        let Phrase { start, length, .. } = phrase;
        let target = phrase.target(self.words.len());
        let Range { start: mut from, end: mut to } = start.min(target)..start.max(target) + length;
        shifted.clone_from(&self.words);
        shifted[from..to].rotate_left(if target < start { start - target } else { length });
        while from < to && shifted[from] == self.words[from] {
            from += 1;
        }
        while from < to && shifted[to - 1] == self.words[to - 1] {
            to -= 1;
        }
        if from == to {
            return;
        }
        let distance = self.through(from, &shifted[from..to], to, best.distance);
        let better = distance < best.distance
            || distance == best.distance && (!best.found || self.is_greater(shifted, &best.words));
        if better {
            (best.distance, best.found) = (distance, true);
            best.words.clone_from(shifted);
        }
    }

    /// The distance of the text that has these units instead of its own in `from..to`.
    fn through(&mut self, from: usize, units: &[u32], to: usize, most: i16) -> i16 {
        let blocks = self.blocks;
        self.steps += (units.len() + 1) * blocks + most as usize / 8;
        self.column.copy_from_slice(&self.beginnings[from * blocks..][..blocks]);
        for &unit in units {
            let masks = &self.masks[unit as usize * blocks..][..blocks];
            let mut leaves = 1;
            for (block, &equal) in self.column.iter_mut().zip(masks) {
                (*block, leaves) = block.step(equal, leaves, 63);
            }
        }
        self.completed(&self.column, from + units.len(), to, most)
    }

    /// The distance of a text that begins with so many units, which have this column, and ends as the
    /// hypothesis does from `at` on; anything above `most` if it is above.
    fn completed(&self, column: &[Block], units: usize, at: usize, most: i16) -> i16 {
        let rest = self.words.len() - at;
        let ending = &self.endings[at * self.blocks..][..self.blocks];
        // So many units cost at least what they are more or less than those they stand for: only where
        // the two differences together are bearable is it worth looking.
        let sum = (units + self.reference.len()) as i32 - rest as i32;
        let most = i32::from(most);
        let low = (sum - most).div_euclid(2).max(0);
        let high = (sum + most).div_euclid(2).min(self.reference.len() as i32);
        if high < low {
            return i16::MAX;
        }
        let cells = low as usize..=high as usize;
        (units + rest) as i16 + least_sum(column, ending, cells)
    }

    /// Whether the first order is greater, unit by unit in the order of code points.
    fn is_greater(&self, a: &[u32], b: &[u32]) -> bool {
        let name = |unit: &u32| self.names[*unit as usize];
        a.iter().zip(b).find(|(a, b)| a != b).is_some_and(|(a, b)| name(a) > name(b))
    }
}

/// Makes the next column of the matrix.
#[inline]
fn advance(column: &[Block], next: &mut [Block], masks: &[u64]) {
    let mut leaves = 1;
    for ((block, next), &equal) in column.iter().zip(next).zip(masks) {
        (*next, leaves) = block.step(equal, leaves, 63);
    }
}

/// The places that are set in a block.
fn bits(mut places: u64, block: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (places != 0).then(|| {
            let place = block * 64 + places.trailing_zeros() as usize;
            places &= places - 1;
            place
        })
    })
}

fn too_long(len: usize, unit: &'static str, limit: usize) -> Error {
    Error::TooLong { what: "CharacTER".to_owned(), len, unit, limit }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn distance(a: &[u32], b: &[u32]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], i + 1);
            for (j, y) in b.iter().enumerate() {
                let here = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
                diagonal = std::mem::replace(&mut row[j + 1], here);
            }
        }
        row[b.len()]
    }

    /// The rule as it is written down: every phrase, every place, every distance.
    fn by_the_book(hypothesis: &[u32], reference: &[u32], names: &[&str]) -> Vec<u32> {
        let mut words = hypothesis.to_vec();
        loop {
            let mut best = (distance(&words, reference), Vec::new(), None);
            for start in 0..words.len() {
                for place in (0..reference.len()).filter(|&place| place != start) {
                    let run = words[start..].iter().zip(&reference[place..]);
                    let length = run.take_while(|(a, b)| a == b).count();
                    let mut moved = words.clone();
                    let phrase: Vec<u32> = moved.drain(start..start + length).collect();
                    let target = place.min(moved.len());
                    moved.splice(target..target, phrase);
                    let text: Vec<&str> = moved.iter().map(|&unit| names[unit as usize]).collect();
                    let now = distance(&moved, reference);
                    if now < best.0 || now == best.0 && best.2.is_some() && text > best.1 {
                        best = (now, text, Some(moved));
                    }
                }
            }
            match best.2 {
                Some(moved) => words = moved,
                None => return words,
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(ko_eval_testing::cases(4, 24)))]
        #[test]
        fn equals_the_definition(
            reference in proptest::collection::vec(0u32..5, 1..75),
            (from, to, place) in (0usize..75, 0usize..75, 0usize..75),
            kept in 1u32..6,
        ) {
            // A moved phrase and a changed unit, numbered in order of appearance.
            let mut moved: Vec<u32> = reference.iter().map(|&unit| unit % kept).collect();
            let (from, to) = (from % moved.len(), to % moved.len());
            let phrase: Vec<u32> = moved.drain(from.min(to)..from.max(to)).collect();
            let place = place % (moved.len() + 1);
            moved.splice(place..place, phrase);
            let mut numbers: Vec<u32> = Vec::new();
            for &unit in moved.iter().chain(&reference) {
                if !numbers.contains(&unit) {
                    numbers.push(unit);
                }
            }
            let number = |unit: &u32| numbers.iter().position(|n| n == unit).unwrap() as u32;
            let hypothesis: Vec<u32> = moved.iter().map(number).collect();
            let reference: Vec<u32> = reference.iter().map(number).collect();
            let kinds = hypothesis.iter().max().map_or(0, |&unit| unit as usize + 1);
            let names = &["나", "가", "라", "마", "다"][..kinds];
            prop_assert_eq!(
                shifted(&hypothesis, &reference, names).unwrap(),
                by_the_book(&hypothesis, &reference, names)
            );
        }
    }
}
