//! Visible tables of what there is, and the little language that picks from them: `chrf:word-order=2,beta=3`.

use crate::{Error, Result, Scorer, Tokenizer};
use std::{collections::BTreeMap, fmt, str::FromStr, sync::Arc};

/// A parameter of a registry row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// Its name in kebab-case.
    pub name: &'static str,
    /// What it is when left out, as one would write it.
    pub default: &'static str,
    /// What it does and which values it takes, in a few words.
    pub help: &'static str,
}

/// A row of a table of metrics.
#[derive(Clone, Copy)]
pub struct MetricEntry {
    /// The name on the command line.
    pub name: &'static str,
    /// What it measures, in one line.
    pub summary: &'static str,
    /// The implementation and version whose values it equals.
    pub reference: &'static str,
    /// What can be set.
    pub params: &'static [Param],
    /// Builds the metric over a tokenizer; `Params` holds only names listed in `params`.
    pub build: BuildMetric,
}

/// How a row of a table of metrics builds its metric.
pub type BuildMetric = fn(&Params, Arc<dyn Tokenizer>) -> Result<Box<dyn Scorer>>;

/// A row of a table of things that cut text: tokenizers, analyzers.
pub struct Entry<T: ?Sized> {
    /// The name on the command line.
    pub name: &'static str,
    /// What a unit is, in one line.
    pub summary: &'static str,
    /// What the bare argument is (`FILE` in `subword:FILE`), if the row takes one.
    pub argument: Option<&'static str>,
    /// What can be set.
    pub params: &'static [Param],
    /// Builds the thing, or says what it lacks.
    pub build: fn(&Params) -> Result<Arc<T>>,
}

/// A row of a table of tokenizers.
pub type TokenizerEntry = Entry<dyn Tokenizer>;

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
    /// Builds what `spec` asks for from the row of its name.
    ///
    /// # Errors
    /// An unknown name or parameter (the error lists the known ones), or a value that makes no sense.
    pub fn build_from(
        table: &[MetricEntry],
        spec: &Spec,
        tokenizer: Arc<dyn Tokenizer>,
    ) -> Result<Box<dyn Scorer>> {
        let row = table
            .iter()
            .find(|row| row.name == spec.name)
            .ok_or_else(|| unknown("metric", &spec.name, table.iter().map(|row| row.name)))?;
        spec.params.check(row.name, row.params, None)?;
        (row.build)(&spec.params, tokenizer)
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
            .find(|row| row.name == spec.name)
            .ok_or_else(|| unknown(kind, &spec.name, table.iter().map(|row| row.name)))?;
        spec.params.check(row.name, row.params, row.argument)?;
        (row.build)(&spec.params)
    }
}

impl TokenizerEntry {
    /// Builds the unit that `spec` asks for.
    ///
    /// # Errors
    /// As [`Entry::pick`].
    pub fn build_from(table: &[TokenizerEntry], spec: &Spec) -> Result<Arc<dyn Tokenizer>> {
        Self::pick("unit", table, spec)
    }
}

fn unknown(kind: &'static str, name: &str, known: impl Iterator<Item = &'static str>) -> Error {
    let known = known.collect::<Vec<_>>().join(", ");
    Error::UnknownName { kind, name: name.to_owned(), known }
}

/// A name with parameters, as written on the command line: `NAME[:[ARGUMENT,]key=value,…]`.
///
/// ```
/// use ko_eval_core::Spec;
///
/// let spec: Spec = "chrf:word-order=2,beta=3".parse()?;
/// assert_eq!(spec.name, "chrf");
/// assert_eq!(spec.params.get("beta"), Some("3"));
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spec {
    /// The row's name.
    pub name: String,
    /// What was set.
    pub params: Params,
}

impl FromStr for Spec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let mut params = Params { raw: rest.to_owned(), ..Params::default() };
        for part in rest.split(',').filter(|part| !part.trim().is_empty()) {
            match part.split_once('=') {
                Some((key, value)) => {
                    let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
                    if params.values.insert(key.clone(), value.clone()).is_some() {
                        return Err(Error::invalid(name, key, value, "the parameter only once"));
                    }
                }
                None if params.argument.is_none() => params.argument = Some(part.to_owned()),
                None => return Err(Error::invalid(name, "argument", part, "`key=value`")),
            }
        }
        Ok(Self { name: name.trim().to_owned(), params })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if !self.params.raw.is_empty() {
            write!(f, ":{}", self.params.raw)?;
        }
        Ok(())
    }
}

