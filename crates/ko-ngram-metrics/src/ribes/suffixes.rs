//! The alignment of texts that repeat themselves much, by suffix arrays: O(n log n), whatever the texts.

#![allow(
    clippy::indexing_slicing,
    reason = "positions lie in their text; ranks and heights are made for every suffix"
)]

use super::{
    Rule,
    alignment::{Context, widest},
};

/// By suffix arrays of both texts, forwards and backwards: units of the hypothesis, and their places in the reference.
pub(super) fn by_suffixes(
    hypothesis: &[u32],
    reference: &[u32],
    kinds: usize,
    rule: Rule,
) -> Vec<(usize, u32)> {
    let right = contexts(hypothesis.iter(), reference.iter(), kinds);
    let left = contexts(hypothesis.iter().rev(), reference.iter().rev(), kinds);
    let mut pairs = Vec::with_capacity(hypothesis.len());
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
        pairs.push((at, found.place));
    }
    pairs
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

/// The suffixes of a text in order, by doubling the length that is compared. Every round is a sort by counting, so that a text that
/// only repeats itself costs a few passes for each doubling.
fn suffix_array(text: &[u32]) -> Vec<u32> {
    let length = text.len();
    let mut ranks: Vec<u32> = text.to_vec();
    // In the order of what is behind the part that is compared first.
    let mut behind: Vec<u32> = (0..length as u32).collect();
    let (mut order, mut next) = (behind.clone(), vec![0; length]);
    let mut places = Vec::new();
    let mut compared = 0;
    loop {
        sort_by_rank(&behind, &ranks, &mut places, &mut order);
        // The end of the text is before everything else.
        let key = |at: u32| {
            let at = at as usize;
            let behind = if compared == 0 { None } else { ranks.get(at + compared) };
            (ranks[at], behind.map_or(0, |rank| rank + 1))
        };
        let mut rank = 0;
        for k in 0..length {
            rank += u32::from(k > 0 && key(order[k - 1]) != key(order[k]));
            next[order[k] as usize] = rank;
        }
        std::mem::swap(&mut ranks, &mut next);
        if rank as usize + 1 >= length {
            return order;
        }
        compared = (compared * 2).max(1);
        // What has nothing behind it comes first, the others as what is behind them.
        behind.clear();
        behind.extend(length.saturating_sub(compared) as u32..length as u32);
        let first = compared as u32;
        behind.extend(order.iter().filter(|&&at| at >= first).map(|at| at - first));
    }
}

/// Sorts suffixes by their ranks; those of one rank stay as they are.
fn sort_by_rank(suffixes: &[u32], ranks: &[u32], places: &mut Vec<u32>, sorted: &mut [u32]) {
    let most = ranks.iter().max().map_or(0, |&rank| rank as usize);
    places.clear();
    places.resize(most + 2, 0);
    ranks.iter().for_each(|&rank| places[rank as usize + 1] += 1);
    for rank in 1..places.len() {
        places[rank] += places[rank - 1];
    }
    for &at in suffixes {
        let place = &mut places[ranks[at as usize] as usize];
        sorted[*place as usize] = at;
        *place += 1;
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
