//! Confidence intervals of coefficients by resampling rows, or whole clusters of rows.

use super::{Correlation, paired::Paired};
use crate::{Error, Result, error::same_length};
use ko_eval_core::significance::{Bootstrap, Interval};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is drawn with replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw<'a> {
    /// Rows, one by one.
    Rows,
    /// All rows of one label together. Outputs of several systems for one source sentence stand or
    /// fall together: label them with the sentence's number, or the interval comes out too narrow.
    Clusters(&'a [usize]),
}

/// A coefficient with its 95 % interval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Bootstrapped {
    /// The coefficient and its spread.
    #[serde(flatten)]
    pub interval: Interval,
    /// Resamples left out because a side did not vary in them. Where these are many, the data are
    /// too few for an interval.
    pub undefined: usize,
}

/// The interval of one coefficient; see [`intervals`].
///
/// ```
/// use ko_eval_core::significance::Bootstrap;
/// use ko_meta_eval::{Correlation, correlation::{Draw, interval}};
///
/// // Two systems, four sentences: the sentence is the cluster.
/// let 사람 = [1.0, 2.0, 3.0, 5.0, 1.5, 2.0, 4.0, 4.5];
/// let 척도 = [0.1, 0.3, 0.3, 0.6, 0.2, 0.2, 0.5, 0.4];
/// let 문장 = [0, 1, 2, 3, 0, 1, 2, 3];
/// let r = interval(Correlation::Pearson, &사람, &척도, Draw::Clusters(&문장), &Bootstrap::default())?;
/// assert!(r.interval.low < r.interval.score && r.interval.score < r.interval.high);
/// # Ok::<(), ko_meta_eval::Error>(())
/// ```
///
/// # Errors
/// As [`intervals`].
pub fn interval(
    kind: Correlation,
    x: &[f64],
    y: &[f64],
    draw: Draw<'_>,
    bootstrap: &Bootstrap,
) -> Result<Bootstrapped> {
    let mut all = intervals(&[kind], x, y, draw, bootstrap)?;
    all.pop().ok_or_else(|| Error::undefined(kind.name(), "no resample was drawn"))
}

/// The intervals of several coefficients from the same resamples, on all cores, in the order of
/// `kinds`. A resample costs O(n log n) for Kendall and O(n) for the others.
///
/// # Errors
/// As [`Correlation::of`]; [`Error::LengthMismatch`] where not every row has a label;
/// [`Error::Undefined`] where a side is constant in every resample.
pub fn intervals(
    kinds: &[Correlation],
    x: &[f64],
    y: &[f64],
    draw: Draw<'_>,
    bootstrap: &Bootstrap,
) -> Result<Vec<Bootstrapped>> {
    let pairs = Paired::new(x, y)?;
    let clusters = match draw {
        Draw::Rows => (0..x.len()).map(|row| vec![row]).collect(),
        Draw::Clusters(labels) => {
            same_length(("the values", x.len()), ("the cluster labels", labels.len()))?;
            rows_by_label(labels)
        }
    };
    let resamples = bootstrap.resample(clusters.len(), |drawn| {
        let mut weights = vec![0; pairs.len()];
        for row in drawn.filter_map(|cluster| clusters.get(cluster)).flatten() {
            if let Some(weight) = weights.get_mut(*row) {
                *weight += 1;
            }
        }
        kinds.iter().map(|kind| pairs.weighted(*kind, &weights)).collect::<Vec<_>>()
    });
    let spread = |(number, kind): (usize, &Correlation)| {
        let values: Vec<f64> = resamples.iter().filter_map(|values| *values.get(number)?).collect();
        if values.is_empty() {
            return Err(Error::undefined(kind.name(), "a side is constant in every resample"));
        }
        let undefined = resamples.len() - values.len();
        Ok(Bootstrapped {
            interval: Interval::from_resamples(pairs.whole(*kind)?, values)?,
            undefined,
        })
    };
    kinds.iter().enumerate().map(spread).collect()
}

fn rows_by_label(labels: &[usize]) -> Vec<Vec<usize>> {
    let mut rows = BTreeMap::<usize, Vec<usize>>::new();
    for (row, label) in labels.iter().enumerate() {
        rows.entry(*label).or_default().push(row);
    }
    rows.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sentence's outputs are twins: n rows hold only n/2 independent ones.
    #[test]
    fn clusters_widen_the_interval() {
        let once: Vec<f64> = (0..40).map(|i| f64::from(i * 37 % 41)).collect();
        let noise: Vec<f64> = (0..40).map(|i| f64::from(i * 37 % 41 + i * 23 % 29)).collect();
        let twice = |v: &[f64]| [v, v].concat();
        let labels: Vec<usize> = (0..40).chain(0..40).collect();
        let (x, y) = (twice(&once), twice(&noise));
        let width = |draw| {
            let i = interval(Correlation::Spearman, &x, &y, draw, &Bootstrap::default()).unwrap();
            i.interval.high - i.interval.low
        };
        assert!(width(Draw::Clusters(&labels)) > 1.2 * width(Draw::Rows));
    }

    #[test]
    fn resamples_without_a_coefficient_are_counted() {
        let (x, y) = ([1.0, 2.0], [1.0, 3.0]);
        let r = interval(Correlation::Pearson, &x, &y, Draw::Rows, &Bootstrap::default()).unwrap();
        assert!(r.undefined > 400 && r.undefined < 600, "{r:?}");
        let one_cluster = Draw::Clusters(&[0]);
        assert!(
            interval(Correlation::Pearson, &x, &y, one_cluster, &Bootstrap::default()).is_err()
        );
    }
}
