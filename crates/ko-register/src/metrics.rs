//! Register as numbers: metrics over [`RegisterAnalyzer`].
//!
//! | metric | asks | needs |
//! |---|---|---|
//! | [`RegisterMatch`] | is the level that of the reference? | references |
//! | [`RegisterTarget`] | is the level the one that was asked for? | nothing |
//! | [`RegisterConsistency`] | does a text keep its level, where does it slip? | nothing |
//! | [`Honorifics`] | are the same people honoured, by the same words? | references |
//! | [`GrammarKosmic`] | alike in meaning, formality and tone, without a model? | references |
//!
//! No other implementation exists to be equal to; each module states its formula.

mod consistency;
mod evidence;
mod honorifics;
mod kosmic;
mod matched;
mod rows;
mod target;

pub use consistency::{ConsistencyStats, RegisterConsistency, Slip, SlipKind};
pub use honorifics::{HonorificStats, Honorifics};
pub use kosmic::{GrammarKosmic, LikenessBy};
pub use matched::{MatchStats, RegisterMatch};
pub use rows::METRICS;
pub use target::{RegisterTarget, Target, TargetBy, TargetStats};

use crate::{Endings, Register, RegisterAnalyzer, SentenceRegister};
use ko_eval_core::{ExactSum, Result, Signature, Signed};
use ko_tokenize::MorphemeAnalyzer;
use std::sync::Arc;

/// The analyzer of this name: `endings`, which needs no dictionary, or one of [`ko_tokenize`]'s.
///
/// ```
/// assert!(ko_register::metrics::analyzer_by_name("endings").is_ok());
/// ```
///
/// # Errors
/// An unknown name, or something that is not installed.
pub fn analyzer_by_name(name: &str) -> Result<Arc<dyn MorphemeAnalyzer>> {
    match name {
        "endings" => Ok(Arc::new(Endings)),
        name => ko_tokenize::analyzer_by_name(name),
    }
}

/// Names a metric with the analyzer that it sees through.
fn sign(name: &str, analyzer: &RegisterAnalyzer) -> Signature {
    Signature::new(name).with_nested("analyzer", &analyzer.analyzer().signature())
}

/// The sentences that show a level of their own accord: what breaks off does not.
fn levelled(register: &Register) -> impl Iterator<Item = &SentenceRegister> {
    register
        .sentences
        .iter()
        .filter(|sentence| sentence.level.is_some() && !sentence.grammar.left_open)
}

/// Whether counts are some that a corpus can have: up to 2⁵³ every whole number is one of its own.
fn countable(counts: impl IntoIterator<Item = u64>) -> Result<(), String> {
    match counts.into_iter().find(|count| *count > 1 << 53) {
        Some(count) => Err(format!("{count} is more than can be counted")),
        None => Ok(()),
    }
}

/// Whether sums of numbers from 0 to 1 are possible over so many.
fn within(sums: &[&ExactSum], counted: u64) -> Result<(), String> {
    let possible = |sum: f64| (0.0..=counted as f64 + 1e-6).contains(&sum);
    match sums.iter().map(|sum| sum.value()).find(|sum| !possible(*sum)) {
        Some(sum) => Err(format!("a sum of {sum} over {counted} that are at most 1 each")),
        None => Ok(()),
    }
}
