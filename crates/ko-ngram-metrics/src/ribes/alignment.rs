//! Which unit of the reference each unit of the hypothesis means.

#![allow(
    clippy::indexing_slicing,
    reason = "positions lie in their text; units are numbered below `kinds`"
)]

use super::{Rule, suffixes::by_suffixes};
use crate::kernel::{
    ngrams::neighbours,
    numbering::{Numbering, pair},
};
use std::cell::RefCell;

/// Hands over the positions in the reference of the units of the hypothesis that can be aligned, in
/// order.
pub(super) fn align<T>(
    hypothesis: &[u32],
    reference: &[u32],
    kinds: usize,
    rule: Rule,
    then: impl FnOnce(&[u32]) -> T,
) -> T {
    ROOM.with_borrow_mut(|room| {
        room.count(hypothesis, reference, kinds);
        if !room.by_units(hypothesis)
            && !room.rank_by_neighbours(hypothesis, reference, kinds, rule)
        {
            let pairs = by_suffixes(hypothesis, reference, kinds, rule);
            room.ranks = pairs.into_iter().map(|(_, place)| place).collect();
        }
        then(&room.ranks)
    })
}

/// The units of the hypothesis that can be aligned, in order, and what each is aligned to.
pub(super) fn aligned(
    hypothesis: &[u32],
    reference: &[u32],
    kinds: usize,
    rule: Rule,
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::with_capacity(hypothesis.len());
    let all_found = ROOM.with_borrow_mut(|room| {
        room.count(hypothesis, reference, kinds);
        let found = |at, place: u32| pairs.push((at, place as usize));
        room.by_neighbours(hypothesis, reference, kinds, rule, found)
    });
    if !all_found {
        let found = by_suffixes(hypothesis, reference, kinds, rule).into_iter();
        return found.map(|(at, place)| (at, place as usize)).collect();
    }
    pairs
}

/// Room to work in, used again for the next segment.
struct Room {
    units: Vec<Count>,
    /// Both texts with a unit of its own before, between and behind them: what is compared never goes beyond a text.
    text: Vec<u32>,
    pairs: Numbering,
    /// By the number of a pair, where in the text it stands last.
    last: Vec<u32>,
    /// Of each place, the number of the pair there, and the place before it with the same pair.
    chains: Vec<Link>,
    ranks: Vec<u32>,
}

thread_local! {
    static ROOM: RefCell<Room> = RefCell::new(Room {
        units: Vec::new(),
        text: Vec::new(),
        pairs: Numbering::with_capacity(256),
        last: Vec::new(),
        chains: Vec::new(),
        ranks: Vec::new(),
    });
}

#[derive(Clone, Copy)]
struct Link {
    number: u32,
    before: u32,
}

/// How often a unit stands in either text, and where in the reference.
#[derive(Clone, Copy, Default)]
struct Count {
    hypothesis: u32,
    reference: u32,
    place: u32,
}

/// The widest context that is tried for a unit, and one more.
pub(super) fn widest(hypothesis: usize, at: usize, rule: Rule) -> usize {
    match rule {
        Rule::Nltk => at.max(hypothesis - at + 1),
        Rule::Official => (at + 1).max(hypothesis - at + 1),
    }
}

const NOWHERE: u32 = u32::MAX;
/// Texts in which contexts stand at more places than this for every unit are left to the suffix arrays.
const MOST_PLACES: usize = 64;
/// Pairs are numbered by their units where that makes at most so many numbers for every pair.
const MOST_PER_PAIR: usize = 32;

impl Room {
    /// By the units alone, once they are counted. Gives up where one that both texts have stands twice in either.
    fn by_units(&mut self, hypothesis: &[u32]) -> bool {
        let Self { units, ranks, .. } = self;
        ranks.resize(hypothesis.len(), 0);
        let mut aligned = 0;
        for &unit in hypothesis {
            let Count { hypothesis, reference, place } = units[unit as usize];
            if u64::from(hypothesis) * u64::from(reference) > 1 {
                return false;
            }
            // The next one takes the place of a unit that the reference does not have.
            ranks[aligned] = place;
            aligned += reference as usize;
        }
        ranks.truncate(aligned);
        true
    }

