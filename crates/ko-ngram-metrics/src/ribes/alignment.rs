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
    // Texts that do not repeat themselves need a few comparisons for each unit.
    let patience = 64 * (hypothesis.len() + reference.len());
    ROOM.with_borrow_mut(|room| {
        match by_lists(room, hypothesis, reference, kinds, rule, patience) {
            Some(ranks) => then(ranks),
            None => then(&by_suffixes(hypothesis, reference, kinds, rule)),
        }
    })
}

/// Room to work in, used again for the next segment.
#[derive(Debug, Default)]
struct Room {
    table: Vec<Kind>,
    /// Of each position in the hypothesis, and then in the reference, the one before with the same unit.
    before: Vec<u32>,
    left: Candidates,
    right: Candidates,
    ranks: Vec<u32>,
}

thread_local! {
    static ROOM: RefCell<Room> = RefCell::default();
}

/// The widest context that is tried for a unit, and one more.
fn widest(hypothesis: usize, at: usize, rule: Rule) -> usize {
    match rule {
        Rule::Nltk => at.max(hypothesis - at + 1),
        Rule::Official => (at + 1).max(hypothesis - at + 1),
    }
}

/// A unit's occurrences in both texts.
#[derive(Debug, Clone, Copy)]
struct Kind {
    in_hypothesis: u32,
    in_reference: u32,
    /// The last position in each text, from which chains lead to those before.
    last_in_hypothesis: u32,
    last_in_reference: u32,
}

const NONE: u32 = u32::MAX;

/// By narrowing down the positions of equal units as the context grows; nothing if that takes more than
/// `patience` comparisons.
fn by_lists<'r>(
    room: &'r mut Room,
    hypothesis: &[u32],
    reference: &[u32],
    kinds: usize,
    rule: Rule,
    mut patience: usize,
) -> Option<&'r [u32]> {
    let Room { table, before, left, right, ranks } = room;
    let unseen = Kind {
        in_hypothesis: 0,
        in_reference: 0,
        last_in_hypothesis: NONE,
        last_in_reference: NONE,
    };
    table.clear();
    table.resize(kinds, unseen);
    before.clear();
    before.resize(hypothesis.len() + reference.len(), NONE);
    let (before_hypothesis, before_reference) = before.split_at_mut(hypothesis.len());
    for (at, &unit) in hypothesis.iter().enumerate() {
        let kind = &mut table[unit as usize];
        before_hypothesis[at] = std::mem::replace(&mut kind.last_in_hypothesis, at as u32);
        kind.in_hypothesis += 1;
    }
    for (at, &unit) in reference.iter().enumerate() {
        let kind = &mut table[unit as usize];
        before_reference[at] = std::mem::replace(&mut kind.last_in_reference, at as u32);
        kind.in_reference += 1;
    }
    ranks.clear();
    for (at, &unit) in hypothesis.iter().enumerate() {
        let kind = table[unit as usize];
        if kind.in_reference == 0 {
            continue;
        }
        if kind.in_hypothesis == 1 && kind.in_reference == 1 {
            ranks.push(kind.last_in_reference);
            continue;
        }
        for side in [&mut *left, &mut *right] {
            side.others.clear();
            side.others.extend(
                chain(before_hypothesis, kind.last_in_hypothesis).filter(|&p| p != at as u32),
            );
            side.places.clear();
            side.places.extend(chain(before_reference, kind.last_in_reference));
        }
        for window in 1..widest(hypothesis.len(), at, rule) {
            let work = left.len() + right.len();
            if work == 0 {
                break;
            }
            patience = patience.checked_sub(work)?;
            let mut look_right = || {
                let wanted = hypothesis.get(at + window).copied();
                right.narrow(wanted, |position| position.checked_add(window), hypothesis, reference)
            };
            let mut look_left = || {
                let wanted = at.checked_sub(window).map(|place| hypothesis[place]);
                left.narrow(wanted, |position| position.checked_sub(window), hypothesis, reference)
            };
            let found = match rule {
                Rule::Nltk => look_right().or_else(look_left),
                Rule::Official => look_left().or_else(look_right),
            };
            if let Some(place) = found {
                ranks.push(place);
                break;
            }
        }
    }
    Some(ranks)
}

/// The positions of equal units from the last to the first.
fn chain(before: &[u32], last: u32) -> impl Iterator<Item = u32> {
    let known = |at: u32| (at != NONE).then_some(at);
    std::iter::successors(known(last), move |&at| known(before[at as usize]))
}

/// Positions whose context is still the same as the unit's, on one side.
#[derive(Debug, Default)]
struct Candidates {
    /// In the hypothesis, the unit's own left out.
    others: Vec<u32>,
    /// In the reference; none if nothing can be found any more.
    places: Vec<u32>,
}

impl Candidates {
    /// How many comparisons narrowing takes.
    fn len(&self) -> usize {
        if self.places.is_empty() { 0 } else { self.others.len() + self.places.len() }
    }

    /// Keeps the positions that have the wanted unit as their next neighbour, and gives the only place
    /// if there is one.
    fn narrow(
        &mut self,
        wanted: Option<u32>,
        neighbour: impl Fn(usize) -> Option<usize>,
        hypothesis: &[u32],
        reference: &[u32],
    ) -> Option<u32> {
        let Some(wanted) = wanted else {
            self.places.clear();
            return None;
        };
        let has = |text: &[u32], position: &u32| {
            neighbour(*position as usize).and_then(|at| text.get(at)) == Some(&wanted)
        };
        self.places.retain(|position| has(reference, position));
        self.others.retain(|position| has(hypothesis, position));
        match self.places[..] {
            [place] if self.others.is_empty() => Some(place),
            _ => None,
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
        fn lists_and_suffixes_follow_the_rule(
            hypothesis in proptest::collection::vec(0u32..4, 0..25),
            reference in proptest::collection::vec(0u32..4, 0..25),
        ) {
            for rule in [Rule::Nltk, Rule::Official] {
                let expected = by_the_book(&hypothesis, &reference, rule);
                let mut room = Room::default();
                let lists = by_lists(&mut room, &hypothesis, &reference, 4, rule, usize::MAX);
                prop_assert_eq!(lists, Some(expected.as_slice()));
                prop_assert_eq!(by_suffixes(&hypothesis, &reference, 4, rule), expected);
            }
        }
    }

    #[test]
    fn a_text_that_only_repeats_itself_takes_no_patience() {
        let text = vec![0; 20_000];
        let mut room = Room::default();
        assert_eq!(by_lists(&mut room, &text, &text, 1, Rule::Nltk, 1_000_000), None);
        // Only the whole text is a context that stands once.
        align(&text, &text, 1, Rule::Nltk, |ranks| assert_eq!(ranks, [0]));
        align(&text, &text, 1, Rule::Official, |ranks| assert_eq!(ranks, [0, 19_999]));
    }
}
