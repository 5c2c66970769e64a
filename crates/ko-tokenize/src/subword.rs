//! Subwords: pieces of words from a vocabulary that was learned from text.
//!
//! Two kinds of file serve: SentencePiece's own `.model` files, read by [`crate::sentencepiece`] (feature `sentencepiece`), and any
//! Hugging Face `tokenizer.json` of WordPiece, BPE or a unigram model (feature `subword`, which has the other within). `VocabularyTraining`
//! learns new ones, Jamo-Pair Encoding among them.

#[cfg(feature = "subword")]
#[doc(hidden)]
pub mod contained;
#[cfg(feature = "subword")]
mod error;
#[cfg(feature = "subword")]
mod model;
#[cfg(feature = "subword")]
mod train;
pub(crate) mod unknown;

#[cfg(feature = "subword")]
pub use {
    error::SubwordError,
    model::Subword,
    train::{Algorithm, VocabularyTraining},
};

pub use unknown::Unknown;

use crate::{Build, UnitEntry, normalize};
use ko_eval_core::{Params, Result, Tokenizer, registry::Argument};
use std::sync::Arc;
use unknown::UNKNOWN;

/// The registry row.
pub(crate) const ENTRY: UnitEntry = UnitEntry {
    name: "subword",
    summary: "pieces of a learned vocabulary: a SentencePiece .model or any Hugging Face tokenizer.json",
    argument: Some(Argument::path("FILE")),
    params: &[UNKNOWN.param(), normalize::NORM.param()],
    build: Build::Tokenizer(build),
    not_compared: None,
};

#[cfg(feature = "sentencepiece")]
fn build(params: &Params) -> Result<Arc<dyn Tokenizer>> {
    use crate::{Normalization, sentencepiece::SentencePiece};
    use ko_eval_core::Error;

    let file = params.argument().ok_or_else(|| {
        let expected = "a tokenizer.json or a SentencePiece model, as in subword:FILE";
        Error::invalid("subword", "FILE", "", expected)
    })?;
    let unknown = params.read(&UNKNOWN)?;
    let norm = Normalization::read(params)?;
    if file.ends_with(".model") {
        // The model has its own rules, and they want the text as it is.
        let norm = if params.get("norm").is_some() { norm } else { Normalization::NONE };
        let model = SentencePiece::from_file(file)?;
        return Ok(Arc::new(model.unknown(unknown).normalization(norm)));
    }
    build_json(file, unknown, norm)
}

#[cfg(feature = "subword")]
fn build_json(
    file: &str,
    unknown: Unknown,
    norm: normalize::Normalization,
) -> Result<Arc<dyn Tokenizer>> {
    Ok(Arc::new(Subword::from_file(file)?.unknown(unknown).normalization(norm)))
}

#[cfg(all(feature = "sentencepiece", not(feature = "subword")))]
fn build_json(_: &str, _: Unknown, _: normalize::Normalization) -> Result<Arc<dyn Tokenizer>> {
    crate::entry::lacking("the subword scheme for a tokenizer.json", "subword")
}

#[cfg(not(feature = "sentencepiece"))]
fn build(_: &Params) -> Result<Arc<dyn Tokenizer>> {
    crate::entry::lacking("the subword scheme", "subword")
}
