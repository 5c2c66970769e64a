//! Texts with labels: what filters receive.
//!
//! ```
//! use ko_eval_core::{Result, Signature, Signed};
//! use ko_eval_model::{LabelSet, TextClassifier};
//!
//! /// Takes 바보 for hate.
//! #[derive(Debug)]
//! struct ByWord([LabelSet; 1]);
//!
//! impl Signed for ByWord {
//!     fn signature(&self) -> Signature {
//!         Signature::new("by-word")
//!     }
//! }
//!
//! impl TextClassifier for ByWord {
//!     fn label_sets(&self) -> &[LabelSet] {
//!         &self.0
//!     }
//!
//!     fn classify(&self, texts: &[&str]) -> Result<Vec<Vec<Vec<f64>>>> {
//!         let hate = |text: &&str| if text.contains("바보") { 0.9 } else { 0.1 };
//!         Ok(texts.iter().map(hate).map(|p| vec![vec![1.0 - p, p]]).collect())
//!     }
//! }
//!
//! let labels = ["none", "hate"].map(str::to_owned).to_vec();
//! let model = ByWord([LabelSet { name: "hate".into(), labels }]);
//! assert_eq!(model.classify(&["좋은 글이네요", "바보 같은 글"])?[1][0], [1.0 - 0.9, 0.9]);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use ko_eval_core::{Result, Signed};
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// Labels of which every text has exactly one: `hate` may be `none`, `offensive` or `hate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelSet {
    /// What the labels tell; empty where there is only one set.
    pub name: String,
    /// The labels, in the order of their probabilities.
    pub labels: Vec<String>,
}

impl LabelSet {
    /// The place of the label that a text of these probabilities has: the likeliest one, unless a threshold for this set says otherwise.
    ///
    /// ```
    /// use ko_eval_model::{LabelSet, Threshold};
    ///
    /// let labels = ["none", "offensive", "hate"].map(str::to_owned).to_vec();
    /// let hate = LabelSet { name: "hate".into(), labels };
    /// let low = Threshold { set: Some("hate".into()), harmless: "none".into(), probability: 0.15 };
    /// assert_eq!(hate.decide(&[0.8, 0.05, 0.15], None), 0);
    /// assert_eq!(hate.decide(&[0.8, 0.05, 0.15], Some(&low)), 2);
    /// assert_eq!(hate.decide(&[0.9, 0.04, 0.06], Some(&low)), 0);
    /// let of_bias = Threshold { set: Some("bias".into()), ..low };
    /// assert_eq!(hate.decide(&[0.8, 0.05, 0.15], Some(&of_bias)), 0);
    /// ```
    pub fn decide(&self, probabilities: &[f64], threshold: Option<&Threshold>) -> usize {
        let threshold = threshold.filter(|threshold| threshold.is_for(self));
        let place = |threshold: &Threshold| {
            let place = self.labels.iter().position(|label| *label == threshold.harmless)?;
            let harm = 1.0 - probabilities.get(place)?;
            Some((place, harm >= threshold.probability))
        };
        let (harmless, is_harm) = threshold.and_then(place).unzip();
        if is_harm == Some(false) {
            return harmless.unwrap_or(0);
        }
        let others = probabilities.iter().enumerate().filter(|(place, _)| Some(*place) != harmless);
        // Of equal ones the first.
        others.rev().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(place, _)| place)
    }
}

/// From where on a text is not harmless: it has the harmless label of a set unless all others together reach this probability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Threshold {
    /// The name of the set that it decides; without one it decides every set that has the harmless label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// The harmless label of a set: `none`.
    pub harmless: String,
    /// What the other labels together must reach, 0 to 1.
    pub probability: f64,
}

impl Threshold {
    /// Whether it decides this set.
    pub fn is_for(&self, set: &LabelSet) -> bool {
        self.set.as_ref().is_none_or(|name| *name == set.name)
            && set.labels.contains(&self.harmless)
    }
}

/// Gives every text a label of each of its sets.
pub trait TextClassifier: Signed + Debug + Send + Sync {
    /// What is told of a text.
    fn label_sets(&self) -> &[LabelSet];

    /// For every text and every set, the probability of each label.
    ///
    /// # Errors
    /// When the model fails, or a text is longer than the policy allows.
    fn classify(&self, texts: &[&str]) -> Result<Vec<Vec<Vec<f64>>>>;

    /// What the model decides best by, where somebody found out; without one a text has its likeliest labels.
    fn threshold(&self) -> Option<&Threshold> {
        None
    }
}
