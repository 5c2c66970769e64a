//! What can go wrong with a resource folder.

use crate::Error;
use std::path::{Path, PathBuf};

/// Why Khaiii's resource folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KhaiiiError {
    /// The settings are not JSON, or one is missing.
    #[error("{} cannot be read as settings", path.display())]
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

    /// A file whose content makes no sense.
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

const HOW_TO_GET_IT: &str = "run `ko-eval setup khaiii`, or set KHAIII_RESOURCE_DIR to the \
                             folder share/khaiii that a build of Khaiii 0.4 installs; docs/SETUP.md says more";

/// That there is no such folder.
pub(super) fn missing(folder: &Path) -> Error {
    Error::Missing {
        what: format!("Khaiii's resource folder {}", folder.display()),
        how_to_get_it: HOW_TO_GET_IT.into(),
    }
}
