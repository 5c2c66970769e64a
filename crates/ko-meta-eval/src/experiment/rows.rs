//! What an experiment crosses: metrics and units.

use super::findings::{LeftOut, NO_UNIT};
use ko_eval_core::{
    BuildMetric, Direction, Library, Param, Result, Scorer, Spec, Tokenizer, setting::Preset,
};
use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

/// A way to cut text, with the name it has in tables.
#[derive(Debug, Clone)]
pub struct Unit {
    /// The name: `jamo`.
    pub name: String,
    /// The family that it is averaged with: `morpheme` of every analyzer; else its name without settings.
    pub family: String,
    /// What cuts.
    pub tokenizer: Arc<dyn Tokenizer>,
}

impl Unit {
    /// A unit.
    pub fn new(name: impl Into<String>, tokenizer: Arc<dyn Tokenizer>) -> Self {
        let name = name.into();
        let family = name.split(':').next().unwrap_or_default().to_owned();
        Self { name, family, tokenizer }
    }

    /// The same in another family.
    #[must_use]
    pub fn family(self, family: impl Into<String>) -> Self {
        Self { family: family.into(), ..self }
    }

    /// The unit that a text such as `jamo:form=split` names, built by `by_name`.
    ///
    /// # Errors
    /// Those of `by_name`.
    pub fn by_name(
        spec: &str,
        by_name: impl FnOnce(&str) -> Result<Arc<dyn Tokenizer>>,
    ) -> Result<Self> {
        Ok(Self::new(spec, by_name(spec)?))
    }

    /// Every unit of a table that works here, and why each other does not. `rows` are names, with the reason for those that
    /// are not to be tried.
    ///
    /// ```
    /// use ko_meta_eval::Unit;
    ///
    /// let rows = ko_tokenize::TOKENIZERS.iter().map(|row| (row.name, row.why_not_compared()));
    /// let (units, left_out) = Unit::all(rows, ko_tokenize::by_name);
    /// assert!(units.iter().any(|unit| unit.name == "jamo"));
    /// assert!(left_out.iter().any(|row| row.name == "subword" && row.reason.contains("FILE")));
    /// ```
    pub fn all<'n>(
        rows: impl IntoIterator<Item = (&'n str, Option<String>)>,
        by_name: impl Fn(&str) -> Result<Arc<dyn Tokenizer>>,
    ) -> (Vec<Self>, Vec<LeftOut>) {
        let (mut units, mut left_out) = (Vec::new(), Vec::new());
        for (name, unwanted) in rows {
            let built = match unwanted {
                Some(reason) => Err(reason),
                None => Self::by_name(name, &by_name).map_err(|error| with_causes(&error)),
            };
            match built {
                Ok(unit) => units.push(unit),
                Err(reason) => left_out.push(LeftOut { name: name.to_owned(), reason }),
            }
        }
        (units, left_out)
    }
}

/// An error and its causes in one line.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

type OverUnits = dyn Fn(Arc<dyn Tokenizer>) -> Result<Box<dyn Scorer>> + Send + Sync;
type Alone = dyn Fn() -> Result<Box<dyn Scorer>> + Send + Sync;

/// How a row's metric comes about.
#[derive(Clone)]
pub(super) enum Build {
    OverUnits(Arc<OverUnits>),
    Alone(Arc<Alone>),
}

/// A metric with its parameters, waiting for a unit, or one that stands alone: over a model, it is run once and has no unit.
#[derive(Clone)]
pub struct MetricRow {
    pub(super) name: String,
    pub(super) order: Option<Order>,
    pub(super) settings: Option<Settings>,
    pub(super) cap: Option<f64>,
    pub(super) skipped: Vec<String>,
    pub(super) build: Build,
}

/// A member of a family of rows that differ only in the longest n-gram they count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The family: `bleu`.
    pub family: String,
    /// The order.
    pub order: usize,
}

/// All settings of a metric, so that rows that differ in one of them can be set side by side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The metric's name: `chrf`.
    pub metric: String,
    /// Names and values in the order of the metric's table, defaults included.
    pub values: Vec<(String, String)>,
}

