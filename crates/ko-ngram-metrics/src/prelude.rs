//! The everyday names of this crate and of the core: `use ko_ngram_metrics::prelude::*;`.

#[doc(no_inline)]
pub use crate::{
    Bleu, Case, CharacTer, Chrf, Eed, Gleu, Meteor, Nist, NltkBleu, Ribes, Rouge, Ter, by_name,
};
#[doc(no_inline)]
pub use ko_eval_core::prelude::*;
