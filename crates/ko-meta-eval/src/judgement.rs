//! Human scores made comparable: the clean-up of direct assessment.
//!
//! Judges differ in how strict they are and how wide a scale they use, they need a few ratings to
//! find theirs, and now and then they slip. The protocol of direct assessment (Graham, Baldwin, Moffat
//! and Zobel, *Continuous Measurement Scales in Human Evaluation of Machine Translation*, 2013)
//! answers each, in this order:
//!
//! 1. each judge's first *k* ratings are dropped;
//! 2. a judge's ratings become z-scores, (x − x̄)/s with the judge's mean and sample standard deviation; a
//!    judge whose ratings do not vary has none and is dropped;
//! 3. scores outside [Q1 − 1.5·IQR, Q3 + 1.5·IQR] are dropped, with quartiles interpolated linearly as NumPy
//!    and R do.
//!
//! Nothing vanishes silently: every dropped rating is listed with its reason. O(n log n).
//!
//! ```
//! use ko_meta_eval::judgement::{Cleanup, Rating, Reason};
//!
//! let 평가 = |judge: &str, scores: &[f64]| -> Vec<Rating> {
//!     scores.iter().enumerate().map(|(i, s)| Rating::new(judge, format!("문장 {i}"), *s)).collect()
//! };
//! let 모두 = [평가("엄격", &[99.0, 10.0, 20.0, 30.0]), 평가("너그러움", &[0.0, 60.0, 80.0, 100.0])].concat();
//! let clean = Cleanup::new().drop_first(1).run(&모두)?;
//! assert_eq!(clean.count(Reason::WarmUp), 2);
//! assert!((clean.means()["문장 3"] - 1.0).abs() < 1e-12); // one standard deviation above both judges' means
//! # Ok::<(), ko_meta_eval::Error>(())
//! ```

mod judging;

pub(crate) use judging::Outputs;
pub use judging::{DroppedRatings, Judgement, Judging, RatedSystem};

use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How far beyond the quartiles a score may lie, in interquartile ranges (Tukey).
const FENCE: f64 = 1.5;

/// One judge's score of one item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Who judged.
    pub judge: String,
    /// What was judged: a system's output for a sentence, say.
    pub item: String,
    /// The score as given.
    pub score: f64,
}

impl Rating {
    /// A rating.
    pub fn new(judge: impl Into<String>, item: impl Into<String>, score: f64) -> Self {
        Self { judge: judge.into(), item: item.into(), score }
    }
}

/// On which scale scores are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// z-scores per judge.
    #[default]
    PerJudge,
    /// As given.
    Raw,
}

/// Among which scores an outlier is one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outliers {
    /// Among all scores.
    #[default]
    OfAll,
    /// Among the judge's.
    OfJudge,
    /// Among the item's.
    OfItem,
    /// None is looked for.
    Keep,
}

/// Why a rating was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// It was among the judge's first.
    WarmUp,
    /// The judge's ratings do not vary, or there is only one.
    NoSpread,
    /// It lies beyond the fences.
    Outlier,
    /// It was given to an item for quality control.
    Check,
}

/// The protocol and its settings. In a plan: `cleanup = { drop-first = 10, scale = "per-judge", outliers = "of-all" }`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
pub struct Cleanup {
    drop_first: usize,
    scale: Scale,
    outliers: Outliers,
}

impl std::fmt::Display for Cleanup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scale = match self.scale {
            Scale::PerJudge => "z-scores per judge",
            Scale::Raw => "raw scores",
        };
        let outliers = match self.outliers {
            Outliers::OfAll => "outliers of all dropped",
            Outliers::OfJudge => "outliers of each judge dropped",
            Outliers::OfItem => "outliers of each output dropped",
            Outliers::Keep => "outliers kept",
        };
        write!(f, "first {} of each judge dropped, {scale}, {outliers}", self.drop_first)
    }
}

/// Ratings after the clean-up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cleaned {
    /// What is left, in the order given, with the score on the new scale.
    pub kept: Vec<Rating>,
    /// What was dropped, in the order given, with the score as given.
    pub dropped: Vec<Dropped>,
}

