//! Rows: what there is, how it is built, and what is known of it beforehand.

use super::Library;
use crate::{
    Error, Params, Result, Scorer, Signature, Spec, Tokenizer,
    recorded::Recorded,
    setting::{Argument, Param},
};
use std::{fmt, ops::RangeInclusive, sync::Arc};

/// A row of a table of metrics.
#[derive(Clone, Copy)]
pub struct MetricEntry {
    /// The name on the command line.
    pub name: &'static str,
    /// What it measures, in one line.
    pub summary: &'static str,
    /// The implementation and version whose values it equals.
    pub reference: &'static str,
    /// What the bare argument is (`MODEL` in `bertscore:MODEL`), if the row takes one.
    pub argument: Option<Argument>,
    /// What can be set.
    pub params: &'static [Param],
    /// The least and the greatest score; an infinite end is none. Some settings go [beyond](Param::lifts_range).
    pub range: (f64, f64),
    /// Settings beyond single values of `params` that laws and fuzzers try: `smooth=floor,smooth-value=0.5`.
    pub variants: &'static [&'static str],
    /// Builds the metric; `Params` holds only names listed in `params`.
    pub build: BuildMetric,
}

/// How a row builds its metric.
#[derive(Clone, Copy)]
pub enum BuildMetric {
    /// Over the units of a tokenizer.
    OverUnits(BuildOverUnits),
    /// Alone: over a model, a grammar, or other metrics.
    Alone {
        /// Opens whatever it needs.
        open: fn(&Params, &Library) -> Result<Box<dyn Scorer>>,
        /// Only for statistics that were measured elsewhere under this signature: nothing is opened, and nothing can be
        /// measured.
        recorded: fn(&Params, &Signature) -> Result<Box<dyn Scorer>>,
    },
}

/// Builds a metric over the units of a tokenizer.
pub type BuildOverUnits = fn(&Params, Arc<dyn Tokenizer>) -> Result<Box<dyn Scorer>>;

/// A row of a table of other things than metrics: tokenizers, embedders.
pub struct Entry<T: ?Sized> {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// What the bare argument is (`FILE` in `subword:FILE`), if the row takes one.
    pub argument: Option<Argument>,
    /// What can be set.
    pub params: &'static [Param],
    /// Builds the thing, or says what it lacks.
    pub build: fn(&Params) -> Result<Arc<T>>,
}

impl<T: ?Sized> Clone for Entry<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Entry<T> {}

