//! What can go wrong with a SentencePiece model.

/// Why a SentencePiece model cannot be read or used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SentencePieceError {
    /// The bytes are no SentencePiece model: another kind of file, or part of one.
    #[error("{name} is not a SentencePiece model, or only part of one: {reason}")]
    Foreign {
        /// The file, or what else the bytes came from.
        name: String,
        /// What is wrong.
        reason: String,
    },

    /// A SentencePiece model that contradicts itself, or asks for something unknown.
    #[error("{name} cannot be used as a SentencePiece model: {reason}")]
    Unusable {
        /// The file, or what else the bytes came from.
        name: String,
        /// What is wrong.
        reason: String,
    },

    /// A number that no piece has.
    #[error("{name} has {pieces} pieces, and none with the number {id}")]
    NoSuchPiece {
        /// The model.
        name: String,
        /// The number.
        id: u32,
        /// How many pieces there are.
        pieces: usize,
    },

    /// A word of the text is a control symbol of a model that knows whole words only.
    #[error("{name}: the text holds the control symbol `{symbol}`, which stands for no text")]
    ControlSymbol {
        /// The model.
        name: String,
        /// The symbol.
        symbol: String,
    },
}
