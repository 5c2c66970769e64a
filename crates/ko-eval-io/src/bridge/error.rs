//! What can go wrong with a program on the other side.

use std::{process::ExitStatus, time::Duration};

/// Why a program gave no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BridgeError {
    /// It cannot be started.
    #[error("`{command}` cannot be started")]
    Start {
        /// The command.
        command: String,
        /// What the operating system said.
        source: std::io::Error,
    },

    /// It ended instead of answering.
    #[error("`{command}` ended ({}) instead of answering `{text}`{stderr}", status.map_or("no status".to_owned(), |status| status.to_string()))]
    Died {
        /// The command.
        command: String,
        /// How it ended; nothing if it only closed its output.
        status: Option<ExitStatus>,
        /// The text it was sent.
        text: String,
        /// What it wrote to standard error.
        stderr: Said,
    },

    /// It did not answer in time.
    #[error("`{command}` gave no line within {} s for `{text}`; does it flush its output?{stderr}", timeout.as_secs_f64())]
    TimedOut {
        /// The command.
        command: String,
        /// How long it had.
        timeout: Duration,
        /// The text it was sent.
        text: String,
        /// What it wrote to standard error.
        stderr: Said,
    },

    /// It wrote more lines than an answer has.
    #[error("`{command}` wrote more lines than an answer has; `{line}` is too much{stderr}")]
    TooManyLines {
        /// The command.
        command: String,
        /// What nobody had asked for.
        line: String,
        /// What it wrote to standard error.
        stderr: Said,
    },

    /// Its answer is no UTF-8.
    #[error("`{command}` gave an answer that is not UTF-8: `{answer}`")]
    NotUtf8 {
        /// The command.
        command: String,
        /// The answer, with signs where bytes are wrong.
        answer: String,
    },

    /// Its answer is longer than any answer can be.
    #[error("`{command}` wrote {limit} bytes without a line break")]
    TooLong {
        /// The command.
        command: String,
        /// The limit.
        limit: u64,
    },

    /// Its answer cannot be read.
    #[error("`{command}` answered `{answer}`: {reason}")]
    Nonsense {
        /// The command.
        command: String,
        /// The answer.
        answer: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl BridgeError {
    /// Whether a program that is started anew may do better.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Died { .. } | Self::TimedOut { .. })
    }
}

impl From<BridgeError> for ko_eval_core::Error {
    fn from(error: BridgeError) -> Self {
        Self::source("talking to a program", error)
    }
}

/// What a program wrote to standard error, the end of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said(pub String);

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.trim() {
            "" => Ok(()),
            said => write!(f, "; it said:\n{said}"),
        }
    }
}
