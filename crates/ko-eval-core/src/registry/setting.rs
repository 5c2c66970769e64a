//! A setting of a row, declared once: its name, what it may be, what it is when left out.
//!
//! From the declaration come the reading of `key=value`, the check of a value that a program sets, the default, the word
//! in a signature, the help, and the values that laws and fuzzers try.
//!
//! ```
//! use ko_eval_core::setting::{Choice, Whole};
//! use ko_eval_core::{Param, Spec};
//!
//! #[derive(Debug, Clone, Copy, PartialEq)]
//! enum Case { Mixed, Lower }
//!
//! const ORDER: Whole = Whole::new("order", 4, 1, 1000, "the longest n-grams that count");
//! const CASE: Choice<Case> =
//!     Choice::new("case", &[("mixed", Case::Mixed), ("lower", Case::Lower)], "whether case counts");
//! const PARAMS: &[Param] = &[ORDER.param(), CASE.param()];
//!
//! let spec: Spec = "bleu:order=2".parse()?;
//! assert_eq!(spec.params.read(&ORDER)?, 2);
//! assert_eq!(spec.params.read(&CASE)?, Case::Mixed);
//! assert_eq!(CASE.word(&Case::Lower), "lower");
//! assert_eq!(PARAMS[1].expected(), "one of mixed, lower");
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

mod param;

pub use param::{Argument, Opens, Param, Preset, Values, Words};

use crate::{Error, Result};
use std::fmt;

/// What [`Params::read`](crate::Params::read) can read.
pub trait Setting {
    /// What it is read as.
    type Value;

    /// The declaration, as help and fuzzers see it.
    fn described(&self) -> Param;

    /// What it is when left out.
    fn default_value(&self) -> Self::Value;

    /// Reads what somebody wrote for `owner`.
    ///
    /// # Errors
    /// [`Error::InvalidParameter`], which says what would be right.
    fn parse(&self, owner: &str, text: &str) -> Result<Self::Value>;
}

/// An error about a value of this parameter.
fn invalid(param: &Param, owner: &str, value: impl fmt::Display) -> Error {
    Error::invalid(owner, param.name, value, param.expected())
}

/// `yes` or `no` for what people write instead.
fn yes_or_no(text: &str) -> Option<&'static str> {
    match text.to_ascii_lowercase().as_str() {
        "yes" | "true" | "on" => Some("yes"),
        "no" | "false" | "off" => Some("no"),
        _ => None,
    }
}

/// A setting that is a whole number within bounds.
#[derive(Debug, Clone, Copy)]
pub struct Whole {
    /// What it is when left out.
    pub default: usize,
    param: Param,
}

impl Whole {
    /// A whole number from `least` to `most`.
    pub const fn new(
        name: &'static str,
        default: usize,
        least: usize,
        most: usize,
        help: &'static str,
    ) -> Self {
        let values = Values::Whole { least, most };
        let (preset, opens) = (Preset::Whole(default), Opens::Nothing);
        Self {
            default,
            param: Param { name, default: preset, values, help, opens, lifts_range: false },
        }
    }

    /// The declaration, for a row's table.
    pub const fn param(&self) -> Param {
        self.param
    }

    /// The same with another default.
    #[must_use]
    pub const fn or(self, default: usize) -> Self {
        let param = Param { default: Preset::Whole(default), ..self.param };
        Self { default, param }
    }

    /// The same without a default: read as an [`Option`]. `instead` says what happens then.
    pub const fn optional(self, instead: &'static str) -> Optional<Self> {
        let param = Param { default: Preset::Unset(instead), ..self.param };
        Optional { setting: self, param }
    }

    /// Checks a value that a program has set.
    ///
    /// # Errors
    /// [`Error::InvalidParameter`] beyond the bounds.
    pub fn check(&self, owner: &str, value: usize) -> Result<usize> {
        match self.param.values {
            Values::Whole { least, most } if !(least..=most).contains(&value) => {
                Err(invalid(&self.param, owner, value))
            }
            _ => Ok(value),
        }
    }
}

impl Setting for Whole {
    type Value = usize;

    fn described(&self) -> Param {
        self.param
    }

    fn default_value(&self) -> usize {
        self.default
    }

    fn parse(&self, owner: &str, text: &str) -> Result<usize> {
        let value = text.parse().map_err(|_| invalid(&self.param, owner, text))?;
        self.check(owner, value)
    }
}

