//! The little language that picks a row: `chrf:word-order=2,beta=3`.

use crate::{Error, Recorded, Result, Signature, setting::Setting};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// A name with parameters, as written on the command line: `NAME[:[ARGUMENT,]key=value,…]`.
///
/// ```
/// use ko_eval_core::Spec;
///
/// let spec: Spec = "chrf:word-order=2,beta=3".parse()?;
/// assert_eq!(spec.name(), "chrf");
/// assert_eq!(spec.params.get("beta"), Some("3"));
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spec {
    /// What was set, and for which row.
    pub params: Params,
}

impl Spec {
    /// The row's name.
    pub fn name(&self) -> &str {
        &self.params.owner
    }
}

impl FromStr for Spec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let name = name.trim();
        let mut params = Params::new(name);
        params.raw = rest.to_owned();
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
        Ok(Self { params })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        if !self.params.raw.is_empty() {
            write!(f, ":{}", self.params.raw)?;
        }
        Ok(())
    }
}

/// In files it is the text that it is written as.
impl Serialize for Spec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Spec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Parameters as written, and whose they are. Read by the [settings](crate::setting) that the row declares.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Params {
    owner: String,
    raw: String,
    argument: Option<String>,
    values: BTreeMap<String, String>,
    /// The signature of statistics that were measured elsewhere, if the row is built only for those.
    measured_as: Option<Signature>,
}

impl Params {
    /// No parameters, for a row of this name.
    pub fn new(owner: impl Into<String>) -> Self {
        Self { owner: owner.into(), ..Self::default() }
    }

    /// The name of the row that they are for.
    pub fn owner(&self) -> &str {
        &self.owner
    }

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

    /// The names of the parameters that are set, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// One parameter as its setting says, or the setting's default where it is left out.
    ///
    /// # Errors
    /// [`Error::InvalidParameter`], which names the row and says what would be right.
    pub fn read<S: Setting>(&self, setting: &S) -> Result<S::Value> {
        match self.get(setting.described().name) {
            Some(text) => setting.parse(&self.owner, text),
            None => Ok(setting.default_value()),
        }
    }

    /// The same for statistics that were measured elsewhere under this signature.
    pub(super) fn measured_as(self, signature: &Signature) -> Self {
        Self { measured_as: Some(signature.clone()), ..self }
    }

    /// What stands in for a file or a program that a parameter names, where a row is built only for statistics that were
    /// measured elsewhere: what their signature has in this field. A row must ask before it opens anything, because
    /// whoever sent the statistics chose the name.
    pub fn recorded(&self, field: &str) -> Option<Recorded> {
        self.measured_as.as_ref().map(|signature| Recorded::field(signature, field))
    }

    /// An error about a parameter of this row.
    pub fn invalid(&self, name: &str, expected: impl Into<String>) -> Error {
        Error::invalid(&self.owner, name, self.get(name).unwrap_or_default(), expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_is_read_and_written() {
        for text in ["ter", "bleu:order=2,smooth=floor", "subword:tok.json,case=lower"] {
            let spec: Spec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
            let json = serde_json::to_string(&spec).unwrap();
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<Spec>(&json).unwrap(), spec);
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
}
