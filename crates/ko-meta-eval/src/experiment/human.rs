//! Human scores beside a metric's, and every coefficient of the two.

use super::{Agreement, Judged, Level, MetricRow, Pairwise, Scores, TOTAL, Value};
use crate::{
    Correlation, Result,
    correlation::{
        Draw, intervals,
        pairwise::{TauLike, calibrated_accuracy, tau_like},
    },
};
use ko_eval_core::{Direction, significance::Bootstrap};

/// Human scores in the shapes that coefficients need.
pub(super) struct Human {
    pub(super) targets: Vec<Target>,
    /// The source segment of every pooled output.
    sources: Vec<usize>,
}

pub(super) struct Target {
    pub(super) name: String,
    /// Per system and segment.
    pub(super) scores: Vec<Vec<f64>>,
    /// All systems one after the other.
    pooled: Vec<f64>,
    /// Per system.
    pub(super) means: Vec<f64>,
}

impl Human {
    pub(super) fn of(judged: &Judged) -> Self {
        let target = |name: &str| {
            let scores = judged.scores(name);
            let mean = |scores: &Vec<f64>| scores.iter().sum::<f64>() / scores.len() as f64;
            Target {
                name: name.to_owned(),
                pooled: scores.concat(),
                means: scores.iter().map(mean).collect(),
                scores,
            }
        };
        let sources = judged.systems().iter().flat_map(|_| 0..judged.len()).collect();
        Self { targets: judged.targets().into_iter().map(target).collect(), sources }
    }

    /// Agreement on pairs of systems; none of a single system.
    pub(super) fn pairwise(&self, metric: &Agreeing) -> Option<Pairwise> {
        let total = &self.targets.first()?.pooled;
        let accuracy = calibrated_accuracy(total, &metric.pooled, &self.sources).ok()?;
        let tau_like = tau_like(total, &metric.pooled, &self.sources, TauLike::WMT14);
        Some(Pairwise { accuracy, tau_like_wmt14: tau_like.ok().map(|tau| tau.value) })
    }
}

/// A metric's scores as they are correlated: capped, and higher is better.
pub(super) struct Agreeing {
    segments: Vec<Vec<f64>>,
    pooled: Vec<f64>,
    systems: Vec<f64>,
}

impl Agreeing {
    pub(super) fn new(row: &MetricRow, direction: Direction, scores: &Scores) -> Self {
        let turn = |scores: &Vec<f64>| -> Vec<f64> {
            scores.iter().map(|score| row.agreeing(direction, *score)).collect()
        };
        let segments: Vec<Vec<f64>> = scores.segments.iter().map(turn).collect();
        Self { pooled: segments.concat(), systems: turn(&scores.systems), segments }
    }
}

/// The mean of the systems' own coefficients; undefined where one of them is.
fn mean_over_systems(kind: Correlation, target: &Target, metric: &Agreeing) -> Result<f64> {
    let each = target.scores.iter().zip(&metric.segments);
    let values: Vec<f64> = each.map(|(x, y)| Ok(kind.of(x, y)?.value)).collect::<Result<_>>()?;
    Ok(values.iter().sum::<f64>() / values.len() as f64)
}

/// All coefficients of a cell with one kind of human score.
pub(super) fn agreement(
    correlations: &[Correlation],
    bootstrap: &Bootstrap,
    target: &Target,
    human: &Human,
    metric: &Agreeing,
) -> Vec<Agreement> {
    let bootstrapped = if target.name == TOTAL {
        let draw = Draw::Clusters(&human.sources);
        intervals(correlations, &target.pooled, &metric.pooled, draw, bootstrap).ok()
    } else {
        None
    };
    let mut all = Vec::new();
    for (number, correlation) in correlations.iter().enumerate() {
        let interval = bootstrapped.as_ref().and_then(|b| b.get(number));
        let interval = interval.map(|b| b.interval.clone());
        let of = |x: &[f64], y: &[f64]| correlation.of(x, y);
        let values = [
            (
                Level::Segment,
                of(&target.pooled, &metric.pooled).map(|e| (e.value, Some(e.p_value))),
            ),
            (
                Level::SegmentPerSystem,
                mean_over_systems(*correlation, target, metric).map(|v| (v, None)),
            ),
            (Level::System, of(&target.means, &metric.systems).map(|e| (e.value, Some(e.p_value)))),
        ];
        for (level, value) in values {
            let interval = interval.clone().filter(|_| level == Level::Segment);
            let value = match value {
                Ok((value, p_value)) => Value::Defined { value, p_value, interval },
                Err(error) => Value::Undefined { reason: error.to_string() },
            };
            let (target, correlation) = (target.name.clone(), *correlation);
            all.push(Agreement { level, target, correlation, value });
        }
    }
    all
}
