//! Do people agree with each other more than chance would have it?
//!
//! | coefficient | raters | categories | chance |
//! |---|---|---|---|
//! | Fleiss' κ (1971) | the same number per item, not always the same people | nominal | shares of all ratings |
//! | Cohen's κ (1960, weighted 1968) | two | nominal, or ordered with weights | each rater's own shares |
//! | Krippendorff's α (2004) | any number, ratings may be missing | nominal, ordinal, interval | pairs of all ratings |
//!
//! κ = (P − Pₑ)/(1 − Pₑ) of observed and expected agreement; α = 1 − D/Dₑ of observed and expected
//! disagreement. Where chance alone agrees always, because only one category was ever used, there is
//! nothing to divide by: [`Error::Undefined`]. Values equal statsmodels 0.15.0 (`fleiss_kappa`),
//! scikit-learn 1.9.1 (`cohen_kappa_score`) and krippendorff 0.9.0 (`alpha`). With c categories all
//! take O(ratings + items·c + c²).
//!
//! ```
//! use ko_meta_eval::agreement::{Difference, KappaWeights, cohen_kappa, fleiss_kappa, krippendorff_alpha};
//!
//! // Three raters judge four sentences with 0, 1 or 2.
//! let 평가 = [[2, 2, 2], [1, 1, 0], [0, 0, 0], [2, 1, 2]];
//! let kappa = fleiss_kappa(&평가)?;
//! assert!((kappa.value - 0.4894).abs() < 1e-4 && kappa.raters == 3);
//! let (갑, 을) = ([2, 1, 0, 2, 1], [2, 1, 0, 1, 2]);
//! assert!(cohen_kappa(&갑, &을, KappaWeights::Quadratic)?.value > cohen_kappa(&갑, &을, KappaWeights::None)?.value);
//! let missing = [vec![Some(1.0), Some(1.0)], vec![Some(3.0), None], vec![Some(2.0), Some(3.0)]];
//! assert!(krippendorff_alpha(&missing, Difference::Ordinal)? > 0.0);
//! # Ok::<(), ko_meta_eval::Error>(())
//! ```

use crate::{
    Error, Result,
    error::{at_least, same_length},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt::Debug};

/// A κ and what it is made of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Kappa {
    /// (observed − expected) / (1 − expected).
    pub value: f64,
    /// The agreement there is.
    pub observed: f64,
    /// The agreement by chance.
    pub expected: f64,
    /// How many items were rated.
    pub items: usize,
    /// How often each was rated.
    pub raters: usize,
}

impl Kappa {
    fn new(observed: f64, expected: f64, items: usize, raters: usize) -> Result<Self> {
        if expected >= 1.0 {
            return Err(Error::undefined("κ", "only one category was ever used"));
        }
        let value = (observed - expected) / (1.0 - expected);
        Ok(Self { value, observed, expected, items, raters })
    }
}

/// Fleiss' κ of several systems' outputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct KappaBySystem {
    /// Each system's κ, in order.
    pub systems: Vec<Kappa>,
    /// The mean of the systems' κ: what papers that print one number often print.
    pub mean: f64,
    /// κ of all systems' ratings together; not the mean, because chance is shared.
    pub pooled: Kappa,
}

/// Fleiss' κ of items with the categories that their raters chose.
///
/// # Errors
/// No item, an item with another number of ratings than the first, fewer than two ratings, or
/// [`Error::Undefined`].
pub fn fleiss_kappa<T: Ord, R: AsRef<[T]>>(items: &[R]) -> Result<Kappa> {
    let raters = items.first().map_or(0, |item| item.as_ref().len());
    at_least("rated items", items.len(), 1)?;
    at_least("ratings of an item", raters, 2)?;
    let mut totals = BTreeMap::<&T, u64>::new();
    let mut agreeing = 0u64;
    for (number, item) in items.iter().enumerate() {
        let item = item.as_ref();
        same_length(("item 1", raters), (&format!("item {}", number + 1), item.len()))?;
        let mut counts = BTreeMap::<&T, u64>::new();
        for category in item {
            *counts.entry(category).or_default() += 1;
        }
        agreeing += counts.values().map(|c| c * (c - 1)).sum::<u64>();
        for (category, count) in counts {
            *totals.entry(category).or_default() += count;
        }
    }
    let ratings = (items.len() * raters) as f64;
    let observed = agreeing as f64 / (ratings * (raters - 1) as f64);
    let expected = totals.values().map(|t| (*t as f64 / ratings).powi(2)).sum();
    Kappa::new(observed, expected, items.len(), raters)
}

/// Fleiss' κ of each system's items, their mean, and κ of all items together.
///
/// # Errors
/// As [`fleiss_kappa`], of any system.
pub fn fleiss_kappa_by_system<T: Ord + Clone>(systems: &[Vec<Vec<T>>]) -> Result<KappaBySystem> {
    at_least("systems", systems.len(), 1)?;
    let each: Vec<Kappa> =
        systems.iter().map(|items| fleiss_kappa(items)).collect::<Result<_>>()?;
    let all: Vec<&[T]> = systems.iter().flatten().map(Vec::as_slice).collect();
    let mean = each.iter().map(|kappa| kappa.value).sum::<f64>() / each.len() as f64;
    Ok(KappaBySystem { pooled: fleiss_kappa(&all)?, systems: each, mean })
}

