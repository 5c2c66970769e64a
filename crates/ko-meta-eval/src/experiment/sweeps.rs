//! Metrics tried with several settings, units seen as families: what is best, and by how much?

use super::{Cell, Findings, Level, Settings, TOTAL};
use crate::{Correlation, Error, Result};
use ko_eval_core::{
    Library, Param, Spec,
    setting::{Preset, Values},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The most rows that one specification may stand for.
const MOST_ROWS: usize = 1000;

/// A parameter of which several values were tried while all others stayed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Sweep {
    /// The metric: `chrf`.
    pub metric: String,
    /// The parameter: `char-order`.
    pub parameter: String,
    /// Other parameters that vary among the metric's rows, as they are here: `word-order=0`.
    pub fixed: String,
}

/// The value of a parameter that agrees best with people on a unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BestSetting {
    /// What was tried.
    #[serde(flatten)]
    pub sweep: Sweep,
    /// On which unit; none of a metric that stands alone.
    pub unit: Option<String>,
    /// The best value; of equal ones that which was tried first.
    pub value: String,
    /// Its coefficient.
    pub coefficient: f64,
}

/// A metric's mean coefficient over the units of a family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FamilyMean {
    /// The metric.
    pub metric: String,
    /// The family: `morpheme`.
    pub family: String,
    /// How many units it is the mean of.
    pub units: usize,
    /// The mean coefficient.
    pub value: f64,
}

impl Findings {
    /// Every parameter of which several values were tried, from what the metrics declare.
    pub fn sweeps(&self) -> Vec<Sweep> {
        let varied = Varied::of(self);
        let mut tried = BTreeMap::<Sweep, BTreeSet<&str>>::new();
        for settings in self.cells.iter().filter_map(|cell| cell.settings.as_ref()) {
            for (parameter, value) in &settings.values {
                let sweep = varied.sweep(settings, parameter);
                tried.entry(sweep).or_default().insert(value);
            }
        }
        tried.into_iter().filter(|(_, values)| values.len() > 1).map(|(sweep, _)| sweep).collect()
    }

    /// The values that were tried on a unit with their coefficients with the total, in the order of the rows.
    pub fn swept(
        &self,
        sweep: &Sweep,
        unit: Option<&str>,
        level: Level,
        correlation: Correlation,
    ) -> Vec<(String, f64)> {
        Varied::of(self).swept(self, sweep, unit, level, correlation)
    }

    /// The best value of every parameter that was tried, on every unit.
    pub fn best_settings(&self, level: Level, correlation: Correlation) -> Vec<BestSetting> {
        let varied = Varied::of(self);
        let mut best = Vec::new();
        for sweep in self.sweeps() {
            for unit in self.columns() {
                let tried = varied.swept(self, &sweep, unit, level, correlation);
                let top = tried.into_iter().reduce(|a, b| if b.1 > a.1 { b } else { a });
                if let Some((value, coefficient)) = top {
                    let unit = unit.map(str::to_owned);
                    best.push(BestSetting { sweep: sweep.clone(), unit, value, coefficient });
                }
            }
        }
        best
    }

    /// The families of units, in order of appearance.
    pub fn unit_families(&self) -> Vec<&str> {
        let mut families = Vec::new();
        for unit in &self.units {
            if !families.contains(&unit.family.as_str()) {
                families.push(unit.family.as_str());
            }
        }
        families
    }

    /// The mean coefficient with the total of every metric over each family of units: that of all analyzers, say.
    pub fn by_family(&self, level: Level, correlation: Correlation) -> Vec<FamilyMean> {
        let mut means = Vec::new();
        for metric in &self.metrics {
            for family in self.unit_families() {
                let units = self.units.iter().filter(|unit| unit.family == family);
                let values: Vec<f64> = units
                    .filter_map(|unit| self.cell(metric, unit.name.as_str()))
                    .filter_map(|cell| cell.value(level, TOTAL, correlation)?.get())
                    .collect();
                if !values.is_empty() {
                    let value = values.iter().sum::<f64>() / values.len() as f64;
                    let (metric, family) = (metric.clone(), family.to_owned());
                    means.push(FamilyMean { metric, family, units: values.len(), value });
                }
            }
        }
        means
    }
}

/// The parameters of each metric that are not the same in all its rows.
struct Varied<'f>(BTreeMap<&'f str, BTreeSet<&'f str>>);

impl<'f> Varied<'f> {
    fn of(findings: &'f Findings) -> Self {
        let mut seen = BTreeMap::<(&str, &str), BTreeSet<&str>>::new();
        for settings in findings.cells.iter().filter_map(|cell| cell.settings.as_ref()) {
            for (name, value) in &settings.values {
                seen.entry((&settings.metric, name)).or_default().insert(value);
            }
        }
        let mut varied = BTreeMap::<&str, BTreeSet<&str>>::new();
        for ((metric, name), _) in seen.into_iter().filter(|(_, values)| values.len() > 1) {
            varied.entry(metric).or_default().insert(name);
        }
        Self(varied)
    }