    /// The ranks by [`Room::by_neighbours`].
    fn rank_by_neighbours(
        &mut self,
        hypothesis: &[u32],
        reference: &[u32],
        kinds: usize,
        rule: Rule,
    ) -> bool {
        let mut ranks = std::mem::take(&mut self.ranks);
        ranks.clear();
        let all =
            self.by_neighbours(hypothesis, reference, kinds, rule, |_, place| ranks.push(place));
        self.ranks = ranks;
        all
    }

    /// By the places where a unit stands with its neighbours, which grow fewer as the context grows, once the units are
    /// counted. `found` hears of each unit of the hypothesis and of its place in the reference. Gives up where they are too
    /// many.
    #[inline]
    fn by_neighbours(
        &mut self,
        hypothesis: &[u32],
        reference: &[u32],
        kinds: usize,
        rule: Rule,
        mut found: impl FnMut(usize, u32),
    ) -> bool {
        let mut is_paired = false;
        let mut budget = MOST_PLACES * (hypothesis.len() + reference.len());
        for (at, &unit) in hypothesis.iter().enumerate() {
            match self.units[unit as usize] {
                Count { reference: 0, .. } => {}
                Count { hypothesis: 1, reference: 1, place } => found(at, place),
                _ => {
                    if !is_paired {
                        self.pair_up(hypothesis, reference, kinds);
                        is_paired = true;
                    }
                    if let Some(place) = self.in_context(at, hypothesis.len(), rule, &mut budget) {
                        found(at, place);
                    }
                    if budget == 0 {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn count(&mut self, hypothesis: &[u32], reference: &[u32], kinds: usize) {
        self.units.clear();
        self.units.resize(kinds, Count::default());
        hypothesis.iter().for_each(|&unit| self.units[unit as usize].hypothesis += 1);
        for (&unit, place) in reference.iter().zip(0..) {
            let count = &mut self.units[unit as usize];
            count.reference += 1;
            count.place = place;
        }
    }

    /// Finds the places of all pairs.
    fn pair_up(&mut self, hypothesis: &[u32], reference: &[u32], kinds: usize) {
        let edge = kinds as u32;
        self.text.clear();
        self.text.push(edge);
        self.text.extend_from_slice(hypothesis);
        self.text.push(edge + 1);
        self.text.extend_from_slice(reference);
        self.text.push(edge + 2);
        let pairs = self.text.len() - 1;
        let units = kinds + 3;
        let last = &mut self.last;
        last.clear();
        self.chains.clear();
        // Few units make few pairs, which need no table.
        if units * units <= MOST_PER_PAIR * pairs {
            last.resize(units * units, NOWHERE);
            chain(&mut self.chains, &self.text, last, |first, second| {
                first * units as u32 + second
            });
        } else {
            last.resize(pairs, NOWHERE);
            let mut numbers = self.pairs.cleared(pairs);
            let number = |first, second| numbers.number(pair(first, second));
            chain(&mut self.chains, &self.text, last, number);
        }
    }

    /// The place in the reference of a unit of the hypothesis whose context stands once in either text. What is looked
    /// at is taken off the budget, and if nothing is left of it the answer does not count.
    fn in_context(
        &self,
        at: usize,
        hypothesis: usize,
        rule: Rule,
        budget: &mut usize,
    ) -> Option<u32> {
        let text = self.text.as_slice();
        let (own, first) = (at + 1, hypothesis + 2);
        // The usual case: a pair that stands here, once in the reference, and nowhere else.
        let pair_alone = |place: usize| {
            let Link { number, before } = self.chains[place];
            let other = self.last[number as usize] as usize;
            let is_alone =
                before == NOWHERE && other >= first && self.chains[other].before as usize == place;
            is_alone.then(|| (other - first) as u32)
        };
        let right_alone = || pair_alone(own);
        let left_alone = || pair_alone(own - 1).map(|place| place + 1);
        let alone = match rule {
            Rule::Nltk => right_alone().or_else(left_alone),
            Rule::Official => left_alone().or_else(right_alone),
        };
        if alone.is_some() {
            return alone;
        }
        // What is compared differs at the latest at the end of a text.
        let right = |budget: &mut usize| {
            self.nearest(own, first, budget, |other, k| text[own + k] == text[other + k])
        };
        let left = |budget: &mut usize| {
            let agree = |other: usize, k: usize| text[own - k] == text[other + 1 - k];
            let found = self.nearest(own - 1, first, budget, agree);
            found.map(|found| Context { place: found.place + 1, ..found })
        };
        // A smaller window on the other side wins, but no pair is alone there.
        let is_settled = |found: &Option<Context>| found.is_some_and(|found| found.window <= 2);
        let (preferred, other) = match rule {
            Rule::Nltk => {
                let right = right(budget);
                (right, if is_settled(&right) { None } else { left(budget) })
            }
            Rule::Official => {
                let left = left(budget);
                (left, if is_settled(&left) { None } else { right(budget) })
            }
        };
        let best = match (preferred, other) {
            (Some(preferred), Some(other)) if other.window < preferred.window => Some(other),
            (preferred, other) => preferred.or(other),
        };
        let found = best.filter(|found| found.window < widest(hypothesis, at, rule));
        found.map(|found| found.place)
    }

    /// The smallest context that holds the pair at a place of the hypothesis, and stands once in either text. `agree` tells
    /// whether the unit so far from the first of it, on one side, is the same at another place. The reference starts at
    /// `first`.
    #[inline]
    fn nearest(
        &self,
        own: usize,
        first: usize,
        budget: &mut usize,
        agree: impl Fn(usize, usize) -> bool,
    ) -> Option<Context> {
        // Texts agree far, but contexts are mostly told apart soon.
        let mut farthest = 6;
        loop {
            // The place that agrees most, and the least window that could tell it from all others.
            let (mut nearest, mut most, mut window) = (None, 0, 1);
            let mut place = self.last[self.chains[own].number as usize];
            while place != NOWHERE {
                let other = place as usize;
                place = self.chains[other].before;
                if other == own {
                    continue;
                }
                let agreement = (2..farthest).take_while(|&k| agree(other, k)).count();
                *budget = budget.saturating_sub(agreement + 1);
                if *budget == 0 {
                    return None;
                }
                if nearest.is_none() {
                    (nearest, most) = (Some(other), agreement);
                } else if agreement > most {
                    (nearest, most, window) = (Some(other), agreement, most + 2);
                } else {
                    window = window.max(agreement + 2);
                }
            }
            if window <= most + 1 {
                // At a place of the hypothesis, it stands twice there.
                let place = nearest?.checked_sub(first)?;
                return Some(Context { window, place: place as u32 });
            }
            if most + 2 < farthest {
                return None;
            }
            farthest *= 4;
        }
    }
}

/// Links every pair with the one before it of the same number.
fn chain(
    chains: &mut Vec<Link>,
    text: &[u32],
    last: &mut [u32],
    mut number: impl FnMut(u32, u32) -> u32,
) {
    chains.extend(neighbours(text).zip(0..).map(|((first, second), place)| {
        let number = number(first, second);
        Link { number, before: std::mem::replace(&mut last[number as usize], place) }
    }));
}

/// The smallest context on one side of a unit that stands once in either text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Context {
    /// How many neighbours it has.
    pub(super) window: usize,
    /// Where in the reference it starts.
    pub(super) place: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The rule as it is written: every context is counted in both texts.
    fn by_the_book(hypothesis: &[u32], reference: &[u32], rule: Rule) -> Vec<u32> {
        let count =
            |text: &[u32], gram: &[u32]| text.windows(gram.len()).filter(|w| *w == gram).count();
        let place = |gram: &[u32]| reference.windows(gram.len()).position(|w| w == gram).unwrap();
        let once = |gram: &[u32]| count(reference, gram) == 1 && count(hypothesis, gram) == 1;
        let mut ranks = Vec::new();
        for (at, unit) in hypothesis.iter().enumerate() {
            if once(&[*unit]) {
                ranks.push(place(&[*unit]) as u32);
                continue;
            }
            for window in 1..widest(hypothesis.len(), at, rule) {
                let right = hypothesis.get(at..=at + window).filter(|gram| once(gram)).map(place);
                let left = at.checked_sub(window).map(|from| &hypothesis[from..=at]);
                let left = left.filter(|gram| once(gram)).map(|gram| place(gram) + window);
                let found = match rule {
                    Rule::Nltk => right.or(left),
                    Rule::Official => left.or(right),
                };
                if let Some(found) = found {
                    ranks.push(found as u32);
                    break;
                }
            }
        }
        ranks
    }

    proptest! {
        #[test]
        fn neighbours_and_suffixes_follow_the_rule(
            hypothesis in proptest::collection::vec(0u32..4, 0..25),
            reference in proptest::collection::vec(0u32..4, 0..25),
        ) {
            for rule in [Rule::Nltk, Rule::Official] {
                let expected = by_the_book(&hypothesis, &reference, rule);
                ROOM.with_borrow_mut(|room| {
                    room.count(&hypothesis, &reference, 4);
                    if room.by_units(&hypothesis) {
                        prop_assert_eq!(&room.ranks, &expected);
                    }
                    if room.rank_by_neighbours(&hypothesis, &reference, 4, rule) {
                        prop_assert_eq!(&room.ranks, &expected);
                    }
                    Ok(())
                })?;
                let pairs = by_suffixes(&hypothesis, &reference, 4, rule);
                let ranks: Vec<u32> = pairs.iter().map(|(_, place)| *place).collect();
                prop_assert_eq!(ranks, expected);
                let pairs: Vec<_> = pairs.iter().map(|&(at, place)| (at, place as usize)).collect();
                prop_assert_eq!(aligned(&hypothesis, &reference, 4, rule), pairs);
            }
        }

        #[test]
        fn units_that_stand_once_follow_the_rule(
            mut hypothesis in Just((0..20).collect::<Vec<u32>>()).prop_shuffle(),
            mut reference in Just((0..20).collect::<Vec<u32>>()).prop_shuffle(),
            lengths in (0..20usize, 0..20usize),
        ) {
            hypothesis.truncate(lengths.0);
            reference.truncate(lengths.1);
            for rule in [Rule::Nltk, Rule::Official] {
                ROOM.with_borrow_mut(|room| {
                    room.count(&hypothesis, &reference, 20);
                    prop_assert!(room.by_units(&hypothesis));
                    prop_assert_eq!(&room.ranks, &by_the_book(&hypothesis, &reference, rule));
                    Ok(())
                })?;
            }
        }

        #[test]
        fn longer_texts_follow_the_rule(
            hypothesis in proptest::collection::vec(0u32..6, 0..250),
            reference in proptest::collection::vec(0u32..6, 0..250),
        ) {
            for rule in [Rule::Nltk, Rule::Official] {
                let pairs = by_suffixes(&hypothesis, &reference, 6, rule);
                let expected: Vec<u32> = pairs.into_iter().map(|(_, place)| place).collect();
                align(&hypothesis, &reference, 6, rule, |ranks| {
                    prop_assert_eq!(ranks, expected);
                    Ok(())
                })?;
            }
        }
    }

    #[test]
    fn a_text_that_only_repeats_itself() {
        for length in [200, 20_000] {
            let text = vec![0; length];
            // Only the whole text is a context that stands once.
            align(&text, &text, 1, Rule::Nltk, |ranks| assert_eq!(ranks, [0]));
            let last = length as u32 - 1;
            align(&text, &text, 1, Rule::Official, |ranks| assert_eq!(ranks, [0, last]));
        }
    }
}
