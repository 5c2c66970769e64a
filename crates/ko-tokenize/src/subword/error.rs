//! What can go wrong with a vocabulary.

/// Why a vocabulary cannot be read, learned or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SubwordError {
    /// The bytes are no vocabulary that can be used.
    #[error("{name} is not a usable vocabulary: {reason}")]
    Malformed {
        /// The file, or what else the bytes came from.
        name: String,
        /// What is wrong.
        reason: String,
    },

    /// Nothing to learn from.
    #[error("the texts to learn a vocabulary from hold nothing but white space")]
    NoText,

    /// More letters than places.
    #[error("a vocabulary of {asked} pieces is too small: the texts have letters for {least}")]
    TooSmall {
        /// The size asked for.
        asked: usize,
        /// The least that holds every letter of the texts.
        least: usize,
    },

    /// A number that no piece has.
    #[error("the vocabulary has {pieces} pieces, and none with the number {id}")]
    NoSuchPiece {
        /// The number.
        id: u32,
        /// How many pieces there are.
        pieces: usize,
    },

    /// Learning failed.
    #[error("the algorithm failed: {reason}")]
    Training {
        /// What went wrong.
        reason: String,
    },
}

impl SubwordError {
    /// What was being done when it happened.
    pub(crate) fn doing(&self) -> &'static str {
        match self {
            Self::Malformed { .. } => "reading a vocabulary",
            _ => "learning a vocabulary",
        }
    }

    pub(super) fn malformed(name: &str, reason: impl std::fmt::Display) -> Self {
        Self::Malformed { name: name.to_owned(), reason: reason.to_string() }
    }

    pub(super) fn training(reason: impl std::fmt::Display) -> Self {
        Self::Training { reason: reason.to_string() }
    }
}