/// How bad it is when two raters are some categories apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KappaWeights {
    /// Any difference is as bad as any other.
    #[default]
    None,
    /// By the number of categories in between.
    Linear,
    /// By its square.
    Quadratic,
}

/// Cohen's κ of two raters. The categories are those that either used, in their order; `observed` and
/// `expected` are weighted agreements.
///
/// # Errors
/// No item, unequal lengths, or [`Error::Undefined`].
pub fn cohen_kappa<T: Ord>(first: &[T], second: &[T], weights: KappaWeights) -> Result<Kappa> {
    same_length(("the first rater", first.len()), ("the second rater", second.len()))?;
    at_least("rated items", first.len(), 1)?;
    let mut numbers: BTreeMap<&T, usize> = first.iter().chain(second).map(|c| (c, 0)).collect();
    numbers.values_mut().enumerate().for_each(|(number, slot)| *slot = number);
    let number = |category: &T| numbers.get(category).copied().unwrap_or(0);
    let apart = |a: usize, b: usize| match weights {
        KappaWeights::None => f64::from(u8::from(a != b)),
        KappaWeights::Linear => a.abs_diff(b) as f64,
        KappaWeights::Quadratic => (a.abs_diff(b) as f64).powi(2),
    };
    let n = first.len() as f64;
    let observed: f64 =
        first.iter().zip(second).map(|(a, b)| apart(number(a), number(b))).sum::<f64>() / n;
    let mut shares = vec![(0.0, 0.0); numbers.len()];
    for (a, b) in first.iter().zip(second) {
        if let Some(share) = shares.get_mut(number(a)) {
            share.0 += 1.0 / n;
        }
        if let Some(share) = shares.get_mut(number(b)) {
            share.1 += 1.0 / n;
        }
    }
    let mut expected = 0.0;
    for (i, (a, _)) in shares.iter().enumerate() {
        for (j, (_, b)) in shares.iter().enumerate() {
            expected += a * b * apart(i, j);
        }
    }
    // Agreement is what is left of the worst disagreement.
    let worst = apart(0, numbers.len().saturating_sub(1)).max(1.0);
    if expected == 0.0 {
        return Err(Error::undefined("κ", "only one category was ever used"));
    }
    Kappa::new(1.0 - observed / worst, 1.0 - expected / worst, first.len(), 2)
}

/// How far two ratings are apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Difference {
    /// Equal or not.
    #[default]
    Nominal,
    /// By the number of ratings between them in order.
    Ordinal,
    /// By the square of their difference.
    Interval,
}

/// Krippendorff's α of items with their ratings; `None` is a missing one.
///
/// # Errors
/// A rating that is not finite, fewer than two ratings that share an item with another, or
/// [`Error::Undefined`].
pub fn krippendorff_alpha<R: AsRef<[Option<f64>]>>(
    items: &[R],
    difference: Difference,
) -> Result<f64> {
    // Items with one rating cannot disagree: they do not count.
    let mut rated = Vec::new();
    for item in items {
        let ratings: Vec<f64> = item.as_ref().iter().flatten().copied().collect();
        crate::error::all_finite("the ratings", &ratings)?;
        if ratings.len() > 1 {
            rated.push(ratings);
        }
    }
    let mut all: Vec<f64> = rated.iter().flatten().copied().collect();
    at_least("ratings that share an item with another", all.len(), 2)?;
    all.sort_by(f64::total_cmp);
    let levels: Vec<(f64, f64)> = all
        .chunk_by(|a, b| a == b)
        .filter_map(|run| Some((*run.first()?, run.len() as f64)))
        .collect();
    let place = |rating: f64| levels.partition_point(|(value, _)| *value < rating);
    // Ratings up to the middle of each level: ordinal distances are differences of these.
    let middles: Vec<f64> = levels
        .iter()
        .scan(0.0, |before, (_, count)| {
            *before += count;
            Some(*before - count / 2.0)
        })
        .collect();
    let apart = |a: usize, b: usize| {
        let difference = match difference {
            Difference::Nominal => f64::from(u8::from(a != b)),
            Difference::Ordinal => gap(&middles, a, b, |m| *m),
            Difference::Interval => gap(&levels, a, b, |(value, _)| *value),
        };
        difference * difference
    };
    let total = all.len() as f64;
    let mut observed = 0.0;
    for item in &rated {
        let mut counts = BTreeMap::<usize, f64>::new();
        item.iter().for_each(|rating| *counts.entry(place(*rating)).or_default() += 1.0);
        let pairs: f64 = counts
            .iter()
            .flat_map(|a| counts.iter().map(move |b| (a, b)))
            .map(|((a, m), (b, n))| m * n * apart(*a, *b))
            .sum();
        observed += pairs / (item.len() - 1) as f64;
    }
    let mut expected = 0.0;
    for (a, (_, m)) in levels.iter().enumerate() {
        for (b, (_, n)) in levels.iter().enumerate() {
            expected += m * n * apart(a, b);
        }
    }
    let alpha = 1.0 - observed / total / (expected / (total * (total - 1.0)));
    if expected == 0.0 || !alpha.is_finite() {
        return Err(Error::undefined("α", "only one category was ever used"));
    }
    Ok(alpha)
}

fn gap<T>(values: &[T], a: usize, b: usize, of: impl Fn(&T) -> f64) -> f64 {
    match (values.get(a), values.get(b)) {
        (Some(a), Some(b)) => of(a) - of(b),
        _ => 0.0,
    }
}
