//! What the arguments of our functions mean, which of them must be written out, and of which types they are.

use crate::{
    metrics,
    texts::{is_text, is_texts},
};
use datafusion::{
    arrow::datatypes::DataType,
    common::{ScalarValue, plan_err},
    error::{DataFusionError, Result},
};
use ko_eval::significance::Poisson;

/// What an argument is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    /// `'bleu:order=2'`
    Metric,
    /// `'mecab'`
    Unit,
    /// `'order=2'`, behind the name of a metric that the function's own name gives.
    Settings,
    /// `'nfkc'`
    Form,
    Text,
    Hypothesis,
    /// The other system's hypothesis.
    Baseline,
    References,
    Source,
    /// What tells rows apart that have the same texts.
    Key,
    Samples,
    Seed,
}

impl Role {
    /// As documentation calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Metric => "metric",
            Self::Unit => "unit",
            Self::Settings => "settings",
            Self::Form => "form",
            Self::Text => "text",
            Self::Hypothesis => "hyp",
            Self::Baseline => "baseline",
            Self::References => "refs",
            Self::Source => "src",
            Self::Key => "key",
            Self::Samples => "samples",
            Self::Seed => "seed",
        }
    }

    /// Whether it must be written out, because it decides what is computed at all.
    fn is_constant(self) -> bool {
        matches!(
            self,
            Self::Metric | Self::Unit | Self::Settings | Self::Form | Self::Samples | Self::Seed
        )
    }

    /// The type that an argument of this type is taken as.
    fn coerced(self, given: &DataType) -> Option<DataType> {
        match self {
            Self::Samples | Self::Seed if given.is_integer() || given.is_null() => {
                Some(DataType::Int64)
            }
            Self::Samples | Self::Seed => None,
            Self::Key if given.is_integer() => Some(DataType::Utf8),
            _ if given.is_null() => Some(DataType::Utf8),
            _ if is_text(given) => Some(given.clone()),
            Self::References if is_texts(given) => Some(given.clone()),
            _ => None,
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Self::Samples | Self::Seed => "a whole number",
            Self::Key => "a text or a whole number",
            Self::References => "a text or a list of texts",
            _ => "a text",
        }
    }
}

/// The arguments of a function, in order; those from `required` on may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Arguments {
    pub(crate) roles: &'static [Role],
    pub(crate) required: usize,
}

impl Arguments {
    /// `ko_corpus(metric, unit, hyp, refs [, src])`
    pub(crate) fn usage(&self, name: &str) -> String {
        let mut usage = format!("{name}(");
        for (number, role) in self.roles.iter().enumerate() {
            match (number, number >= self.required) {
                (0, _) => {}
                (_, true) => usage.push_str(" [, "),
                (_, false) => usage.push_str(", "),
            }
            usage.push_str(role.name());
        }
        usage.push_str(&"]".repeat(self.roles.len().saturating_sub(self.required)));
        usage + ")"
    }

    /// Where the argument of this role stands, if it was given.
    pub(crate) fn place(&self, role: Role, given: usize) -> Option<usize> {
        self.roles.iter().take(given).position(|own| *own == role)
    }

    /// The types that arguments of these types are taken as.
    pub(crate) fn coerce(&self, name: &str, given: &[DataType]) -> Result<Vec<DataType>> {
        if given.len() < self.required || given.len() > self.roles.len() {
            return plan_err!(
                "{name} was given {} arguments; it is {}",
                given.len(),
                self.usage(name)
            );
        }
        let coerced = self.roles.iter().zip(given).enumerate().map(|(number, (role, given))| {
            role.coerced(given).ok_or_else(|| {
                let (number, what, expected) = (number + 1, role.name(), role.expected());
                let usage = self.usage(name);
                DataFusionError::Plan(format!(
                    "argument {number} of {name} ({what}) must be {expected}, not {given}; it is {usage}"
                ))
            })
        });
        coerced.collect()
    }
}

