//! What can be wrong with a dictionary.

use ko_eval_core::Error;
use std::{
    io,
    path::{Path, PathBuf},
};

/// What is wrong with a dictionary.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DictionaryError {
    /// There is no such folder.
    #[error("no dictionary in {}: run `cargo xtask setup`, or see the README of ko-tokenize for the way by hand", folder.display())]
    Missing {
        /// Where it should be.
        folder: PathBuf,
    },

    /// The folder holds something else.
    #[error("{} is no dictionary that `dictionary::build` wrote: found {found}", folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// What is in it.
        found: String,
    },

    /// A file is not as long as when it was built.
    #[error("{}: {found} bytes where the manifest says {expected}; the dictionary is damaged, build it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Its length; 0 if it is not there.
        found: u64,
        /// Its length when it was built.
        expected: u64,
    },

    /// A file of the compiled dictionary that cannot be read.
    #[error("{}: {reason}", path.display())]
    BadSource {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },

    /// A word that cannot join the dictionary.
    #[error("the user dictionary's word `{surface}`: {reason}")]
    BadWord {
        /// The word.
        surface: String,
        /// What is wrong with it.
        reason: String,
    },

    /// A file that cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },

    /// lindera refused.
    #[error("{}: {reason}", path.display())]
    Lindera {
        /// The folder it was working on.
        path: PathBuf,
        /// What it said.
        reason: String,
    },
}

impl From<DictionaryError> for Error {
    fn from(error: DictionaryError) -> Self {
        match error {
            DictionaryError::Missing { folder } => Error::Missing {
                what: format!("the dictionary {}", folder.display()),
                how_to_get_it: "run `cargo xtask setup`, or build it by hand as the README of \
                                ko-tokenize says"
                    .into(),
            },
            other => Error::source("the dictionary of the morpheme scheme", other),
        }
    }
}

pub(super) type Result<T, E = DictionaryError> = std::result::Result<T, E>;

pub(super) fn io_error(path: &Path) -> impl FnOnce(io::Error) -> DictionaryError {
    |source| DictionaryError::Io { path: path.to_owned(), source }
}

pub(super) fn lindera_error(path: &Path, error: &dyn std::error::Error) -> DictionaryError {
    DictionaryError::Lindera { path: path.to_owned(), reason: error.to_string() }
}
