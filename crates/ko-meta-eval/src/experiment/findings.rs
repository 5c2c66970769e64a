//! What an experiment found.

use super::{
    judged::TOTAL,
    quotes::Quotes,
    rows::{Order, Settings},
};
use crate::{Correlation, correlation::pairwise, judgement::Judging};
use ko_eval_core::{Signature, significance::Interval};
use serde::{Deserialize, Serialize};

/// Everything an experiment found: tables and figures are views of this.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Findings {
    /// A checksum of the texts.
    pub checksum: String,
    /// How many source segments there are.
    pub segments: usize,
    /// By what people judged, the total first.
    pub targets: Vec<String>,
    /// The systems and what people think of them.
    pub systems: Vec<SystemFinding>,
    /// What became of people's ratings, where they are known one by one.
    pub judging: Option<Judging>,
    /// The form of quotation marks in all texts.
    pub quotes: Quotes,
    /// The units and what they cost.
    pub units: Vec<UnitFinding>,
    /// The metrics in order.
    pub metrics: Vec<String>,
    /// The coefficients in order.
    pub correlations: Vec<Correlation>,
    /// One cell per metric and unit, unit by unit; then one per metric that stands alone.
    pub cells: Vec<Cell>,
}

/// A system in the eyes of people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SystemFinding {
    /// Its name.
    pub name: String,
    /// The mean human score by each of [`Findings::targets`]; none where no output was judged.
    pub human: Vec<Option<f64>>,
    /// The human score of every segment by each of them; none where nobody judged.
    pub segments: Vec<Vec<Option<f64>>>,
}

/// A unit and what it costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnitFinding {
    /// Its name.
    pub name: String,
    /// How it cuts.
    pub signature: Signature,
    /// The family that it belongs to: `morpheme`.
    pub family: String,
    /// What it makes of all distinct texts.
    #[serde(flatten)]
    pub cost: UnitCost,
}

/// What a unit makes of all distinct texts, and how long that takes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct UnitCost {
    /// Distinct outputs and references.
    pub texts: usize,
    /// White-space words in them.
    pub words: usize,
    /// Units in them.
    pub tokens: usize,
    /// White-space words in the distinct references alone: text as people write it.
    pub reference_words: usize,
    /// Units in them.
    pub reference_tokens: usize,
    /// White-space words in the distinct outputs.
    pub output_words: usize,
    /// Units in them.
    pub output_tokens: usize,
    /// How many texts were cut on one thread, to be timed.
    pub timed: usize,
    /// Seconds that those took.
    pub seconds: f64,
}

impl UnitCost {
    /// Units per white-space word of the references; 0 of no words.
    pub fn tokens_per_word(&self) -> f64 {
        share(self.reference_tokens as f64, self.reference_words)
    }

    /// Units per white-space word of the outputs; 0 of no words.
    pub fn output_tokens_per_word(&self) -> f64 {
        share(self.output_tokens as f64, self.output_words)
    }

    /// Seconds that cutting 1,000 texts takes on one thread; 0 of no texts.
    pub fn seconds_per_thousand(&self) -> f64 {
        share(1000.0 * self.seconds, self.timed)
    }
}

/// A share of so many; 0 of none.
fn share(sum: f64, of: usize) -> f64 {
    if of == 0 { 0.0 } else { sum / of as f64 }
}

/// A unit that was wanted and could not be had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// What stands in the place of a unit where there is none.
pub const NO_UNIT: &str = "–";

/// A metric on a unit, or alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The metric's name.
    pub metric: String,
    /// The unit's name; none of a metric that stands alone.
    pub unit: Option<String>,
    /// How the scores came about.
    pub signature: Signature,
    /// Its place in a family of orders, if it has one.
    pub order: Option<Order>,
    /// All settings of a metric that a table declares, those that were left out included.
    pub settings: Option<Settings>,
    /// Whether scores were negated before they were correlated, because lower is better.
    pub negated: bool,
    /// Scores above this counted as this when they were correlated.
    pub cap: Option<f64>,
    /// Agreement with people at every level.
    pub agreement: Vec<Agreement>,
    /// Agreement on pairs of systems, segment by segment; needs two systems.
    pub pairwise: Option<Pairwise>,
    /// The scores, as the metric gave them.
    pub scores: Scores,
}

/// A metric's scores, raw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// The corpus score of each system.
    pub systems: Vec<f64>,
    /// `segments[system][segment]`.
    pub segments: Vec<Vec<f64>>,
    /// Seconds that scoring took, on all cores.
    pub seconds: f64,
    /// How many outputs were scored once more on one thread, to be timed.
    pub timed: usize,
    /// Seconds that those took, once their texts were cut.
    pub timed_seconds: f64,
}

impl Scores {
    /// Seconds that scoring 100 outputs takes on one thread once their texts are cut; 0 of no output.
    pub fn seconds_per_hundred(&self) -> f64 {
        share(100.0 * self.timed_seconds, self.timed)
    }
}

/// What is one observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// An output of any system, all pooled.
    Segment,
    /// An output; the coefficient is the mean of those of the systems.
    SegmentPerSystem,
    /// A system: corpus score against mean human score.
    System,
}

impl Level {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Segment, Self::SegmentPerSystem, Self::System];

    /// In words: `segment, per system`.
    pub fn title(self) -> &'static str {
        match self {
            Self::Segment => "segment",
            Self::SegmentPerSystem => "segment, per system",
            Self::System => "system",
        }
    }
}

