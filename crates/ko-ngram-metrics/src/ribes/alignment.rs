//! Which unit of the reference each unit of the hypothesis means.

#![allow(
    clippy::indexing_slicing,
    reason = "positions lie in their text; units are numbered below `kinds`; ranks and heights are made \
              for every suffix"
)]

use super::Rule;
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
        let texts = Texts { hypothesis, reference, kinds, rule };
        match (hypothesis.len() + reference.len()) / 64 {
            0 => by_sets::<1>(texts, room),
            1 => by_sets::<2>(texts, room),
            2..4 => by_sets::<4>(texts, room),
            4..8 => by_sets::<8>(texts, room),
            _ => room.ranks = by_suffixes(hypothesis, reference, kinds, rule),
        }
        then(&room.ranks)
    })
}

/// Room to work in, used again for the next segment.
#[derive(Debug, Default)]
struct Room {
    /// The places of each unit.
    places: Vec<u64>,
    ranks: Vec<u32>,
}

thread_local! {
    static ROOM: RefCell<Room> = RefCell::default();
}

#[derive(Clone, Copy)]
struct Texts<'t> {
    hypothesis: &'t [u32],
    reference: &'t [u32],
    kinds: usize,
    rule: Rule,
}

/// The widest context that is tried for a unit, and one more.
fn widest(hypothesis: usize, at: usize, rule: Rule) -> usize {
    match rule {
        Rule::Nltk => at.max(hypothesis - at + 1),
        Rule::Official => (at + 1).max(hypothesis - at + 1),
    }
}

/// Places in the hypothesis and, behind one that stays free, in the reference: a bit each.
#[derive(Clone, Copy)]
struct Places<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Places<WORDS> {
    /// Those whose next place is one of `next`, moved there.
    #[inline]
    fn step_right(&mut self, next: Self) {
        let mut carry = 0;
        for (word, next) in self.0.iter_mut().zip(next.0) {
            (*word, carry) = ((*word << 1 | carry) & next, *word >> 63);
        }
    }

    /// Those whose place before is one of `before`, moved there.
    #[inline]
    fn step_left(&mut self, before: Self) {
        let mut carry = 0;
        for (word, before) in self.0.iter_mut().zip(before.0).rev() {
            (*word, carry) = ((*word >> 1 | carry) & before, *word << 63);
        }
    }

    /// What is there besides the unit's own place.
    #[inline]
    fn others(mut self, own: usize) -> Others {
        self.0[own / 64] &= !(1 << (own % 64));
        let (mut count, mut last) = (0, 0);
        for (word, first) in self.0.into_iter().zip((0..).step_by(64)) {
            let several = word & word.wrapping_sub(1) != 0;
            count += u32::from(word != 0) + u32::from(several);
            last = if word != 0 { first + word.trailing_zeros() as usize } else { last };
        }
        match count {
            0 => Others::None,
            1 => Others::One(last),
            _ => Others::Several,
        }
    }
}

enum Others {
    None,
    One(usize),
    Several,
}

