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
}

pub(super) struct Target {
    pub(super) name: String,
    /// Per system and segment; none where nobody judged.
    pub(super) scores: Vec<Vec<Option<f64>>>,
    /// Per system, of what was judged; none where nothing was.
    pub(super) means: Vec<Option<f64>>,
    /// All systems' judged outputs one after the other.
    pooled: Vec<f64>,
    /// The source segment of every one of them.
    sources: Vec<usize>,
}

impl Target {
    fn of(name: &str, judged: &Judged) -> Self {
        let scores = judged.scores(name);
        let rows = || scores.iter().flat_map(|scores| scores.iter().enumerate());
        let judged = || rows().filter_map(|(segment, score)| Some((segment, (*score)?)));
        let mean = |scores: &Vec<Option<f64>>| {
            let given: Vec<f64> = scores.iter().flatten().copied().collect();
            (!given.is_empty()).then(|| given.iter().sum::<f64>() / given.len() as f64)
        };
        Self {
            name: name.to_owned(),
            means: scores.iter().map(mean).collect(),
            pooled: judged().map(|(_, score)| score).collect(),
            sources: judged().map(|(segment, _)| segment).collect(),
            scores,
        }
    }

    /// What a metric says of each system's judged outputs.
    fn seen<'m>(&self, metric: &'m [Vec<f64>]) -> impl Iterator<Item = Vec<f64>> + use<'_, 'm> {
        self.scores.iter().zip(metric).map(|(human, metric)| {
            let both = human.iter().zip(metric).filter(|(human, _)| human.is_some());
            both.map(|(_, metric)| *metric).collect()
        })
    }
}

impl Human {
    pub(super) fn of(judged: &Judged) -> Self {
        let targets = judged.targets();
        Self { targets: targets.iter().map(|name| Target::of(name, judged)).collect() }
    }

    /// Agreement on pairs of systems; none of a single system.
    pub(super) fn pairwise(&self, metric: &Agreeing) -> Option<Pairwise> {
        let total = self.targets.first()?;
        let seen: Vec<f64> = total.seen(&metric.segments).flatten().collect();
        let accuracy = calibrated_accuracy(&total.pooled, &seen, &total.sources).ok()?;
        let tau_like = tau_like(&total.pooled, &seen, &total.sources, TauLike::WMT14);
        Some(Pairwise { accuracy, tau_like_wmt14: tau_like.ok().map(|tau| tau.value) })
    }
}

/// A metric's scores as they are correlated: capped, and higher is better.
pub(super) struct Agreeing {
    segments: Vec<Vec<f64>>,
    systems: Vec<f64>,
}

impl Agreeing {
    pub(super) fn new(row: &MetricRow, direction: Direction, scores: &Scores) -> Self {
        let turn = |scores: &Vec<f64>| -> Vec<f64> {
            scores.iter().map(|score| row.agreeing(direction, *score)).collect()
        };
        let segments: Vec<Vec<f64>> = scores.segments.iter().map(turn).collect();
        Self { systems: turn(&scores.systems), segments }
    }
}

/// The mean of the systems' own coefficients; undefined where one of them is.
fn mean_over_systems(kind: Correlation, target: &Target, metric: &Agreeing) -> Result<f64> {
    let each = target.scores.iter().zip(target.seen(&metric.segments));
    let of = |(human, metric): (&Vec<Option<f64>>, Vec<f64>)| {
        let human: Vec<f64> = human.iter().flatten().copied().collect();
        Ok(kind.of(&human, &metric)?.value)
    };
    let values: Vec<f64> = each.map(of).collect::<Result<_>>()?;
    Ok(values.iter().sum::<f64>() / values.len() as f64)
}

/// All coefficients of a cell with one kind of human score.
pub(super) fn agreement(
    correlations: &[Correlation],
    bootstrap: &Bootstrap,
    target: &Target,
    metric: &Agreeing,
) -> Vec<Agreement> {
    let pooled: Vec<f64> = target.seen(&metric.segments).flatten().collect();
    // A system that nobody judged is no observation.
    let systems = target.means.iter().zip(&metric.systems);
    let (means, systems): (Vec<f64>, Vec<f64>) =
        systems.filter_map(|(human, metric)| Some(((*human)?, *metric))).unzip();
    let bootstrapped = if target.name == TOTAL {
        let draw = Draw::Clusters(&target.sources);
        intervals(correlations, &target.pooled, &pooled, draw, bootstrap).ok()
    } else {
        None
    };
    let mut all = Vec::new();
    for (number, correlation) in correlations.iter().enumerate() {
        let interval = bootstrapped.as_ref().and_then(|b| b.get(number));
        let interval = interval.map(|b| b.interval.clone());
        let of = |x: &[f64], y: &[f64]| correlation.of(x, y);
        let values = [
            (Level::Segment, of(&target.pooled, &pooled).map(|e| (e.value, Some(e.p_value)))),
            (
                Level::SegmentPerSystem,
                mean_over_systems(*correlation, target, metric).map(|v| (v, None)),
            ),
            (Level::System, of(&means, &systems).map(|e| (e.value, Some(e.p_value)))),
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
