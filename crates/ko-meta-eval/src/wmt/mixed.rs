//! Any statistic of mixed scores, computed from scratch each time.

use super::{
    Grouping, ScoreTable, Statistic,
    permutation::{Mixtures, averaged, mixture, standardised},
};
use crate::Result;
use std::ops::Range;

/// Standardised scores by group.
#[derive(Debug)]
pub(super) struct Mixed<'t> {
    table: &'t ScoreTable,
    statistic: Statistic,
    gold: Vec<f64>,
    groups: Vec<Range<usize>>,
    /// Of all judged outputs in the table's order, where systems compete only within language pairs.
    contests: bool,
    metrics: Vec<Vec<f64>>,
}

impl<'t> Mixed<'t> {
    pub(super) fn new(table: &'t ScoreTable, statistic: Statistic, grouping: Grouping) -> Self {
        let groups = table.groups(grouping);
        let metrics = standardised(table, &groups);
        let gold = groups.iter().flat_map(|places| table.gold_at(places)).collect();
        let mut end = 0;
        let ranges = groups.iter().map(|group| {
            let start = end;
            end += group.len();
            start..end
        });
        let contests = statistic == Statistic::PairwiseAccuracy && table.contests.last() > Some(&0);
        Self { table, statistic, gold, groups: ranges.collect(), contests, metrics }
    }

    fn statistic(&self, scores: &[f64]) -> Result<f64> {
        if self.contests {
            return Ok(self.table.accuracy_in_contests(&self.at_their_places(scores)));
        }
        let mut values = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let part = self.gold.get(group.clone()).zip(scores.get(group.clone()));
            if let Some((gold, scores)) = part {
                values.extend(self.statistic.of(gold, scores)?);
            }
        }
        Ok(averaged(&values))
    }

    /// Scores of judged systems as a list of all systems.
    fn at_their_places(&self, scores: &[f64]) -> Vec<f64> {
        let mut scores = scores.iter();
        let place =
            |gold: &Option<f64>| gold.and_then(|_| scores.next()).copied().unwrap_or_default();
        self.table.gold.iter().map(place).collect()
    }

    fn metric(&self, number: usize) -> &[f64] {
        self.metrics.get(number).map(Vec::as_slice).unwrap_or_default()
    }
}

impl Mixtures for Mixed<'_> {
    fn own(&self, metric: usize) -> Result<f64> {
        self.statistic(self.metric(metric))
    }

    fn places(&self) -> usize {
        self.gold.len()
    }

    fn mixed(&self, pairs: &[(usize, usize)], coins: &[u64]) -> Result<Vec<(f64, f64)>> {
        let of = |own, other| self.statistic(&mixture(own, other, coins).collect::<Vec<_>>());
        let both = |(first, second): &(usize, usize)| {
            let (first, second) = (self.metric(*first), self.metric(*second));
            Ok((of(first, second)?, of(second, first)?))
        };
        pairs.iter().map(both).collect()
    }
}
