//! One comparison, kept.

use super::{Date, RunName};
use crate::{Findings, Lineup, Result};
use ko_eval_core::{
    Direction, Fingerprint, Measurement, Signature, Statistics, significance::Interval,
};
use serde::{Deserialize, Serialize};

/// Digits of a segment's checksum: enough that no two segments of a test set share them by chance.
const DIGITS: usize = 16;

/// A comparison of one day: statistics, scores and signatures, without the texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// What it is called.
    pub name: RunName,
    /// When it was, as the user says.
    pub date: Date,
    /// A checksum of each segment's references and source.
    pub segments: Vec<String>,
    /// The systems, the baseline first.
    pub systems: Vec<SavedSystem>,
}

/// A system of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedSystem {
    /// Its name.
    pub name: String,
    /// Its score by each metric.
    pub scores: Vec<SavedScore>,
}

/// A system's score by one metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedScore {
    /// The metric as it was asked for.
    pub metric: String,
    /// Its unit, unless it stands alone.
    pub unit: Option<String>,
    /// Which way is better.
    pub direction: Direction,
    /// How the score came about, with the number of references.
    pub signature: Signature,
    /// The score and its interval.
    #[serde(flatten)]
    pub interval: Interval,
    /// The statistics of each segment.
    pub statistics: Statistics,
}

impl Run {
    /// What was found of a lineup; `measured[system][metric]` are the measurements behind it.
    ///
    /// # Errors
    /// As [`Measurement::statistics`].
    pub fn new(
        name: RunName,
        date: Date,
        lineup: &Lineup,
        findings: &Findings,
        measured: &[Vec<Box<dyn Measurement + '_>>],
    ) -> Result<Self> {
        let mut systems = Vec::with_capacity(lineup.names().len());
        for (place, (system, measured)) in lineup.names().iter().zip(measured).enumerate() {
            let mut scores = Vec::with_capacity(measured.len());
            for (finding, measured) in findings.metrics.iter().zip(measured) {
                let Some(interval) = finding.scores.get(place).cloned() else { continue };
                scores.push(SavedScore {
                    metric: finding.metric.clone(),
                    unit: finding.unit.clone(),
                    direction: finding.direction,
                    signature: finding.signature.clone(),
                    interval,
                    statistics: measured.statistics()?,
                });
            }
            systems.push(SavedSystem { name: system.clone(), scores });
        }
        let segments = lineup.references().iter().zip(lineup.sources());
        let segments = segments.map(|(references, source)| {
            let of = references.iter().fold(Fingerprint::new(), |of, text| of.text(text));
            let of = of.bytes(&[u8::from(source.is_some())]);
            of.text(source.as_deref().unwrap_or_default()).digits(DIGITS)
        });
        Ok(Self { name, date, segments: segments.collect(), systems })
    }
}
