//! What can go wrong with a probe.

use crate::sentence::Origin;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file, a line, a parameter, an embedder's own failure.
    #[error(transparent)]
    Core(#[from] ko_eval_core::Error),

    /// An embedder gave more or fewer vectors than it got sentences.
    #[error("{first}: `{embedder}` gave {got} vectors for the {wanted} sentences from here on")]
    VectorCount {
        /// The embedder's signature.
        embedder: String,
        /// The first sentence of the batch.
        first: Box<Origin>,
        /// How many vectors came.
        got: usize,
        /// How many sentences went in.
        wanted: usize,
    },

    /// An embedder changed the length of its vectors.
    #[error("{origin}: `{embedder}` gave a vector of {got} numbers where {wanted} were expected")]
    Dimension {
        /// The embedder's signature.
        embedder: String,
        /// The sentence.
        origin: Box<Origin>,
        /// The vector's length.
        got: usize,
        /// The length of those before.
        wanted: usize,
    },

    /// An embedder gave a vector with NaN or infinity in it.
    #[error("{origin}: `{embedder}` gave {value} at place {place} of the vector")]
    NotFinite {
        /// The embedder's signature.
        embedder: String,
        /// The sentence.
        origin: Box<Origin>,
        /// Which number of the vector, from 0.
        place: usize,
        /// NaN or an infinity.
        value: f32,
    },

    /// Two rows of a table under one name, which nobody could tell apart.
    #[error(
        "two subjects are called `{name}`: a report would show the figures of the first for both; each needs a name of its own"
    )]
    SameName {
        /// The name, with the layer if there is one.
        name: String,
    },

    /// A data set that no classifier can be trained on.
    #[error("{task}: {reason}")]
    Unusable {
        /// The task.
        task: String,
        /// What is missing.
        reason: String,
    },
}

impl From<Error> for ko_eval_core::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Core(error) => error,
            other => Self::other(other),
        }
    }
}

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;
