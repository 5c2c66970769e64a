//! What can be wrong with Kiwi's library or model.

use ko_eval_core::Error;
use std::{io, path::PathBuf};

/// Why Kiwi cannot be loaded, or did not analyse.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KiwiError {
    /// The shared library or a file of the model is not there.
    #[error("no {}: run `cargo xtask setup kiwi`, or see the README of ko-tokenize for the way by hand", path.display())]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },

    /// The operating system cannot open the shared library.
    #[error("{} is no shared library for this machine: {source}", path.display())]
    NoLibrary {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: libloading::Error,
    },

    /// A shared library without a function that Kiwi has.
    #[error("{} has no function `{symbol}`: is it Kiwi {}?", path.display(), super::VERSION)]
    NoSymbol {
        /// The library.
        path: PathBuf,
        /// The function.
        symbol: &'static str,
    },

    /// Another version of Kiwi, whose functions may take other arguments.
    #[error("{} is Kiwi {found}, but {} is needed", path.display(), super::VERSION)]
    WrongVersion {
        /// The library.
        path: PathBuf,
        /// Its version.
        found: String,
    },

    /// A file of the model that cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },

    /// A path that cannot be handed to a C library.
    #[error("{} cannot be the folder of a model: it is no UTF-8, or holds U+0000", path.display())]
    BadPath {
        /// The path.
        path: PathBuf,
    },

    /// Kiwi refused the model.
    #[error("Kiwi does not load the model in {}: {message}", path.display())]
    BadModel {
        /// The model's folder.
        path: PathBuf,
        /// What Kiwi said.
        message: String,
    },

    /// Kiwi failed on a text.
    #[error("Kiwi failed on a text of {bytes} bytes: {message}")]
    Failed {
        /// The text's length.
        bytes: usize,
        /// What Kiwi said.
        message: String,
    },
}

impl From<KiwiError> for Error {
    fn from(error: KiwiError) -> Self {
        match error {
            KiwiError::Missing { path } => Error::Missing {
                what: format!("Kiwi's {}", path.display()),
                how_to_get_it:
                    "run `cargo xtask setup kiwi`, or build it by hand as the README of \
                                ko-tokenize says"
                        .into(),
            },
            other => Error::source("Kiwi", other),
        }
    }
}
