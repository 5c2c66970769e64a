//! Metrics, units and analyzers, opened once per process however many queries, partitions and threads ask for them.

use datafusion::error::{DataFusionError, Result};
use ko_eval::{LIBRARY, Scorer, Spec, Tokenizer, home, tokenize::MorphemeAnalyzer};
use std::sync::{Arc, Mutex, PoisonError};

/// How many of each kind are kept. A query names a handful; a server that lives long must not keep a model for every query it ever saw.
const KEPT: usize = 64;

/// What was opened, the last asked for last.
struct Opened<T: ?Sized>(Mutex<Vec<(String, Arc<T>)>>);

static SCORERS: Opened<dyn Scorer> = Opened(Mutex::new(Vec::new()));
static UNITS: Opened<dyn Tokenizer> = Opened(Mutex::new(Vec::new()));
static ANALYZERS: Opened<dyn MorphemeAnalyzer> = Opened(Mutex::new(Vec::new()));

impl<T: ?Sized> Opened<T> {
    /// What this key stands for. Whoever comes second while it is opened waits, so that nothing is opened twice.
    fn get(&self, key: String, open: impl FnOnce() -> ko_eval::Result<Arc<T>>) -> Result<Arc<T>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.iter().position(|(known, _)| *known == key).map(|place| all.remove(place));
        let found = match known {
            Some((_, found)) => found,
            None => open().map_err(external)?,
        };
        if all.len() >= KEPT {
            all.remove(0);
        }
        all.push((key, Arc::clone(&found)));
        Ok(found)
    }
}

/// The metric over the unit, both as on the command line.
pub(crate) fn scorer(metric: &str, unit: &str) -> Result<Arc<dyn Scorer>> {
    SCORERS.get(format!("{metric}\n{unit}"), || Ok(Arc::from(ko_eval::metric(metric, unit)?)))
}

/// The unit.
pub(crate) fn unit(unit: &str) -> Result<Arc<dyn Tokenizer>> {
    UNITS.get(unit.to_owned(), || ko_eval::unit(unit))
}

/// The unit as an analyzer.
pub(crate) fn analyzer(unit: &str) -> Result<Arc<dyn MorphemeAnalyzer>> {
    ANALYZERS.get(unit.to_owned(), || ko_eval::tokenize::analyzer_by_name(unit))
}

/// Whether there is such a metric over such a unit, and whether a query may ask for it. Nothing is opened: this runs where a query is planned, and
/// dictionaries and models need to lie only where it is executed.
pub(crate) fn check(metric: &str, unit: &str) -> ko_eval::Result<()> {
    let spec: Spec = metric.parse()?;
    let row = LIBRARY.row(&spec)?;
    trusted(metric)?;
    if row.is_over_units() { check_unit(unit) } else { Ok(()) }
}

/// The same for a unit alone.
pub(crate) fn check_unit(unit: &str) -> ko_eval::Result<()> {
    let spec: Spec = unit.parse()?;
    if (LIBRARY.unit_row)(spec.name()).is_none() {
        let known = ko_eval::UNITS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
        let name = spec.name().to_owned();
        return Err(ko_eval::Error::UnknownName { kind: "unit", name, known });
    }
    trusted(unit)
}

/// A query may come over a network: it starts no program, and opens nothing outside of the folder that set-up fills.
fn trusted(spec: &str) -> ko_eval::Result<()> {
    LIBRARY.check_trusted(spec, &home())
}

/// An error of ours as one of DataFusion's.
pub(crate) fn external(error: ko_eval::Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
