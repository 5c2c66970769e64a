//! Subwords: pieces of words from a vocabulary that was learned from text.
//!
//! Needs the feature `subword`. Any Hugging Face `tokenizer.json` serves, of WordPiece, BPE or
//! SentencePiece's unigram model; `VocabularyTraining` learns new ones, Jamo-Pair Encoding among them. SentencePiece's
//! own `.model` files are not read: convert them to `tokenizer.json` first.

#[cfg(feature = "subword")]
mod error;
#[cfg(feature = "subword")]
mod model;
#[cfg(feature = "subword")]
mod train;
mod unknown;

#[cfg(feature = "subword")]
pub use {
    error::SubwordError,
    model::Subword,
    train::{Algorithm, VocabularyTraining},
};

pub use unknown::Unknown;

use crate::{Build, UnitEntry, normalize};
use ko_eval_core::{Params, Result, Tokenizer};
use std::sync::Arc;
use unknown::UNKNOWN;

/// The registry row.
pub(crate) const ENTRY: UnitEntry = UnitEntry {
    name: "subword",
    summary: "pieces of a learned vocabulary, from any Hugging Face tokenizer.json",
    argument: Some("FILE"),
    params: &[UNKNOWN.param(), normalize::NORM.param()],
    build: Build::Tokenizer(build),
    not_compared: None,
};

#[cfg(feature = "subword")]
fn build(params: &Params) -> Result<Arc<dyn Tokenizer>> {
    use ko_eval_core::Error;

    let file = params.argument().ok_or_else(|| {
        Error::invalid("subword", "FILE", "", "a tokenizer.json, as in subword:FILE")
    })?;
    let unknown = params.read(&UNKNOWN)?;
    let norm = normalize::Normalization::read(params)?;
    Ok(Arc::new(Subword::from_file(file)?.unknown(unknown).normalization(norm)))
}

#[cfg(not(feature = "subword"))]
fn build(_: &Params) -> Result<Arc<dyn Tokenizer>> {
    crate::entry::lacking("the subword scheme", "subword")
}
