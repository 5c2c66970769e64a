//! How many n-grams a hypothesis shares with its references: one pass for all orders.
//!
//! An n-gram that is shared begins with an (n − 1)-gram that is shared, so each order only looks at
//! the places that matched in the order before. And where the hypothesis has an n-gram once, all longer ones that begin
//! there are had once too: they are settled by comparing the units that follow, and only n-grams that repeat themselves go on to
//! the next order. O(units × order) at worst, and far less for most texts. N-grams are numbered, not spelled out; see
//! [`crate::kernel::numbering`].

#![allow(
    clippy::indexing_slicing,
    reason = "counts are indexed by n-gram numbers, and are made as long as there are numbers"
)]

use crate::kernel::{
    numbering::{Numbering, pair},
    units::Units,
};
use std::cell::RefCell;

/// Shared n-grams by order.
#[derive(Debug)]
pub(crate) struct Overlaps {
    orders: usize,
    /// With the references together, then with each: as many as there are orders every time.
    counts: Vec<u64>,
}

impl Overlaps {
    /// Shared with one reference, the n-grams of order 1 first.
    pub(crate) fn with_reference(&self, number: usize) -> &[u64] {
        &self.counts[(number + 1) * self.orders..(number + 2) * self.orders]
    }

    /// Shared with the references together: an n-gram counts at most as often as the reference
    /// that has it most often has it.
    pub(crate) fn clipped(mut self) -> Vec<u64> {
        self.counts.truncate(self.orders);
        self.counts
    }
}

/// Where an n-gram begins, and its number.
#[derive(Clone, Copy)]
struct Place {
    at: u32,
    gram: u32,
}

/// How often an n-gram stands in the hypothesis, in this reference, in the reference that has most; and its last place in
/// the hypothesis.
#[derive(Clone, Copy, Default)]
struct Count {
    hypothesis: u32,
    reference: u32,
    most: u32,
    place: u32,
}

/// Room to work in, used again for the next segment.
struct Room {
    table: Numbering,
    counts: Vec<Count>,
    own: Vec<Place>,
    theirs: Vec<Vec<Place>>,
    /// For each place of the hypothesis, after which order the n-grams that begin there are settled.
    since: Vec<u32>,
    /// For each reference and place of the hypothesis, up to which order they are shared; 0 if nothing is settled.
    reach: Vec<u32>,
    /// Of each unit, how many are still unmatched.
    left: Vec<u32>,
}

thread_local! {
    static ROOM: RefCell<Room> = RefCell::new(Room {
        table: Numbering::with_capacity(256),
        counts: Vec::new(),
        own: Vec::new(),
        theirs: Vec::new(),
        since: Vec::new(),
        reach: Vec::new(),
        left: Vec::new(),
    });
}

/// The shared n-grams of orders 1 to `orders`.
pub(crate) fn overlaps(units: &Units, orders: usize) -> Overlaps {
    ROOM.with_borrow_mut(|room| {
        count_shared(room, units.hypothesis(), &units.references(), units.kinds(), orders)
    })
}

/// How many units a text shares with another. All are numbers below `kinds`.
pub(crate) fn shared_units(a: &[u32], b: &[u32], kinds: usize) -> u64 {
    ROOM.with_borrow_mut(|Room { left, .. }| {
        let left = zeroed(left, kinds);
        a.iter().for_each(|&unit| left[unit as usize] += 1);
        let takes = |&unit: &u32| {
            let left = &mut left[unit as usize];
            let one = (*left).min(1);
            *left -= one;
            u64::from(one)
        };
        b.iter().map(takes).sum()
    })
}

/// How many pairs of units that follow each other a text shares with another. All units are numbers below `kinds`.
pub(crate) fn shared_pairs(a: &[u32], b: &[u32], kinds: usize) -> u64 {
    ROOM.with_borrow_mut(|Room { table, left, .. }| {
        if let Some(shared) = shared_followers(a, b, zeroed(left, kinds)) {
            return shared;
        }
        let mut numbers = table.cleared(a.len());
        // One more than there are numbers: for the pairs that are only in the other text, of which none is left.
        let left = zeroed(left, a.len() + 1);
        neighbours(a)
            .for_each(|(first, second)| left[numbers.number(pair(first, second)) as usize] += 1);
        let takes = |(first, second)| {
            let left = &mut left[numbers.get(pair(first, second)) as usize];
            let one = (*left).min(1);
            *left -= one;
            u64::from(one)
        };
        neighbours(b).map(takes).sum()
    })
}

