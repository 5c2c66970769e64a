//! Komoran, Okt, Hannanum and Kkma: analyzers written in Java, in a virtual machine inside this process.
//!
//! | row | tool | a unit is |
//! |---|---|---|
//! | `komoran` | Komoran 3.0 | a restored morpheme |
//! | `okt` | Open Korean Text 2.1.0 | a surface |
//! | `hannanum` | Hannanum 0.8.4 | a restored morpheme |
//! | `kkma` | Kkma 2.0 | a restored morpheme |
//!
//! The tools are those that KoNLPy 0.6.0 carries, and units and tags are KoNLPy's. They are under the GPL-3 and no part of
//! ko-eval: `cargo xtask setup konlpy --accept-gpl` fetches them (see the crate's README for the way by hand). Any Java
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
mod align;
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
    hannanum::HANNANUM,
    kkma::KKMA,
    komoran::KOMORAN,
    okt::OKT,
};

use crate::{AnalyzerEntry, normalize};
use ko_eval_core::{Param, TokenizerEntry};
use std::sync::Arc;

/// The version of KoNLPy that the tools come from.
pub const VERSION: &str = "0.6.0";

const FOLDER: Param = Param {
    name: "folder",
    default: "set-up",
    help: "KoNLPy's folder `java`: the one that set-up installed, or another",
};

/// The two registry rows of a tool.
macro_rules! rows {
    ($tokenizer:ident, $analyzer:ident, $tool:ident, $name:literal, $summary:literal) => {
        #[doc = concat!("The registry row of ", $name, ".")]
        pub(crate) const $tokenizer: TokenizerEntry = TokenizerEntry {
            name: $name,
            summary: $summary,
            argument: None,
            params: &[FOLDER, normalize::NORM, normalize::WHITE_SPACE],
            build: |params| Ok(Arc::new(build!($tool, params)?)),
        };

        #[doc = "The same, as an analyzer."]
        pub(crate) const $analyzer: AnalyzerEntry = AnalyzerEntry {
            name: $tokenizer.name,
            summary: $tokenizer.summary,
            argument: $tokenizer.argument,
            params: $tokenizer.params,
            build: |params| Ok(Arc::new(build!($tool, params)?)),
        };
    };
}

#[cfg(not(feature = "jvm"))]
macro_rules! build {
    ($tool:ident, $params:expr) => {{
        let _ = $params;
        Err::<crate::lacking::Scheme, _>(crate::lacking::error("the bridge to Java", "jvm"))
    }};
}

#[cfg(feature = "jvm")]
macro_rules! build {
    ($tool:ident, $params:expr) => {
        build(&$tool, $params)
    };
}

rows!(
    KOMORAN_ROW,
    KOMORAN_ANALYZER,
    KOMORAN,
    "komoran",
    "restored morphemes, as Komoran 3.0 gives them"
);
rows!(OKT_ROW, OKT_ANALYZER, OKT, "okt", "surfaces, as Open Korean Text 2.1.0 cuts them");
rows!(
    HANNANUM_ROW,
    HANNANUM_ANALYZER,
    HANNANUM,
    "hannanum",
    "restored morphemes, as Hannanum 0.8.4 gives them"
);
rows!(KKMA_ROW, KKMA_ANALYZER, KKMA, "kkma", "restored morphemes, as Kkma 2.0 gives them");

#[cfg(feature = "jvm")]
fn build(tool: &'static Tool, params: &ko_eval_core::Params) -> ko_eval_core::Result<JvmAnalyzer> {
    let norm = crate::Normalization::from_params(tool.name, params)?;
    let built = match params.get(FOLDER.name).filter(|text| *text != FOLDER.default) {
        None => JvmAnalyzer::new(tool),
        Some(folder) => JvmAnalyzer::in_folder(tool, folder),
    };
    Ok(built?.with_normalization(norm))
}
