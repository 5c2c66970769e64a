//! The everyday names of this crate and of the core: `use ko_register::prelude::*;`.

#[doc(no_inline)]
pub use crate::{
    Clause, Grammar, Honorific, Mood, Polarity, Register, RegisterAnalyzer, SpeechLevel, Tense,
    metrics::{GrammarKosmic, Honorifics, RegisterConsistency, RegisterMatch, RegisterTarget},
};
#[doc(no_inline)]
pub use ko_eval_core::prelude::*;
