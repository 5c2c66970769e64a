//! What can go wrong, said so that the reader knows what to change.

use std::path::PathBuf;

/// The cause inside [`Error::Source`]: any crate's own error.
pub type BoxError = Box<dyn std::error::Error + Send + Sync + 'static>;

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of every trait in this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A segment came without any reference.
    #[error("a segment needs at least one reference")]
    NoReference,

    /// A corpus score was asked of no segments at all.
    #[error("the corpus holds no segments; a score of nothing is not a number")]
    EmptyCorpus,

    /// Two columns that must be parallel are not.
    #[error("{left} has {left_len} segments, but {right} has {right_len}")]
    LengthMismatch {
        /// What the first column is.
        left: String,
        /// How many segments it has.
        left_len: usize,
        /// What the second column is.
        right: String,
        /// How many segments it has.
        right_len: usize,
    },

    /// A name that no registry row has.
    #[error("unknown {kind} `{name}`; known: {known}")]
    UnknownName {
        /// `metric`, `unit`, `task` …
        kind: &'static str,
        /// What was asked for.
        name: String,
        /// What there is, comma-separated.
        known: String,
    },

    /// A parameter that the registry row does not take.
    #[error("`{owner}` has no parameter `{name}`; known: {known}")]
    UnknownParameter {
        /// The row's name.
        owner: String,
        /// The parameter asked for.
        name: String,
        /// The parameters there are, comma-separated.
        known: String,
    },

    /// A parameter whose value makes no sense.
    #[error("{owner}: `{name}` cannot be `{value}`: expected {expected}")]
    InvalidParameter {
        /// Whose parameter.
        owner: String,
        /// Its name.
        name: String,
        /// The value given.
        value: String,
        /// What would have been accepted.
        expected: String,
    },

    /// A text that is no signature.
    #[error("`{text}` is not a signature: {reason}")]
    BadSignature {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },

    /// A metric needs what a segment does not have.
    #[error("{metric} needs {what}, and segment {segment} has none")]
    Needs {
        /// Which metric.
        metric: String,
        /// `a reference`, `a source`.
        what: &'static str,
        /// Counted from 1.
        segment: usize,
    },

    /// A prompt without an answer: words that none can use, or rules that forbid every token.
    #[error("prompt {prompt}: {reason}")]
    Unmeetable {
        /// Which prompt, from 1.
        prompt: usize,
        /// What is in the way.
        reason: String,
    },

    /// A score that is not a number.
    #[error("{what} is {value}, which is not a number")]
    NotFinite {
        /// What was computed.
        what: String,
        /// What it came to.
        value: f64,
    },

    /// Something was asked of single segments, of which only the total was kept.
    #[error("only the total of the segments was kept; this needs each of them")]
    NotKept,

    /// Shards, intervals and tests need statistics that can be merged in any order.
    #[error(
        "the score of `{metric}` depends on the order of the segments, as in its reference; it has no shards, intervals or tests"
    )]
    InOrder {
        /// The metric's signature.
        metric: String,
    },

    /// A shard's statistics do not belong to the metric that should merge them.
    #[error("cannot merge a shard: {reason}")]
    BadShard {
        /// What does not fit.
        reason: String,
    },

    /// A line of an input file that cannot be read.
    #[error("{}:{line}: {reason}", path.display())]
    BadLine {
        /// The file; `-` is standard input.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong with the line.
        reason: String,
    },

    /// A file that cannot be opened, read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },

    /// Another process works in a folder that only one may change at a time.
    #[error("{} is in use by {holder}; wait until it has ended, or choose another folder", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
        /// Which process holds it, as it called itself.
        holder: String,
    },

    /// Somebody's file asks for what only the user may ask for: to run code, or to open a file elsewhere.
    #[error("`{what}` {reason}")]
    Untrusted {
        /// The specification or the path.
        what: String,
        /// What it would do.
        reason: &'static str,
    },

    /// Something that was written down is not as it was written: damaged, or changed by hand.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not agree, and what to do.
        reason: String,
    },

    /// A text too long for the tokenizer's offsets, or for a metric's documented limit.
    #[error("{what}: a text of {len} {unit} is over the limit of {limit}")]
    TooLong {
        /// Who has the limit.
        what: String,
        /// The text's length.
        len: usize,
        /// What the length counts.
        unit: &'static str,
        /// The limit.
        limit: usize,
    },

    /// Something that is needed is not installed or not configured.
    #[error("{what} is missing: {how_to_get_it}")]
    Missing {
        /// What is missing.
        what: String,
        /// The command or the setting that provides it.
        how_to_get_it: String,
    },

    /// Another crate's error, which says it all.
    #[error(transparent)]
    Other(BoxError),

    /// Another crate's error, and what was being done.
    #[error("{context}")]
    Source {
        /// What was being done.
        context: String,
        /// Why it failed.
        #[source]
        source: BoxError,
    },
}

impl Error {
    /// Wraps another error, saying what was being done.
    pub fn source(context: impl Into<String>, source: impl Into<BoxError>) -> Self {
        Self::Source { context: context.into(), source: source.into() }
    }

    /// Wraps another error that says it all.
    pub fn other(error: impl Into<BoxError>) -> Self {
        Self::Other(error.into())
    }

    /// Short for [`Error::InvalidParameter`].
    pub fn invalid(
        owner: impl Into<String>,
        name: impl Into<String>,
        value: impl std::fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        Self::InvalidParameter {
            owner: owner.into(),
            name: name.into(),
            value: value.to_string(),
            expected: expected.into(),
        }
    }

    /// Short for [`Error::Io`].
    pub fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}
