//! Do two lists of numbers rise and fall together?
//!
//! | name | what it compares | definition |
//! |---|---|---|
//! | `pearson` | values | Σ(x−x̄)(y−ȳ) / √(Σ(x−x̄)²·Σ(y−ȳ)²) |
//! | `spearman` | ranks, ties at their mean | Pearson of the ranks |
//! | `kendall-tau-b` | order of pairs | (C−D) / √((P−Tx)(P−Ty)) |
//! | `kendall-tau-c` | order of pairs | 2(C−D) / (n²·(m−1)/m), m the smaller number of distinct values |
//!
//! C and D count concordant and discordant pairs, P all pairs, Tx and Ty pairs tied in x or in y.
//! WMT's τ-like and pairwise accuracy, which compare systems segment by segment, are in
//! [`pairwise`]; the test of two correlations against each other is [`williams`](mod@crate::williams).
//!
//! Values and p-values equal SciPy 1.17.1 (`pearsonr`, `spearmanr`, `kendalltau` with `method="auto"`):
//! *t* with n−2 degrees of freedom for the first two; for Kendall the exact distribution of C up
//! to 33 values without ties (or with at most one pair out of order), else the normal
//! approximation with its tie correction. All p-values are two-sided. Where SciPy gives NaN, there is
//! an error instead, and one rule is ours: two values say nothing, so their p-value is 1.
//!
//! | input | answer |
//! |---|---|
//! | unequal lengths | [`Error::LengthMismatch`] |
//! | fewer than two values | [`Error::TooShort`] |
//! | NaN or infinite | [`Error::NotFinite`] |
//! | all values the same | [`Error::Constant`] |
//!
//! Pearson takes O(n), the others O(n log n): Kendall counts inversions as Knight (1966) proposed,
//! with a Fenwick tree for his merge sort, so that [a bootstrap](interval) reuses one sorted order
//! for all its resamples.
//!
//! ```
//! use ko_meta_eval::Correlation;
//!
//! let 사람 = [2.0, 1.0, 3.0, 4.0, 4.0];
//! let 척도 = [31.0, 20.5, 30.0, 44.0, 52.0];
//! let r = Correlation::Pearson.of(&사람, &척도)?;
//! let tau = Correlation::KendallTauB.of(&사람, &척도)?;
//! assert!((r.value - 0.916).abs() < 1e-3 && r.p_value < 0.05);
//! assert!((tau.value - 0.738).abs() < 1e-3);
//! assert!(Correlation::Pearson.of(&사람, &[1.0; 5]).is_err());
//! # Ok::<(), ko_meta_eval::Error>(())
//! ```

mod bootstrap;
mod paired;
pub mod pairwise;
mod significance;

pub use bootstrap::{Bootstrapped, Draw, interval, intervals};
pub(crate) use significance::t_two_sided;

use crate::{Error, Result};
use paired::Paired;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A coefficient, with its variant in the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Correlation {
    /// Linear.
    Pearson,
    /// Of ranks.
    Spearman,
    /// Of the order of pairs, corrected for ties on both sides.
    KendallTauB,
    /// Of the order of pairs, for unequal numbers of distinct values (Stuart).
    KendallTauC,
}

/// A coefficient's value alone; none where a side does not vary or there are too few values.
///
/// # Errors
/// Unequal lengths, or numbers that are not finite.
pub(crate) fn value(kind: Correlation, x: &[f64], y: &[f64]) -> Result<Option<f64>> {
    match Paired::new(x, y).and_then(|pairs| pairs.whole(kind)) {
        Ok(value) => Ok(Some(value)),
        Err(Error::Constant { .. } | Error::TooShort { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A coefficient's value.
///
/// Written as `0.8123 (p = 0.0012, n = 40)`; `{estimate:.2}` says how many decimals the value has.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Estimate {
    /// Between −1 and 1.
    pub value: f64,
    /// How probable a value at least as far from 0 is if the two lists have nothing to do with
    /// each other.
    pub p_value: f64,
    /// How many pairs of values it rests on.
    pub n: usize,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = f.precision().unwrap_or(4);
        write!(f, "{:.decimals$} (p = {:.4}, n = {})", self.value, self.p_value, self.n)
    }
}

impl Correlation {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Pearson, Self::Spearman, Self::KendallTauB, Self::KendallTauC];

    /// The name with the variant: `kendall-tau-b`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pearson => "pearson",
            Self::Spearman => "spearman",
            Self::KendallTauB => "kendall-tau-b",
            Self::KendallTauC => "kendall-tau-c",
        }
    }

    /// The name for a heading: `Kendall τ-b`.
    pub fn title(self) -> &'static str {
        match self {
            Self::Pearson => "Pearson r",
            Self::Spearman => "Spearman ρ",
            Self::KendallTauB => "Kendall τ-b",
            Self::KendallTauC => "Kendall τ-c",
        }
    }

    /// The coefficient of two lists with its p-value.
    ///
    /// # Errors
    /// See the table of the [module](self).
    pub fn of(self, x: &[f64], y: &[f64]) -> Result<Estimate> {
        let pairs = Paired::new(x, y)?;
        let value = pairs.whole(self)?;
        let p_value = match self {
            Self::Pearson | Self::Spearman => significance::of_r(value, x.len()),
            Self::KendallTauB | Self::KendallTauC => significance::of_tau(&pairs.pair_counts()),
        };
        Ok(Estimate { value, p_value, n: x.len() })
    }
}

impl fmt::Display for Correlation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Correlation {
    type Err = crate::Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|c| c.name() == text).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            crate::Error::invalid("correlation", text, format!("one of {known}"))
        })
    }
}
