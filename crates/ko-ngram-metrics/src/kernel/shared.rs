//! Which n-grams a hypothesis shares with its references, one by one: the plain twin of the counts in
//! [`crate::kernel::ngrams`], for explanations.

#![allow(
    clippy::indexing_slicing,
    reason = "places lie in their text; n-grams are numbered below their count"
)]

use crate::kernel::{
    ngrams,
    numbering::{Numbering, pair},
};
use ko_eval_core::explain::{Link, LinkKind};
use std::ops::RangeInclusive;

/// No place.
const NONE: u32 = u32::MAX;

/// A link for every n-gram of the hypothesis that counts, shortest first. An n-gram counts as often as the reference that
/// has it most often has it, and the first, second … in the hypothesis goes with the first, second … there; what is
/// beyond is [clipped](LinkKind::Clipped). References come with their numbers.
pub(crate) fn shared_ngrams(
    hypothesis: &[u32],
    references: &[(usize, &[u32])],
    orders: RangeInclusive<usize>,
) -> Vec<Link> {
    let mut links = Vec::new();
    // The number of the n-gram that begins at each place; of a reference, none where the hypothesis does not have it.
    let mut own = hypothesis.to_vec();
    let mut theirs: Vec<Vec<u32>> = references.iter().map(|(_, units)| units.to_vec()).collect();
    let mut kinds = hypothesis.iter().map(|&unit| unit as usize + 1).max().unwrap_or(0);
    for places in &mut theirs {
        places.iter_mut().filter(|unit| **unit as usize >= kinds).for_each(|unit| *unit = NONE);
    }
    for order in 1..=*orders.end() {
        if order > 1 {
            kinds = extend(&mut own, &mut theirs, hypothesis, references, order);
        }
        let found = Found::of(&own, &theirs, kinds);
        if found.best.iter().all(|best| *best == NONE) {
            break;
        }
        if orders.contains(&order) {
            found.link(&own, references, order, &mut links);
        }
    }
    links
}

/// Makes n-grams of those that are one unit shorter; how many different ones the hypothesis has.
fn extend(
    own: &mut Vec<u32>,
    theirs: &mut [Vec<u32>],
    hypothesis: &[u32],
    references: &[(usize, &[u32])],
    order: usize,
) -> usize {
    own.truncate(ngrams::total(hypothesis.len(), order) as usize);
    let mut numbers = Numbering::with_capacity(own.len());
    for (place, gram) in own.iter_mut().enumerate() {
        *gram = numbers.number(pair(*gram, hypothesis[place + order - 1]));
    }
    for (places, (_, units)) in theirs.iter_mut().zip(references) {
        places.truncate(ngrams::total(units.len(), order) as usize);
        for (place, gram) in places.iter_mut().enumerate().filter(|(_, gram)| **gram != NONE) {
            let number = numbers.get(pair(*gram, units[place + order - 1]));
            *gram = if number as usize == numbers.len() { NONE } else { number };
        }
    }
    numbers.len()
}

/// Where the references have the n-grams of one order.
struct Found {
    /// Of each n-gram, which of the references has it as often as counts, the first of several; or none.
    best: Vec<u32>,
    /// Of each reference: the first place of each n-gram, and of each place the next with the same.
    places: Vec<(Vec<u32>, Vec<u32>)>,
}

impl Found {
    fn of(own: &[u32], theirs: &[Vec<u32>], kinds: usize) -> Self {
        let counted = |grams: &[u32]| {
            let mut counts = vec![0u32; kinds];
            grams.iter().filter(|gram| **gram != NONE).for_each(|&gram| counts[gram as usize] += 1);
            counts
        };
        let own = counted(own);
        let (mut best, mut most) = (vec![NONE; kinds], vec![0; kinds]);
        let mut places = Vec::with_capacity(theirs.len());
        for (reference, grams) in (0..).zip(theirs) {
            for (gram, count) in counted(grams).into_iter().enumerate() {
                let counts = count.min(own[gram]);
                if counts > most[gram] {
                    (best[gram], most[gram]) = (reference, counts);
                }
            }
            let (mut first, mut next) = (vec![NONE; kinds], vec![NONE; grams.len()]);
            for (place, &gram) in grams.iter().enumerate().rev().filter(|(_, gram)| **gram != NONE)
            {
                next[place] = std::mem::replace(&mut first[gram as usize], place as u32);
            }
            places.push((first, next));
        }
        Self { best, places }
    }

    fn link(
        mut self,
        own: &[u32],
        references: &[(usize, &[u32])],
        order: usize,
        links: &mut Vec<Link>,
    ) {
        for (at, &gram) in own.iter().enumerate() {
            let best = self.best[gram as usize] as usize;
            let Some((first, next)) = self.places.get_mut(best) else { continue };
            let units = at..at + order;
            links.push(match first[gram as usize] {
                NONE => Link::new(LinkKind::Clipped, units).worth(0.0),
                place => {
                    first[gram as usize] = next[place as usize];
                    let place = place as usize;
                    Link::new(LinkKind::NGram, units).with(references[best].0, place..place + order)
                }
            });
        }
    }
}

/// How many n-grams of each order count, from 1 on.
pub(crate) fn counts(links: &[Link], orders: usize) -> Vec<u64> {
    let mut counts = vec![0; orders];
    for link in links.iter().filter(|link| link.kind == LinkKind::NGram) {
        if let Some(count) = link.hypothesis.len().checked_sub(1).and_then(|n| counts.get_mut(n)) {
            *count += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{ngrams::overlaps, units::Units};
    use proptest::{collection::vec, prelude::*};

    proptest! {
        #[test]
        fn as_many_as_are_counted(
            hypothesis in vec(0u32..4, 0..20),
            references in vec(vec(0u32..4, 0..20), 1..4),
        ) {
            let name = |text: &[u32]| text.iter().map(u32::to_string).collect::<Vec<_>>();
            let named: Vec<_> = references.iter().map(|text| name(text)).collect();
            Units::of_tokens(&name(&hypothesis), &named, |units| {
                let found = overlaps(units, 5);
                let numbers: Vec<_> = units.references().enumerate().collect();
                let links = shared_ngrams(units.hypothesis(), &numbers, 1..=5);
                for (number, reference) in &numbers {
                    let alone = shared_ngrams(units.hypothesis(), &[(*number, reference)], 1..=5);
                    prop_assert_eq!(counts(&alone, 5), found.with_reference(*number));
                }
                for link in &links {
                    let own = link.hypothesis.start as usize..link.hypothesis.end as usize;
                    let Some(place) = &link.reference else { continue };
                    let their = place.units.start as usize..place.units.end as usize;
                    prop_assert_eq!(
                        &units.hypothesis()[own],
                        &numbers[place.number as usize].1[their]
                    );
                }
                prop_assert_eq!(counts(&links, 5), found.clipped());
                Ok(())
            })?;
        }
    }

    #[test]
    fn what_stands_too_often_is_clipped() {
        let links = shared_ngrams(&[0, 1, 0, 0], &[(3, &[0, 2, 0])], 1..=2);
        let first = Link::new(LinkKind::NGram, 0..1).with(3, 0..1);
        let second = Link::new(LinkKind::NGram, 2..3).with(3, 2..3);
        assert_eq!(links, [first, second, Link::new(LinkKind::Clipped, 3..4).worth(0.0)]);
    }
}