impl Settings {
    /// What is set, and what is left out as the row declares it. A parameter without a default is `–`.
    fn of(spec: &Spec, declared: &[Param]) -> Self {
        let value = |param: &Param| match (spec.params.get(param.name), param.default) {
            (Some(value), _) => value.to_owned(),
            (None, Preset::Unset(_)) => NO_UNIT.to_owned(),
            (None, preset) => preset.to_string(),
        };
        let values = declared.iter().map(|param| (param.name.to_owned(), value(param)));
        Self { metric: spec.name().to_owned(), values: values.collect() }
    }

    /// One value.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

impl MetricRow {
    /// A row over units: its name in tables, and what builds the metric from a tokenizer.
    pub fn new(
        name: impl Into<String>,
        build: impl Fn(Arc<dyn Tokenizer>) -> Result<Box<dyn Scorer>> + Send + Sync + 'static,
    ) -> Self {
        Self::of(name.into(), Build::OverUnits(Arc::new(build)))
    }

    /// A row that stands alone: its name in tables, and what opens the metric.
    pub fn alone(
        name: impl Into<String>,
        open: impl Fn() -> Result<Box<dyn Scorer>> + Send + Sync + 'static,
    ) -> Self {
        Self::of(name.into(), Build::Alone(Arc::new(open)))
    }

    fn of(name: String, build: Build) -> Self {
        Self { name, order: None, settings: None, cap: None, skipped: Vec::new(), build }
    }

    /// The row that a text such as `bleu:order=2` or `bertscore:MODEL` names. Rows that differ only in `order` are a
    /// family. Nothing is opened before the experiment runs.
    ///
    /// # Errors
    /// A text that is no specification, or an unknown name or parameter.
    pub fn by_name(library: Library, spec: &str) -> Result<Self> {
        let spec: Spec = spec.parse()?;
        let name = spec.to_string();
        let entry = library.row(&spec)?;
        let settings = Some(Settings::of(&spec, entry.params));
        let row = match entry.build {
            BuildMetric::Alone { open, .. } => {
                Self::alone(name, move || open(&spec.params, &library))
            }
            BuildMetric::OverUnits(build) => {
                let order = spec.params.get("order").and_then(|order| order.parse().ok());
                let family = family_of(&spec);
                let row = Self::new(name, move |tokenizer| build(&spec.params, tokenizer));
                match order {
                    Some(order) => row.order(family, order),
                    None => row,
                }
            }
        };
        Ok(Self { settings, ..row })
    }

    /// Whether it is crossed with units; else it is run once.
    pub fn is_over_units(&self) -> bool {
        matches!(self.build, Build::OverUnits(_))
    }

    /// The same as the member of a family that counts n-grams up to `order`.
    #[must_use]
    pub fn order(self, family: impl Into<String>, order: usize) -> Self {
        Self { order: Some(Order { family: family.into(), order }), ..self }
    }

    /// The same, with scores above `cap` counted as `cap` when they are correlated: an error rate
    /// has no upper end, and a few endless outputs would decide Pearson's coefficient. Raw scores
    /// stay as they are.
    #[must_use]
    pub fn cap(self, cap: f64) -> Self {
        Self { cap: Some(cap), ..self }
    }

    /// The same, left out on the unit of this name.
    #[must_use]
    pub fn skip(mut self, unit: impl Into<String>) -> Self {
        self.skipped.push(unit.into());
        self
    }

    /// The name in tables.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A score as it is correlated: capped, and negated where lower is better.
    pub(super) fn agreeing(&self, direction: Direction, score: f64) -> f64 {
        let capped = self.cap.map_or(score, |cap| score.min(cap));
        match direction {
            Direction::HigherIsBetter => capped,
            Direction::LowerIsBetter => -capped,
        }
    }
}

impl fmt::Debug for MetricRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MetricRow")
            .field("name", &self.name)
            .field("order", &self.order)
            .field("cap", &self.cap)
            .field("skipped", &self.skipped)
            .finish_non_exhaustive()
    }
}

/// The specification without its order.
fn family_of(spec: &Spec) -> String {
    let raw = spec.params.raw();
    let others: Vec<_> = raw.split(',').filter(|part| !part.trim().starts_with("order=")).collect();
    match others.join(",") {
        rest if rest.is_empty() => spec.name().to_owned(),
        rest => format!("{}:{rest}", spec.name()),
    }
}
