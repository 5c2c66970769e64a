//! What it costs that one word stands before another, in as little room as it takes.
//!
//! mecab-ko-dic has 3,822 right and 2,693 left ids, but half of the matrix's rows and half of its columns are copies of others.
//! Ids whose costs are the same wherever they stand become one number, and the numbers that most texts ask for
//! come first: 7 MB instead of 20, of which a small corner is in use nearly always.

use super::source::Source;
use std::collections::HashMap;

/// Connection costs by new numbers. Beginning and end of a text stay 0.
pub(super) struct Connections {
    /// The new number of each left id; of one that no word has, 0.
    pub(super) left: Vec<u16>,
    /// The new number of each right id.
    pub(super) right: Vec<u16>,
    /// Per left number, a cost for each right number.
    pub(super) costs: Vec<i16>,
    /// Added after white space, by left number.
    pub(super) penalties: Vec<i32>,
    /// How many right numbers there are.
    pub(super) rights: usize,
}

impl Connections {
    pub(super) fn of(source: &Source) -> Self {
        let (mut lefts, mut rights) = weights(source);
        // Beginning and end of a text come first.
        if let (Some(left), Some(right)) = (lefts.first_mut(), rights.first_mut()) {
            (*left, *right) = (f64::INFINITY, f64::INFINITY);
        }
        let costs = &source.matrix.costs;
        let width = usize::from(source.matrix.rights);
        let row = |left: usize| costs.get(left * width..(left + 1) * width).unwrap_or_default();
        let penalty = |left: usize| source.space_penalty.get(left).copied().unwrap_or(0);
        let (left, rows) = merge(&lefts, |left| (row(left), penalty(left)));
        let column = |right: usize| -> Vec<i16> {
            rows.iter().map(|left| row(*left).get(right).copied().unwrap_or(0)).collect()
        };
        let (right, columns) = merge(&rights, column);
        let cells = rows.iter().flat_map(|left| {
            columns.iter().map(|right| row(*left).get(*right).copied().unwrap_or(0))
        });
        Self {
            costs: cells.collect(),
            penalties: rows.iter().map(|left| penalty(*left)).collect(),
            rights: columns.len(),
            left,
            right,
        }
    }
}

/// How often texts ask for each left and right id, roughly: as often as a word's characters stand together by chance. Only the
/// layout depends on it. Ids that no word has weigh nothing.
fn weights(source: &Source) -> (Vec<f64>, Vec<f64>) {
    let mut counts: HashMap<char, f64> = HashMap::new();
    let mut all = 0.0;
    for c in source.lexicon.iter().flat_map(|entry| entry.surface.chars()) {
        *counts.entry(c).or_default() += 1.0;
        all += 1.0;
    }
    let chance = |c: char| counts.get(&c).map_or(0.0, |count| count / all);
    let mut lefts = vec![0.0; usize::from(source.matrix.lefts)];
    let mut rights = vec![0.0; usize::from(source.matrix.rights)];
    for entry in source.lexicon.iter().chain(&source.unknown) {
        let weight = entry.surface.chars().map(chance).product::<f64>().max(f64::MIN_POSITIVE);
        for (weights, id) in [(&mut lefts, entry.left), (&mut rights, entry.right)] {
            if let Some(slot) = weights.get_mut(usize::from(id)) {
                *slot += weight;
            }
        }
    }
    (lefts, rights)
}

/// Numbers ids by weight, those with the same contents alike; and an id for each number.
fn merge<K: std::hash::Hash + Eq>(
    weights: &[f64],
    contents: impl Fn(usize) -> K,
) -> (Vec<u16>, Vec<usize>) {
    let mut groups: HashMap<K, usize> = HashMap::new();
    // Per group: its weight, and its first id.
    let mut heads: Vec<(f64, usize)> = Vec::new();
    let mut group_of = vec![None; weights.len()];
    for (id, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        let group = *groups.entry(contents(id)).or_insert_with(|| {
            heads.push((0.0, id));
            heads.len() - 1
        });
        if let (Some(head), Some(slot)) = (heads.get_mut(group), group_of.get_mut(id)) {
            head.0 += weight;
            *slot = Some(group);
        }
    }
    let mut order: Vec<usize> = (0..heads.len()).collect();
    let weight = |group: &usize| heads.get(*group).map_or(0.0, |head| head.0);
    order.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let mut numbers = vec![0; heads.len()];
    for (number, group) in order.iter().enumerate() {
        if let Some(slot) = numbers.get_mut(*group) {
            *slot = number as u16;
        }
    }
    let number = |group: Option<usize>| group.and_then(|group| numbers.get(group).copied());
    let ids = order.iter().filter_map(|group| heads.get(*group).map(|head| head.1));
    (group_of.into_iter().map(|group| number(group).unwrap_or(0)).collect(), ids.collect())
}
