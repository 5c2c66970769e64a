//! What a setting declares, as a registry row holds it.

use std::fmt;

/// A parameter of a registry row, as help, documentation and fuzzers see it. Made by a setting's `param`.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// Its name in kebab-case.
    pub name: &'static str,
    /// What it is when left out.
    pub default: Preset,
    /// Which values it takes.
    pub values: Values,
    /// What it does, in a few words.
    pub help: &'static str,
    /// What its value lets the row open.
    pub opens: Opens,
    /// Whether a value of it may take scores beyond the row's range, as it takes the reference's.
    pub lifts_range: bool,
}

/// What a value lets a row open: whether somebody else's file may set it is decided by this; see
/// [`Library::check_trusted`](crate::Library::check_trusted).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opens {
    /// Nothing.
    Nothing,
    /// Perhaps a file, a folder, or another unit or metric. Every text is taken for one unless its row says more.
    Path,
    /// Code: a program, a shared library, Java's archives.
    Program,
}

/// What the bare argument of a row is: `FILE` in `subword:FILE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument {
    /// What it is called in help and in errors.
    pub name: &'static str,
    /// What it lets the row open.
    pub opens: Opens,
}

impl Argument {
    /// A file, a folder, or the name of something installed.
    pub const fn path(name: &'static str) -> Self {
        Self { name, opens: Opens::Path }
    }

    /// A program.
    pub const fn program(name: &'static str) -> Self {
        Self { name, opens: Opens::Program }
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// What a parameter is when left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Preset {
    /// A whole number.
    Whole(usize),
    /// A number.
    Number(f64),
    /// A word or another text, as one would write it.
    Text(&'static str),
    /// Nothing that can be written; this says what happens instead.
    Unset(&'static str),
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => number.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) | Self::Unset(text) => f.write_str(text),
        }
    }
}

/// Which values a parameter takes.
#[derive(Clone, Copy)]
pub enum Values {
    /// Whole numbers.
    Whole {
        /// The least.
        least: usize,
        /// The greatest.
        most: usize,
    },
    /// Finite numbers.
    Number {
        /// The least.
        least: f64,
        /// The greatest.
        most: f64,
    },
    /// A few words.
    Words(&'static dyn Words),
    /// On or off: `yes` or `no`.
    Switch,
    /// Any text; this says what it means: `FILE`, `A/B/C`.
    Text(&'static str),
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_string())
    }
}

/// What would be right, as it stands in help and in errors.
impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole { least, most: usize::MAX } => {
                write!(f, "a whole number of at least {least}")
            }
            Self::Whole { least, most } => write!(f, "a whole number from {least} to {most}"),
            Self::Number { least: f64::MIN_POSITIVE, most } => {
                write!(f, "a number above 0, up to {most}")
            }
            Self::Number { least, most } => write!(f, "a number from {least} to {most}"),
            Self::Words(words) => write!(f, "one of {}", words.words().join(", ")),
            Self::Switch => f.write_str("yes or no"),
            Self::Text(what) => f.write_str(what),
        }
    }
}

/// The words of a [`Choice`](super::Choice), whatever they stand for.
pub trait Words: Sync {
    /// All of them, in order.
    fn words(&self) -> Vec<&'static str>;
}

impl<T: Sync, const N: usize> Words for [(&'static str, T); N] {
    fn words(&self) -> Vec<&'static str> {
        self.iter().map(|(word, _)| *word).collect()
    }
}

impl Param {
    /// The same, of a setting that may take scores beyond the row's range.
    #[must_use]
    pub const fn lifting_range(self) -> Self {
        Self { lifts_range: true, ..self }
    }

    /// What would be right, as it stands in help and in errors.
    pub fn expected(&self) -> String {
        self.values.to_string()
    }

    /// Values worth trying, as one would write them: every word, the lower end of a range and a step beyond it, and for
    /// other than whole numbers (of which the greatest only takes time) the upper end. None of a parameter without a
    /// default, which may depend on others.
    pub fn examples(&self) -> Vec<String> {
        match (self.default, self.values) {
            (Preset::Unset(_), _) | (_, Values::Text(_)) => Vec::new(),
            (_, Values::Whole { least, most }) => {
                [least, most.min(least + 1)].iter().map(usize::to_string).collect()
            }
            (_, Values::Number { least, most }) => {
                [least, f64::midpoint(least, most.min(least + 1.0)), most.min(1000.0)]
                    .iter()
                    .map(f64::to_string)
                    .collect()
            }
            (_, Values::Words(words)) => words.words().into_iter().map(str::to_owned).collect(),
            (_, Values::Switch) => ["yes", "no"].map(str::to_owned).to_vec(),
        }
    }
}
