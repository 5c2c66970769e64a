//! Several tasks together: which metric is best on average over language pairs, levels and statistics?

use super::{
    Standing, numpy,
    standing::{SIGNIFICANT, clusters},
};
use crate::{
    Result,
    error::{at_least, same_length},
};
use serde::{Deserialize, Serialize};

/// Metrics in the order of their mean over tasks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Averages {
    /// The metrics that take part in every task, the best first.
    pub metrics: Vec<Averaged>,
    /// As [`Standing::p_values`]; empty where a task was not tested.
    pub p_values: Vec<Vec<f64>>,
}

/// A metric over several tasks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Averaged {
    /// Its name.
    pub metric: String,
    /// The weighted mean of its statistics, each brought to the range from 0 to 1.
    pub value: f64,
    /// The rank of its cluster.
    pub rank: usize,
    /// The weighted mean of the ranks of its clusters.
    pub mean_rank: f64,
}

impl Averages {
    /// Weighted means of tasks; equal weights where none are given. Differences of means are tested with the draws that the tasks were
    /// tested with.
    ///
    /// # Errors
    /// No task, or another number of weights.
    pub fn of(tasks: &[Standing], weights: Option<&[f64]>) -> Result<Self> {
        at_least("tasks", tasks.len(), 1)?;
        let equal = vec![1.0 / tasks.len() as f64; tasks.len()];
        let weights = weights.unwrap_or(&equal);
        same_length(("the list of tasks", tasks.len()), ("the weights", weights.len()))?;
        let mut all: Vec<Averaged> = Vec::new();
        for own in tasks.iter().take(1).flat_map(|task| &task.metrics) {
            let mut averaged =
                Averaged { metric: own.metric.clone(), value: 0.0, rank: 0, mean_rank: 0.0 };
            let mut everywhere = true;
            for (task, weight) in tasks.iter().zip(weights) {
                match task.metrics.iter().find(|metric| metric.metric == own.metric) {
                    Some(metric) => {
                        let (least, most) = task.statistic.range();
                        averaged.value += (metric.value - least) / (most - least) * weight;
                        averaged.mean_rank += metric.rank as f64 * weight;
                    }
                    None => everywhere = false,
                }
            }
            if everywhere {
                all.push(averaged);
            }
        }
        // Equal ones stay in the order of the first task.
        all.sort_by(|a, b| b.value.total_cmp(&a.value));
        let tested = tasks.iter().all(|task| task.test.is_some());
        let mut p_values = Vec::new();
        if tested {
            for (number, better) in all.iter().enumerate() {
                let others = all.iter().skip(number + 1);
                p_values.push(others.map(|other| p_value(tasks, weights, better, other)).collect());
            }
        }
        let ranks =
            if tested { clusters(&p_values, SIGNIFICANT) } else { (1..=all.len()).collect() };
        all.iter_mut().zip(ranks).for_each(|(metric, rank)| metric.rank = rank);
        Ok(Self { metrics: all, p_values })
    }
}

/// The share of draws, added up over tasks, that differ at least as much as the means.
fn p_value(tasks: &[Standing], weights: &[f64], better: &Averaged, other: &Averaged) -> f64 {
    let difference = better.value - other.value;
    let draws: Vec<Vec<f64>> = tasks
        .iter()
        .zip(weights)
        .map(|(task, weight)| differences(task, *weight, &better.metric, &other.metric))
        .collect();
    let longest = draws.iter().map(Vec::len).max().unwrap_or(0);
    // A pair that was plain early has fewer draws: they are repeated.
    let beyond = (0..longest).filter(|number| {
        let sum: f64 = draws.iter().filter_map(|own| own.get(number % own.len().max(1))).sum();
        sum >= difference
    });
    let hits: Vec<f64> = vec![1.0; beyond.count()];
    if longest == 0 { 1.0 } else { numpy::pairwise_sum(&hits) / longest as f64 }
}

/// The differences of two metrics' mixtures in one task.
fn differences(task: &Standing, weight: f64, better: &str, other: &str) -> Vec<f64> {
    let (Some(a), Some(b)) = (task.place(better), task.place(other)) else { return Vec::new() };
    let (least, most) = task.statistic.range();
    let scaled = |value: f64| weight * (value - least) / (most - least);
    let drawn = task.draws.get(a.min(b)).and_then(|row| row.get(a.max(b) - a.min(b) - 1));
    let of = |(first, second): &(f64, f64)| match a < b {
        true => scaled(*first) - scaled(*second),
        false => scaled(*second) - scaled(*first),
    };
    drawn.map(|drawn| drawn.iter().map(of).collect()).unwrap_or_default()
}
