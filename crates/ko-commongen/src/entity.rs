//! Named entities: sentences about particular people, places and organisations hold no common sense.
//!
//! [`EntityTagger`] is the seam; [`BioTagger`] is a tagger of our own that learns from files in the
//! form of KLUE-NER (a syllable and its BIO label per line).

use ko_eval_core::{Result, Signed};
use std::{fmt::Debug, ops::Range};

mod bio;
mod labelled;

pub use bio::{BioTagger, TaggerTraining};
pub use labelled::{LabelledSentence, read_klue};

/// A named entity in a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Entity {
    /// What it is: `PS`, `LC`, `OG` …
    pub kind: String,
    /// Its bytes in the text.
    pub span: Range<usize>,
}

/// Finds named entities.
pub trait EntityTagger: Signed + Debug + Send + Sync {
    /// The entities of the text, in order, not overlapping.
    ///
    /// # Errors
    /// When the tagger fails on this text.
    fn entities(&self, text: &str) -> Result<Vec<Entity>>;
}

/// How well a tagger finds the entities of held-out sentences: an entity counts as found if kind and place are right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct EntityCounts {
    /// Found and right.
    pub right: usize,
    /// Found.
    pub found: usize,
    /// There.
    pub there: usize,
}

impl EntityCounts {
    /// Compares a tagger with labelled sentences.
    ///
    /// # Errors
    /// When the tagger fails.
    pub fn of(tagger: &dyn EntityTagger, sentences: &[LabelledSentence]) -> Result<Self> {
        let mut counts = Self::default();
        for sentence in sentences {
            let (found, there) = (tagger.entities(sentence.text())?, sentence.entities());
            counts.right += found.iter().filter(|entity| there.contains(entity)).count();
            counts.found += found.len();
            counts.there += there.len();
        }
        Ok(counts)
    }

    /// The harmonic mean of precision and recall; 0 where nothing is right.
    pub fn f1(&self) -> f64 {
        match self.found + self.there {
            0 => 0.0,
            both => 2.0 * self.right as f64 / both as f64,
        }
    }
}