/// The same of a text in which no unit is followed by another twice, as most sentences are: there, what follows a unit tells
/// the pair. `followers` are as many as kinds of units, all 0.
fn shared_followers(a: &[u32], b: &[u32], followers: &mut [u32]) -> Option<u64> {
    // 0 is none.
    let name = |unit: u32| unit + 1;
    for (first, second) in neighbours(a) {
        if std::mem::replace(&mut followers[first as usize], name(second)) != 0 {
            return None;
        }
    }
    let takes = |(first, second): (u32, u32)| {
        let follower = &mut followers[first as usize];
        let is_shared = *follower == name(second);
        *follower = if is_shared { 0 } else { *follower };
        u64::from(is_shared)
    };
    Some(neighbours(b).map(takes).sum())
}

/// Every item with the one that follows it.
#[inline]
pub(crate) fn neighbours<T: Copy>(
    items: &[T],
) -> impl ExactSizeIterator<Item = (T, T)> + Clone + use<'_, T> {
    let following = items.get(1..).unwrap_or_default();
    items.iter().copied().zip(following.iter().copied())
}

/// So many counts, all 0.
fn zeroed<T: Clone + Default>(counts: &mut Vec<T>, length: usize) -> &mut [T] {
    counts.clear();
    counts.resize(length, T::default());
    counts
}

/// The shared n-grams of texts whose units are numbers below `kinds`.
fn count_shared<'t>(
    room: &mut Room,
    hypothesis: &[u32],
    references: &(impl ExactSizeIterator<Item = &'t [u32]> + Clone),
    kinds: usize,
    orders: usize,
) -> Overlaps {
    let Room { table, counts, own, theirs, since, reach, .. } = room;
    let mut found = vec![0; (references.len() + 1) * orders];
    let (clipped, each) = found.split_at_mut(orders);
    if theirs.len() < references.len() {
        theirs.resize_with(references.len(), Vec::new);
    }
    theirs.iter_mut().zip(references.clone()).for_each(|(places, units)| place(places, units));
    place(own, hypothesis);
    let length = hypothesis.len();
    let since = zeroed(since, length);
    let reach = zeroed(reach, length * references.len());
    for order in 0..orders {
        // One more than there are numbers: for what the hypothesis does not have.
        let counts = zeroed(counts, 1 + if order == 0 { kinds } else { own.len() });
        let mut numbers = table.cleared(own.len());
        drop_beyond(own, hypothesis, order);
        for place in own.iter_mut() {
            if order > 0 {
                place.gram =
                    numbers.number(pair(place.gram, hypothesis[place.at as usize + order]));
            }
            let count = &mut counts[place.gram as usize];
            count.hypothesis += 1;
            count.place = place.at;
        }
        for (number, (places, units)) in theirs.iter_mut().zip(references.clone()).enumerate() {
            if number > 0 {
                counts.iter_mut().for_each(|count| count.reference = 0);
            }
            drop_beyond(places, units, order);
            let reach = &mut reach[number * length..(number + 1) * length];
            let (mut shared, mut most) = (0, 0);
            keep(places, |place| {
                if order > 0 {
                    place.gram = numbers.get(pair(place.gram, units[place.at as usize + order]));
                }
                let count = &mut counts[place.gram as usize];
                if count.hypothesis == 1 {
                    let own = &hypothesis[count.place as usize..];
                    let agree = agreement(own, &units[place.at as usize..], order + 1, orders);
                    since[count.place as usize] = order as u32;
                    let reach = &mut reach[count.place as usize];
                    *reach = (*reach).max(agree as u32);
                    return false;
                }
                count.reference += 1;
                let is_shared = count.reference <= count.hypothesis;
                let is_most = is_shared & (count.reference > count.most);
                shared += u64::from(is_shared);
                most += u64::from(is_most);
                count.most += u32::from(is_most);
                count.hypothesis > 0
            });
            each[number * orders + order] += shared;
            clipped[order] += most;
        }
        keep(own, |place| counts[place.gram as usize].most > 0);
        if own.is_empty() {
            break;
        }
    }
    for (reach, each) in reach.chunks(length.max(1)).zip(each.chunks_mut(orders)) {
        add_settled(since, reach.iter().copied(), each);
    }
    match references.len() {
        1 => clipped.copy_from_slice(each),
        _ => {
            let farthest = |at| reach[at..].iter().step_by(length).copied().max().unwrap_or(0);
            add_settled(since, (0..length).map(farthest), clipped);
        }
    }
    Overlaps { orders, counts: found }
}

