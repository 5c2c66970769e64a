//! Which metrics lead, and which of them cannot be told apart?

use super::{
    Draws, GroupedValue, Grouping, PermutationTest, ScoreTable, Seeded, Statistic,
    permutation::Tested, ties,
};
use crate::{Error, Result};
use ko_eval_core::par_map;
use ko_eval_io::Progress;
use serde::{Deserialize, Serialize};

/// Below this a difference is significant.
pub const SIGNIFICANT: f64 = 0.05;

/// Metrics in the order of their agreement with people, in clusters that a test tells apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Standing {
    /// What it is of: `en-ko, segments`.
    pub task: String,
    /// How agreement was measured.
    pub statistic: Statistic,
    /// Over which groups.
    pub grouping: Grouping,
    /// How metrics were compared; none where they were only ordered.
    pub test: Option<PermutationTest>,
    /// The metrics, the best first.
    pub metrics: Vec<Standard>,
    /// `p_values[i][j − i − 1]`: how probable the difference of metrics i and j > i is if they are alike.
    pub p_values: Vec<Vec<f64>>,
    /// The statistics of mixtures in every draw, as `p_values`.
    #[serde(skip)]
    pub(super) draws: Vec<Vec<Vec<(f64, f64)>>>,
}

/// A metric's place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standard {
    /// Its name.
    pub metric: String,
    /// Its statistic.
    pub value: f64,
    /// How many groups that is the mean of.
    pub groups: usize,
    /// The tie threshold, where one was calibrated.
    pub epsilon: Option<f64>,
    /// The rank of its cluster: no metric of a cluster is significantly better than another one of it.
    pub rank: usize,
}

impl ScoreTable {
    /// Orders all metrics by a statistic, and tests every pair of them.
    ///
    /// # Errors
    /// No metric, or as [`Self::value`] and [`Self::test`].
    pub fn standing(
        &self,
        task: impl Into<String>,
        statistic: Statistic,
        grouping: Grouping,
        test: Option<&PermutationTest>,
        progress: &dyn Progress,
    ) -> Result<Standing> {
        let seeded = test.map(|test| Seeded(test.seed));
        let test = test.zip(seeded.as_ref()).map(|(test, seeded)| (test, seeded as &dyn Draws));
        self.standing_with(task, statistic, grouping, test, progress)
    }

    /// The same with coins of your own.
    ///
    /// # Errors
    /// As [`Self::standing`].
    pub fn standing_with(
        &self,
        task: impl Into<String>,
        statistic: Statistic,
        grouping: Grouping,
        test: Option<(&PermutationTest, &dyn Draws)>,
        progress: &dyn Progress,
    ) -> Result<Standing> {
        let names: Vec<&str> = self.names().collect();
        if names.is_empty() {
            return Err(Error::TooShort { what: "metrics".into(), len: 0, least: 1 });
        }
        let values = par_map(&names, |name| Ok(self.value(name, statistic, grouping)?))?;
        let mut order: Vec<(&str, GroupedValue)> = names.into_iter().zip(values).collect();
        order.sort_by(|a, b| b.1.value.total_cmp(&a.1.value).then_with(|| a.0.cmp(b.0)));
        let pairs: Vec<(usize, usize)> = ties::pairs(order.len()).collect();
        let name = |number: usize| order.get(number).map_or("", |(name, _)| *name);
        let named: Vec<(&str, &str)> = pairs.iter().map(|(i, j)| (name(*i), name(*j))).collect();
        let tested = match test {
            Some((test, draws)) => {
                self.test_with(&named, statistic, grouping, test, draws, progress)?
            }
            None => Vec::new(),
        };
        let mut tested = tested.into_iter();
        let (mut p_values, mut draws) = (Vec::new(), Vec::new());
        for number in 0..order.len() {
            let row: Vec<Tested> = tested.by_ref().take(order.len() - number - 1).collect();
            p_values.push(row.iter().map(|tested| tested.p_value).collect::<Vec<f64>>());
            draws.push(row.into_iter().map(|tested| tested.draws).collect());
        }
        let ranks = match test {
            Some(_) => clusters(&p_values, SIGNIFICANT),
            // Every p-value of a test that was not made counts as 0 in mt-metrics-eval: each metric is a cluster.
            None => (1..=order.len()).collect(),
        };
        let metrics = order.iter().zip(ranks).map(|((name, value), rank)| Standard {
            metric: (*name).to_owned(),
            value: value.value,
            groups: value.groups,
            epsilon: value.epsilon,
            rank,
        });
        Ok(Standing {
            task: task.into(),
            statistic,
            grouping,
            test: test.map(|(test, _)| *test),
            metrics: metrics.collect(),
            p_values,
            draws,
        })
    }
}

/// Ranks from p-values of metrics in order: a new cluster begins with the first metric that some metric of the present one is
/// significantly better than.
pub(super) fn clusters(p_values: &[Vec<f64>], significant: f64) -> Vec<usize> {
    let (mut rank, mut start) = (1, 0);
    let p = |i: usize, j: usize| p_values.get(i).and_then(|row| row.get(j - i - 1)).copied();
    let of = |number: usize| {
        if (start..number).any(|i| p(i, number).is_some_and(|p| p <= significant)) {
            rank += 1;
            start = number;
        }
        rank
    };
    (0..p_values.len()).map(of).collect()
}

impl Standing {
    /// The place of a metric.
    pub fn place(&self, metric: &str) -> Option<usize> {
        self.metrics.iter().position(|own| own.metric == metric)
    }

    /// The p-value of a better metric and a worse one, by their places.
    pub fn p_value(&self, better: usize, worse: usize) -> Option<f64> {
        let between = worse.checked_sub(better + 1)?;
        self.p_values.get(better)?.get(between).copied()
    }
}
