//! How a number came about, in one line that can be printed, compared and parsed.

use crate::{Error, Result};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, str::FromStr, sync::Arc};

/// Everything that influences a number can say how it was configured.
pub trait Signed {
    /// The configuration, known before anything is scored.
    fn signature(&self) -> Signature;
}

impl<T: Signed + ?Sized> Signed for &T {
    fn signature(&self) -> Signature {
        (**self).signature()
    }
}

impl<T: Signed + ?Sized> Signed for Box<T> {
    fn signature(&self) -> Signature {
        (**self).signature()
    }
}

impl<T: Signed + ?Sized> Signed for Arc<T> {
    fn signature(&self) -> Signature {
        (**self).signature()
    }
}

/// A name and the settings behind a number, in a fixed order.
///
/// Written as `NAME|key:value|key:value`. The characters `|`, `:` and `\` inside a part are escaped
/// by a backslash, so every signature parses back to itself.
///
/// ```
/// use ko_eval_core::Signature;
///
/// let units = Signature::new("jamo").with("norm", "nfc");
/// let bleu = Signature::new("BLEU").with("order", 4).with_nested("tok", &units);
/// assert_eq!(bleu.to_string(), "BLEU|order:4|tok:jamo(norm=nfc)");
/// assert_eq!("BLEU|order:4|tok:jamo(norm=nfc)".parse::<Signature>()?, bleu);
/// assert_eq!(bleu.get("order"), Some("4"));
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signature {
    name: String,
    fields: Vec<(String, String)>,
}

impl Signature {
    /// A signature without settings.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), fields: Vec::new() }
    }

    /// Adds a setting, or replaces it where it stands.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl fmt::Display) -> Self {
        let (key, value) = (key.into(), value.to_string());
        match self.fields.iter_mut().find(|(k, _)| *k == key) {
            Some((_, old)) => *old = value,
            None => self.fields.push((key, value)),
        }
        self
    }

    /// Adds another thing's signature as a setting: `tok:mecab-ko@2.1.1(norm=nfc,penalty=on)`.
    #[must_use]
    pub fn with_nested(self, key: impl Into<String>, inner: &Signature) -> Self {
        let settings: Vec<_> = inner.fields.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let value = match settings.len() {
            0 => inner.name.clone(),
            _ => format!("{}({})", inner.name, settings.join(",")),
        };
        self.with(key, value)
    }

    /// The same without a setting.
    #[must_use]
    pub fn without(mut self, key: &str) -> Self {
        self.fields.retain(|(k, _)| k != key);
        self
    }

    /// What the number is: `BLEU`, `mecab-ko@2.1.1`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One setting's value.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    /// All settings in order.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(k, v)| (k.as_str(), v.as_str()))
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_escaped(f, &self.name)?;
        for (key, value) in &self.fields {
            f.write_str("|")?;
            write_escaped(f, key)?;
            f.write_str(":")?;
            write_escaped(f, value)?;
        }
        Ok(())
    }
}

fn write_escaped(f: &mut fmt::Formatter<'_>, part: &str) -> fmt::Result {
    for c in part.chars() {
        match c {
            '|' | ':' | '\\' => write!(f, "\\{c}")?,
            '\n' => f.write_str("\\n")?,
            _ => write!(f, "{c}")?,
        }
    }
    Ok(())
}

impl FromStr for Signature {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let bad =
            |reason: &str| Error::BadSignature { text: text.into(), reason: reason.to_owned() };
        // Parts and the separators that end them, with escapes undone.
        let mut parts = vec![String::new()];
        let mut separators = Vec::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            let literal = match c {
                '\\' => match chars.next() {
                    Some('n') => '\n',
                    Some(escaped) => escaped,
                    None => return Err(bad("it ends in a lone backslash")),
                },
                '|' | ':' => {
                    separators.push(c);
                    parts.push(String::new());
                    continue;
                }
                _ => c,
            };
            if let Some(part) = parts.last_mut() {
                part.push(literal);
            }
        }
        let mut parts = parts.into_iter();
        let name = parts.next().filter(|n| !n.is_empty()).ok_or_else(|| bad("it has no name"))?;
        let mut signature = Self::new(name);
        let parts: Vec<_> = parts.collect();
        for (pair, between) in parts.chunks(2).zip(separators.chunks(2)) {
            match (pair, between) {
                ([key, value], ['|', ':']) => signature = signature.with(key, value),
                _ => return Err(bad("settings are written `|key:value`")),
            }
        }
        Ok(signature)
    }
}

impl Serialize for Signature {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Signature {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parses_back(name in ".+", fields in proptest::collection::btree_map(".*", ".*", 0..4)) {
            let signature = fields.iter().fold(Signature::new(name), |s, (k, v)| s.with(k, v));
            prop_assert_eq!(signature.to_string().parse::<Signature>().unwrap(), signature);
        }
    }

    #[test]
    fn refuses_what_is_none() {
        for text in ["", "|order:4", "BLEU|order", "BLEU:4", "BLEU|a|b:c", "BLEU\\"] {
            assert!(matches!(text.parse::<Signature>(), Err(Error::BadSignature { .. })), "{text}");
        }
    }
}
