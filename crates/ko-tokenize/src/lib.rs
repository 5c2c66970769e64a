// The guide's example needs the default features.
#![cfg_attr(feature = "embedded-dictionary", doc = include_str!("../README.md"))]
#![cfg_attr(
    not(feature = "embedded-dictionary"),
    doc = "Korean text in units. The guide stands here with the default features."
)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![deny(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod align;
pub mod analyzer;
pub mod bridge;
pub mod character;
pub mod entry;
pub mod error;
#[cfg(any(feature = "khaiii", feature = "kiwi", feature = "jvm"))]
mod fingerprint;
pub mod gold;
pub mod jamo;
pub mod jvm;
pub mod khaiii;
pub mod kiwi;
pub mod level;
pub mod morpheme;
pub mod normalize;
pub mod prelude;
pub mod pretokenized;
pub mod sacrebleu;
#[cfg(feature = "sentencepiece")]
pub mod sentencepiece;
#[cfg(any(feature = "morpheme", feature = "khaiii", feature = "kiwi"))]
mod shared;
pub mod stem;
pub mod subword;
pub mod tag;
pub mod tag_set;
#[cfg(any(feature = "kiwi", feature = "jvm"))]
mod utf16;
pub mod word;

pub use analyzer::{Morpheme, MorphemeAnalyzer};
pub use bridge::{Bridge, BridgeError};
pub use character::Character;
pub use entry::{Build, UnitEntry};
pub use error::Error;
pub use jamo::Jamo;
pub use level::{Level, Leveled};
pub use normalize::Normalization;
pub use pretokenized::Pretokenized;
pub use sacrebleu::SacreBleu;
pub use tag::Tag;
pub use tag_set::TagSet;
pub use word::Word;

#[doc(no_inline)]
pub use ko_eval_core;

use ko_eval_core::{Result, Token, Tokenizer};
use std::sync::Arc;

/// Every unit by its name, those that also tag among them. A new one is a file and a row.
pub const TOKENIZERS: &[UnitEntry] = &[
    word::ENTRY,
    morpheme::MECAB,
    morpheme::LINDERA,
    khaiii::ENTRY,
    kiwi::ENTRY,
    jvm::KOMORAN_ENTRY,
    jvm::OKT_ENTRY,
    jvm::HANNANUM_ENTRY,
    jvm::KKMA_ENTRY,
    subword::ENTRY,
    character::ENTRY,
    jamo::ENTRY,
    sacrebleu::V13A,
    sacrebleu::INTERNATIONAL,
    sacrebleu::CHINESE,
    sacrebleu::CHARACTER,
    sacrebleu::NONE,
    sacrebleu::KO_MECAB,
    sacrebleu::SPM,
    pretokenized::ENTRY,
    bridge::ENTRY,
];

/// Builds the tokenizer that a text such as `jamo:form=split` names.
///
/// ```
/// let jamo = ko_tokenize::by_name("jamo:form=split")?;
/// let units = jamo.tokenize("넓다")?;
/// assert_eq!(units.iter().map(|u| u.as_str()).collect::<String>(), "ㄴㅓㄹㅂㄷㅏ");
/// assert!(ko_tokenize::by_name("syllable").unwrap_err().to_string().contains("word, mecab"));
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
///
/// # Errors
/// An unknown name or parameter (the error lists the known ones), a value that makes no sense,
/// or something that is not installed.
pub fn by_name(spec: &str) -> Result<Arc<dyn Tokenizer>> {
    entry::tokenizer(TOKENIZERS, &spec.parse()?)
}

/// What the row of this name declares, if there is one. Nothing is built.
pub fn declared(name: &str) -> Option<ko_eval_core::registry::Declared> {
    TOKENIZERS.iter().find(|row| row.name == name).map(UnitEntry::declared)
}

/// Builds the morphological analyzer that a text such as `mecab:penalty=off` names; it serves as a tokenizer as well.
///
/// ```
/// assert!(ko_tokenize::analyzer_by_name("jamo").unwrap_err().to_string().contains("mecab, lindera-ko"));
/// ```
///
/// # Errors
/// As [`by_name`].
pub fn analyzer_by_name(spec: &str) -> Result<Arc<dyn MorphemeAnalyzer>> {
    entry::analyzer(TOKENIZERS, &spec.parse()?)
}

/// The units of many texts, cut on all cores, in order.
///
/// ```
/// let texts = ["밥을 먹자", "집에 가자"];
/// let units = ko_tokenize::tokenize_all(&ko_tokenize::Word::new(), &texts)?;
/// assert_eq!(units[1][0], "집에");
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
///
/// # Errors
/// The error of the first text that fails.
pub fn tokenize_all<'t>(
    tokenizer: &dyn Tokenizer,
    texts: &[&'t str],
) -> Result<Vec<Vec<Token<'t>>>> {
    ko_eval_core::par_map(texts, |text| tokenizer.tokenize(text))
}
