//! The statistics of WMT's metrics tasks.

use super::{ScoreTable, numpy, soft, table::at, ties};
use crate::{Correlation, Error, Result, correlation};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Which scores are compared with each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grouping {
    /// All of them together (`none` in mt-metrics-eval).
    #[default]
    Global,
    /// Those of one item, over systems; the mean over items.
    Item,
    /// Those of one system, over items; the mean over systems (`sys`).
    System,
}

impl Grouping {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Global, Self::Item, Self::System];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Item => "item",
            Self::System => "system",
        }
    }
}

impl fmt::Display for Grouping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Grouping {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        named("grouping", text, &Self::ALL, |grouping| grouping.name())
    }
}

/// How a metric's agreement with people is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Statistic {
    /// Pearson's r.
    Pearson,
    /// Spearman's ρ.
    Spearman,
    /// Kendall's τ-b.
    KendallTauB,
    /// Kendall's τ-c.
    KendallTauC,
    /// The share of pairs that both order alike or both tie, acc₂₃, no more ties than there are. Of systems of one language
    /// pair, and one score each, it is the pairwise accuracy of Kocmi et al. (2021).
    PairwiseAccuracy,
    /// The same with the tie threshold that makes it largest, acc\*ₑq (Deutsch et al. 2023).
    CalibratedAccuracy,
    /// Soft pairwise accuracy, 1 − PCE (Thompson et al. 2024): the mean over pairs of systems of 1 − |p − p′|, where p and p′ are the
    /// one-sided p-values of people and of the metric that the first system is the better one. Always of whole systems.
    SoftPairwiseAccuracy,
}

impl Statistic {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Pearson,
        Self::Spearman,
        Self::KendallTauB,
        Self::KendallTauC,
        Self::PairwiseAccuracy,
        Self::CalibratedAccuracy,
        Self::SoftPairwiseAccuracy,
    ];

    /// Its name: `soft-pairwise-accuracy`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pearson => "pearson",
            Self::Spearman => "spearman",
            Self::KendallTauB => "kendall-tau-b",
            Self::KendallTauC => "kendall-tau-c",
            Self::PairwiseAccuracy => "pairwise-accuracy",
            Self::CalibratedAccuracy => "calibrated-accuracy",
            Self::SoftPairwiseAccuracy => "soft-pairwise-accuracy",
        }
    }

    /// The least and the greatest value: correlations begin at −1, accuracies at 0.
    pub fn range(self) -> (f64, f64) {
        match self {
            Self::Pearson | Self::Spearman | Self::KendallTauB | Self::KendallTauC => (-1.0, 1.0),
            Self::PairwiseAccuracy | Self::CalibratedAccuracy | Self::SoftPairwiseAccuracy => {
                (0.0, 1.0)
            }
        }
    }

    /// Of one group of values; none where it does not exist.
    pub(super) fn of(self, gold: &[f64], metric: &[f64]) -> Result<Option<f64>> {
        // Two values are exactly alike or exactly opposed; sums of squares would round.
        if let (Self::Pearson, [a, b], [c, d]) = (self, gold, metric) {
            let sign = |a: f64, b: f64| f64::from(i8::from(a > b) - i8::from(a < b));
            return Ok(Some(sign(*a, *b) * sign(*c, *d)).filter(|r| *r != 0.0));
        }
        let kind = match self {
            Self::Pearson => Correlation::Pearson,
            Self::Spearman => Correlation::Spearman,
            Self::KendallTauB => Correlation::KendallTauB,
            Self::KendallTauC => Correlation::KendallTauC,
            Self::PairwiseAccuracy | Self::CalibratedAccuracy => {
                return Ok(ties::accuracy(gold, metric, 0.0));
            }
            Self::SoftPairwiseAccuracy => {
                return Err(Error::undefined(self.name(), "it is one of whole systems"));
            }
        };
        correlation::value(kind, gold, metric)
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Statistic {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        named("statistic", text, &Self::ALL, |statistic| statistic.name())
    }
}

fn named<T: Copy>(
    what: &str,
    text: &str,
    all: &[T],
    name: impl Fn(&T) -> &'static str,
) -> Result<T> {
    all.iter().find(|one| name(one) == text).copied().ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(&name).collect();
        Error::invalid(what, text, format!("one of {}", known.join(", ")))
    })
}

/// A statistic's value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GroupedValue {
    /// The mean over the groups in which it exists; 0 where there is none, as in mt-metrics-eval.
    pub value: f64,
    /// How many groups it is the mean of.
    pub groups: usize,
    /// The tie threshold, where one was calibrated.
    pub epsilon: Option<f64>,
}

impl ScoreTable {
    /// How well a metric agrees with people. Groups in which the statistic does not exist, because a side is constant, are left out.
    ///
    /// # Errors
    /// An unknown metric, or more pairs than calibration holds in memory.
    pub fn value(
        &self,
        metric: &str,
        statistic: Statistic,
        grouping: Grouping,
    ) -> Result<GroupedValue> {
        let scores = self.scores(metric)?;
        match statistic {
            Statistic::SoftPairwiseAccuracy => {
                let value = soft::People::new(self)?.soft_accuracy(scores);
                Ok(GroupedValue { value, groups: 1, epsilon: None })
            }
            Statistic::CalibratedAccuracy => {
                let groups = self.values_by_group(scores, grouping);
                let best = ties::calibrate(&groups)?;
                Ok(GroupedValue {
                    value: best.accuracy,
                    groups: best.groups,
                    epsilon: Some(best.epsilon),
                })
            }
            Statistic::PairwiseAccuracy if self.contests.last() > Some(&0) => {
                let value = self.accuracy_in_contests(scores);
                Ok(GroupedValue { value, groups: 1, epsilon: None })
            }
            _ => {
                let mut values = Vec::new();
                for (gold, metric) in self.values_by_group(scores, grouping) {
                    values.extend(statistic.of(&gold, &metric)?);
                }
                // In the order of groups and one by one, as the reference adds them up.
                let sum: f64 = values.iter().sum();
                let value = if values.is_empty() { 0.0 } else { sum / values.len() as f64 };
                Ok(GroupedValue { value, groups: values.len(), epsilon: None })
            }
        }
    }

    pub(super) fn values_by_group(
        &self,
        scores: &[f64],
        grouping: Grouping,
    ) -> Vec<(Vec<f64>, Vec<f64>)> {
        let groups = self.groups(grouping);
        groups.iter().map(|places| (self.gold_at(places), at(scores, places))).collect()
    }

    /// Pairs of systems of one language pair that both order alike, of all such pairs.
    pub(super) fn accuracy_in_contests(&self, scores: &[f64]) -> f64 {
        let rows: Vec<(usize, f64, f64)> = (self.contests.iter().zip(&self.gold).zip(scores))
            .filter_map(|((contest, gold), score)| Some((*contest, (*gold)?, *score)))
            .collect();
        let (mut agree, mut pairs) = (0u64, 0u64);
        for (number, a) in rows.iter().enumerate() {
            for b in rows.iter().skip(number + 1).filter(|b| b.0 == a.0) {
                pairs += 1;
                agree += u64::from(ties::order(a.1, b.1) == ties::order(a.2, b.2));
            }
        }
        if pairs == 0 { 0.0 } else { agree as f64 / pairs as f64 }
    }
}

/// The mean of a permuted metric's groups, as the reference's tests take it.
pub(super) fn mean_of_groups(values: &[f64]) -> f64 {
    numpy::mean(values)
}