/// Parameters as written, read with the type that the row wants.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Params {
    raw: String,
    argument: Option<String>,
    values: BTreeMap<String, String>,
}

impl Params {
    /// Sets one parameter.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl fmt::Display) -> Self {
        self.values.insert(name.into(), value.to_string());
        let pairs: Vec<_> = self.values.iter().map(|(k, v)| format!("{k}={v}")).collect();
        self.raw = self.argument.iter().cloned().chain(pairs).collect::<Vec<_>>().join(",");
        self
    }

    /// Everything after the first colon, for a row whose argument may hold any character.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// The bare argument: `FILE` in `subword:FILE`.
    pub fn argument(&self) -> Option<&str> {
        self.argument.as_deref()
    }

    /// One parameter as written.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// One parameter as a number or another type that parses, or the default where it is not set.
    ///
    /// # Errors
    /// When the text does not parse; `expected` says what would.
    pub fn parse<T: FromStr>(
        &self,
        owner: &str,
        name: &str,
        default: T,
        expected: &str,
    ) -> Result<T> {
        match self.get(name) {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| Error::invalid(owner, name, text, expected)),
        }
    }

    /// One parameter as one of a few words.
    ///
    /// # Errors
    /// Any other word; the error lists the words.
    pub fn choose<T: Clone>(
        &self,
        owner: &str,
        name: &str,
        default: T,
        words: &[(&str, T)],
    ) -> Result<T> {
        let Some(text) = self.get(name) else { return Ok(default) };
        words.iter().find(|(word, _)| *word == text).map(|(_, value)| value.clone()).ok_or_else(
            || {
                let known: Vec<_> = words.iter().map(|(word, _)| *word).collect();
                Error::invalid(owner, name, text, format!("one of {}", known.join(", ")))
            },
        )
    }

    /// One parameter that is on or off: `yes`/`no`, `true`/`false`, `on`/`off`.
    ///
    /// # Errors
    /// Any other word.
    pub fn switch(&self, owner: &str, name: &str, default: bool) -> Result<bool> {
        let words = [
            ("yes", true),
            ("no", false),
            ("true", true),
            ("false", false),
            ("on", true),
            ("off", false),
        ];
        self.choose(owner, name, default, &words)
    }

    fn check(&self, owner: &str, known: &[Param], argument: Option<&str>) -> Result<()> {
        let list = || match known {
            [] => "none".to_owned(),
            _ => known.iter().map(|p| p.name).collect::<Vec<_>>().join(", "),
        };
        // A row that reads its argument raw may hold anything after the colon.
        if argument.is_some() && known.is_empty() {
            return Ok(());
        }
        let stray = self.values.keys().find(|name| !known.iter().any(|p| p.name == *name));
        let stray = stray.or(self.argument.as_ref().filter(|_| argument.is_none()));
        match stray {
            Some(name) => Err(Error::UnknownParameter {
                owner: owner.to_owned(),
                name: name.clone(),
                known: list(),
            }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_is_read_and_written() {
        for text in ["ter", "bleu:order=2,smooth=floor", "subword:tok.json,case=lower"] {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
        let spec: Spec = "subword:tok.json,case=lower".parse().unwrap();
        assert_eq!(
            (spec.params.argument(), spec.params.get("case")),
            (Some("tok.json"), Some("lower"))
        );
    }

    #[test]
    fn a_parameter_set_twice_is_refused() {
        assert!("bleu:order=2,order=3".parse::<Spec>().is_err());
    }

    #[test]
    fn strays_are_named() {
        let known = [Param { name: "order", default: "4", help: "" }];
        let params = "bleu:ordre=2".parse::<Spec>().unwrap().params;
        let error = params.check("bleu", &known, None).unwrap_err();
        assert_eq!(error.to_string(), "`bleu` has no parameter `ordre`; known: order");
    }
}