/// A setting that is a finite number within bounds.
#[derive(Debug, Clone, Copy)]
pub struct Number {
    /// What it is when left out.
    pub default: f64,
    param: Param,
}

impl Number {
    /// A number from `least` to `most`; a `least` of [`f64::MIN_POSITIVE`] means above 0.
    pub const fn new(
        name: &'static str,
        default: f64,
        least: f64,
        most: f64,
        help: &'static str,
    ) -> Self {
        let values = Values::Number { least, most };
        let (preset, opens) = (Preset::Number(default), Opens::Nothing);
        Self {
            default,
            param: Param { name, default: preset, values, help, opens, lifts_range: false },
        }
    }

    /// The declaration, for a row's table.
    pub const fn param(&self) -> Param {
        self.param
    }

    /// The same without a default: read as an [`Option`]. `instead` says what happens then.
    pub const fn optional(self, instead: &'static str) -> Optional<Self> {
        let param = Param { default: Preset::Unset(instead), ..self.param };
        Optional { setting: self, param }
    }

    /// Checks a value that a program has set.
    ///
    /// # Errors
    /// [`Error::InvalidParameter`] beyond the bounds, and of what is not a number.
    pub fn check(&self, owner: &str, value: f64) -> Result<f64> {
        match self.param.values {
            Values::Number { least, most } if !(least..=most).contains(&value) => {
                Err(invalid(&self.param, owner, value))
            }
            _ => Ok(value),
        }
    }
}

impl Setting for Number {
    type Value = f64;

    fn described(&self) -> Param {
        self.param
    }

    fn default_value(&self) -> f64 {
        self.default
    }

    fn parse(&self, owner: &str, text: &str) -> Result<f64> {
        let value = text.parse().map_err(|_| invalid(&self.param, owner, text))?;
        self.check(owner, value)
    }
}

/// A setting that is one of a few words. Where `yes` and `no` are among them, `true`, `on`, `false` and `off` are
/// understood as well.
#[derive(Debug, Clone, Copy)]
pub struct Choice<T: 'static> {
    /// What it is when left out.
    pub default: T,
    words: &'static [(&'static str, T)],
    aliases: &'static [(&'static str, T)],
    param: Param,
}

impl<T: Copy + PartialEq + Sync> Choice<T> {
    /// One of these words; the first is the default.
    #[allow(
        clippy::panic,
        reason = "evaluated by the compiler: a choice without words does not compile"
    )]
    pub const fn new<const N: usize>(
        name: &'static str,
        words: &'static [(&'static str, T); N],
        help: &'static str,
    ) -> Self {
        let [(first, default), ..] = words.as_slice() else { panic!("a choice needs words") };
        let preset = Preset::Text(first);
        let (values, opens) = (Values::Words(words), Opens::Nothing);
        let param = Param { name, default: preset, values, help, opens, lifts_range: false };
        Self { default: *default, words, aliases: &[], param }
    }

    /// The same with other words that are understood as well.
    #[must_use]
    pub const fn also(self, aliases: &'static [(&'static str, T)]) -> Self {
        Self { aliases, ..self }
    }

    /// The declaration, for a row's table.
    pub const fn param(&self) -> Param {
        self.param
    }

    /// The word for a value, as it stands in signatures.
    pub fn word(&self, value: &T) -> &'static str {
        self.words.iter().find(|(_, v)| v == value).map_or("", |(word, _)| *word)
    }
}

impl<T: Copy + PartialEq + Sync> Setting for Choice<T> {
    type Value = T;

    fn described(&self) -> Param {
        self.param
    }

    fn default_value(&self) -> T {
        self.default
    }

    fn parse(&self, owner: &str, text: &str) -> Result<T> {
        let find = |text: &str| {
            let mut all = self.words.iter().chain(self.aliases);
            all.find(|(word, _)| word.eq_ignore_ascii_case(text)).map(|(_, value)| *value)
        };
        let found = find(text).or_else(|| find(yes_or_no(text)?));
        found.ok_or_else(|| invalid(&self.param, owner, text))
    }
}

/// A setting that is on or off: `yes`/`no`, `true`/`false`, `on`/`off`.
#[derive(Debug, Clone, Copy)]
pub struct Switch {
    /// What it is when left out.
    pub default: bool,
    param: Param,
}

