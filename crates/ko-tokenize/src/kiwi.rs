//! Kiwi 0.24.1: morphemes by a statistical model, restored to their dictionary forms.
//!
//! Kiwi is written in C++. Its shared library is opened at run time and its model read from a folder; `ko-eval setup
//! kiwi` makes both (see the crate's README for the way by hand). Needs the feature `kiwi`.
//!
//! Called with the default settings of kiwipiepy 0.24.1 on kiwipiepy_model 0.24.0, whose units it gives, but that
//!
//! | | kiwipiepy | here |
//! |---|---|---|
//! | tag of a regular predicate that might be irregular (걷다) | `VV-R` | `VV`; irregular ones are `VV-I` in both |
//! | decomposed Hangul (NFD) | as it is | composed first, unless told not to |
//! | U+0000 | a symbol | separates two texts, and is no unit |
//!
//! A coda that became a morpheme of its own is written as Kiwi writes it, in conjoining jamo: 한다 is 하 · ᆫ다. Spans
//! are Kiwi's own.
//!
//! ```no_run
//! # #[cfg(feature = "kiwi")] {
//! use ko_eval_core::Tokenizer;
//! use ko_tokenize::kiwi::Kiwi;
//!
//! let units = Kiwi::new()?.tokenize("밥을 했다.")?;
//! assert_eq!(units.iter().map(|u| u.as_str()).collect::<Vec<_>>(), ["밥", "을", "하", "었", "다", "."]);
//! # }
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

#[cfg(feature = "kiwi")]
mod analyzer;
#[cfg(feature = "kiwi")]
mod error;
#[cfg(feature = "kiwi")]
mod ffi;

#[cfg(feature = "kiwi")]
pub use {
    analyzer::{Kiwi, KiwiBuilder, MODEL_FILES},
    error::KiwiError,
};

use crate::{Build, MorphemeAnalyzer, UnitEntry, level::LEVEL, normalize};
use ko_eval_core::{Params, Result, setting::Text};
use std::sync::Arc;

/// The version of Kiwi whose functions are called.
pub const VERSION: &str = "0.24.1";

const LIBRARY: Text = Text::new(
    "library",
    "FILE",
    "set-up",
    "Kiwi's shared library: the one that set-up made, or another",
)
.program();
const MODEL: Text = Text::new(
    "model",
    "FOLDER",
    "set-up",
    "Kiwi's model: the one that set-up installed, or another",
);

/// The registry row.
pub(crate) const ENTRY: UnitEntry = UnitEntry {
    name: "kiwi",
    summary: "restored morphemes, as Kiwi 0.24.1 gives them",
    argument: None,
    params: &[
        LIBRARY.param(),
        MODEL.param(),
        LEVEL.param(),
        normalize::NORM.param(),
        normalize::WHITE_SPACE.param(),
    ],
    build: Build::Analyzer(build),
    not_compared: None,
};

#[cfg(not(feature = "kiwi"))]
fn build(_: &Params) -> Result<Arc<dyn MorphemeAnalyzer>> {
    crate::entry::lacking("Kiwi", "kiwi")
}

#[cfg(feature = "kiwi")]
fn build(params: &Params) -> Result<Arc<dyn MorphemeAnalyzer>> {
    let norm = crate::Normalization::read(params)?;
    let mut kiwi = Kiwi::builder().normalization(norm);
    if let Some(library) = params.read(&LIBRARY)? {
        kiwi = kiwi.library(library);
    }
    if let Some(model) = params.read(&MODEL)? {
        kiwi = kiwi.model(model);
    }
    Ok(Arc::new(kiwi.build()?))
}
