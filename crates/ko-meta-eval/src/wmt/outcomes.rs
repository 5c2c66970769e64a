//! Calibrated accuracy of mixed outcomes: pairs that are right, a bit each.

use super::{
    Grouping, ScoreTable,
    permutation::{Mixtures, averaged},
    ties,
};
use crate::Result;

/// Which pairs each metric has right, at its own best threshold.
#[derive(Debug)]
pub(super) struct Outcomes {
    groups: Vec<Group>,
    pairs: usize,
    /// Bits of each metric, group by group; a group begins with a word.
    right: Vec<Vec<u64>>,
    /// How many there are in each group.
    counts: Vec<Vec<u32>>,
    /// Where the first bit of each word comes from in the coins, and how many bits it has.
    words: Vec<(usize, u32)>,
}

#[derive(Debug)]
struct Group {
    pairs: usize,
    words: usize,
}

impl Outcomes {
    pub(super) fn new(table: &ScoreTable, grouping: Grouping) -> Result<Self> {
        let mut outcomes = Self {
            groups: Vec::new(),
            pairs: 0,
            right: Vec::new(),
            counts: Vec::new(),
            words: Vec::new(),
        };
        for places in table.groups(grouping) {
            let pairs = places.len() * (places.len() - 1) / 2;
            for word in 0..pairs.div_ceil(64) {
                let bits = (pairs - word * 64).min(64) as u32;
                outcomes.words.push((outcomes.pairs + word * 64, bits));
            }
            outcomes.groups.push(Group { pairs, words: pairs.div_ceil(64) });
            outcomes.pairs += pairs;
        }
        for metric in &table.metrics {
            let values = table.values_by_group(&metric.scores, grouping);
            let epsilon = ties::calibrate(&values)?.epsilon;
            let mut words = Vec::with_capacity(outcomes.words.len());
            for (gold, scores) in &values {
                let bits = ties::right_pairs(gold, scores, epsilon);
                words.extend(bits.chunks(64).map(|bits| {
                    bits.iter().enumerate().map(|(at, right)| u64::from(*right) << at).sum::<u64>()
                }));
            }
            let mut rest = words.as_slice();
            let count = |group: &Group| {
                let (own, others) = rest.split_at_checked(group.words).unwrap_or_default();
                rest = others;
                own.iter().map(|word| word.count_ones()).sum()
            };
            outcomes.counts.push(outcomes.groups.iter().map(count).collect());
            outcomes.right.push(words);
        }
        Ok(outcomes)
    }

    fn metric(&self, number: usize) -> &[u64] {
        self.right.get(number).map(Vec::as_slice).unwrap_or_default()
    }

    fn counts(&self, number: usize) -> &[u32] {
        self.counts.get(number).map(Vec::as_slice).unwrap_or_default()
    }

    /// Coins shifted so that each group begins with a word.
    fn aligned(&self, coins: &[u64]) -> Vec<u64> {
        let word = |at: usize| coins.get(at).copied().unwrap_or_default();
        let of = |(bit, count): &(usize, u32)| {
            let (at, shift) = (bit / 64, bit % 64);
            let low = word(at) >> shift;
            let high = if shift == 0 { 0 } else { word(at + 1) << (64 - shift) };
            (low | high) & (u64::MAX >> (64 - count))
        };
        self.words.iter().map(of).collect()
    }

    /// The shares of two mixtures.
    fn shares(&self, first: usize, second: usize, coins: &[u64]) -> (f64, f64) {
        let mut rows = self.metric(first).iter().zip(self.metric(second)).zip(coins);
        let all = self
            .counts(first)
            .iter()
            .zip(self.counts(second))
            .map(|(first, second)| first + second);
        let (mut ours, mut theirs) =
            (Vec::with_capacity(self.groups.len()), Vec::with_capacity(self.groups.len()));
        for (group, all) in self.groups.iter().zip(all) {
            let words = rows.by_ref().take(group.words);
            let mixed: u32 = words
                .map(|((first, second), keep)| (first & keep | second & !keep).count_ones())
                .sum();
            // What one mixture has not, the other has.
            ours.push(f64::from(mixed) / group.pairs as f64);
            theirs.push(f64::from(all - mixed) / group.pairs as f64);
        }
        (averaged(&ours), averaged(&theirs))
    }
}

impl Mixtures for Outcomes {
    fn own(&self, metric: usize) -> Result<f64> {
        let both = self.groups.iter().zip(self.counts(metric));
        let shares: Vec<f64> =
            both.map(|(group, right)| f64::from(*right) / group.pairs as f64).collect();
        Ok(averaged(&shares))
    }

    fn stops_at_hits(&self) -> bool {
        true
    }

    fn places(&self) -> usize {
        self.pairs
    }

    fn mixed(&self, pairs: &[(usize, usize)], coins: &[u64]) -> Result<Vec<(f64, f64)>> {
        let coins = self.aligned(coins);
        Ok(pairs.iter().map(|(first, second)| self.shares(*first, *second, &coins)).collect())
    }
}
