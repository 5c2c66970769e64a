//! A score over runs, and whether it dropped.

use super::{Date, History, Run, RunName, SavedScore};
use crate::{Error, Result};
use ko_eval_core::{
    Direction, Library, Measurement, Scorer, Signature,
    significance::{Bootstrap, Interval},
};
use serde::Serialize;

/// Which trends, and how drops are tested.
#[derive(Debug, Clone, Copy)]
pub struct Trends<'t> {
    /// Rebuilds metrics from their signatures.
    pub library: Library,
    /// Only this metric, as it was asked for.
    pub metric: Option<&'t str>,
    /// Only this system.
    pub system: Option<&'t str>,
    /// The run that the last one is compared with; the one before it, if none is named.
    pub against: Option<&'t str>,
    /// Resamples of the test.
    pub samples: usize,
    /// Random seed.
    pub seed: u64,
}

/// One system's score by one metric, over all runs that have it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trend {
    /// The system.
    pub system: String,
    /// The metric.
    pub metric: String,
    /// Its unit, unless it stands alone.
    pub unit: Option<String>,
    /// Which way is better.
    pub direction: Direction,
    /// How all of the scores came about.
    pub signature: Signature,
    /// The scores, the earliest first.
    pub points: Vec<Point>,
    /// What the history's last run changed; none where it did not measure this, or is the only one that did.
    pub change: Option<Change>,
}

/// A score of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// The run.
    pub run: RunName,
    /// Its date.
    pub date: Date,
    /// How many segments it measured.
    pub segments: usize,
    /// The score with its interval.
    #[serde(flatten)]
    pub interval: Interval,
}

/// The last run against an earlier one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The earlier run.
    pub from: RunName,
    /// The last run.
    pub to: RunName,
    /// How much the score rose.
    pub difference: f64,
    /// How probable a difference at least this large is if nothing had changed.
    pub p_value: f64,
    /// Whether both measured the same segments.
    pub paired: bool,
    /// Whether it changed for the worse, by chance or not.
    pub worse: bool,
}

impl Change {
    /// Whether it changed for the worse, and by more than chance explains at this level.
    pub fn is_drop(&self, level: f64) -> bool {
        self.worse && self.p_value < level
    }
}

