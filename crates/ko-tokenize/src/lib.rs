#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![deny(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod analyzer;
pub mod character;
pub mod jamo;
pub mod normalize;
pub mod pretokenized;
pub mod subword;
pub mod tag;
pub mod word;

pub use analyzer::{AnalyzerEntry, Morpheme, MorphemeAnalyzer};
pub use character::Character;
pub use jamo::Jamo;
pub use normalize::Normalization;
pub use pretokenized::Pretokenized;
pub use tag::Tag;
pub use word::Word;

use ko_eval_core::{Result, Spec, Tokenizer, TokenizerEntry};
use std::sync::Arc;

/// Every scheme by its name. A new one is a file and a row.
pub const TOKENIZERS: &[TokenizerEntry] =
    &[word::ENTRY, subword::ENTRY, character::ENTRY, jamo::ENTRY, pretokenized::ENTRY];

/// Every morphological analyzer by its name: the rows of [`TOKENIZERS`] that also tag.
pub const ANALYZERS: &[AnalyzerEntry] = &[];

/// Builds the tokenizer that a text such as `jamo:form=split` names.
///
/// ```
/// let jamo = ko_tokenize::by_name("jamo:form=split")?;
/// let units = jamo.tokenize("넓다")?;
/// assert_eq!(units.iter().map(|u| u.as_str()).collect::<String>(), "ㄴㅓㄹㅂㄷㅏ");
/// assert!(ko_tokenize::by_name("syllable").unwrap_err().to_string().contains("word, char, jamo"));
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
///
/// # Errors
/// An unknown name or parameter (the error lists the known ones), a value that makes no sense,
/// or something that is not installed.
pub fn by_name(spec: &str) -> Result<Arc<dyn Tokenizer>> {
    TokenizerEntry::build_from(TOKENIZERS, &spec.parse::<Spec>()?)
}

/// Builds the morphological analyzer that a text such as `mecab:penalty=off` names.
///
/// # Errors
/// As [`by_name`].
pub fn analyzer_by_name(spec: &str) -> Result<Arc<dyn MorphemeAnalyzer>> {
    AnalyzerEntry::pick("analyzer", ANALYZERS, &spec.parse()?)
}
