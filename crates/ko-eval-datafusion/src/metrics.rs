//! Metrics, units and analyzers, opened once per process however many queries, partitions and threads ask for them.

use datafusion::error::{DataFusionError, Result};
use ko_eval::{LIBRARY, Scorer, Spec, Tokenizer, home, tokenize::MorphemeAnalyzer};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many of each kind are kept. A query names a handful; a server that lives long must not keep a model for every query it ever saw.
const KEPT: usize = 64;

/// What was opened, the last asked for last.
struct Opened<T: ?Sized>(Mutex<Vec<(String, Slot<T>)>>);

/// What one key stands for, once it is open.
type Slot<T> = Arc<Mutex<Option<Arc<T>>>>;

static SCORERS: Opened<dyn Scorer> = Opened::new();
static UNITS: Opened<dyn Tokenizer> = Opened::new();
static ANALYZERS: Opened<dyn MorphemeAnalyzer> = Opened::new();

impl<T: ?Sized> Opened<T> {
    const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Returns what this key stands for, opened by the first that asks. Only those that ask for the same key wait.
    fn get(&self, key: String, open: impl FnOnce() -> ko_eval::Result<Arc<T>>) -> Result<Arc<T>> {
        let slot = self.slot(key);
        let mut found = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = &*found {
            return Ok(Arc::clone(found));
        }
        match open() {
            Ok(opened) => Ok(Arc::clone(found.insert(opened))),
            Err(error) => {
                // What fails takes no place from what was opened.
                self.all().retain(|(_, other)| !Arc::ptr_eq(other, &slot));
                Err(external(error))
            }
        }
    }

    fn slot(&self, key: String) -> Slot<T> {
        let mut all = self.all();
        let known = all.iter().position(|(known, _)| *known == key).map(|place| all.remove(place));
        let slot = known.map_or_else(Slot::default, |(_, slot)| slot);
        if all.len() >= KEPT {
            all.remove(0);
        }
        all.push((key, Arc::clone(&slot)));
        slot
    }

    fn all(&self) -> MutexGuard<'_, Vec<(String, Slot<T>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    /// Long enough for a loaded machine; nothing waits for it where all is well.
    const STUCK: Duration = Duration::from_secs(120);

    static OPENED: Opened<str> = Opened::new();

    fn get(key: &str, value: &str) -> Result<Arc<str>> {
        OPENED.get(key.to_owned(), || Ok(value.into()))
    }

    #[test]
    fn what_is_being_opened_keeps_only_its_own_key_waiting() {
        let (starts, started) = channel();
        let (may_go_on, goes_on) = channel();
        let slow = thread::spawn(move || {
            OPENED.get("model".into(), || {
                starts.send(()).unwrap();
                goes_on.recv().unwrap();
                Ok("once".into())
            })
        });
        started.recv_timeout(STUCK).unwrap();
        let same = thread::spawn(|| get("model", "twice"));
        let (sends, other) = channel();
        thread::spawn(move || sends.send(get("bleu", "other")));
        let other = other.recv_timeout(STUCK).expect("another key does not wait");
        assert_eq!(&*other.unwrap(), "other");
        may_go_on.send(()).unwrap();
        for thread in [slow, same] {
            assert_eq!(&*thread.join().unwrap().unwrap(), "once");
        }
    }

    #[test]
    fn what_cannot_be_opened_is_tried_again_and_takes_no_place() {
        let all: Opened<str> = Opened::new();
        let get = |key: &str, value: ko_eval::Result<Arc<str>>| all.get(key.into(), || value);
        assert_eq!(&*get("bleu", Ok("1".into())).unwrap(), "1");
        for number in 0..=KEPT {
            let missing = Err(ko_eval::Error::EmptyCorpus);
            assert!(get(&number.to_string(), missing).is_err());
        }
        assert_eq!(&*get("bleu", Ok("2".into())).unwrap(), "1");
        assert_eq!(&*get("0", Ok("3".into())).unwrap(), "3");
    }
}
