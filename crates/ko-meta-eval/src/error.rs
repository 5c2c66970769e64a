//! What can go wrong, said so that the reader knows what to change.

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of every function in this crate. No number that is not finite is ever returned instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Fewer values than the statistic is defined for.
    #[error("{what}: {len} given, at least {least} needed")]
    TooShort {
        /// What there are too few of.
        what: String,
        /// How many there are.
        len: usize,
        /// How many there must be.
        least: usize,
    },

    /// Two lists that must be parallel are not.
    #[error("{left} has {left_len} values, but {right} has {right_len}")]
    LengthMismatch {
        /// What the first list is.
        left: String,
        /// How long it is.
        left_len: usize,
        /// What the second list is.
        right: String,
        /// How long it is.
        right_len: usize,
    },

    /// A value that is infinite or not a number.
    #[error("{what}: value {} is {value}, which is not finite", index + 1)]
    NotFinite {
        /// Where the value stands.
        what: String,
        /// Its place, counted from 0.
        index: usize,
        /// The value.
        value: f64,
    },

    /// All values are the same, so nothing can vary together with them.
    #[error("{what}: all values are the same, so no coefficient exists")]
    Constant {
        /// What does not vary.
        what: String,
    },

    /// The formula divides by zero here.
    #[error("{what} is undefined: {reason}")]
    Undefined {
        /// The statistic.
        what: String,
        /// Why it has no value.
        reason: String,
    },

    /// An argument that makes no sense.
    #[error("{name} cannot be `{value}`: expected {expected}")]
    Invalid {
        /// The argument.
        name: String,
        /// Its value.
        value: String,
        /// What would have been accepted.
        expected: String,
    },

    /// A metric that failed.
    #[error("{}: {source}", crate::experiment::title(metric, unit.as_deref()))]
    Cell {
        /// The metric's name in the experiment.
        metric: String,
        /// The unit's name in the experiment, unless the metric stands alone.
        unit: Option<String>,
        /// What failed.
        source: Box<ko_eval_core::Error>,
    },

    /// A tokenizer, a file or a resampling that failed.
    #[error(transparent)]
    Core(#[from] ko_eval_core::Error),
}

impl Error {
    pub(crate) fn undefined(what: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Undefined { what: what.into(), reason: reason.into() }
    }

    pub(crate) fn invalid(
        name: impl Into<String>,
        value: impl std::fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        Self::Invalid { name: name.into(), value: value.to_string(), expected: expected.into() }
    }
}

impl From<Error> for ko_eval_core::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Core(error) => error,
            other => Self::other(other),
        }
    }
}

/// Refuses lists of unequal length.
pub(crate) fn same_length(left: (&str, usize), right: (&str, usize)) -> Result<()> {
    if left.1 == right.1 {
        return Ok(());
    }
    Err(Error::LengthMismatch {
        left: left.0.into(),
        left_len: left.1,
        right: right.0.into(),
        right_len: right.1,
    })
}

/// Refuses lists shorter than the statistic is defined for.
pub(crate) fn at_least(what: &str, len: usize, least: usize) -> Result<()> {
    if len >= least {
        return Ok(());
    }
    Err(Error::TooShort { what: what.into(), len, least })
}

/// Refuses values that are infinite or not numbers.
pub(crate) fn all_finite(what: &str, values: &[f64]) -> Result<()> {
    match values.iter().position(|v| !v.is_finite()) {
        None => Ok(()),
        Some(index) => {
            let value = values.get(index).copied().unwrap_or(f64::NAN);
            Err(Error::NotFinite { what: what.into(), index, value })
        }
    }
}