/// How many units two texts have in common at their beginnings: at least `least`, and of interest up to `most`.
#[inline]
fn agreement(a: &[u32], b: &[u32], least: usize, most: usize) -> usize {
    let pairs = a.iter().zip(b).take(most).skip(least);
    least + pairs.take_while(|(a, b)| a == b).count()
}

/// Adds the n-grams that begin at places of the hypothesis, since they are settled and as far as they reach.
fn add_settled(since: &[u32], reach: impl Iterator<Item = u32>, counts: &mut [u64]) {
    for (&since, reach) in since.iter().zip(reach).filter(|(_, reach)| *reach > 0) {
        counts[since as usize..reach as usize].iter_mut().for_each(|count| *count += 1);
    }
}

/// Keeps the places that are wanted.
#[inline]
fn keep(places: &mut Vec<Place>, mut wanted: impl FnMut(&mut Place) -> bool) {
    let all = places.as_mut_slice();
    let mut kept = 0;
    for number in 0..all.len() {
        let mut place = all[number];
        let is_wanted = wanted(&mut place);
        all[kept] = place;
        kept += usize::from(is_wanted);
    }
    places.truncate(kept);
}

/// Drops the place whose n-gram the text has no next unit for: only the last can be one.
fn drop_beyond(places: &mut Vec<Place>, units: &[u32], order: usize) {
    places.pop_if(|place| place.at as usize + order >= units.len());
}

/// Every unit is a 1-gram.
fn place(places: &mut Vec<Place>, units: &[u32]) {
    places.clear();
    places.extend(units.iter().zip(0..).map(|(&gram, at)| Place { at, gram }));
}

/// How many n-grams of an order, counted from 1, a text of so many units has.
pub(crate) fn total(units: usize, order: usize) -> u64 {
    (units + 1).saturating_sub(order) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn counted(units: &[u32], order: usize) -> HashMap<&[u32], u64> {
        let mut counts = HashMap::new();
        units.windows(order).for_each(|gram| *counts.entry(gram).or_default() += 1);
        counts
    }

    proptest! {
        #[test]
        fn followers_tell_pairs(
            mut distinct in Just((0..12).collect::<Vec<u32>>()).prop_shuffle(),
            last in 0u32..12,
            other in proptest::collection::vec(0u32..12, 0..40),
        ) {
            // The last unit is followed by nothing, so it may stand twice.
            distinct.push(last);
            let (own, theirs) = (counted(&distinct, 2), counted(&other, 2));
            let expected: u64 = own.iter().map(|(pair, &n)| n.min(theirs.get(pair).copied().unwrap_or(0))).sum();
            prop_assert_eq!(shared_followers(&distinct, &other, &mut [0; 12]), Some(expected));
            prop_assert_eq!(shared_pairs(&distinct, &other, 12), expected);
        }

        #[test]
        fn counts_as_counters_would(
            hypothesis in proptest::collection::vec(0u32..5, 0..30),
            references in proptest::collection::vec(proptest::collection::vec(0u32..5, 0..30), 1..4),
        ) {
            let slices = references.iter().map(Vec::as_slice);
            let found = ROOM.with_borrow_mut(|room| count_shared(room, &hypothesis, &slices, 5, 6));
            for order in 1..=6 {
                let own = counted(&hypothesis, order);
                prop_assert_eq!(own.values().sum::<u64>(), total(hypothesis.len(), order));
                let theirs: Vec<_> = references.iter().map(|r| counted(r, order)).collect();
                let shared = |gram: &[u32], other: &HashMap<&[u32], u64>| {
                    own[gram].min(other.get(gram).copied().unwrap_or(0))
                };
                for (number, other) in theirs.iter().enumerate() {
                    let expected: u64 = own.keys().map(|gram| shared(gram, other)).sum();
                    prop_assert_eq!(found.with_reference(number)[order - 1], expected);
                    if order == 1 {
                        prop_assert_eq!(shared_units(&hypothesis, &references[number], 5), expected);
                    }
                    if order == 2 {
                        prop_assert_eq!(shared_pairs(&hypothesis, &references[number], 5), expected);
                    }
                }
                let most = |gram: &[u32]| theirs.iter().map(|o| shared(gram, o)).max().unwrap_or(0);
                prop_assert_eq!(found.counts[order - 1], own.keys().map(|gram| most(gram)).sum::<u64>());
            }
        }
    }
}
