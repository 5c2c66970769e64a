//! What can go wrong with a resource folder.

use ko_eval_core::Error;
use std::path::PathBuf;

/// Why Khaiii's resource folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KhaiiiError {
    /// There is no such folder.
    #[error("Khaiii's resource folder {} is missing: {HOW_TO_GET_IT}", folder.display())]
    Missing {
        /// Where it should be.
        folder: PathBuf,
    },

    /// A file that cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },

    /// The settings are not JSON, or lack one.
    #[error("{}: {source}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },

    /// A setting that no network has.
    #[error("{}: `{name}` cannot be {value}: expected {expected}", path.display())]
    Setting {
        /// The file.
        path: PathBuf,
        /// The setting.
        name: &'static str,
        /// Its value.
        value: usize,
        /// What it should be.
        expected: String,
    },

    /// A file that is not as long as the others say.
    #[error("{}: {found} bytes where {expected} are expected", path.display())]
    Size {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        found: usize,
        /// The length it should have.
        expected: String,
    },

    /// A file whose content cannot be.
    #[error("{}: entry {at}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the entry, from 0.
        at: usize,
        /// What is wrong with it.
        reason: String,
    },
}

const HOW_TO_GET_IT: &str = "build Khaiii 0.4 (`make resource`, `make install`) and set KHAIII_RESOURCE_DIR to the \
                             folder share/khaiii that it installs; docs/SETUP.md of ko-eval says more";

impl From<KhaiiiError> for Error {
    fn from(error: KhaiiiError) -> Self {
        match error {
            KhaiiiError::Missing { folder } => Error::Missing {
                what: format!("Khaiii's resource folder {}", folder.display()),
                how_to_get_it: HOW_TO_GET_IT.into(),
            },
            KhaiiiError::Io { path, source } => Error::io(path, source),
            other => Error::source(other.to_string(), other),
        }
    }
}
