//! Subwords: pieces of words from a vocabulary that was learned from text.
//!
//! Needs the feature `subword`. Any Hugging Face `tokenizer.json` serves, and SentencePiece's `.model` of a
//! unigram or BPE vocabulary; [`Training`](train) makes new ones, Jamo-Pair Encoding among them.

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

use crate::normalize;
use ko_eval_core::{Param, Params, Result, Tokenizer, TokenizerEntry};
use std::sync::Arc;

/// The registry row.
pub(crate) const ENTRY: TokenizerEntry = TokenizerEntry {
    name: "subword",
    summary: "pieces of a learned vocabulary: a tokenizer.json or a SentencePiece model",
    argument: Some("FILE"),
    params: &[
        Param {
            name: "unknown",
            default: "surface",
            help: "what the vocabulary lacks: surface (as written) or token (the file's <unk>)",
        },
        normalize::NORM,
    ],
    build,
};

#[cfg(feature = "subword")]
fn build(params: &Params) -> Result<Arc<dyn Tokenizer>> {
    use ko_eval_core::Error;

    let file = params.argument().ok_or_else(|| {
        Error::invalid("subword", "FILE", "", "a tokenizer.json or .model file, as in subword:FILE")
    })?;
    let words = [("surface", Unknown::Surface), ("token", Unknown::Token)];
    let unknown = params.choose("subword", "unknown", Unknown::Surface, &words)?;
    let norm = normalize::Normalization::from_params("subword", params)?;
    Ok(Arc::new(Subword::from_file(file)?.unknown(unknown).normalization(norm)))
}

#[cfg(not(feature = "subword"))]
fn build(_: &Params) -> Result<Arc<dyn Tokenizer>> {
    Err(ko_eval_core::Error::Missing {
        what: "the subword scheme".into(),
        how_to_get_it: "build with the feature `subword` of ko-tokenize".into(),
    })
}
