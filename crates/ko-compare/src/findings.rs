//! What a comparison found: scores with intervals, tests of pairs, and the same in each bucket of each grouping.

use crate::{Grouping, Kind, Result, Trial};
use ko_eval_core::{Direction, Measurement, PanelRow, Signature, significance::Interval};
use serde::Serialize;

/// Everything a comparison found; systems are named by their places.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Findings {
    /// A finding per metric.
    pub metrics: Vec<MetricFinding>,
    /// A finding per grouping.
    pub groupings: Vec<GroupFinding>,
}

/// What one metric says of the systems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricFinding {
    /// The metric as it was asked for.
    pub metric: String,
    /// Its unit, unless it stands alone.
    pub unit: Option<String>,
    /// Which way is better.
    pub direction: Direction,
    /// How the scores came about.
    pub signature: Signature,
    /// The corpus score of each system.
    pub scores: Vec<Interval>,
    /// Every two systems, or only the baseline with every other (see [`Findings::against_baseline`]).
    pub pairs: Vec<PairFinding>,
    /// `segments[system][segment]`; empty where nobody asked.
    pub segments: Vec<Vec<f64>>,
}

/// A paired test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairFinding {
    /// The place of the first system.
    pub baseline: usize,
    /// The place of the second system.
    pub system: usize,
    /// How probable a difference at least this large is if the two were alike.
    pub p_value: f64,
}

/// The segments in buckets, and who is ahead in which.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupFinding {
    /// The grouping's name.
    pub name: String,
    /// What it goes by.
    pub kind: Kind,
    /// The bucket of each segment.
    pub of: Vec<usize>,
    /// Its buckets, none of them empty.
    pub buckets: Vec<BucketFinding>,
}

/// Some of the segments.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BucketFinding {
    /// What they share.
    pub label: String,
    /// How many there are.
    pub segments: usize,
    /// What each metric says of them.
    pub metrics: Vec<BucketScores>,
}

/// What a metric says of a bucket.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BucketScores {
    /// The score of each system in the bucket.
    pub scores: Vec<Interval>,
    /// The place of the best system.
    pub best: usize,
    /// The paired test of the best with the next best; none of a single system, and none of fewer than [`BucketScores::LEAST`]
    /// segments.
    pub over_next: Option<PairFinding>,
}

/// `measured[system][metric]` of a panel.
type Measured<'m> = [Vec<Box<dyn Measurement + 'm>>];

impl BucketScores {
    /// Resamples of fewer segments than this hardly differ, and a test of them would call any difference clear.
    pub const LEAST: usize = 10;
}

impl Findings {
    /// Every two systems, every segment, every bucket.
    ///
    /// # Errors
    /// As [`Measurement::interval`] and [`Measurement::compare`].
    pub fn new(
        rows: &[PanelRow],
        measured: &Measured<'_>,
        groupings: &[Grouping],
        trial: &Trial,
    ) -> Result<Self> {
        let pairs: Vec<(usize, usize)> =
            (0..measured.len()).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        let mut findings = Self::of_pairs(rows, measured, &pairs, trial)?;
        for (number, finding) in findings.metrics.iter_mut().enumerate() {
            for system in by_metric(measured, number) {
                let scores = system.segment_scores()?;
                finding.segments.push(scores.iter().map(|score| score.value).collect());
            }
        }
        for grouping in groupings {
            findings.groupings.push(group(grouping, rows.len(), measured, &pairs, trial)?);
        }
        Ok(findings)
    }

    /// Only the scores, and the first system against each of the others.
    ///
    /// # Errors
    /// As [`Findings::new`].
    pub fn against_baseline(
        rows: &[PanelRow],
        measured: &Measured<'_>,
        trial: &Trial,
    ) -> Result<Self> {
        let pairs: Vec<(usize, usize)> = (1..measured.len()).map(|system| (0, system)).collect();
        Self::of_pairs(rows, measured, &pairs, trial)
    }

    fn of_pairs(
        rows: &[PanelRow],
        measured: &Measured<'_>,
        pairs: &[(usize, usize)],
        trial: &Trial,
    ) -> Result<Self> {
        let systems: Vec<Vec<&dyn Measurement>> =
            (0..rows.len()).map(|number| by_metric(measured, number)).collect();
        let judged = trial.judge(&systems, pairs)?;
        let mut metrics = Vec::with_capacity(rows.len());
        for ((row, systems), judged) in rows.iter().zip(&systems).zip(judged) {
            let score = systems.first().map(|system| system.corpus_score()).transpose()?;
            metrics.push(MetricFinding {
                metric: row.metric.clone(),
                unit: row.unit.clone(),
                direction: row.scorer.direction(),
                signature: score.map_or_else(|| row.scorer.signature(), |score| score.signature),
                scores: judged.scores,
                pairs: judged.pairs,
                segments: Vec::new(),
            });
        }
        Ok(Self { metrics, groupings: Vec::new() })
    }
}

/// The measurements of one metric, a system after the other.
fn by_metric<'m>(measured: &'m Measured<'_>, number: usize) -> Vec<&'m dyn Measurement> {
    measured.iter().filter_map(|system| system.get(number)).map(|m| &**m as _).collect()
}

fn group(
    grouping: &Grouping,
    metrics: usize,
    measured: &Measured<'_>,
    pairs: &[(usize, usize)],
    trial: &Trial,
) -> Result<GroupFinding> {
    let mut buckets = Vec::with_capacity(grouping.labels().len());
    for (bucket, label) in grouping.labels().iter().enumerate() {
        let of = grouping.of().iter().enumerate();
        let members: Vec<usize> =
            of.filter(|(_, own)| **own == bucket).map(|(segment, _)| segment).collect();
        let mut chosen: Vec<Vec<Box<dyn Measurement + '_>>> = Vec::with_capacity(metrics);
        for number in 0..metrics {
            let systems = by_metric(measured, number).into_iter();
            chosen.push(
                systems
                    .map(|system| system.select(&members))
                    .collect::<ko_eval_core::Result<_>>()?,
            );
        }
        let borrowed: Vec<Vec<&dyn Measurement>> =
            chosen.iter().map(|systems| systems.iter().map(|m| &**m as _).collect()).collect();
        let judged = trial.judge(&borrowed, pairs)?;
        let scores = borrowed.iter().zip(judged).map(|(systems, judged)| {
            let up = systems.first().is_none_or(|m| m.direction() == Direction::HigherIsBetter);
            let mut order: Vec<usize> = (0..judged.scores.len()).collect();
            let score = |place: &usize| judged.scores.get(*place).map_or(0.0, |s| s.score);
            order.sort_by(|a, b| {
                let ordering = score(b).total_cmp(&score(a));
                if up { ordering } else { ordering.reverse() }
            });
            let best = order.first().copied().unwrap_or_default();
            let next = order.get(1).copied();
            let over_next = judged.pairs.iter().copied().find(|pair| {
                let own = (pair.baseline, pair.system);
                let is_own = |next| own == (best, next) || own == (next, best);
                members.len() >= BucketScores::LEAST && next.is_some_and(is_own)
            });
            BucketScores { scores: judged.scores, best, over_next }
        });
        buckets.push(BucketFinding {
            label: label.clone(),
            segments: members.len(),
            metrics: scores.collect(),
        });
    }
    Ok(GroupFinding {
        name: grouping.name().to_owned(),
        kind: grouping.kind(),
        of: grouping.of().to_vec(),
        buckets,
    })
}