impl Switch {
    /// On or off.
    pub const fn new(name: &'static str, default: bool, help: &'static str) -> Self {
        let word = Preset::Text(if default { "yes" } else { "no" });
        let (values, opens) = (Values::Switch, Opens::Nothing);
        Self {
            default,
            param: Param { name, default: word, values, help, opens, lifts_range: false },
        }
    }

    /// The declaration, for a row's table.
    pub const fn param(&self) -> Param {
        self.param
    }
}

impl Setting for Switch {
    type Value = bool;

    fn described(&self) -> Param {
        self.param
    }

    fn default_value(&self) -> bool {
        self.default
    }

    fn parse(&self, owner: &str, text: &str) -> Result<bool> {
        match yes_or_no(text) {
            Some(word) => Ok(word == "yes"),
            None => Err(invalid(&self.param, owner, text)),
        }
    }
}

/// A setting that is a text of its row's own form.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    param: Param,
}

impl Text {
    /// A text; `form` says which, such as `FILE`, and `instead` what happens when it is left out.
    pub const fn new(
        name: &'static str,
        form: &'static str,
        instead: &'static str,
        help: &'static str,
    ) -> Self {
        let default = Preset::Unset(instead);
        let (values, opens) = (Values::Text(form), Opens::Path);
        Self { param: Param { name, default, values, help, opens, lifts_range: false } }
    }

    /// The same, said to name code: a program, a shared library, Java's archives.
    #[must_use]
    pub const fn program(self) -> Self {
        Self { param: Param { opens: Opens::Program, ..self.param } }
    }

    /// The declaration, for a row's table.
    pub const fn param(&self) -> Param {
        self.param
    }
}

impl Setting for Text {
    type Value = Option<String>;

    fn described(&self) -> Param {
        self.param
    }

    fn default_value(&self) -> Option<String> {
        None
    }

    fn parse(&self, _: &str, text: &str) -> Result<Option<String>> {
        // Written out, what happens by default is the default.
        let is_default = self.param.default.to_string() == text;
        Ok((!is_default).then(|| text.to_owned()))
    }
}

/// A setting without a default.
#[derive(Debug, Clone, Copy)]
pub struct Optional<S> {
    setting: S,
    param: Param,
}

impl<S> Optional<S> {
    /// The declaration, for a row's table.
    pub const fn param(&self) -> Param {
        self.param
    }

    /// The setting itself, to check a value with.
    pub const fn inner(&self) -> &S {
        &self.setting
    }
}

impl<S: Setting> Setting for Optional<S> {
    type Value = Option<S::Value>;

    fn described(&self) -> Param {
        self.param
    }

    fn default_value(&self) -> Option<S::Value> {
        None
    }

    fn parse(&self, owner: &str, text: &str) -> Result<Option<S::Value>> {
        self.setting.parse(owner, text).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BETA: Number = Number::new("beta", 2.0, f64::MIN_POSITIVE, 10.0, "weight");
    const ORDER: Optional<Whole> = Whole::new("order", 4, 1, 9, "longest").optional("all");
    const RULE: Choice<u8> =
        Choice::new("rule", &[("nltk", 1), ("official", 2)], "whose").also(&[("theirs", 2)]);

    #[test]
    fn what_is_declared_is_what_is_read() {
        assert_eq!(BETA.parse("f", "0.5").unwrap(), 0.5);
        assert_eq!(ORDER.parse("f", "9").unwrap(), Some(9));
        assert_eq!(
            (RULE.parse("f", "Official").unwrap(), RULE.parse("f", "theirs").unwrap()),
            (2, 2)
        );
        for (error, expected) in [
            (BETA.parse("f", "0").unwrap_err(), "a number above 0, up to 10"),
            (BETA.parse("f", "nan").unwrap_err(), "a number above 0, up to 10"),
            (ORDER.parse("f", "10").map(drop).unwrap_err(), "a whole number from 1 to 9"),
            (RULE.parse("f", "wmt").map(drop).unwrap_err(), "one of nltk, official"),
        ] {
            assert!(error.to_string().ends_with(expected), "{error}");
        }
    }

    #[test]
    fn every_example_is_a_value() {
        for text in BETA.param().examples() {
            BETA.parse("f", &text).unwrap();
        }
        assert_eq!(RULE.param().examples(), ["nltk", "official"]);
        assert!(ORDER.param().examples().is_empty(), "it may depend on another parameter");
    }
}