/// By the sets of places where a context stands, as it grows: few words, so one step is a few instructions.
fn by_sets<const WORDS: usize>(texts: Texts<'_>, room: &mut Room) {
    let Texts { hypothesis, reference, kinds, rule } = texts;
    let Room { places, ranks } = room;
    let second = hypothesis.len() + 1;
    places.clear();
    places.resize(kinds * WORDS, 0);
    let (sets, _) = places.as_chunks_mut::<WORDS>();
    let both = (0..).zip(hypothesis).chain((second..).zip(reference));
    both.for_each(|(at, &unit)| sets[unit as usize][at / 64] |= 1 << (at % 64));
    let sets = &*sets;
    let set = |unit: u32| Places(sets[unit as usize]);
    // The place in the reference, if that is all there is.
    let aligned = |others: &Others, window: usize| match *others {
        Others::One(at) if at >= second => Some((at + window - second) as u32),
        _ => None,
    };
    ranks.clear();
    for (at, &unit) in hypothesis.iter().enumerate() {
        let alone = set(unit).others(at);
        if let Others::None = alone {
            continue;
        }
        if let Some(place) = aligned(&alone, 0) {
            ranks.push(place);
            continue;
        }
        let (mut left, mut right) = (Some(set(unit)), Some(set(unit)));
        for window in 1..widest(hypothesis.len(), at, rule) {
            let mut look_right = || {
                let next = hypothesis.get(at + window);
                let (Some(places), Some(&next)) = (&mut right, next) else {
                    right = None;
                    return None;
                };
                places.step_right(set(next));
                let others = places.others(at + window);
                if let Others::None = others {
                    right = None;
                }
                aligned(&others, 0).map(|place| place - window as u32)
            };
            let mut look_left = || {
                let before = at.checked_sub(window).map(|before| hypothesis[before]);
                let (Some(places), Some(before)) = (&mut left, before) else {
                    left = None;
                    return None;
                };
                places.step_left(set(before));
                let others = places.others(at - window);
                if let Others::None = others {
                    left = None;
                }
                aligned(&others, window)
            };
            let found = match rule {
                Rule::Nltk => look_right().or_else(look_left),
                Rule::Official => look_left().or_else(look_right),
            };
            if let Some(place) = found {
                ranks.push(place);
                break;
            }
            if left.is_none() && right.is_none() {
                break;
            }
        }
    }
}

/// By suffix arrays of both texts, forwards and backwards.
fn by_suffixes(hypothesis: &[u32], reference: &[u32], kinds: usize, rule: Rule) -> Vec<u32> {
    let right = contexts(hypothesis.iter(), reference.iter(), kinds);
    let left = contexts(hypothesis.iter().rev(), reference.iter().rev(), kinds);
    let mut ranks = Vec::with_capacity(hypothesis.len());
    for at in 0..hypothesis.len() {
        let widest = widest(hypothesis.len(), at, rule);
        let fits = |found: &Context| found.window < widest;
        let right = right[at].filter(fits);
        let left = left[hypothesis.len() - 1 - at].filter(fits);
        let left =
            left.map(|found| Context { place: reference.len() as u32 - 1 - found.place, ..found });
        let found = match (left, right, rule) {
            (Some(left), Some(right), Rule::Nltk) if left.window < right.window => left,
            (Some(left), Some(right), Rule::Official) if right.window < left.window => right,
            (Some(left), Some(_), Rule::Official) => left,
            (_, Some(right), _) => right,
            (Some(left), None, _) => left,
            (None, None, _) => continue,
        };
        ranks.push(found.place);
    }
    ranks
}

/// The smallest context to the right of a unit that stands once in either text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Context {
    /// How many neighbours it has.
    window: usize,
    /// Where in the reference it starts.
    place: u32,
}

/// How far a suffix agrees with those next to it in the order of suffixes, on one side.
#[derive(Debug, Clone, Copy, Default)]
struct Nearest {
    /// With the nearest suffix of the hypothesis.
    own: u32,
    /// With the nearest one of the reference, where that starts, and with the second nearest one.
    first: u32,
    place: u32,
    second: u32,
}

impl Nearest {
    /// Moves on from the suffix at `at` to the next one, which agrees with it in `height` units.
    fn pass(&mut self, at: usize, hypothesis: usize, height: u32) {
        if at < hypothesis {
            self.own = u32::MAX;
        } else if at > hypothesis {
            self.second = self.first;
            self.first = u32::MAX;
            self.place = (at - hypothesis - 1) as u32;
        }
        self.own = self.own.min(height);
        self.first = self.first.min(height);
        self.second = self.second.min(height);
    }

    fn with(self, other: Self) -> Option<Context> {
        let (near, far) = if self.first >= other.first { (self, other) } else { (other, self) };
        // Longer contexts than this stand once in either text, as long as they stand in the reference.
        let repeated = near.second.max(far.first).max(self.own).max(other.own);
        (repeated < near.first).then_some(Context { window: repeated as usize, place: near.place })
    }
}

