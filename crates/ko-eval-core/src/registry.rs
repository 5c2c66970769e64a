//! Visible tables of what there is, and the little language that picks from them: `chrf:word-order=2,beta=3`.
//!
//! A table is a constant of rows ([`MetricEntry`], [`Entry`]). A row declares its [settings](crate::setting) once;
//! a [`Spec`] names a row and sets some of them. A [`Library`] is a table of metrics with the units that they work over.

mod entry;
pub mod setting;
mod spec;
mod trust;

pub use entry::{BuildMetric, BuildOverUnits, Entry, MetricEntry};
pub use setting::{Argument, Param};
pub use spec::{Params, Spec};
pub use trust::{Declared, check_path};

use crate::{CorpusScore, Error, Panel, Result, Scorer, Shard, Signature, Tokenizer};
use std::sync::Arc;

/// Metrics and the units they work over: what a specification is looked up in.
#[derive(Debug, Clone, Copy)]
pub struct Library {
    /// All metrics.
    pub metrics: &'static [MetricEntry],
    /// Builds a unit by its specification.
    pub unit: fn(&str) -> Result<Arc<dyn Tokenizer>>,
    /// What the row of the unit of this name declares, if there is one. Nothing is built.
    pub unit_row: fn(&str) -> Option<Declared>,
}

impl Library {
    /// The row that a specification names, if it has the parameters that are set. Nothing is opened.
    ///
    /// # Errors
    /// An unknown name or parameter; the error lists the known ones.
    pub fn row(&self, spec: &Spec) -> Result<&'static MetricEntry> {
        let row = MetricEntry::find(self.metrics, spec.name())?;
        row.check(&spec.params)?;
        Ok(row)
    }

    /// A metric over a unit, both as written on the command line. A metric that stands alone does not look at the unit,
    /// which may be any word.
    ///
    /// # Errors
    /// An unknown name or parameter (the error lists the known ones), a value that makes no sense, or something that is
    /// not installed.
    pub fn metric(&self, metric: &str, unit: &str) -> Result<Box<dyn Scorer>> {
        let spec: Spec = metric.parse()?;
        match self.row(&spec)?.build {
            BuildMetric::OverUnits(build) => build(&spec.params, (self.unit)(unit)?),
            BuildMetric::Alone { open, .. } => open(&spec.params, self),
        }
    }

    /// Several metrics, each with its unit, measured together; see [`Panel`]. A unit that several metrics share is built
    /// once, and a metric that stands alone is, however many units it was asked for with.
    ///
    /// # Errors
    /// As [`Library::metric`]; every name and parameter is looked at before anything is opened.
    pub fn panel<'s>(&self, wanted: impl IntoIterator<Item = (&'s str, &'s str)>) -> Result<Panel> {
        let mut rows: Vec<(&str, Option<&str>, Spec, BuildMetric)> = Vec::new();
        for (metric, unit) in wanted {
            let spec: Spec = metric.parse()?;
            let row = self.row(&spec)?;
            let unit = row.is_over_units().then_some(unit);
            if !rows.iter().any(|(m, u, ..)| (*m, *u) == (metric, unit)) {
                rows.push((metric, unit, spec, row.build));
            }
        }
        let mut panel = Panel::default();
        let mut units: Vec<(&str, Arc<dyn Tokenizer>)> = Vec::new();
        for (metric, unit, spec, build) in &rows {
            let scorer = match (build, unit) {
                (BuildMetric::OverUnits(build), Some(unit)) => {
                    let known = units.iter().find(|(name, _)| name == unit);
                    let tokenizer = match known {
                        Some((_, tokenizer)) => Arc::clone(tokenizer),
                        None => {
                            let several =
                                rows.iter().filter(|row| row.1 == Some(*unit)).count() > 1;
                            let tokenizer = panel.share((self.unit)(unit)?, several);
                            units.push((unit, Arc::clone(&tokenizer)));
                            tokenizer
                        }
                    };
                    build(&spec.params, tokenizer)?
                }
                (BuildMetric::Alone { open, .. }, _) => open(&spec.params, self)?,
                (BuildMetric::OverUnits(_), None) => continue,
            };
            panel.push(metric, *unit, scorer);
        }
        Ok(panel)
    }

    /// The metric that merges these shards, from their signature alone: no tokenizer, model or file is opened.
    ///
    /// # Errors
    /// An unknown name or parameter, or a signature that the metric does not have.
    pub fn recorded(&self, metric: &str, shard: &Shard) -> Result<Box<dyn Scorer>> {
        self.by_signature(metric, &shard.signature)
    }

    /// The metric that has this signature, likewise from it alone: what takes up [`Statistics`](crate::Statistics) again.
    ///
    /// # Errors
    /// As [`Library::recorded`].
    pub fn by_signature(&self, metric: &str, signature: &Signature) -> Result<Box<dyn Scorer>> {
        let spec: Spec = metric.parse()?;
        MetricEntry::find(self.metrics, spec.name())?.recorded(&spec, signature)
    }

    /// The score of shards of one metric, in any order, from their signature alone: no tokenizer, model or file is opened.
    ///
    /// # Errors
    /// As [`Library::recorded`] and [`Scorer::merge_shards`]; and [`Error::BadShard`] where statistics give a score that the metric
    /// cannot have.
    pub fn merge(&self, metric: &str, shards: &[Shard]) -> Result<CorpusScore> {
        let spec: Spec = metric.parse()?;
        let row = self.row(&spec)?;
        let first = shards.first().ok_or(Error::EmptyCorpus)?;
        let merged = row.recorded(&spec, &first.signature)?.merge_shards(shards)?;
        // What rounding may do.
        let slack = 1e-9;
        let (least, most) = row.range_under(&spec.params).into_inner();
        if (least - slack..=most + slack).contains(&merged.score.value) {
            return Ok(merged);
        }
        let reason = format!("a score of {} is none that `{spec}` has", merged.score.value);
        Err(Error::BadShard { reason })
    }
}

