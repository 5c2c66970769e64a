//! The cheapest way of EED, step by step: the recurrence as it is written down, and the way back through it.
//!
//! Keeps every √n-th row and computes the others again when it comes to them.

#![allow(
    clippy::indexing_slicing,
    reason = "rows have one cell more than the hypothesis; every row that is asked for was kept or made"
)]

use super::{EedSettings, min};
use ko_eval_core::explain::{Link, LinkKind};

/// A row: the cheapest ways before a jump, where the cheapest of them ends, and the ways with it.
struct Row {
    before: Vec<f64>,
    cheapest: usize,
    after: Vec<f64>,
}

impl Row {
    /// The row after one more character of the reference.
    fn next(costs: &EedSettings, hypothesis: &[char], above: &[f64], character: char) -> Self {
        let mut before = Vec::with_capacity(above.len());
        before.push(above[0] + 1.0);
        for (i, &other) in hypothesis.iter().enumerate() {
            let substitution = if other == character { 0.0 } else { 1.0 };
            let cell = min(above[i] + substitution, above[i + 1] + costs.insertion);
            before.push(min(before[i] + costs.deletion, cell));
        }
        let least = before.iter().copied().fold(f64::INFINITY, min);
        let cheapest = before.iter().position(|&cell| cell == least).unwrap_or(0);
        let mut after = before.clone();
        if character == ' ' {
            after.iter_mut().for_each(|cell| *cell = min(*cell, costs.alpha + least));
        }
        Self { before, cheapest, after }
    }
}

/// The steps of the cheapest way, and the places that it comes by more or less than once.
pub(super) fn links(
    costs: &EedSettings,
    hypothesis: &[char],
    reference: &[char],
    number: usize,
) -> Vec<Link> {
    let stride = reference.len().isqrt().max(16);
    let mut row: Vec<f64> = vec![1.0; hypothesis.len() + 1];
    row[0] = 0.0;
    let mut visits = vec![0u32; row.len()];
    let mut kept = Vec::new();
    for (j, &character) in reference.iter().enumerate() {
        if j % stride == 0 {
            kept.push(row.clone());
        }
        let next = Row::next(costs, hypothesis, &row, character);
        visits[next.cheapest] += 1;
        row = next.after;
    }
    let mut links = Vec::with_capacity(hypothesis.len() + reference.len());
    let mut i = hypothesis.len();
    for (block, run) in reference.chunks(stride).enumerate().rev() {
        let mut rows: Vec<Row> = Vec::with_capacity(run.len());
        for &character in run {
            let above = rows.last().map_or(&kept[block], |row| &row.after);
            rows.push(Row::next(costs, hypothesis, above, character));
        }
        for (place, &character) in run.iter().enumerate().rev() {
            let above = if place == 0 { &kept[block] } else { &rows[place - 1].after };
            let there = block * stride + place;
            i = back(
                costs,
                hypothesis,
                above,
                &rows[place],
                i,
                (character, there, number),
                &mut links,
            );
        }
    }
    if i > 0 {
        // The way may begin anywhere, for 1.
        links.push(Link::new(LinkKind::Jump, 0..i).labelled("start"));
    }
    links.reverse();
    links.extend(coverage(&visits));
    links
}

/// Goes back through a row from a place of the hypothesis to the row above, and tells where it comes out.
fn back(
    costs: &EedSettings,
    hypothesis: &[char],
    above: &[f64],
    row: &Row,
    mut i: usize,
    (character, there, number): (char, usize, usize),
    links: &mut Vec<Link>,
) -> usize {
    let here = there..there + 1;
    if row.after[i] < row.before[i] {
        let from = row.cheapest;
        let skipped = from.min(i)..from.max(i);
        let label = if from < i { "forward" } else { "back" };
        let link = Link::new(LinkKind::Jump, skipped).with(number, here.clone());
        links.push(link.worth(costs.alpha).labelled(label));
        i = from;
    }
    loop {
        if i == 0 {
            // Before the first character an insertion always costs 1.
            links.push(Link::only_in(LinkKind::Insertion, number, here));
            return 0;
        }
        let cell = row.before[i];
        let is_same = hypothesis[i - 1] == character;
        let substitution = if is_same { 0.0 } else { 1.0 };
        if cell == above[i - 1] + substitution {
            let kind = if is_same { LinkKind::Match } else { LinkKind::Substitution };
            links.push(Link::new(kind, i - 1..i).with(number, here).worth(if is_same {
                0.0
            } else {
                1.0
            }));
            return i - 1;
        }
        if cell == above[i] + costs.insertion {
            let link = Link::only_in(LinkKind::Insertion, number, here);
            links.push(link.worth(costs.insertion));
            return i;
        }
        links.push(Link::new(LinkKind::Deletion, i - 1..i).worth(costs.deletion));
        i -= 1;
    }
}

/// The places that are not visited once. Place 0 is before the first character.
fn coverage(visits: &[u32]) -> impl Iterator<Item = Link> {
    let uneven = visits.iter().enumerate().filter(|(_, count)| **count != 1);
    uneven.map(|(place, &count)| {
        let link = Link::new(LinkKind::Coverage, place.saturating_sub(1)..place);
        let label = if count == 0 { "never visited" } else { "visited again" };
        link.worth(f64::from(count.abs_diff(1))).labelled(label)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Case, eed::recurrence::walk};
    use proptest::{collection::vec, prelude::*, sample::select};

    fn texts() -> impl Strategy<Value = Vec<char>> {
        vec(select(vec![' ', '가', '나', '다']), 0..60)
    }

    proptest! {
        #[test]
        fn the_way_costs_what_the_recurrence_says(
            hypothesis in texts(),
            reference in texts(),
            costs in proptest::option::of([0.0..3.0, 0.0..3.0, 0.0..1.5, 0.0..1.5]),
            free in 0..4usize,
        ) {
            let mut costs = costs.map_or(EedSettings::default(), |[alpha, rho, deletion, insertion]| {
                EedSettings { alpha, rho, deletion, insertion, case: Case::Mixed }
            });
            match free {
                0 => costs.alpha = 0.0,
                1 => costs.deletion = 0.0,
                2 => costs.insertion = 0.0,
                _ => {}
            }
            let (edits, uneven) = walk(&costs, &hypothesis, &reference);
            let (coverage, steps): (Vec<_>, Vec<_>) = links(&costs, &hypothesis, &reference, 0)
                .into_iter()
                .partition(|link| link.kind == LinkKind::Coverage);
            let sum = |links: &[Link]| links.iter().map(|link| link.value).sum::<f64>();
            prop_assert!((sum(&steps) - edits).abs() < 1e-9, "{} {edits}", sum(&steps));
            prop_assert_eq!(sum(&coverage), uneven as f64);
        }
    }
}