/// One coefficient.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// What was one observation.
    pub level: Level,
    /// With which human score.
    pub target: String,
    /// Which coefficient.
    pub correlation: Correlation,
    /// Its value, or why there is none.
    #[serde(flatten)]
    pub value: Value,
}

/// A coefficient's value, or why there is none: a constant side, a single system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// It exists.
    Defined {
        /// The coefficient.
        value: f64,
        /// Two-sided; none for a mean of coefficients.
        p_value: Option<f64>,
        /// By bootstrap over source segments; for pooled segments and the total.
        interval: Option<Interval>,
    },
    /// It does not.
    Undefined {
        /// Why.
        reason: String,
    },
}

impl Value {
    /// The coefficient, if it exists.
    pub fn get(&self) -> Option<f64> {
        match self {
            Self::Defined { value, .. } => Some(*value),
            Self::Undefined { .. } => None,
        }
    }

    /// The interval, if there is one.
    pub fn interval(&self) -> Option<&Interval> {
        match self {
            Self::Defined { interval, .. } => interval.as_ref(),
            Self::Undefined { .. } => None,
        }
    }
}

/// Agreement on pairs of systems, segment by segment, with the total.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pairwise {
    /// Pairwise accuracy with tie calibration.
    pub accuracy: pairwise::Accuracy,
    /// WMT's τ-like of 2014; none where people tie every pair.
    pub tau_like_wmt14: Option<f64>,
}

/// The order that agrees best with people, among a family's orders on one unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BestOrder {
    /// The family.
    pub family: String,
    /// The unit's name.
    pub unit: String,
    /// The best order.
    pub order: usize,
    /// Its coefficient.
    pub value: f64,
}

impl Cell {
    /// In words: `chrf on char`; the metric's name where it stands alone.
    pub fn title(&self) -> String {
        title(&self.metric, self.unit.as_deref())
    }

    /// The unit's name, or [`NO_UNIT`].
    pub fn unit_name(&self) -> &str {
        self.unit.as_deref().unwrap_or(NO_UNIT)
    }

    /// One coefficient of the cell.
    pub fn value(&self, level: Level, target: &str, correlation: Correlation) -> Option<&Value> {
        let found = self
            .agreement
            .iter()
            .find(|a| a.level == level && a.target == target && a.correlation == correlation);
        found.map(|a| &a.value)
    }
}

/// A metric with its unit, in words.
pub(crate) fn title(metric: &str, unit: Option<&str>) -> String {
    match unit {
        Some(unit) => format!("{metric} on {unit}"),
        None => metric.to_owned(),
    }
}

impl Findings {
    /// The cell of a metric on a unit, or with `None` of a metric that stands alone.
    pub fn cell<'u>(&self, metric: &str, unit: impl Into<Option<&'u str>>) -> Option<&Cell> {
        let unit = unit.into();
        self.cells.iter().find(|cell| cell.metric == metric && cell.unit.as_deref() == unit)
    }

    /// The columns of a table of metrics by units: every unit, and `None` if some metric stands alone.
    pub fn columns(&self) -> Vec<Option<&str>> {
        let alone = self.cells.iter().any(|cell| cell.unit.is_none());
        let units = self.units.iter().map(|unit| Some(unit.name.as_str()));
        units.chain(alone.then_some(None)).collect()
    }

    /// The cell whose coefficient with the total is highest.
    pub fn best(&self, level: Level, correlation: Correlation) -> Option<(&Cell, f64)> {
        let values = self
            .cells
            .iter()
            .filter_map(|cell| Some((cell, cell.value(level, TOTAL, correlation)?.get()?)));
        values.fold(None, |best, (cell, value)| match best {
            Some((_, top)) if top >= value => best,
            _ => Some((cell, value)),
        })
    }

    /// The families of orders, in order of appearance.
    pub fn families(&self) -> Vec<&str> {
        let mut families = Vec::new();
        for order in self.cells.iter().filter_map(|cell| cell.order.as_ref()) {
            if !families.contains(&order.family.as_str()) {
                families.push(order.family.as_str());
            }
        }
        families
    }

    /// A family's coefficients with the total on a unit, by order.
    pub fn orders(
        &self,
        family: &str,
        unit: &str,
        level: Level,
        correlation: Correlation,
    ) -> Vec<(usize, f64)> {
        let mut orders: Vec<(usize, f64)> = self
            .cells
            .iter()
            .filter(|cell| cell.unit.as_deref() == Some(unit))
            .filter_map(|cell| {
                let order = cell.order.as_ref().filter(|order| order.family == family)?;
                Some((order.order, cell.value(level, TOTAL, correlation)?.get()?))
            })
            .collect();
        orders.sort_by_key(|(order, _)| *order);
        orders
    }

    /// The best order of every family on every unit; the lower one of two that are equal.
    pub fn best_orders(&self, level: Level, correlation: Correlation) -> Vec<BestOrder> {
        let mut best = Vec::new();
        for family in self.families() {
            for unit in &self.units {
                let orders = self.orders(family, &unit.name, level, correlation);
                let top = orders.into_iter().reduce(|a, b| if b.1 > a.1 { b } else { a });
                if let Some((order, value)) = top {
                    let (family, unit) = (family.to_owned(), unit.name.clone());
                    best.push(BestOrder { family, unit, order, value });
                }
            }
        }
        best
    }
}
