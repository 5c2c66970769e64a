//! Morphemes as Khaiii gives them: a network that tags every syllable, and restores what is fused.
//!
//! Khaiii (Kakao's analyzer, version 0.4) is a C++ program with a folder of compiled resources. Here the same folder is
//! read by a decoder of our own; morphemes and tags equal the program's. It needs the feature `khaiii`, and the folder:
//! the one that `KHAIII_RESOURCE_DIR` names, else `khaiii` in [`home`](ko_eval_io::home). The row is there without either, and
//! says what is lacking.
//!
//! A unit is a morpheme, restored: 했다 becomes 하 · 였 · 다. With `form=surface` a unit is the piece of text that a
//! morpheme was found in; morphemes that share a syllable are one unit (했), with their tags joined (`XSV+EP`), so
//! that the units are exactly the text without its white space.
//!
//! What differs from the program, by intent:
//!
//! | text | Khaiii 0.4 | here |
//! |---|---|---|
//! | decomposed Hangul (NFD) | unknown characters | composed first, unless told not to |
//! | U+0000 | ends the text | a character like another |
//!
//! ```no_run
//! use ko_eval_core::Tokenizer;
//!
//! let khaiii = ko_tokenize::by_name("khaiii")?;
//! let units = khaiii.tokenize("사랑했다.")?;
//! assert_eq!(units.iter().map(|u| u.as_str()).collect::<Vec<_>>(), ["사랑", "하", "였", "다", "."]);
//! assert_eq!(units[1].span(), units[2].span()); // both come from 했
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

#[cfg(feature = "khaiii")]
mod decoder;
#[cfg(feature = "khaiii")]
mod error;
#[cfg(feature = "khaiii")]
mod error_patches;
mod form;
#[cfg(feature = "khaiii")]
mod kernels;
#[cfg(feature = "khaiii")]
mod matrix;
#[cfg(feature = "khaiii")]
mod network;
#[cfg(feature = "khaiii")]
mod preanalysis;
#[cfg(feature = "khaiii")]
mod resource;
#[cfg(feature = "khaiii")]
mod restoration;
#[cfg(feature = "khaiii")]
mod trie;

#[cfg(feature = "khaiii")]
pub use {
    decoder::{Khaiii, KhaiiiBuilder},
    error::KhaiiiError,
    resource::{Resource, folder},
};

pub use form::KhaiiiForm;

use crate::{Build, MorphemeAnalyzer, UnitEntry, level::LEVEL, normalize};
use form::FORM;
use ko_eval_core::{Params, Result, setting::Text};
use std::sync::Arc;

/// The registry row.
pub(crate) const ENTRY: UnitEntry = UnitEntry {
    name: "khaiii",
    summary: "morphemes, restored, exactly as Khaiii 0.4 gives them",
    argument: None,
    params: &[
        RESOURCE.param(),
        FORM.param(),
        LEVEL.param(),
        normalize::NORM.param(),
        normalize::WHITE_SPACE.param(),
    ],
    build: Build::Analyzer(build),
    not_compared: None,
};

const RESOURCE: Text = Text::new(
    "resource",
    "FOLDER",
    "$KHAIII_RESOURCE_DIR",
    "the folder that Khaiii's build installs as share/khaiii",
);

#[cfg(not(feature = "khaiii"))]
fn build(_: &Params) -> Result<Arc<dyn MorphemeAnalyzer>> {
    crate::entry::lacking("Khaiii", "khaiii")
}

#[cfg(feature = "khaiii")]
fn build(params: &Params) -> Result<Arc<dyn MorphemeAnalyzer>> {
    let builder = Khaiii::builder()
        .form(params.read(&FORM)?)
        .normalization(crate::Normalization::read(params)?);
    let khaiii = match params.read(&RESOURCE)? {
        Some(folder) => builder.folder(folder).build(),
        None => builder.build(),
    };
    Ok(Arc::new(khaiii?))
}
