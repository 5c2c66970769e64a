//! What can be wrong with a model, its files or its input, named so that the reader can mend it.

use std::path::PathBuf;

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of this crate's constructors and of its training.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A model folder lacks a file.
    #[error("{}: no {expected} here", folder.display())]
    MissingFile {
        /// The folder.
        folder: PathBuf,
        /// What was looked for.
        expected: String,
    },

    /// A file that cannot be opened, read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },

    /// A file that is truncated or not what its name says.
    #[error("{}: {reason}", path.display())]
    BadFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },

    /// A file that is not the one whose checksum is stated beside it.
    #[error("{}: its SHA-256 is {found}, but {} says {expected}", path.display(), stated_in.display())]
    Checksum {
        /// The file.
        path: PathBuf,
        /// Where the checksum is stated.
        stated_in: PathBuf,
        /// The stated one.
        expected: String,
        /// That of the file.
        found: String,
    },

    /// A setting of `config.json` that is missing or makes no sense.
    #[error("{}: `{key}`: {reason}", path.display())]
    BadConfig {
        /// The file.
        path: PathBuf,
        /// The setting.
        key: String,
        /// What is wrong with it.
        reason: String,
    },

    /// An architecture that this crate does not know.
    #[error("{}: unknown architecture `{name}`; known: {known}", path.display())]
    UnknownArchitecture {
        /// The configuration file.
        path: PathBuf,
        /// Its `model_type`.
        name: String,
        /// What there is, comma-separated.
        known: String,
    },

    /// A model that reads and does not write.
    #[error("{}: `{name}` here is an encoder alone; writing needs a decoder: GPT-2, BART, mBART, T5, mT5 or an encoder-decoder", path.display())]
    EncoderOnly {
        /// The configuration file.
        path: PathBuf,
        /// Its `model_type`.
        name: String,
    },

    /// A model whose texts would never end.
    #[error("{}: neither generation_config.json, config.json nor the tokenizer names a token that ends a text (`eos_token_id`)", folder.display())]
    NoEndToken {
        /// The model's folder.
        folder: PathBuf,
    },

    /// A token that the vocabulary does not have.
    #[error("`{token}` is no token of this model")]
    UnknownToken {
        /// As it was given.
        token: String,
    },

    /// A prompt without an answer: words that none can use, or rules that forbid every token.
    #[error("prompt {prompt}: {reason}")]
    Unmeetable {
        /// Which prompt, from 1.
        prompt: usize,
        /// What is in the way.
        reason: String,
    },

    /// An encoder whose tokens do not tell where what is written below it begins and ends.
    #[error("{}: a decoder on this encoder begins with [CLS] or <s> and ends with [SEP] or </s>, and the vocabulary has {missing}", folder.display())]
    NoFrame {
        /// The encoder's folder.
        folder: PathBuf,
        /// Which of them are not there.
        missing: &'static str,
    },

    /// An example that a model cannot learn from.
    #[error("example {number} of the {set} data: {reason}")]
    BadExample {
        /// `training` or `development`.
        set: &'static str,
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        reason: &'static str,
    },

    /// An embedder with a part that a training would have to leave out, and so would train another model.
    #[error("{}: it has {part}, which this training cannot keep; begin with a folder that has none", folder.display())]
    Untrainable {
        /// The embedder's folder.
        folder: PathBuf,
        /// The part.
        part: &'static str,
    },

    /// A tensor that the architecture needs is not in the file.
    #[error("{}: tensor `{tensor}` of shape {expected:?} is missing", path.display())]
    MissingTensor {
        /// The weights.
        path: PathBuf,
        /// The tensor's name.
        tensor: String,
        /// The shape that it should have.
        expected: Vec<i64>,
    },

    /// A tensor of another shape than the configuration says.
    #[error("{}: tensor `{tensor}` has shape {found:?}, expected {expected:?}", path.display())]
    WrongShape {
        /// The weights.
        path: PathBuf,
        /// The tensor's name.
        tensor: String,
        /// The shape that it should have.
        expected: Vec<i64>,
        /// The shape that it has.
        found: Vec<i64>,
    },

    /// A tensor that holds NaN or an infinity.
    #[error("{}: tensor `{tensor}` holds {value}", path.display())]
    NotFinite {
        /// The weights.
        path: PathBuf,
        /// The tensor's name.
        tensor: String,
        /// `NaN` or `inf`.
        value: f32,
    },

    /// A tokenizer that knows more tokens than the model has embeddings.
    #[error("{}: token `{token}` has the number {id}, but the model has {rows} embeddings", path.display())]
    VocabularyMismatch {
        /// The tokenizer's file.
        path: PathBuf,
        /// A token beyond the embeddings.
        token: String,
        /// Its number.
        id: u32,
        /// How many embeddings there are.
        rows: usize,
    },

    /// Two models that should have the same tokens.
    #[error("{} and {} have different vocabularies: number {id} is `{first_token}` there, `{second_token}` here", first.display(), second.display())]
    DifferentVocabularies {
        /// The first model's folder.
        first: PathBuf,
        /// The second's.
        second: PathBuf,
        /// The first number that differs.
        id: usize,
        /// What it is in the first, empty if nothing.
        first_token: String,
        /// What it is in the second, empty if nothing.
        second_token: String,
    },

    /// libtorch is not where it should be, or is another version.
    #[error("libtorch {expected}: {reason}")]
    Libtorch {
        /// The version that this crate is built for.
        expected: &'static str,
        /// What was found instead.
        reason: String,
    },

    /// A device that this libtorch does not have.
    #[error("device `{device}`: {reason}")]
    Device {
        /// The device as it was asked for.
        device: String,
        /// Why it cannot be used, and what could.
        reason: String,
    },

    /// An operation of libtorch failed: out of memory, most likely.
    #[error("libtorch: {0}")]
    Operation(String),

    /// A setting outside its range.
    #[error("{name} cannot be {value}: expected {expected}")]
    Setting {
        /// Its name.
        name: &'static str,
        /// The value given.
        value: String,
        /// What would have been accepted.
        expected: &'static str,
    },

    /// Training met a loss that is not a number.
    #[error("the loss of step {step} is {loss}; lower the learning rate or look at the data")]
    Diverged {
        /// The step, from 1.
        step: usize,
        /// The loss.
        loss: f64,
    },

    /// A model answered with a number that is none.
    #[error("the model answers {value}; what is too large for f16 is not for bf16 and f32")]
    Overflow {
        /// NaN or infinite.
        value: f32,
    },

    /// Another trait object's error: an encoder's, a reader's.
    #[error(transparent)]
    Core(#[from] ko_eval_core::Error),
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }

    #[cfg(feature = "readers")]
    pub(crate) fn bad(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        Self::BadFile { path: path.into(), reason: reason.into() }
    }

    #[cfg(feature = "readers")]
    pub(crate) fn setting(
        name: &'static str,
        value: impl std::fmt::Display,
        expected: &'static str,
    ) -> Self {
        Self::Setting { name, value: value.to_string(), expected }
    }
}

impl From<Error> for ko_eval_core::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Core(error) => error,
            Error::Io { path, source } => Self::Io { path, source },
            Error::Unmeetable { prompt, reason } => Self::Unmeetable { prompt, reason },
            error => Self::other(error),
        }
    }
}

#[cfg(feature = "torch")]
impl From<tch::TchError> for Error {
    fn from(error: tch::TchError) -> Self {
        // The first line says what; the rest is a C++ back trace.
        let text = error.to_string();
        Self::Operation(text.lines().next().unwrap_or_default().to_owned())
    }
}
