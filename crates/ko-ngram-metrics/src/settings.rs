//! Settings that several metrics share.

use crate::Case;
use ko_eval_core::setting::{Choice, Whole};

/// The longest n-grams that count. A thousand is beyond any text's need, within any machine's memory.
pub(crate) const ORDER: Whole = Whole::new("order", 4, 1, 1000, "the longest n-grams that count");

/// Whether upper and lower case differ.
pub(crate) const CASE: Choice<Case> = Choice::new(
    "case",
    &[("mixed", Case::Mixed), ("lower", Case::Lower)],
    "mixed: upper and lower case differ; lower: they do not",
);