impl fmt::Debug for MetricEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MetricEntry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<T: ?Sized> fmt::Debug for Entry<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl MetricEntry {
    /// The row of this name.
    ///
    /// # Errors
    /// [`Error::UnknownName`], which lists the known ones.
    pub fn find<'t>(table: &'t [Self], name: &str) -> Result<&'t Self> {
        let row = table.iter().find(|row| row.name == name);
        row.ok_or_else(|| unknown("metric", name, table.iter().map(|row| row.name)))
    }

    /// Builds what `spec` asks for from the row of its name, which works over units.
    ///
    /// # Errors
    /// An unknown name or parameter (the error lists the known ones), a value that makes no sense, or a row that stands
    /// alone.
    pub fn build_from(
        table: &[Self],
        spec: &Spec,
        tokenizer: Arc<dyn Tokenizer>,
    ) -> Result<Box<dyn Scorer>> {
        let row = Self::find(table, spec.name())?;
        row.check(&spec.params)?;
        match row.build {
            BuildMetric::OverUnits(build) => build(&spec.params, tokenizer),
            BuildMetric::Alone { .. } => {
                let (owner, expected) = (row.name, "a metric over units; this one stands alone");
                Err(Error::invalid(owner, "unit", tokenizer.signature(), expected))
            }
        }
    }

    /// The metric for statistics that were measured elsewhere under `signature`: no tokenizer, no model and no file is
    /// opened, so it merges shards and measures nothing.
    ///
    /// # Errors
    /// An unknown parameter, a value that makes no sense, or a signature that these settings do not have.
    pub fn recorded(&self, spec: &Spec, signature: &Signature) -> Result<Box<dyn Scorer>> {
        self.check(&spec.params)?;
        let scorer = match self.build {
            BuildMetric::OverUnits(build) => {
                let params = spec.params.clone().measured_as(signature);
                build(&params, Arc::new(Recorded::field(signature, "tok")))?
            }
            BuildMetric::Alone { recorded, .. } => recorded(&spec.params, signature)?,
        };
        let own = scorer.signature();
        if own == *signature {
            return Ok(scorer);
        }
        let reason = format!("it is of `{signature}`, but `{spec}` is `{own}`");
        Err(Error::BadShard { reason })
    }

    /// Whether it works over units; else it stands alone.
    pub fn is_over_units(&self) -> bool {
        matches!(self.build, BuildMetric::OverUnits(_))
    }

    /// Which scores are possible under these settings.
    pub fn range_under(&self, params: &Params) -> RangeInclusive<f64> {
        let is_lifted = |param: &Param| param.lifts_range && params.get(param.name).is_some();
        let (least, most) = self.range;
        least..=if self.params.iter().any(is_lifted) { f64::INFINITY } else { most }
    }

    /// Specifications that between them reach every declared word and the ends of every range: the row as it is, with
    /// each parameter at each of its [examples](Param::examples), and its `variants`.
    pub fn specs(&self) -> Vec<String> {
        let name = self.name;
        let single = self.params.iter().flat_map(|param| {
            param.examples().into_iter().map(move |value| format!("{name}:{}={value}", param.name))
        });
        let several = self.variants.iter().map(|settings| format!("{name}:{settings}"));
        std::iter::once(name.to_owned()).chain(single).chain(several).collect()
    }

    pub(super) fn check(&self, params: &Params) -> Result<()> {
        check(params, self.params, self.argument)
    }
}

impl<T: ?Sized> Entry<T> {
    /// Builds what `spec` asks for from the row of its name; `kind` is what an error calls the rows.
    ///
    /// # Errors
    /// An unknown name or parameter (the error lists the known ones), a value that makes no sense,
    /// or something that is not installed.
    pub fn pick(kind: &'static str, table: &[Entry<T>], spec: &Spec) -> Result<Arc<T>> {
        let row = table
            .iter()
            .find(|row| row.name == spec.name())
            .ok_or_else(|| unknown(kind, spec.name(), table.iter().map(|row| row.name)))?;
        check(&spec.params, row.params, row.argument)?;
        (row.build)(&spec.params)
    }
}

fn unknown(kind: &'static str, name: &str, known: impl Iterator<Item = &'static str>) -> Error {
    let known = known.collect::<Vec<_>>().join(", ");
    Error::UnknownName { kind, name: name.to_owned(), known }
}

/// Refuses what the row does not take.
fn check(params: &Params, known: &[Param], argument: Option<Argument>) -> Result<()> {
    // A row that reads its argument raw may hold anything after the colon.
    if argument.is_some() && known.is_empty() {
        return Ok(());
    }
    let stray = params.names().find(|name| !known.iter().any(|param| param.name == *name));
    let stray = stray.or(params.argument().filter(|_| argument.is_none()));
    let Some(name) = stray else { return Ok(()) };
    let names: Vec<_> = known.iter().map(|param| param.name).collect();
    let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    Err(Error::UnknownParameter { owner: params.owner().to_owned(), name: name.to_owned(), known })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::Whole;

    #[test]
    fn strays_are_named() {
        let known = [Whole::new("order", 4, 1, 9, "longest").param()];
        let params = "bleu:ordre=2".parse::<Spec>().unwrap().params;
        let error = check(&params, &known, None).unwrap_err();
        assert_eq!(error.to_string(), "`bleu` has no parameter `ordre`; known: order");
    }
}
