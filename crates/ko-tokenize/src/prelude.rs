//! The everyday names of this crate and of the core: `use ko_tokenize::prelude::*;`.

#[doc(no_inline)]
pub use crate::{
    Bridge, Character, Jamo, Level, Morpheme, MorphemeAnalyzer, Normalization, Pretokenized,
    SacreBleu, Tag, Word, analyzer_by_name, by_name, tokenize_all,
};
#[doc(no_inline)]
pub use ko_eval_core::prelude::*;
