/// What a constructor of this crate refuses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An item without concepts.
    #[error("the concept set is empty")]
    EmptyConceptSet,

    /// A concept that is blank, holds the mark between concepts, or breaks the line.
    #[error("`{0}` is not a concept: it is blank, or holds `#` or a line break")]
    BadConcept(String),

    /// An item without references.
    #[error("the item has no reference")]
    NoReference,

    /// A reference that is blank or breaks the line.
    #[error("`{0}` is not a reference: it is blank or holds a line break")]
    BadReference(String),

    /// A text that is neither of the published forms.
    #[error("{0}")]
    BadForm(String),

    /// An item that the text form cannot hold, because a part of it reads as a separator.
    #[error("`{0}` cannot be written in the text form: a part reads as ` = ` or `[EOS]`")]
    NotWritable(String),

    /// A list of candidates that is empty.
    #[error("there are no candidates for `{0}`")]
    NoCandidates(String),

    /// A rating beyond the scale.
    #[error("`{text}` is not a rating: expected a whole number from 0 to {max}")]
    BadRating {
        /// What was read.
        text: String,
        /// The best rating.
        max: u8,
    },

    /// Ratings that are not a whole number of sentences.
    #[error("{ratings} ratings do not make a whole number of sentences with {raters} raters each")]
    UnevenRatings {
        /// How many ratings there are.
        ratings: usize,
        /// How many people rated each sentence.
        raters: usize,
    },

    /// A sentence that fewer people rated, or a concept set that fewer wrote for, than are wanted.
    #[error("id {id} has {raters} answers, and {wanted} are wanted")]
    TooFewRaters {
        /// Which line of the sheet.
        id: String,
        /// How many people answered.
        raters: usize,
        /// How many answers are wanted.
        wanted: usize,
    },

    /// Nothing to learn from.
    #[error("there is nothing to train on: {0}")]
    NoTrainingData(&'static str),

    /// A model file that is damaged or another program's.
    #[error("not a model of this crate: {0}")]
    BadModel(String),

    /// A setting out of range.
    #[error("`{name}` cannot be {value}: expected {expected}")]
    BadSetting {
        /// Which.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would do.
        expected: &'static str,
    },
}

impl From<Error> for ko_eval_core::Error {
    fn from(error: Error) -> Self {
        Self::other(error)
    }
}
