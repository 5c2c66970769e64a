//! Is one metric's correlation with people really higher than another's?
//!
//! Two metrics judged against the same human scores have *dependent* correlations, so intervals that
//! overlap prove nothing. Williams' test (E. J. Williams, *The Comparison of Regression Variables*,
//! 1959; for metrics: Graham and Baldwin, *Testing for Significance of Increased Correlation with
//! Human Judgment*, EMNLP 2014) takes the correlation between the metrics into account:
//!
//! t(n−3) = (r₁₂ − r₁₃)·√((n−1)(1+r₂₃)) / √(2K·(n−1)/(n−3) + (r₁₂+r₁₃)²/4·(1−r₂₃)³),
//! K = 1 − r₁₂² − r₁₃² − r₂₃² + 2·r₁₂·r₁₃·r₂₃
//!
//! where 1 is people and 2 and 3 are the metrics. O(n).
//!
//! ```
//! use ko_meta_eval::williams;
//!
//! let 사람 = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
//! let 자모 = [1.1, 2.3, 2.8, 4.4, 4.9, 6.3, 6.8];
//! let 어절 = [2.0, 1.0, 4.0, 3.0, 6.0, 4.0, 5.0];
//! let test = williams(&사람, &자모, &어절)?;
//! assert!(test.first > test.second && test.p_value < 0.05);
//! # Ok::<(), ko_meta_eval::Error>(())
//! ```

use crate::{Correlation, Error, Result, correlation::t_two_sided, error::at_least};
use serde::{Deserialize, Serialize};

/// Correlations that are this near to ±1 are ±1 but for rounding, which would otherwise decide whether two equal metrics can be tested.
const ROUNDING: f64 = 1e-12;

/// Two metrics' correlations with people, compared.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Williams {
    /// Pearson of people and the first metric.
    pub first: f64,
    /// Pearson of people and the second metric.
    pub second: f64,
    /// Pearson of the two metrics.
    pub between: f64,
    /// The statistic: positive where the first metric correlates more.
    pub t: f64,
    /// n − 3.
    pub freedom: usize,
    /// How probable a difference at least this large, either way, is if there were none.
    pub p_value: f64,
    /// The same for "the first correlates more", as metric campaigns test it.
    pub p_greater: f64,
}

/// Compares the Pearson correlations of two metrics with the same human scores.
///
/// # Errors
/// As [`Correlation::of`]; fewer than four values; [`Error::Undefined`] where the metrics are one
/// another's linear image (equal scores, for example), so that nothing is left to vary.
pub fn williams(human: &[f64], first: &[f64], second: &[f64]) -> Result<Williams> {
    at_least("values for Williams' test", human.len(), 4)?;
    let r = |x, y| Correlation::Pearson.of(x, y).map(|estimate| estimate.value);
    williams_of(r(human, first)?, r(human, second)?, r(first, second)?, human.len())
}

/// The same from published coefficients of `n` values: of people with either metric, and between
/// the metrics.
///
/// # Errors
/// Coefficients outside [−1, 1]; fewer than four values; [`Error::Undefined`] as in [`williams`].
pub fn williams_of(first: f64, second: f64, between: f64, n: usize) -> Result<Williams> {
    at_least("values for Williams' test", n, 4)?;
    if let Some(r) = [first, second, between].into_iter().find(|r| !(-1.0..=1.0).contains(r)) {
        return Err(Error::invalid("a correlation", r, "a number between -1 and 1"));
    }
    let (count, freedom) = (n as f64, n - 3);
    let k = 1.0 - first.powi(2) - second.powi(2) - between.powi(2) + 2.0 * first * second * between;
    let mean = (first + second) / 2.0;
    // Rounding may leave K just below its least possible value, 0.
    let spread =
        2.0 * k.max(0.0) * (count - 1.0) / freedom as f64 + mean.powi(2) * (1.0 - between).powi(3);
    let scale = ((count - 1.0) * (1.0 + between)).sqrt();
    let t = (first - second) * scale / spread.sqrt();
    if 1.0 - between.abs() < ROUNDING || spread < 1e-15 || !t.is_finite() {
        let reason = "the two metrics are linear images of each other";
        return Err(Error::undefined("Williams' test", reason));
    }
    let p_value = t_two_sided(t, freedom as f64);
    let p_greater = if t > 0.0 { p_value / 2.0 } else { 1.0 - p_value / 2.0 };
    Ok(Williams { first, second, between, t, freedom, p_value, p_greater })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that no two binary digits end alike.
    fn scores(seed: usize, n: usize) -> Vec<f64> {
        (0..n).map(|at| ((at * 7919 + seed * 104_729) % 1009) as f64 / 7.0).collect()
    }

    #[test]
    fn equal_metrics_are_never_tested_whatever_rounding_says() {
        let mut below_one = 0;
        for seed in 0..200 {
            for n in [4, 9, 100] {
                let (human, metric) = (scores(seed, n), scores(3 * seed + 1, n));
                let image = |factor: f64| metric.iter().map(|x| factor * x + 0.1).collect();
                let images: [Vec<f64>; 3] = [metric.clone(), image(3.3), image(-0.7)];
                for other in &images {
                    let between = Correlation::Pearson.of(&metric, other).unwrap().value;
                    below_one += usize::from(between.abs() < 1.0);
                    let found = williams(&human, &metric, other);
                    assert!(
                        matches!(found, Err(Error::Undefined { .. })),
                        "{seed}, {n}: {found:?}"
                    );
                }
            }
        }
        // Rounding did have a say.
        assert!(below_one > 0);
    }

    #[test]
    fn metrics_that_nearly_agree_are_tested() {
        let (human, metric) = (scores(1, 50), scores(2, 50));
        let other: Vec<f64> = metric.iter().zip(scores(5, 50)).map(|(x, y)| x + y / 1e4).collect();
        let found = williams(&human, &metric, &other).unwrap();
        assert!(found.between > 0.999_999 && found.t.is_finite());
    }
}