impl Trends<'_> {
    /// The trends of a history, in the order of their first appearance.
    ///
    /// # Errors
    /// [`Error::Mixed`] where scores came about differently, [`Error::UnknownRun`], or statistics that cannot be true.
    pub fn of(&self, history: &History) -> Result<Vec<Trend>> {
        let against = self.against.map(|name| find(history, name)).transpose()?;
        let mut keys: Vec<(&str, &SavedScore)> = Vec::new();
        for (system, score) in history.runs().iter().flat_map(scores) {
            let same = |(s, known): &(&str, &SavedScore)| *s == system && is_same(known, score);
            let wanted = self.system.is_none_or(|name| name == system)
                && self.metric.is_none_or(|name| name == score.metric);
            if wanted && !keys.iter().any(same) {
                keys.push((system, score));
            }
        }
        keys.iter().map(|(system, score)| self.trend(history, system, score, against)).collect()
    }

    fn trend(
        &self,
        history: &History,
        system: &str,
        first: &SavedScore,
        against: Option<&Run>,
    ) -> Result<Trend> {
        let own: Vec<(&Run, &SavedScore)> = history
            .runs()
            .iter()
            .filter_map(|run| {
                let own =
                    scores(run).find(|(name, score)| *name == system && is_same(score, first));
                own.map(|(_, score)| (run, score))
            })
            .collect();
        for pair in own.windows(2) {
            if let [(before, a), (after, b)] = pair
                && a.signature != b.signature
            {
                return Err(Error::Mixed {
                    metric: title(first),
                    first: before.name.to_string(),
                    second: after.name.to_string(),
                    differences: differences(&a.signature, &b.signature),
                });
            }
        }
        let earlier = |last: &Run| match against {
            Some(run) => own.iter().find(|(own, _)| own.name == run.name && own.name != last.name),
            None => own.len().checked_sub(2).and_then(|place| own.get(place)),
        };
        // What the last run did not measure, it did not change.
        let newest = history.runs().last().map(|run| &run.name);
        let change = match own.last().filter(|last| newest == Some(&last.0.name)) {
            Some(last) => earlier(last.0).map(|before| self.change(before, last)).transpose()?,
            None => None,
        };
        let point = |(run, score): &(&Run, &SavedScore)| Point {
            run: run.name.clone(),
            date: run.date.clone(),
            segments: run.segments.len(),
            interval: score.interval.clone(),
        };
        Ok(Trend {
            system: system.to_owned(),
            metric: first.metric.clone(),
            unit: first.unit.clone(),
            direction: first.direction,
            signature: first.signature.clone(),
            points: own.iter().map(point).collect(),
            change,
        })
    }

    fn change(&self, before: &(&Run, &SavedScore), last: &(&Run, &SavedScore)) -> Result<Change> {
        let scorer = self.scorer(last.1)?;
        let (a, b) = (scorer.restore(&before.1.statistics)?, scorer.restore(&last.1.statistics)?);
        let paired = before.0.segments == last.0.segments;
        let bootstrap = Bootstrap::new(self.samples, self.seed)?;
        let compared = match paired {
            true => bootstrap.resampled(&[&*a, &*b])?.compare(0, 1)?,
            false => {
                let other = Bootstrap::new(self.samples, self.seed.wrapping_add(1))?;
                let baseline = other.resampled(&[&*a as &dyn Measurement])?;
                bootstrap.resampled(&[&*b])?.compare_unpaired(0, &baseline, 0)?
            }
        };
        let difference = compared.system - compared.baseline;
        Ok(Change {
            from: before.0.name.clone(),
            to: last.0.name.clone(),
            difference,
            p_value: compared.p_value,
            paired,
            worse: match last.1.direction {
                Direction::HigherIsBetter => difference < 0.0,
                Direction::LowerIsBetter => difference > 0.0,
            },
        })
    }

    /// The metric, from its signature alone: nothing that a run names is opened or started.
    fn scorer(&self, score: &SavedScore) -> Result<Box<dyn Scorer>> {
        Ok(self.library.by_signature(&score.metric, &score.statistics.signature)?)
    }
}

fn find<'h>(history: &'h History, name: &str) -> Result<&'h Run> {
    let found = history.runs().iter().find(|run| run.name.to_string() == name);
    found.ok_or_else(|| {
        let known: Vec<String> = history.runs().iter().map(|run| run.name.to_string()).collect();
        Error::UnknownRun { name: name.to_owned(), known: known.join(", ") }
    })
}

fn scores(run: &Run) -> impl Iterator<Item = (&str, &SavedScore)> {
    run.systems
        .iter()
        .flat_map(|system| system.scores.iter().map(|score| (system.name.as_str(), score)))
}

fn is_same(a: &SavedScore, b: &SavedScore) -> bool {
    a.metric == b.metric && a.unit == b.unit
}

fn title(score: &SavedScore) -> String {
    match &score.unit {
        Some(unit) => format!("{} on {unit}", score.metric),
        None => score.metric.clone(),
    }
}

/// The settings that differ, with both values.
fn differences(a: &Signature, b: &Signature) -> String {
    let mut said = Vec::new();
    if a.name() != b.name() {
        said.push(format!("`{}` and `{}`", a.name(), b.name()));
    }
    let keys = a.fields().map(|(key, _)| key);
    let mut keys: Vec<&str> = keys.chain(b.fields().map(|(key, _)| key)).collect();
    keys.sort_unstable();
    keys.dedup();
    for key in keys.into_iter().filter(|key| a.get(key) != b.get(key)) {
        let value = |signature: &Signature| signature.get(key).unwrap_or("nothing").to_owned();
        said.push(format!("`{key}` is {} and {}", value(a), value(b)));
    }
    said.join(", ")
}
