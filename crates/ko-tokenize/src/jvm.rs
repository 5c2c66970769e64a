//! Komoran, Okt, Hannanum and Kkma: analyzers written in Java, in a virtual machine inside this process.
//!
//! | row | tool | a unit is |
//! |---|---|---|
//! | `komoran` | Komoran 3.0 | a restored morpheme |
//! | `okt` | Open Korean Text 2.1.0 | a surface |
//! | `hannanum` | Hannanum 0.8.4, with 9 tags or 22 | a restored morpheme |
//! | `kkma` | Kkma 2.0 | a restored morpheme |
//!
//! The tools are those that KoNLPy 0.6.0 carries, and units and tags are KoNLPy's. They are under the GPL-3 and no part of
//! ko-eval: `ko-eval setup konlpy --accept-gpl` fetches them (see the crate's README for the way by hand). Any Java
//! runtime runs them: the library `libjvm` that `KO_EVAL_JVM` names, else the one under `JAVA_HOME`, of the `java` on the path,
//! or in the usual places. Needs the feature `jvm`.
//!
//! Java starts with the first text, with at most 1 GB of memory, and stays; the first text also loads the dictionary, in 1
//! to 12 s. Each tool analyses one text at a time, whichever threads ask. What differs from KoNLPy, by intent:
//!
//! | text | KoNLPy | here |
//! |---|---|---|
//! | blank | an exception, an endless loop, or units of white space | no units |
//! | a character beyond the BMP that a tool cuts in two (Komoran and Kkma do) | an exception | each half is U+FFFD |
//! | decomposed Hangul (NFD) | as it is | composed first, unless told not to |
//!
//! ```no_run
//! # #[cfg(feature = "jvm")] {
//! use ko_eval_core::Tokenizer;
//! use ko_tokenize::jvm::{JvmAnalyzer, OKT};
//!
//! let units = JvmAnalyzer::new(&OKT)?.tokenize("밥을 했다.")?;
//! assert_eq!(units.iter().map(|u| u.as_str()).collect::<Vec<_>>(), ["밥", "을", "했다", "."]);
//! # }
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

#[cfg(feature = "jvm")]
mod analyzer;
#[cfg(feature = "jvm")]
mod error;
#[cfg(feature = "jvm")]
mod find;
#[cfg(feature = "jvm")]
pub mod hannanum;
#[cfg(feature = "jvm")]
pub mod kkma;
#[cfg(feature = "jvm")]
pub mod komoran;
#[cfg(feature = "jvm")]
mod machine;
#[cfg(feature = "jvm")]
pub mod okt;

#[cfg(feature = "jvm")]
pub use {
    analyzer::{JvmAnalyzer, Tool},
    error::JvmError,
    hannanum::{HANNANUM, HANNANUM_22},
    kkma::KKMA,
    komoran::KOMORAN,
    okt::OKT,
};

use crate::{Build, UnitEntry, entry::BuildAnalyzer, level::LEVEL, normalize};
use ko_eval_core::{
    Param,
    setting::{Choice, Text},
};

/// The version of KoNLPy that the tools come from.
pub const VERSION: &str = "0.6.0";

// Before the rows, which use it. Without the feature there is no tool to name.
#[cfg(feature = "jvm")]
macro_rules! build {
    ($tool:ident) => {
        |params| build(&$tool, params)
    };
    ($nine:ident, $more:ident) => {
        |params| build(if params.read(&NTAGS)? == 22 { &$more } else { &$nine }, params)
    };
}
#[cfg(not(feature = "jvm"))]
macro_rules! build {
    ($($tool:ident),*) => {
        |_| crate::entry::lacking("the bridge to Java", "jvm")
    };
}

const FOLDER: Text = Text::new(
    "folder",
    "FOLDER",
    "set-up",
    "KoNLPy's folder `java`: the one that set-up installed, or another",
)
.program();

const PARAMS: &[Param] =
    &[FOLDER.param(), LEVEL.param(), normalize::NORM.param(), normalize::WHITE_SPACE.param()];

const NTAGS: Choice<u8> = Choice::new("ntags", &[("9", 9), ("22", 22)], "how many tags it writes");

/// The registry row of Komoran.
pub(crate) const KOMORAN_ENTRY: UnitEntry =
    entry("komoran", "restored morphemes, as Komoran 3.0 gives them", build!(KOMORAN));
/// The registry row of Okt.
pub(crate) const OKT_ENTRY: UnitEntry =
    entry("okt", "surfaces, as Open Korean Text 2.1.0 cuts them", build!(OKT));
/// The registry row of Hannanum.
pub(crate) const HANNANUM_ENTRY: UnitEntry = UnitEntry {
    params: &[
        FOLDER.param(),
        NTAGS.param(),
        LEVEL.param(),
        normalize::NORM.param(),
        normalize::WHITE_SPACE.param(),
    ],
    ..entry(
        "hannanum",
        "restored morphemes, as Hannanum 0.8.4 gives them",
        build!(HANNANUM, HANNANUM_22),
    )
};
/// The registry row of Kkma.
pub(crate) const KKMA_ENTRY: UnitEntry =
    entry("kkma", "restored morphemes, as Kkma 2.0 gives them", build!(KKMA));

const fn entry(name: &'static str, summary: &'static str, build: BuildAnalyzer) -> UnitEntry {
    UnitEntry {
        name,
        summary,
        argument: None,
        params: PARAMS,
        build: Build::Analyzer(build),
        not_compared: None,
    }
}

#[cfg(feature = "jvm")]
fn build(
    tool: &'static Tool,
    params: &ko_eval_core::Params,
) -> ko_eval_core::Result<std::sync::Arc<dyn crate::MorphemeAnalyzer>> {
    let norm = crate::Normalization::read(params)?;
    let built = match params.read(&FOLDER)? {
        None => JvmAnalyzer::new(tool),
        Some(folder) => JvmAnalyzer::in_folder(tool, folder),
    };
    Ok(std::sync::Arc::new(built?.with_normalization(norm)))
}
