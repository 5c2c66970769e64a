//! What can be wrong with a dictionary.

use crate::Error;
use std::path::{Path, PathBuf};

/// What is wrong with a dictionary.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DictionaryError {
    /// The folder holds something else.
    #[error("{} is not a dictionary that `dictionary::build` wrote: it holds {found}", folder.display())]
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

    /// lindera refused.
    #[error("{}: {reason}", path.display())]
    Lindera {
        /// The folder it was working on.
        path: PathBuf,
        /// What it said.
        reason: String,
    },
}

impl DictionaryError {
    /// What was being done when it happened.
    pub(crate) fn doing(&self) -> &'static str {
        match self {
            Self::BadWord { .. } => "adding the user's words to the dictionary",
            Self::BadSource { .. } => "reading MeCab's compiled dictionary",
            _ => "loading the dictionary of the morpheme scheme",
        }
    }

    pub(super) fn lindera(path: &Path, error: &dyn std::error::Error) -> Self {
        Self::Lindera { path: path.to_owned(), reason: error.to_string() }
    }
}

/// That there is no such folder.
pub(super) fn missing(folder: &Path) -> Error {
    let part =
        if folder == super::SACREBLEU.folder() { "sacrebleu-dictionary" } else { "dictionary" };
    Error::Missing {
        what: format!("the dictionary {}", folder.display()),
        how_to_get_it: format!(
            "run `ko-eval setup {part}`, or build it by hand as docs/SETUP.md says"
        ),
    }
}
