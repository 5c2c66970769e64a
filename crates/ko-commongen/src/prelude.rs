//! The everyday names of this crate and of the core: `use ko_commongen::prelude::*;`.

#[doc(no_inline)]
pub use crate::{
    BadLines, Candidates, Evaluator, Extractor, Item, Pairs, Protocol, Reranker, Rule, read_items,
    write_items,
};
#[doc(no_inline)]
pub use ko_eval_core::prelude::*;
#[doc(no_inline)]
pub use ko_tokenize::{Morpheme, MorphemeAnalyzer};
