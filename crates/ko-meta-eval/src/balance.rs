//! Is a benchmark built so that its figures mean something? KTSEval1k, on which KOSMIC was judged, has as many pairs of each formality, several
//! judges for each pair, and judges who agree. [`measure`] says how far any benchmark of rated items has these three, and
//! [`Balance::faults`] what is missing from what is required.
//!
//! Shares are of all items; agreement is Krippendorff's α over intervals, in which a missing rating counts for nothing
//! ([`krippendorff_alpha`]). O(items + ratings + values²).
//!
//! ```
//! use ko_meta_eval::balance::{RatedItem, Required, measure};
//!
//! let item = |kind: &str, ratings: [f64; 3]| RatedItem {
//!     kind: kind.into(),
//!     ratings: ratings.map(Some).to_vec(),
//! };
//! let items = [
//!     item("존댓말", [5.0, 5.0, 4.0]),
//!     item("반말", [1.0, 1.0, 2.0]),
//!     item("존댓말", [2.0, 2.0, 2.0]),
//! ];
//! let balance = measure(&items, &["존댓말", "반말"])?;
//! assert_eq!((balance.kinds[0].items, balance.fewest_judges), (2, 3));
//! // Two of three are in 존댓말: the judges agree, the kinds are uneven.
//! let faults = balance.faults(&Required::default());
//! assert_eq!(faults.len(), 2);
//! assert_eq!(faults[0].to_string(), "66.7 % of the items are 존댓말, expected 50.0 % (2.5 % more or less)");
//! # Ok::<(), ko_meta_eval::Error>(())
//! ```

use crate::{
    Error, Result,
    agreement::{Difference, krippendorff_alpha},
    error::at_least,
};
use serde::Serialize;
use std::fmt;

/// An item of a benchmark as its judges saw it.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedItem {
    /// What there should be as many of as of any other: the formality of a pair, a genre, a length.
    pub kind: String,
    /// A rating per judge; `None` where a judge gave none.
    pub ratings: Vec<Option<f64>>,
}

/// How many items of a kind there are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KindShare {
    /// The kind.
    pub kind: String,
    /// Its items.
    pub items: usize,
    /// Their share of all.
    pub share: f64,
}

/// How a benchmark is built.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Balance {
    /// All items.
    pub items: usize,
    /// Every kind that there should be, in the order given.
    pub kinds: Vec<KindShare>,
    /// The fewest ratings that an item has.
    pub fewest_judges: usize,
    /// Krippendorff's α of the ratings over intervals; none where all ratings are equal or no item has two.
    pub agreement: Option<f64>,
}

/// What a benchmark must have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Required {
    /// By how much of its equal share a kind may differ from it.
    pub deviation: f64,
    /// The fewest ratings of an item.
    pub judges: usize,
    /// The least α.
    pub agreement: f64,
}

/// A twentieth of the share, three judges, and the α from which Krippendorff (2004) allows tentative conclusions.
impl Default for Required {
    fn default() -> Self {
        Self { deviation: 0.05, judges: 3, agreement: 0.667 }
    }
}

/// What a benchmark lacks.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// Too many or too few of a kind.
    Uneven {
        /// The kind.
        kind: String,
        /// Its share of the items.
        share: f64,
        /// The share that all kinds should have.
        expected: f64,
        /// How far it may be from that.
        tolerance: f64,
    },
    /// An item with too few ratings.
    FewJudges {
        /// The fewest that an item has.
        judges: usize,
        /// The fewest allowed.
        least: usize,
    },
    /// Judges who do not agree, or of whom that cannot be said.
    Disagreement {
        /// Krippendorff's α.
        agreement: Option<f64>,
        /// The least allowed.
        least: f64,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uneven { kind, share, expected, tolerance } => {
                let [share, expected, tolerance] = [share, expected, tolerance].map(|x| 100.0 * x);
                write!(
                    f,
                    "{share:.1} % of the items are {kind}, expected {expected:.1} % ({tolerance:.1} % more or less)"
                )
            }
            Self::FewJudges { judges, least } => {
                write!(f, "an item has {judges} ratings, expected at least {least}")
            }
            Self::Disagreement { agreement: Some(alpha), least } => {
                write!(f, "Krippendorff's α is {alpha:.3}, expected at least {least}")
            }
            Self::Disagreement { agreement: None, least } => {
                write!(f, "Krippendorff's α has no value, expected at least {least}")
            }
        }
    }
}

