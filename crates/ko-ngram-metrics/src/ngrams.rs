//! How many n-grams a hypothesis shares with its references: one pass for all orders.
//!
//! An n-gram that is shared begins with an (n − 1)-gram that is shared, so each order only looks at
//! the places that matched in the order before: O(units × order) at worst, and far less for texts
//! that differ. N-grams are numbered, not spelled out; see [`crate::numbering`].

#![allow(
    clippy::indexing_slicing,
    reason = "counts are indexed by n-gram numbers, and are made as long as there are numbers"
)]

use crate::numbering::{Numbering, pair};
use std::cell::RefCell;

/// Shared n-grams by order.
#[derive(Debug)]
pub(crate) struct Overlaps {
    orders: usize,
    each: Vec<u64>,
    clipped: Vec<u64>,
}

impl Overlaps {
    /// Shared with one reference, the n-grams of order 1 first.
    pub(crate) fn with_reference(&self, number: usize) -> &[u64] {
        &self.each[number * self.orders..(number + 1) * self.orders]
    }

    /// Shared with the references together: an n-gram counts at most as often as the reference
    /// that has it most often has it.
    pub(crate) fn clipped(self) -> Vec<u64> {
        self.clipped
    }
}

/// Where an n-gram begins, and its number.
#[derive(Clone, Copy)]
struct Place {
    at: u32,
    gram: u32,
}

/// How often an n-gram stands in the hypothesis, in this reference, in the reference that has most.
#[derive(Clone, Copy, Default)]
struct Count {
    hypothesis: u32,
    reference: u32,
    most: u32,
}

/// Room to work in, used again for the next segment.
struct Room {
    table: Numbering,
    counts: Vec<Count>,
    own: Vec<Place>,
    theirs: Vec<Vec<Place>>,
    /// Of each unit, how many are still unmatched.
    left: Vec<u32>,
}

thread_local! {
    static ROOM: RefCell<Room> = RefCell::new(Room {
        table: Numbering::with_capacity(256),
        counts: Vec::new(),
        own: Vec::new(),
        theirs: Vec::new(),
        left: Vec::new(),
    });
}

/// The shared n-grams of orders 1 to `orders`. All units are numbers below `kinds`.
pub(crate) fn overlaps(
    hypothesis: &[u32],
    references: &[Vec<u32>],
    kinds: usize,
    orders: usize,
) -> Overlaps {
    ROOM.with_borrow_mut(|room| count_shared(room, hypothesis, references, kinds, orders))
}

/// How many units a text shares with another. All are numbers below `kinds`.
pub(crate) fn shared_units(a: &[u32], b: &[u32], kinds: usize) -> u64 {
    ROOM.with_borrow_mut(|Room { left, .. }| {
        left.clear();
        left.resize(kinds, 0);
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

/// How many pairs of units that follow each other a text shares with another.
pub(crate) fn shared_pairs(a: &[u32], b: &[u32]) -> u64 {
    ROOM.with_borrow_mut(|Room { table, left, .. }| {
        table.clear();
        left.clear();
        left.resize(a.len(), 0);
        a.array_windows()
            .for_each(|&[first, second]| left[table.number(pair(first, second)) as usize] += 1);
        let takes = |&[first, second]: &[u32; 2]| {
            let Some(number) = table.get(pair(first, second)) else { return 0 };
            let left = &mut left[number as usize];
            let one = (*left).min(1);
            *left -= one;
            u64::from(one)
        };
        b.array_windows().map(takes).sum()
    })
}

fn count_shared(
    room: &mut Room,
    hypothesis: &[u32],
    references: &[Vec<u32>],
    kinds: usize,
    orders: usize,
) -> Overlaps {
    let Room { table, counts, own, theirs, .. } = room;
    let mut each = vec![0; references.len() * orders];
    let mut clipped = vec![0; orders];
    place(own, hypothesis);
    if theirs.len() < references.len() {
        theirs.resize_with(references.len(), Vec::new);
    }
    theirs.iter_mut().zip(references).for_each(|(places, units)| place(places, units));
    let mut grams = kinds;
    for order in 0..orders {
        if order > 0 {
            table.clear();
            own.retain_mut(|place| match hypothesis.get(place.at as usize + order) {
                Some(&unit) => {
                    place.gram = table.number(pair(place.gram, unit));
                    true
                }
                None => false,
            });
            grams = table.len();
        }
        counts.clear();
        counts.resize(grams, Count::default());
        own.iter().for_each(|place| counts[place.gram as usize].hypothesis += 1);
        for (number, (places, units)) in theirs.iter_mut().zip(references).enumerate() {
            if number > 0 {
                counts.iter_mut().for_each(|count| count.reference = 0);
            }
            let mut shared = 0;
            places.retain_mut(|place| {
                if order > 0 {
                    let gram = units
                        .get(place.at as usize + order)
                        .and_then(|&unit| table.get(pair(place.gram, unit)));
                    let Some(gram) = gram else { return false };
                    place.gram = gram;
                }
                let count = &mut counts[place.gram as usize];
                count.reference += 1;
                if count.reference <= count.hypothesis {
                    shared += 1;
                    if count.reference > count.most {
                        count.most = count.reference;
                        clipped[order] += 1;
                    }
                }
                count.hypothesis > 0
            });
            each[number * orders + order] = shared;
        }
        own.retain(|place| counts[place.gram as usize].most > 0);
        if own.is_empty() {
            break;
        }
    }
    Overlaps { orders, each, clipped }
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
        fn counts_as_counters_would(
            hypothesis in proptest::collection::vec(0u32..5, 0..30),
            references in proptest::collection::vec(proptest::collection::vec(0u32..5, 0..30), 1..4),
        ) {
            let found = overlaps(&hypothesis, &references, 5, 6);
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
                        prop_assert_eq!(shared_pairs(&hypothesis, &references[number]), expected);
                    }
                }
                let most = |gram: &[u32]| theirs.iter().map(|o| shared(gram, o)).max().unwrap_or(0);
                prop_assert_eq!(found.clipped[order - 1], own.keys().map(|gram| most(gram)).sum::<u64>());
            }
        }
    }
}
