//! Named entities: sentences about particular people, places and organisations hold no common sense.
//!
//! [`EntityTagger`] is the seam; [`BioTagger`] is a tagger of our own that learns from files in the
//! form of KLUE-NER (a syllable and its BIO label per line).

mod bio;
mod labelled;

pub use bio::{BioTagger, TaggerTraining};
pub use labelled::{LabelledSentence, read_klue};

#[doc(no_inline)]
pub use ko_eval_model::{Entity, EntityCounts, EntityTagger};
