//! Subwords: pieces of words from a vocabulary that was learned from text.
//!
//! Needs the feature `subword`. Any Hugging Face `tokenizer.json` serves, of WordPiece, BPE or
//! SentencePiece's unigram model; `Training` learns new ones, Jamo-Pair Encoding among them. SentencePiece's
//! own `.model` files are not read: convert them to `tokenizer.json` first.

#[cfg(feature = "subword")]
mod error;
#[cfg(feature = "subword")]
mod model;
#[cfg(feature = "subword")]
mod train;

#[cfg(feature = "subword")]
pub use {
    error::SubwordError,
    model::{Subword, Unknown},
    train::{Algorithm, Training},
};

use crate::{Build, UnitEntry, normalize};
use ko_eval_core::{Param, Params, Result, Tokenizer};
use std::sync::Arc;

/// The registry row.
pub(crate) const ENTRY: UnitEntry = UnitEntry {
    name: "subword",
    summary: "pieces of a learned vocabulary: any Hugging Face tokenizer.json",
    argument: Some("FILE"),
    params: &[
        Param {
            name: "unknown",
            default: "surface",
            help: "what the vocabulary lacks: surface (as written) or token (the file's <unk>)",
        },
        normalize::NORM,
    ],
    build: Build::Tokenizer(build),
    not_compared: None,
};

#[cfg(feature = "subword")]
fn build(params: &Params) -> Result<Arc<dyn Tokenizer>> {
    use ko_eval_core::Error;

    let file = params.argument().ok_or_else(|| {
        Error::invalid("subword", "FILE", "", "a tokenizer.json, as in subword:FILE")
    })?;
    let words = [("surface", Unknown::Surface), ("token", Unknown::Token)];
    let unknown = params.choose("subword", "unknown", Unknown::Surface, &words)?;
    let norm = normalize::Normalization::from_params("subword", params)?;
    Ok(Arc::new(Subword::from_file(file)?.unknown(unknown).normalization(norm)))
}

#[cfg(not(feature = "subword"))]
fn build(_: &Params) -> Result<Arc<dyn Tokenizer>> {
    crate::entry::lacking("the subword scheme", "subword")
}