/// The number of rows of several tables; see [`join`].
#[allow(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler, within the bounds of the loop"
)]
pub const fn count(tables: &[&[MetricEntry]]) -> usize {
    let (mut table, mut rows) = (0, 0);
    while table < tables.len() {
        rows += tables[table].len();
        table += 1;
    }
    rows
}

/// Several tables as one, in a constant.
///
/// ```
/// use ko_eval_core::{MetricEntry, registry::{count, join}};
///
/// const TABLES: &[&[MetricEntry]] = &[&[], &[]];
/// const ALL: &[MetricEntry] = &join::<{ count(TABLES) }>(TABLES);
/// assert!(ALL.is_empty());
/// ```
///
/// Does not compile where `N` is not the number of all rows.
#[allow(
    clippy::indexing_slicing,
    clippy::panic,
    reason = "evaluated by the compiler: what is out of bounds does not compile"
)]
pub const fn join<const N: usize>(tables: &[&[MetricEntry]]) -> [MetricEntry; N] {
    let mut all = [NO_ROW; N];
    let (mut table, mut filled) = (0, 0);
    while table < tables.len() {
        let mut row = 0;
        while row < tables[table].len() {
            all[filled] = tables[table][row];
            filled += 1;
            row += 1;
        }
        table += 1;
    }
    if filled < N {
        panic!("fewer rows than were counted");
    }
    all
}

/// The same table with another row of the same name; does not compile where there is none.
#[allow(
    clippy::indexing_slicing,
    clippy::panic,
    reason = "evaluated by the compiler: what is out of bounds does not compile"
)]
pub const fn replace<const N: usize>(
    mut table: [MetricEntry; N],
    row: MetricEntry,
) -> [MetricEntry; N] {
    let mut index = 0;
    while index < N {
        if same(table[index].name.as_bytes(), row.name.as_bytes()) {
            table[index] = row;
            return table;
        }
        index += 1;
    }
    panic!("no row of this name");
}

#[allow(clippy::indexing_slicing, reason = "both are as long as the first")]
const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut index = 0;
    while index < a.len() && a.len() == b.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    a.len() == b.len()
}

/// What stands in a joined table before its rows do.
const NO_ROW: MetricEntry = MetricEntry {
    name: "",
    summary: "",
    reference: "",
    argument: None,
    params: &[],
    range: (0.0, 0.0),
    variants: &[],
    build: BuildMetric::OverUnits(|params, _| Err(params.invalid("", "a row"))),
};
