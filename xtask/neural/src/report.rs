//! A figure and what it should be.

use std::fmt;

/// One measured figure.
pub(crate) struct Check {
    what: String,
    value: f64,
    bound: Bound,
}

/// What a figure must be.
#[derive(Clone, Copy)]
enum Bound {
    /// It stands beside others.
    None,
    AtLeast(f64),
    AtMost(f64),
}

impl Check {
    pub(crate) fn figure(what: impl Into<String>, value: f64) -> Self {
        Self { what: what.into(), value, bound: Bound::None }
    }

    pub(crate) fn above(what: impl Into<String>, value: f64, above: f64) -> Self {
        Self { what: what.into(), value, bound: Bound::AtLeast(above) }
    }

    pub(crate) fn below(what: impl Into<String>, value: f64, below: f64) -> Self {
        Self { what: what.into(), value, bound: Bound::AtMost(below) }
    }

    /// The mean of one figure under several seeds, and its standard deviation (n − 1).
    pub(crate) fn spread(what: &str, values: &[f64]) -> [Self; 2] {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (squares / (values.len() as f64 - 1.0)).sqrt();
        [
            Self::figure(format!("{what}, mean"), mean),
            Self::figure(format!("{what}, deviation"), deviation),
        ]
    }

    pub(crate) fn holds(&self) -> bool {
        match self.bound {
            Bound::None => true,
            Bound::AtLeast(bound) => self.value >= bound,
            Bound::AtMost(bound) => self.value <= bound,
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:.4}", self.what, self.value)?;
        let (word, bound) = match self.bound {
            Bound::None => return Ok(()),
            Bound::AtLeast(bound) => ("least", bound),
            Bound::AtMost(bound) => ("most", bound),
        };
        write!(f, " (at {word} {bound:.4}: {})", if self.holds() { "yes" } else { "NO" })
    }
}

/// The share of pairs (one of each) in which the first's number is greater; ties count half.
pub(crate) fn separation(greater: &[f64], smaller: &[f64]) -> f64 {
    let beats = |a: f64, b: f64| f64::from(u8::from(a > b)) + f64::from(u8::from(a == b)) / 2.0;
    let sum: f64 = greater.iter().flat_map(|&a| smaller.iter().map(move |&b| beats(a, b))).sum();
    sum / (greater.len() * smaller.len()).max(1) as f64
}