/// What an argument that must be written out is: its value, or how what was given instead reads.
pub(crate) type Given = std::result::Result<ScalarValue, String>;

/// What is written out in a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Constants {
    /// As on the command line.
    pub(crate) metric: String,
    /// As on the command line; any word where the metric stands alone.
    pub(crate) unit: String,
    pub(crate) form: Option<String>,
    pub(crate) poisson: Option<Poisson>,
}

/// What `ko_corpus_ci` and `ko_compare` draw unless told otherwise, as the command does.
const SAMPLES: i64 = 1000;
const SEED: i64 = 12345;
/// More would be a mistake: each is a sum of its own in every group.
const MOST_SAMPLES: i64 = 100_000;

impl Constants {
    /// Reads what is written out, through `given` by its place. `metric` is what the function's own name says.
    pub(crate) fn read(
        name: &str,
        arguments: &Arguments,
        count: usize,
        metric: Option<&str>,
        given: impl Fn(usize) -> Given,
    ) -> Result<Self> {
        let value = |role: Role| -> Result<Option<ScalarValue>> {
            debug_assert!(role.is_constant(), "{role:?}");
            let Some(place) = arguments.place(role, count) else { return Ok(None) };
            match given(place) {
                Ok(value) if value.is_null() => Ok(None),
                Ok(value) => Ok(Some(value)),
                Err(shown) => {
                    let (number, what, usage) = (place + 1, role.name(), arguments.usage(name));
                    plan_err!(
                        "argument {number} of {name} ({what}) must be written out, because it decides what is computed; `{shown}` is known only when the rows are read. It is {usage}"
                    )
                }
            }
        };
        let text = |role: Role| -> Result<Option<String>> {
            let text = value(role)?.map(|value| match value.try_as_str() {
                Some(Some(text)) => Ok(text.to_owned()),
                _ => plan_err!("{} of {name} must be a text, not {value}", role.name()),
            });
            text.transpose()
        };
        let number =
            |role: Role, default: i64, range: std::ops::RangeInclusive<i64>| -> Result<i64> {
                let number =
                    match value(role)?.map(|value| value.cast_to(&DataType::Int64)).transpose()? {
                        None => default,
                        Some(ScalarValue::Int64(Some(number))) => number,
                        Some(other) => {
                            return plan_err!(
                                "{} of {name} must be a whole number, not {other}",
                                role.name()
                            );
                        }
                    };
                match range.contains(&number) {
                    true => Ok(number),
                    false => plan_err!(
                        "{} of {name} is {number}; it must be from {} to {}",
                        role.name(),
                        range.start(),
                        range.end()
                    ),
                }
            };
        let metric = match (metric, text(Role::Settings)?) {
            (Some(metric), Some(settings)) if !settings.is_empty() => {
                format!("{metric}:{settings}")
            }
            (Some(metric), _) => metric.to_owned(),
            (None, _) => text(Role::Metric)?.unwrap_or_default(),
        };
        let unit = text(Role::Unit)?.unwrap_or_default();
        let form = text(Role::Form)?;
        let poisson = match arguments.roles.contains(&Role::Samples) {
            false => None,
            true => {
                let samples = number(Role::Samples, SAMPLES, 1..=MOST_SAMPLES)?;
                let seed = number(Role::Seed, SEED, 0..=i64::MAX)?;
                let poisson = Poisson::new(samples.unsigned_abs() as usize, seed.unsigned_abs());
                Some(poisson.map_err(metrics::external)?)
            }
        };
        let checked = match (arguments.roles.contains(&Role::Metric), metric.is_empty()) {
            (false, true) if arguments.roles.contains(&Role::Unit) => metrics::check_unit(&unit),
            (false, true) => Ok(()),
            _ => metrics::check(&metric, &unit),
        };
        checked
            .map_err(|error| DataFusionError::External(Box::new(error)).context(name.to_owned()))?;
        Ok(Self { metric, unit, form, poisson })
    }
}
