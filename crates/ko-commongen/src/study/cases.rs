//! The best and the worst outputs, with what people and metrics say of each.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// One output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct JudgedOutput {
    /// Whose.
    pub system: String,
    /// Of which concept set, from 1.
    pub segment: usize,
    /// The concepts.
    pub concepts: Vec<String>,
    /// What the system wrote.
    pub output: String,
    /// What people wrote.
    pub references: Vec<String>,
    /// What people said of it: the sum of the criteria's means.
    pub total: f64,
    /// What each metric says of it.
    pub scores: Vec<f64>,
    /// The share of all outputs that each metric ranks below it; of equals, half.
    pub ranks: Vec<f64>,
}

/// Outputs worth reading.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Cases {
    /// What people and metrics like best.
    pub best: Vec<JudgedOutput>,
    /// What people and metrics like least.
    pub worst: Vec<JudgedOutput>,
    /// What people like and metrics do not.
    pub people_alone: Vec<JudgedOutput>,
    /// What metrics like and people do not.
    pub metrics_alone: Vec<JudgedOutput>,
}

/// The share of the values below each; of equals, half.
pub(super) fn ranks(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = |value: &f64| {
        let below = sorted.partition_point(|other| other < value);
        let equal = sorted.partition_point(|other| other <= value) - below;
        // An output is no rival of its own.
        let rivals = (sorted.len() - 1).max(1) as f64;
        (below as f64 + (equal as f64 - 1.0) / 2.0) / rivals
    };
    values.iter().map(rank).collect()
}

impl Cases {
    /// Chooses `count` outputs of each kind.
    pub(super) fn of(outputs: &[JudgedOutput], count: usize) -> Self {
        let people = ranks(&outputs.iter().map(|output| output.total).collect::<Vec<_>>());
        let metrics = |output: &JudgedOutput| {
            output.ranks.iter().sum::<f64>() / output.ranks.len().max(1) as f64
        };
        let top = |key: &dyn Fn(f64, f64) -> (f64, f64)| {
            let mut order: Vec<(&JudgedOutput, (f64, f64))> = outputs
                .iter()
                .zip(&people)
                .map(|(output, people)| (output, key(*people, metrics(output))))
                .collect();
            order.sort_by(|(_, a), (_, b)| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
            // Systems often write the same for one concept set; once is enough.
            let mut seen = BTreeSet::new();
            let different = order.into_iter().filter(|(output, _)| seen.insert(output.segment));
            different.take(count).map(|(output, _)| output.clone()).collect()
        };
        Self {
            best: top(&|people, metrics| (people, metrics)),
            worst: top(&|people, metrics| (-people, -metrics)),
            people_alone: top(&|people, metrics| (people - metrics, people)),
            metrics_alone: top(&|people, metrics| (metrics - people, metrics)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_shares_of_the_others() {
        assert_eq!(ranks(&[3.0, 1.0, 2.0]), [1.0, 0.0, 0.5]);
        assert_eq!(ranks(&[1.0, 1.0, 1.0]), [0.5, 0.5, 0.5]);
        assert_eq!(ranks(&[7.0]), [0.0]);
    }
}
