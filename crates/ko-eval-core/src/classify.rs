//! Texts with labels: what filters receive.
//!
//! ```
//! use ko_eval_core::{LabelSet, Result, Signature, Signed, TextClassifier};
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

use crate::{Result, Signed};
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

/// Gives every text a label of each of its sets.
pub trait TextClassifier: Signed + Debug + Send + Sync {
    /// What is told of a text.
    fn label_sets(&self) -> &[LabelSet];

    /// For every text and every set, the probability of each label.
    ///
    /// # Errors
    /// When the model fails, or a text is longer than the policy allows.
    fn classify(&self, texts: &[&str]) -> Result<Vec<Vec<Vec<f64>>>>;
}
