//! Gold and metrics' scores of the same systems and items.

use super::{Grouping, numpy};
use crate::{
    Error, Result,
    error::{all_finite, at_least, same_length},
};

/// Scores of several systems for the same items (segments, or one item where a system has one score): people's, which may be
/// missing, and those of any number of metrics.
///
/// ```
/// use ko_meta_eval::wmt::{Grouping, ScoreTable, Statistic};
///
/// // Two systems, three sentences: all of the first system, then all of the second.
/// let table = ScoreTable::new(2, vec![Some(-1.0), Some(0.0), None, Some(-5.0), Some(-1.0), Some(-2.0)])?
///     .metric("chrF", vec![60.0, 82.5, 70.0, 35.0, 70.0, 50.0])?;
/// let r = table.value("chrF", Statistic::Pearson, Grouping::Global)?;
/// assert!((r.value - 0.9302).abs() < 1e-4 && r.groups == 1);
/// # Ok::<(), ko_meta_eval::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreTable {
    pub(super) systems: usize,
    pub(super) items: usize,
    /// System by system.
    pub(super) gold: Vec<Option<f64>>,
    pub(super) metrics: Vec<MetricScores>,
    /// Which systems compete with each other: those of one language pair.
    pub(super) contests: Vec<usize>,
}

/// A metric's scores, system by system.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MetricScores {
    pub(super) name: String,
    pub(super) scores: Vec<f64>,
}

impl ScoreTable {
    /// People's scores, all of the first system, then all of the second, and so on.
    ///
    /// # Errors
    /// Fewer than two systems, no item, a number of scores that is no multiple of that of the systems, or scores that are
    /// not finite.
    pub fn new(systems: usize, gold: Vec<Option<f64>>) -> Result<Self> {
        at_least("systems", systems, 2)?;
        let items = gold.len() / systems;
        at_least("items", items, 1)?;
        same_length(("the systems' items", systems * items), ("the list of scores", gold.len()))?;
        let given: Vec<f64> = gold.iter().flatten().copied().collect();
        all_finite("the human scores", &given)?;
        Ok(Self { systems, items, gold, metrics: Vec::new(), contests: vec![0; systems] })
    }

    /// The same with a metric's scores in the same order; higher is better.
    ///
    /// # Errors
    /// A name twice, another number of scores, or scores that are not finite.
    pub fn metric(mut self, name: impl Into<String>, scores: Vec<f64>) -> Result<Self> {
        let name = name.into();
        same_length(("the human scores", self.gold.len()), (&name, scores.len()))?;
        all_finite(&name, &scores)?;
        if self.metrics.iter().any(|metric| metric.name == name) {
            return Err(Error::invalid("metric", name, "a name of its own"));
        }
        self.metrics.push(MetricScores { name, scores });
        Ok(self)
    }

    /// System-level tables of several language pairs as one, with the metrics that all of them have. Only systems of one
    /// language pair are compared with each other ([`Statistic::PairwiseAccuracy`](super::Statistic::PairwiseAccuracy)).
    ///
    /// # Errors
    /// No table, or one with more than one item per system.
    pub fn join(tables: &[Self]) -> Result<Self> {
        at_least("tables", tables.len(), 1)?;
        let mut all = Self {
            systems: 0,
            items: 1,
            gold: Vec::new(),
            metrics: Vec::new(),
            contests: Vec::new(),
        };
        for (number, table) in tables.iter().enumerate() {
            if table.items != 1 {
                return Err(Error::invalid(
                    "items of a table",
                    table.items,
                    "1, a score per system",
                ));
            }
            all.systems += table.systems;
            all.gold.extend(&table.gold);
            all.contests.extend(std::iter::repeat_n(number, table.systems));
        }
        for MetricScores { name, .. } in tables.iter().take(1).flat_map(|table| &table.metrics) {
            let of = |table: &Self| {
                let metric = table.metrics.iter().find(|metric| metric.name == *name);
                metric.map(|metric| metric.scores.clone())
            };
            if let Some(scores) = tables.iter().map(of).collect::<Option<Vec<_>>>() {
                all.metrics.push(MetricScores { name: name.clone(), scores: scores.concat() });
            }
        }
        Ok(all)
    }

    /// The names of the metrics.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.metrics.iter().map(|metric| metric.name.as_str())
    }

    /// How many systems there are.
    pub fn systems(&self) -> usize {
        self.systems
    }

    /// How many items each of them has.
    pub fn items(&self) -> usize {
        self.items
    }

    pub(super) fn scores(&self, metric: &str) -> Result<&[f64]> {
        let found = self.metrics.iter().find(|own| own.name == metric);
        found.map(|own| own.scores.as_slice()).ok_or_else(|| {
            let known: Vec<&str> = self.names().collect();
            Error::invalid("metric", metric, format!("one of {}", known.join(", ")))
        })
    }

    /// The places of the outputs that people judged, by group, in the order of mt-metrics-eval: groups one after the other,
    /// in a group by system or by item.
    pub(super) fn groups(&self, grouping: Grouping) -> Vec<Vec<usize>> {
        let judged = |place: &usize| self.gold.get(*place).is_some_and(Option::is_some);
        let (systems, items) = (self.systems, self.items);
        let groups: Vec<Vec<usize>> = match grouping {
            Grouping::Global => vec![(0..systems * items).filter(judged).collect()],
            Grouping::System => (0..systems)
                .map(|system| (system * items..(system + 1) * items).filter(judged).collect())
                .collect(),
            Grouping::Item => (0..items)
                .map(|item| (0..systems).map(|s| s * items + item).filter(judged).collect())
                .collect(),
        };
        // Nothing can be compared with itself.
        groups.into_iter().filter(|group| group.len() > 1).collect()
    }

    /// The gold scores at these places.
    pub(super) fn gold_at(&self, places: &[usize]) -> Vec<f64> {
        places.iter().filter_map(|place| *self.gold.get(*place)?).collect()
    }
}

/// The scores at these places.
pub(super) fn at(scores: &[f64], places: &[usize]) -> Vec<f64> {
    places.iter().filter_map(|place| scores.get(*place).copied()).collect()
}

/// z-scores with the standard deviation of a population, as SciPy's `zscore`; zeros where nothing varies.
pub(super) fn z_scores(scores: &[f64]) -> Vec<f64> {
    let n = scores.len() as f64;
    let mean = numpy::pairwise_sum(scores) / n;
    let squares: Vec<f64> = scores.iter().map(|score| (score - mean).powi(2)).collect();
    let deviation = (numpy::pairwise_sum(&squares) / n).sqrt();
    let varies = scores.iter().any(|score| Some(score) != scores.first());
    let z = |score: &f64| if varies && deviation > 0.0 { (score - mean) / deviation } else { 0.0 };
    scores.iter().map(z).collect()
}
