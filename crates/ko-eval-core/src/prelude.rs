//! The everyday names: `use ko_eval_core::prelude::*;`. Every crate of the family has such a module, these names among its own.

#[doc(no_inline)]
pub use crate::{
    Corpus, CorpusScore, CutBy, Direction, Keep, Measurement, Metric, OwnedSegment, Score, Scorer,
    Segment, Segments, Signature, Signed, Token, Tokenizer,
    significance::{Bootstrap, Comparison, Interval, PairedTest},
};