fn contexts<'t>(
    hypothesis: impl ExactSizeIterator<Item = &'t u32>,
    reference: impl Iterator<Item = &'t u32>,
    kinds: usize,
) -> Vec<Option<Context>> {
    let length = hypothesis.len();
    // Between the two stands a unit that is in neither.
    let text: Vec<u32> =
        hypothesis.copied().chain([kinds as u32]).chain(reference.copied()).collect();
    let order = suffix_array(&text);
    let heights = heights(&text, &order);
    let mut before = vec![Nearest::default(); length];
    let mut nearest = Nearest::default();
    for k in 1..order.len() {
        nearest.pass(order[k - 1] as usize, length, heights[k]);
        if let Some(slot) = before.get_mut(order[k] as usize) {
            *slot = nearest;
        }
    }
    let mut found = vec![None; length];
    let mut nearest = Nearest::default();
    for k in (0..order.len()).rev() {
        if k + 1 < order.len() {
            nearest.pass(order[k + 1] as usize, length, heights[k + 1]);
        }
        let at = order[k] as usize;
        if at < length {
            found[at] = before[at].with(nearest);
        }
    }
    found
}

/// The suffixes of a text in order, by doubling the length that is compared.
fn suffix_array(text: &[u32]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..text.len() as u32).collect();
    let mut ranks: Vec<u32> = text.to_vec();
    let mut next = vec![0; text.len()];
    let mut compared = 0;
    loop {
        // The end of the text is before everything else.
        let key = |&at: &u32| {
            let at = at as usize;
            let behind = if compared == 0 { None } else { ranks.get(at + compared) };
            (ranks[at], behind.map_or(0, |rank| rank + 1))
        };
        order.sort_unstable_by_key(key);
        let mut rank = 0;
        for k in 0..order.len() {
            rank += u32::from(k > 0 && key(&order[k - 1]) != key(&order[k]));
            next[order[k] as usize] = rank;
        }
        std::mem::swap(&mut ranks, &mut next);
        if rank as usize + 1 >= text.len() {
            return order;
        }
        compared = (compared * 2).max(1);
    }
}

/// How many units each suffix has in common with the one before it in the order (Kasai and others).
fn heights(text: &[u32], order: &[u32]) -> Vec<u32> {
    let mut ranks = vec![0; text.len()];
    for (rank, &at) in order.iter().enumerate() {
        ranks[at as usize] = rank;
    }
    let mut heights = vec![0; text.len()];
    let mut height = 0usize;
    for (at, &rank) in ranks.iter().enumerate() {
        if rank == 0 {
            height = 0;
            continue;
        }
        let other = order[rank - 1] as usize;
        let same = text[at + height..].iter().zip(&text[other + height..]);
        height += same.take_while(|(a, b)| a == b).count();
        heights[rank] = height as u32;
        height = height.saturating_sub(1);
    }
    heights
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
        fn sets_and_suffixes_follow_the_rule(
            hypothesis in proptest::collection::vec(0u32..4, 0..25),
            reference in proptest::collection::vec(0u32..4, 0..25),
        ) {
            for rule in [Rule::Nltk, Rule::Official] {
                let expected = by_the_book(&hypothesis, &reference, rule);
                let texts = Texts { hypothesis: &hypothesis, reference: &reference, kinds: 4, rule };
                let mut room = Room::default();
                by_sets::<1>(texts, &mut room);
                prop_assert_eq!(&room.ranks, &expected);
                by_sets::<4>(texts, &mut room);
                prop_assert_eq!(&room.ranks, &expected);
                prop_assert_eq!(by_suffixes(&hypothesis, &reference, 4, rule), expected);
            }
        }

        #[test]
        fn sets_of_several_words_follow_the_rule(
            hypothesis in proptest::collection::vec(0u32..6, 0..250),
            reference in proptest::collection::vec(0u32..6, 0..250),
        ) {
            for rule in [Rule::Nltk, Rule::Official] {
                let expected = by_suffixes(&hypothesis, &reference, 6, rule);
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
