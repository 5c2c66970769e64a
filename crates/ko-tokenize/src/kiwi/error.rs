//! What can be wrong with Kiwi's library or model.

use crate::Error;
use std::path::{Path, PathBuf};

/// Why Kiwi cannot be loaded, or did not analyse.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KiwiError {
    /// The operating system cannot open the shared library.
    #[error("{} is not a shared library for this machine", path.display())]
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

    /// A path that cannot be handed to a C library.
    #[error("{} cannot be the folder of a model: it is not UTF-8, or holds U+0000", path.display())]
    BadPath {
        /// The path.
        path: PathBuf,
    },

    /// Kiwi refused the model.
    #[error("Kiwi cannot load the model in {}: {message}", path.display())]
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

impl KiwiError {
    /// What was being done when it happened.
    pub(crate) fn doing(&self) -> &'static str {
        match self {
            Self::Failed { .. } => "analysing a text with Kiwi",
            _ => "loading Kiwi",
        }
    }
}

/// That the shared library or a file of the model is not there.
pub(super) fn missing(path: &Path) -> Error {
    Error::Missing {
        what: format!("Kiwi's {}", path.display()),
        how_to_get_it: "run `ko-eval setup kiwi`, or build it by hand as docs/SETUP.md says".into(),
    }
}