    fn sweep(&self, settings: &Settings, parameter: &str) -> Sweep {
        let varied = self.0.get(settings.metric.as_str());
        let varies = |name: &str| varied.is_some_and(|names| names.contains(name));
        let others = settings.values.iter().filter(|(name, _)| name != parameter && varies(name));
        let fixed: Vec<String> = others.map(|(name, value)| format!("{name}={value}")).collect();
        Sweep {
            metric: settings.metric.clone(),
            parameter: parameter.to_owned(),
            fixed: fixed.join(", "),
        }
    }

    fn swept(
        &self,
        findings: &Findings,
        sweep: &Sweep,
        unit: Option<&str>,
        level: Level,
        correlation: Correlation,
    ) -> Vec<(String, f64)> {
        let of = |cell: &Cell| {
            let settings = cell.settings.as_ref().filter(|own| own.metric == sweep.metric)?;
            if cell.unit.as_deref() != unit || self.sweep(settings, &sweep.parameter) != *sweep {
                return None;
            }
            let value = cell.value(level, TOTAL, correlation)?.get()?;
            Some((settings.get(&sweep.parameter)?.to_owned(), value))
        };
        findings.cells.iter().filter_map(of).collect()
    }
}

/// The specifications that one with several values stands for: `bleu:order=1..5` for five, `chrf:char-order=4..6,word-order=0|2`
/// for six, `bleu:smooth=*` for one per word that the metric declares. What the metric does not declare stays as it is.
///
/// # Errors
/// A range that is empty or no range of whole numbers, a `*` that stands for nothing, or more than 1,000 rows.
pub fn expand(library: &Library, spec: &str) -> Result<Vec<String>> {
    let parsed: Spec = spec.parse()?;
    let Ok(row) = library.row(&parsed) else { return Ok(vec![spec.to_owned()]) };
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for part in parsed.params.raw().split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let setting = part.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
        let declared = setting.and_then(|(name, value)| {
            let param = row.params.iter().find(|param| param.name == name)?;
            Some((param, value)).filter(|_| !matches!(param.values, Values::Text(_)))
        });
        let choices = match declared {
            Some((param, value)) => values(row.name, param, value)?
                .into_iter()
                .map(|value| format!("{}={value}", param.name))
                .collect(),
            None => vec![part.to_owned()],
        };
        let longer = all.iter().flat_map(|row| {
            choices
                .iter()
                .map(move |choice| [row.as_slice(), std::slice::from_ref(choice)].concat())
        });
        all = longer.take(MOST_ROWS + 1).collect();
        if all.len() > MOST_ROWS {
            return Err(Error::invalid(row.name, spec, format!("at most {MOST_ROWS} rows")));
        }
    }
    let written = |parts: Vec<String>| match parts.is_empty() {
        true => row.name.to_owned(),
        false => format!("{}:{}", row.name, parts.join(",")),
    };
    Ok(if all.len() == 1 { vec![spec.to_owned()] } else { all.into_iter().map(written).collect() })
}

/// What `1..5`, `a|b` or `*` stands for.
fn values(owner: &str, param: &Param, text: &str) -> Result<Vec<String>> {
    let wrong =
        |expected: String| Error::invalid(format!("{owner}: {}", param.name), text, expected);
    // `0.5..1` is no range of ours, and neither is a path.
    if let Some((first, last)) = text.split_once("..") {
        let range = first.trim().parse::<usize>().ok().zip(last.trim().parse::<usize>().ok());
        let Some((first, last)) = range.filter(|(first, last)| first <= last) else {
            return Err(wrong("a range of whole numbers, such as 1..5".into()));
        };
        if last - first >= MOST_ROWS {
            return Err(wrong(format!("a range of at most {MOST_ROWS} numbers")));
        }
        return Ok((first..=last).map(|number| number.to_string()).collect());
    }
    if text != "*" {
        // A single value is a list of one.
        return Ok(text.split('|').map(|value| value.trim().to_owned()).collect());
    }
    match (param.values, param.default) {
        (Values::Words(words), _) => Ok(words.words().into_iter().map(str::to_owned).collect()),
        (Values::Switch, _) => Ok(["yes", "no"].map(str::to_owned).to_vec()),
        // Up to the default and as far beyond it is where a longest n-gram is worth trying.
        (Values::Whole { least, most }, Preset::Whole(default)) => {
            let last =
                most.min(default.saturating_mul(2).max(least + 2)).min(least + MOST_ROWS - 1);
            Ok((least..=last).map(|number| number.to_string()).collect())
        }
        _ => Err(wrong(format!("its values one by one, as a|b; it takes {}", param.expected()))),
    }
}