/// A rating that was dropped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dropped {
    /// The rating as given.
    pub rating: Rating,
    /// Why.
    pub reason: Reason,
}

impl Cleanup {
    /// z-scores per judge, outliers among all scores dropped, no warm-up.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same without each judge's first `count` ratings.
    #[must_use]
    pub fn drop_first(self, count: usize) -> Self {
        Self { drop_first: count, ..self }
    }

    /// The same on another scale.
    #[must_use]
    pub fn scale(self, scale: Scale) -> Self {
        Self { scale, ..self }
    }

    /// The same with other outliers.
    #[must_use]
    pub fn outliers(self, outliers: Outliers) -> Self {
        Self { outliers, ..self }
    }

    /// Cleans ratings given in the order in which each judge made them.
    ///
    /// # Errors
    /// A score that is not finite.
    pub fn run(&self, ratings: &[Rating]) -> Result<Cleaned> {
        let mut cleaned = Cleaned { kept: Vec::new(), dropped: Vec::new() };
        for (rating, state) in ratings.iter().zip(self.states(ratings)?) {
            match state {
                Ok(score) => cleaned.kept.push(Rating { score, ..rating.clone() }),
                Err(reason) => cleaned.dropped.push(Dropped { rating: rating.clone(), reason }),
            }
        }
        Ok(cleaned)
    }

    /// What becomes of each rating: its score on the new scale, or why it is dropped.
    pub(crate) fn states(&self, ratings: &[Rating]) -> Result<Vec<Result<f64, Reason>>> {
        if let Some(index) = ratings.iter().position(|r| !r.score.is_finite()) {
            let value = ratings.get(index).map_or(f64::NAN, |r| r.score);
            return Err(Error::NotFinite { what: "the ratings".into(), index, value });
        }
        let mut entries: Vec<Entry<'_>> = self.without_warm_up(ratings);
        if self.scale == Scale::PerJudge {
            each_group(&mut entries, |rating| rating.judge.as_str(), standardize);
        }
        match self.outliers {
            Outliers::OfAll => each_group(&mut entries, |_| "", fence),
            Outliers::OfJudge => each_group(&mut entries, |rating| rating.judge.as_str(), fence),
            Outliers::OfItem => each_group(&mut entries, |rating| rating.item.as_str(), fence),
            Outliers::Keep => {}
        }
        Ok(entries.into_iter().map(|entry| entry.state).collect())
    }

    /// Whether it compares judges, so that it must know who judged.
    pub fn needs_judges(&self) -> bool {
        self.drop_first > 0 || self.scale == Scale::PerJudge || self.outliers == Outliers::OfJudge
    }

    fn without_warm_up<'r>(&self, ratings: &'r [Rating]) -> Vec<Entry<'r>> {
        let mut seen = BTreeMap::<&str, usize>::new();
        let mut state = |rating: &'r Rating| {
            let before = seen.entry(&rating.judge).or_default();
            *before += 1;
            if *before <= self.drop_first { Err(Reason::WarmUp) } else { Ok(rating.score) }
        };
        ratings.iter().map(|rating| Entry { rating, state: state(rating) }).collect()
    }
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::WarmUp, Self::NoSpread, Self::Outlier, Self::Check];

    /// In words.
    pub fn title(self) -> &'static str {
        match self {
            Self::WarmUp => "among the judge's first",
            Self::NoSpread => "the judge's ratings do not vary",
            Self::Outlier => "outlier",
            Self::Check => "quality control",
        }
    }
}

impl Cleaned {
    /// How many ratings were dropped for this reason.
    pub fn count(&self, reason: Reason) -> usize {
        self.dropped.iter().filter(|d| d.reason == reason).count()
    }

    /// The mean score of every item that still has one.
    pub fn means(&self) -> BTreeMap<&str, f64> {
        let mut scores = BTreeMap::<&str, Vec<f64>>::new();
        for rating in &self.kept {
            scores.entry(&rating.item).or_default().push(rating.score);
        }
        // Divided first: a sum of huge raw scores would overflow.
        let mean = |s: &[f64]| s.iter().map(|x| x / s.len() as f64).sum();
        scores.into_iter().map(|(item, scores)| (item, mean(&scores))).collect()
    }
}

