//! What an experiment crosses: metrics and units.

use super::findings::LeftOut;
use ko_eval_core::{Direction, MetricEntry, Result, Scorer, Spec, Tokenizer, TokenizerEntry};
use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

/// A way to cut text, with the name it has in tables.
#[derive(Debug, Clone)]
pub struct Unit {
    /// The name: `jamo`.
    pub name: String,
    /// What cuts.
    pub tokenizer: Arc<dyn Tokenizer>,
}

impl Unit {
    /// A unit.
    pub fn new(name: impl Into<String>, tokenizer: Arc<dyn Tokenizer>) -> Self {
        Self { name: name.into(), tokenizer }
    }

    /// The row of a registry that a text such as `jamo:form=split` names.
    ///
    /// # Errors
    /// As [`TokenizerEntry::build_from`].
    pub fn from_table(table: &[TokenizerEntry], spec: &str) -> Result<Self> {
        Ok(Self::new(spec, TokenizerEntry::build_from(table, &spec.parse::<Spec>()?)?))
    }

    /// Every row of a registry that works here without an argument, and why each other does not. `unwanted` are rows to
    /// leave out, with the reason.
    ///
    /// ```
    /// use ko_meta_eval::Unit;
    ///
    /// let unwanted = [("none", "the texts are not cut beforehand")];
    /// let (units, left_out) = Unit::all_from_table(ko_tokenize::TOKENIZERS, &unwanted);
    /// assert!(units.iter().any(|unit| unit.name == "jamo"));
    /// assert!(left_out.iter().any(|row| row.name == "subword" && row.reason.contains("FILE")));
    /// ```
    pub fn all_from_table(
        table: &[TokenizerEntry],
        unwanted: &[(&str, &str)],
    ) -> (Vec<Self>, Vec<LeftOut>) {
        let (mut units, mut left_out) = (Vec::new(), Vec::new());
        for row in table {
            let unwanted = unwanted.iter().find(|(name, _)| *name == row.name);
            let reason = match (unwanted, row.argument) {
                (Some((_, reason)), _) => (*reason).to_owned(),
                (None, Some(argument)) => format!("it needs an argument: {}:{argument}", row.name),
                (None, None) => match Self::from_table(table, row.name) {
                    Ok(unit) => {
                        units.push(unit);
                        continue;
                    }
                    Err(error) => error.to_string(),
                },
            };
            left_out.push(LeftOut { name: row.name.to_owned(), reason });
        }
        (units, left_out)
    }
}

type Build = dyn Fn(Arc<dyn Tokenizer>) -> Result<Box<dyn Scorer>> + Send + Sync;

/// A metric with its parameters, waiting for a unit.
#[derive(Clone)]
pub struct MetricRow {
    pub(super) name: String,
    pub(super) order: Option<Order>,
    pub(super) cap: Option<f64>,
    pub(super) skipped: Vec<String>,
    pub(super) build: Arc<Build>,
}

/// A member of a family of rows that differ only in the longest n-gram they count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The family: `bleu`.
    pub family: String,
    /// The order.
    pub order: usize,
}

impl MetricRow {
    /// A row: its name in tables, and what builds the metric from a tokenizer.
    pub fn new(
        name: impl Into<String>,
        build: impl Fn(Arc<dyn Tokenizer>) -> Result<Box<dyn Scorer>> + Send + Sync + 'static,
    ) -> Self {
        let build = Arc::new(build);
        Self { name: name.into(), order: None, cap: None, skipped: Vec::new(), build }
    }

    /// The row of a registry that a text such as `bleu:order=2` names. Rows that differ only in
    /// `order` are a family.
    ///
    /// # Errors
    /// A text that is no specification; names and parameters are checked when the metric is built.
    pub fn from_table(table: &'static [MetricEntry], spec: &str) -> Result<Self> {
        let spec: Spec = spec.parse()?;
        let order = spec.params.get("order").and_then(|order| order.parse().ok());
        let name = spec.to_string();
        let family = family_of(&spec);
        let row =
            Self::new(name, move |tokenizer| MetricEntry::build_from(table, &spec, tokenizer));
        Ok(match order {
            Some(order) => row.order(family, order),
            None => row,
        })
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
        rest if rest.is_empty() => spec.name.clone(),
        rest => format!("{}:{rest}", spec.name),
    }
}
