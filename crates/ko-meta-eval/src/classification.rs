//! Is the answer right? Confusion matrices, and the figures read off them.
//!
//! | figure | definition | 0/0 |
//! |---|---|---|
//! | accuracy | right / all | error: nothing was classified |
//! | precision of a class | right / predicted so | 0: the class was never predicted |
//! | recall of a class | right / truly so | 0: the class never occurs |
//! | F1 of a class | 2·TP / (2·TP + FP + FN) | 0: neither occurs nor was predicted |
//! | macro F1 | mean F1 of the classes that occur or were predicted | error as for accuracy |
//! | balanced accuracy | mean recall of the classes that occur | error as for accuracy |
//!
//! Values equal scikit-learn 1.9.1 with `zero_division=0`. Everything takes O(n + classes²).
//!
//! ```
//! use ko_meta_eval::classification::{Confusion, at_threshold};
//!
//! // Is a pair of sentences a paraphrase? The metric says yes from .5 on.
//! let 점수 = [0.9, 0.6, 0.55, 0.2, 0.1];
//! let 정답 = [true, true, false, false, true];
//! let result = at_threshold(&점수, &정답, 0.5)?;
//! assert_eq!((result.accuracy, result.precision), (0.6, 2.0 / 3.0));
//! // Speech levels: three classes, the third rare.
//! let levels = Confusion::of(&[0, 0, 0, 1, 1, 2], &[0, 0, 1, 1, 1, 0], 3)?;
//! assert_eq!(levels.balanced_accuracy(), (2.0 / 3.0 + 1.0 + 0.0) / 3.0);
//! # Ok::<(), ko_meta_eval::Error>(())
//! ```

use crate::{
    Error, Result,
    error::{all_finite, at_least, same_length},
};
use serde::{Deserialize, Serialize};

/// How often each class was taken for each; never empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Confusion {
    /// `rows[truth][prediction]`.
    rows: Vec<Vec<u64>>,
}

/// The figures of a decision between yes and no.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// Yes from this score on, or above it.
    pub threshold: f64,
    /// Right of all.
    pub accuracy: f64,
    /// Truly yes of those called yes.
    pub precision: f64,
    /// Called yes of those truly yes.
    pub recall: f64,
    /// The harmonic mean of precision and recall.
    pub f1: f64,
    /// The mean of the recalls of yes and no.
    pub balanced_accuracy: f64,
}

impl Confusion {
    /// Counts predictions against the truth; classes are numbered from 0.
    ///
    /// # Errors
    /// Nothing given, unequal lengths, or a class that is not below `classes`.
    pub fn of(truth: &[usize], predicted: &[usize], classes: usize) -> Result<Self> {
        same_length(("the truth", truth.len()), ("the predictions", predicted.len()))?;
        at_least("classified items", truth.len(), 1)?;
        let mut rows = vec![vec![0; classes]; classes];
        for (t, p) in truth.iter().zip(predicted) {
            let cell = rows.get_mut(*t).and_then(|row| row.get_mut(*p)).ok_or_else(|| {
                Error::invalid("a class", t.max(p), format!("a number below {classes}"))
            })?;
            *cell += 1;
        }
        Ok(Self { rows })
    }

    /// `rows()[truth][prediction]`.
    pub fn rows(&self) -> &[Vec<u64>] {
        &self.rows
    }

    /// How many items were classified.
    pub fn total(&self) -> u64 {
        self.rows.iter().flatten().sum()
    }

    /// The share of right answers.
    pub fn accuracy(&self) -> f64 {
        let right: u64 = (0..self.rows.len()).map(|class| self.right(class)).sum();
        ratio(right, self.total())
    }

    /// The mean recall of the classes that occur.
    pub fn balanced_accuracy(&self) -> f64 {
        let occurring = (0..self.rows.len()).filter(|class| self.occurring(*class) > 0);
        let recalls: Vec<f64> = occurring.map(|class| self.recall(class)).collect();
        recalls.iter().sum::<f64>() / recalls.len().max(1) as f64
    }

    /// Right of those predicted as `class`; 0 if it was never predicted.
    pub fn precision(&self, class: usize) -> f64 {
        ratio(self.right(class), self.predicted(class))
    }

    /// Right of those that are `class`; 0 if it never occurs.
    pub fn recall(&self, class: usize) -> f64 {
        ratio(self.right(class), self.occurring(class))
    }

    /// The harmonic mean of precision and recall; 0 if the class neither occurs nor was predicted.
    pub fn f1(&self, class: usize) -> f64 {
        ratio(2 * self.right(class), self.predicted(class) + self.occurring(class))
    }

    /// The unweighted mean of F1 over the classes that occur or were predicted.
    pub fn macro_f1(&self) -> f64 {
        let somewhere = |class: &usize| self.occurring(*class) + self.predicted(*class) > 0;
        let all: Vec<f64> =
            (0..self.rows.len()).filter(somewhere).map(|class| self.f1(class)).collect();
        all.iter().sum::<f64>() / all.len().max(1) as f64
    }

    fn right(&self, class: usize) -> u64 {
        self.rows.get(class).and_then(|row| row.get(class)).copied().unwrap_or(0)
    }

    fn occurring(&self, class: usize) -> u64 {
        self.rows.get(class).map_or(0, |row| row.iter().sum())
    }

    fn predicted(&self, class: usize) -> u64 {
        self.rows.iter().filter_map(|row| row.get(class)).sum()
    }
}

/// The figures when every score of at least `threshold` is a yes.
///
/// # Errors
/// Nothing given, unequal lengths, or numbers that are not finite.
pub fn at_threshold(scores: &[f64], truth: &[bool], threshold: f64) -> Result<Decision> {
    decide(scores, truth, threshold, |score| score >= threshold)
}

/// The figures when every score above `threshold` is a yes.
///
/// # Errors
/// As [`at_threshold`].
pub fn above_threshold(scores: &[f64], truth: &[bool], threshold: f64) -> Result<Decision> {
    decide(scores, truth, threshold, |score| score > threshold)
}

fn decide(
    scores: &[f64],
    truth: &[bool],
    threshold: f64,
    yes: impl Fn(f64) -> bool,
) -> Result<Decision> {
    same_length(("the scores", scores.len()), ("the truth", truth.len()))?;
    all_finite("the scores", scores)?;
    all_finite("the threshold", &[threshold])?;
    let truth: Vec<usize> = truth.iter().map(|t| usize::from(*t)).collect();
    let called: Vec<usize> = scores.iter().map(|s| usize::from(yes(*s))).collect();
    let counts = Confusion::of(&truth, &called, 2)?;
    Ok(Decision {
        threshold,
        accuracy: counts.accuracy(),
        precision: counts.precision(1),
        recall: counts.recall(1),
        f1: counts.f1(1),
        balanced_accuracy: counts.balanced_accuracy(),
    })
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
