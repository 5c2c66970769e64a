#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod act;
mod agreement;
mod clause;
mod closing;
mod composed;
mod ending;
mod endings;
mod eojeol;
pub mod grammar;
mod honorific;
mod lexicon;
mod marker;
pub mod metrics;
mod mood;
mod morph;
mod negation;
mod predicate;
pub mod prelude;
mod register;
mod script;
mod speech_level;
mod tense;

pub use act::Act;
pub use endings::Endings;
pub use grammar::{Answer, Evidence, Grammar, sentences};
pub use honorific::Honorific;
pub use marker::Marker;
pub use metrics::METRICS;
pub use mood::Mood;
pub use morph::{Morph, from_text, sejong_tag};
pub use negation::Polarity;
pub use register::{Clause, Register, RegisterAnalyzer, SentenceRegister, Word};
pub use speech_level::SpeechLevel;
pub use tense::Tense;

#[doc(no_inline)]
pub use ko_eval_core::{self, Error, Result};
#[doc(no_inline)]
pub use ko_tokenize;