/// A rating with its score on the new scale, or why it was dropped.
#[derive(Debug)]
struct Entry<'r> {
    rating: &'r Rating,
    state: Result<f64, Reason>,
}

/// Lets `rule` judge the scores that are left of every group.
fn each_group<'r>(
    entries: &mut [Entry<'r>],
    key: impl Fn(&'r Rating) -> &'r str,
    rule: impl Fn(&[f64]) -> Box<dyn Fn(f64) -> Result<f64, Reason>>,
) {
    let mut groups = BTreeMap::<&str, Vec<f64>>::new();
    for entry in entries.iter() {
        if let Ok(score) = entry.state {
            groups.entry(key(entry.rating)).or_default().push(score);
        }
    }
    let rules: BTreeMap<&str, _> = groups.iter().map(|(k, scores)| (*k, rule(scores))).collect();
    for entry in entries {
        if let (Ok(score), Some(rule)) = (entry.state, rules.get(key(entry.rating))) {
            entry.state = rule(score);
        }
    }
}

fn standardize(scores: &[f64]) -> Box<dyn Fn(f64) -> Result<f64, Reason>> {
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let variance = scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let varies = scores.iter().any(|s| Some(s) != scores.first());
    Box::new(move |score| {
        let z = (score - mean) / variance.sqrt();
        if varies && z.is_finite() { Ok(z) } else { Err(Reason::NoSpread) }
    })
}

fn fence(scores: &[f64]) -> Box<dyn Fn(f64) -> Result<f64, Reason>> {
    let mut sorted = scores.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (quantile(&sorted, 0.25), quantile(&sorted, 0.75));
    let reach = FENCE * (high - low);
    Box::new(move |score| {
        let inside = (low - reach..=high + reach).contains(&score);
        if inside { Ok(score) } else { Err(Reason::Outlier) }
    })
}

/// Of sorted values, interpolated linearly between neighbours.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * sorted.len().saturating_sub(1) as f64;
    let at = |i: f64| sorted.get(i as usize).copied().unwrap_or_default();
    let (below, above) = (at(place.floor()), at(place.ceil()));
    below * (1.0 - place.fract()) + above * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratings(judge: &str, scores: &[f64]) -> Vec<Rating> {
        scores.iter().enumerate().map(|(i, s)| Rating::new(judge, format!("{i}"), *s)).collect()
    }

    #[test]
    fn quartiles_are_numpys() {
        // numpy.quantile([1, 2, 4, 8], [0.25, 0.75])
        let sorted = [1.0, 2.0, 4.0, 8.0];
        assert_eq!((quantile(&sorted, 0.25), quantile(&sorted, 0.75)), (1.75, 5.0));
    }

    #[test]
    fn every_drop_has_its_reason() {
        let all = [
            ratings("가", &[1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 60.0]),
            ratings("나", &[9.0, 5.0, 5.0, 5.0]),
            ratings("다", &[7.0]),
        ]
        .concat();
        let clean = Cleanup::new().drop_first(1).outliers(Outliers::OfJudge).run(&all).unwrap();
        let counts = [Reason::WarmUp, Reason::NoSpread, Reason::Outlier].map(|r| clean.count(r));
        assert_eq!(counts, [3, 3, 1]);
        for dropped in clean.dropped.iter().filter(|dropped| dropped.reason == Reason::NoSpread) {
            assert_eq!(dropped.rating.judge, "나");
        }
        assert_eq!(clean.kept.len() + clean.dropped.len(), all.len());
    }

    #[test]
    fn raw_scores_stay() {
        let all = ratings("가", &[1.0, 2.0, 3.0]);
        let clean = Cleanup::new().scale(Scale::Raw).outliers(Outliers::Keep).run(&all).unwrap();
        assert_eq!(clean.kept, all);
        assert!(Cleanup::new().run(&ratings("가", &[f64::NAN])).is_err());
    }
}
