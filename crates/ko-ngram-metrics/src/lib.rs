#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod bleu;
pub mod character;
pub mod chrf;
pub mod eed;
pub mod gleu;
mod kernel;
pub mod meteor;
pub mod nist;
pub mod nltk_bleu;
pub mod prelude;
pub mod ribes;
pub mod rouge;
pub mod sacrebleu;
mod settings;
pub mod synonyms;
pub mod ter;

pub use bleu::Bleu;
pub use character::CharacTer;
pub use chrf::Chrf;
pub use eed::Eed;
pub use gleu::Gleu;
pub use kernel::units::Case;
pub use meteor::Meteor;
pub use nist::Nist;
pub use nltk_bleu::NltkBleu;
pub use ribes::Ribes;
pub use rouge::Rouge;
pub use synonyms::SynonymTable;
pub use ter::Ter;

#[doc(no_inline)]
pub use ko_eval_core::{self, Error, Result};

use ko_eval_core::{MetricEntry, Scorer, Spec, Tokenizer};
use std::sync::Arc;

/// Every metric by its name. A new one is a file and a row.
pub const METRICS: &[MetricEntry] = &[
    bleu::ENTRY,
    nltk_bleu::ENTRY,
    gleu::ENTRY,
    nist::ENTRY,
    chrf::ENTRY,
    ter::ENTRY,
    character::ENTRY,
    eed::ENTRY,
    ribes::ENTRY,
    rouge::ROUGE_1,
    rouge::ROUGE_2,
    rouge::ROUGE_L,
    rouge::ROUGE_LSUM,
    meteor::ENTRY,
];

/// Builds the metric that a text such as `chrf:word-order=2` names, over a tokenizer.
///
/// ```
/// use ko_ngram_metrics::prelude::*;
/// use std::sync::Arc;
///
/// let chrf = ko_ngram_metrics::by_name("chrf:word-order=2", Arc::new(ko_tokenize::Word::new()))?;
/// let score = chrf.segment_score(&Segment::new("비가 온다", ["비가 온다"])?)?;
/// assert_eq!(score.value, 100.0);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
///
/// # Errors
/// An unknown name or parameter (the error lists the known ones), or a value that makes no sense.
pub fn by_name(spec: &str, tokenizer: Arc<dyn Tokenizer>) -> Result<Box<dyn Scorer>> {
    MetricEntry::build_from(METRICS, &spec.parse::<Spec>()?, tokenizer)
}