/// How the items spread over the kinds that there should be, how often they were rated, and how well judges agree.
///
/// # Errors
/// No item, no kind, an item of another kind, or a rating that is not finite.
pub fn measure(items: &[RatedItem], kinds: &[&str]) -> Result<Balance> {
    at_least("items", items.len(), 1)?;
    at_least("kinds", kinds.len(), 1)?;
    if let Some(item) = items.iter().find(|item| !kinds.contains(&item.kind.as_str())) {
        return Err(Error::invalid("a kind", &item.kind, kinds.join(", ")));
    }
    let share = |kind: &&str| {
        let count = items.iter().filter(|item| item.kind == *kind).count();
        let share = count as f64 / items.len() as f64;
        KindShare { kind: (*kind).to_owned(), items: count, share }
    };
    let ratings: Vec<&[Option<f64>]> = items.iter().map(|item| item.ratings.as_slice()).collect();
    let agreement = match krippendorff_alpha(&ratings, Difference::Interval) {
        Ok(alpha) => Some(alpha),
        Err(Error::Undefined { .. } | Error::TooShort { .. }) => None,
        Err(error) => return Err(error),
    };
    let judges = |item: &RatedItem| item.ratings.iter().flatten().count();
    Ok(Balance {
        items: items.len(),
        kinds: kinds.iter().map(share).collect(),
        fewest_judges: items.iter().map(judges).min().unwrap_or(0),
        agreement,
    })
}

impl Balance {
    /// The share that every kind should have.
    pub fn equal_share(&self) -> f64 {
        1.0 / self.kinds.len().max(1) as f64
    }

    /// What is missing from what is required; nothing of a benchmark that has it all.
    pub fn faults(&self, required: &Required) -> Vec<Fault> {
        let expected = self.equal_share();
        let tolerance = expected * required.deviation;
        let uneven = self.kinds.iter().filter(|kind| {
            // A share that is off by exactly as much as it may be is even.
            (kind.share - expected).abs() > tolerance + f64::EPSILON
        });
        let mut faults: Vec<Fault> = uneven
            .map(|KindShare { kind, share, .. }| {
                let (kind, share) = (kind.clone(), *share);
                Fault::Uneven { kind, share, expected, tolerance }
            })
            .collect();
        if self.fewest_judges < required.judges {
            let (judges, least) = (self.fewest_judges, required.judges);
            faults.push(Fault::FewJudges { judges, least });
        }
        if self.agreement.is_none_or(|alpha| alpha < required.agreement) {
            let (agreement, least) = (self.agreement, required.agreement);
            faults.push(Fault::Disagreement { agreement, least });
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(kind: &str, ratings: &[f64]) -> RatedItem {
        RatedItem { kind: kind.into(), ratings: ratings.iter().copied().map(Some).collect() }
    }

    #[test]
    fn a_balanced_benchmark_has_no_fault() {
        let items: Vec<RatedItem> = (0..40)
            .map(|i| item(if i % 2 == 0 { "가" } else { "나" }, &[f64::from(i % 5); 3]))
            .collect();
        let balance = measure(&items, &["가", "나"]).unwrap();
        assert_eq!((balance.fewest_judges, balance.agreement), (3, Some(1.0)));
        assert_eq!(balance.faults(&Required::default()), []);
        // A kind that never occurs is missed.
        let three = measure(&items, &["가", "나", "다"]).unwrap();
        let missed: Vec<String> =
            three.faults(&Required::default()).iter().map(ToString::to_string).collect();
        assert_eq!(missed.len(), 3, "{missed:?}");
        assert!(missed[2].starts_with("0.0 % of the items are 다"), "{missed:?}");
    }

    #[test]
    fn a_share_at_the_limit_is_even() {
        let items: Vec<RatedItem> =
            (0..200).map(|i| item(if i < 105 { "가" } else { "나" }, &[1.0, 2.0])).collect();
        let balance = measure(&items, &["가", "나"]).unwrap();
        let uneven = |deviation| {
            let required = Required { deviation, judges: 2, agreement: -1.0 };
            balance.faults(&required).len()
        };
        assert_eq!((uneven(0.05), uneven(0.049)), (0, 2));
    }

    #[test]
    fn ratings_may_be_missing_or_say_nothing() {
        let mut items = vec![item("가", &[1.0, 5.0, 3.0]), item("가", &[5.0, 1.0, 3.0])];
        items[1].ratings[2] = None;
        let balance = measure(&items, &["가"]).unwrap();
        assert_eq!(balance.fewest_judges, 2);
        assert!(balance.agreement.unwrap() < 0.0);
        assert_eq!(balance.faults(&Required::default()).len(), 2);
        let alone = measure(&[item("가", &[1.0])], &["가"]).unwrap();
        assert_eq!(alone.agreement, None);
        let equal = measure(&[item("가", &[2.0, 2.0])], &["가"]).unwrap();
        assert_eq!(equal.agreement, None);
        assert!(measure(&items, &["나"]).unwrap_err().to_string().contains("가"));
        assert!(measure(&[], &["가"]).is_err());
        assert!(measure(&[item("가", &[f64::NAN, 1.0])], &["가"]).is_err());
    }
}
