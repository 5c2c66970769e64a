//! In which order do people put the systems, and in which does a metric?

use super::{Cell, Findings};
use serde::{Deserialize, Serialize};

/// The systems' ranks in the eyes of a metric, and whom it swaps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// The metric.
    pub metric: String,
    /// The unit; none of a metric that stands alone.
    pub unit: Option<String>,
    /// The rank of each system in the order of [`Findings::systems`]: 1 is best, equals share the better rank.
    pub ranks: Vec<usize>,
    /// Pairs that people order otherwise.
    pub swaps: Vec<Swap>,
}

/// Two systems that a metric puts in the other order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swap {
    /// Whom people prefer.
    pub people: String,
    /// Whom the metric prefers.
    pub metric: String,
}

impl Findings {
    /// The ranks of the systems by people's mean total; 1 is best, and a system that nobody judged has none.
    pub fn ranks_by_people(&self) -> Vec<Option<usize>> {
        let means = self.totals();
        let judged: Vec<f64> = means.iter().flatten().copied().collect();
        means.iter().map(|mean| mean.map(|mean| rank(mean, &judged))).collect()
    }

    /// The ranks of the systems by every metric on every unit, with the pairs that people order otherwise.
    pub fn rankings(&self) -> Vec<Ranking> {
        self.cells.iter().map(|cell| self.ranking(cell)).collect()
    }

    fn ranking(&self, cell: &Cell) -> Ranking {
        let better = |score: &f64| if cell.negated { -score } else { *score };
        let scores: Vec<f64> = cell.scores.systems.iter().map(better).collect();
        let means = self.totals();
        let mut swaps = Vec::new();
        for (a, (mean_a, score_a)) in means.iter().zip(&scores).enumerate() {
            for (b, (mean_b, score_b)) in means.iter().zip(&scores).enumerate() {
                if let (Some(mean_a), Some(mean_b)) = (mean_a, mean_b)
                    && mean_a > mean_b
                    && score_a < score_b
                {
                    let name = |at: usize| self.systems.get(at).map(|system| system.name.clone());
                    let (people, metric) =
                        (name(a).unwrap_or_default(), name(b).unwrap_or_default());
                    swaps.push(Swap { people, metric });
                }
            }
        }
        Ranking {
            metric: cell.metric.clone(),
            unit: cell.unit.clone(),
            ranks: scores.iter().map(|score| rank(*score, &scores)).collect(),
            swaps,
        }
    }

    fn totals(&self) -> Vec<Option<f64>> {
        self.systems.iter().map(|system| system.human.first().copied().flatten()).collect()
    }
}

/// One more than there are better ones.
fn rank(value: f64, all: &[f64]) -> usize {
    all.iter().filter(|other| **other > value).count() + 1
}
