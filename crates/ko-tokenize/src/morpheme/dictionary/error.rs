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

    /// A file is not as it was when it was built.
    #[error("{}: {reason}; the dictionary is damaged: remove its folder, then {BUILD}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },

    /// A file that could change under the processes that would share it.
    #[error(
        "{}: whoever shares it would end if it were shortened, and it may be written; make it read-only first: `chmod a-w {}`",
        path.display(), path.display()
    )]
    Writable {
        /// The file.
        path: PathBuf,
    },

    /// A file of the compiled dictionary that cannot be read.
    #[error("{}: {reason}", path.display())]
    BadSource {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },

    /// A compiled dictionary that is too large to be converted.
    #[error("the dictionary has too many {what}")]
    TooMany {
        /// What there are too many of.
        what: &'static str,
    },

    /// A word that cannot join the dictionary.
    #[error("the user dictionary's word `{surface}`: {reason}")]
    BadWord {
        /// The word.
        surface: String,
        /// What is wrong with it.
        reason: String,
    },

    /// The provider could not set the dictionary up.
    #[error("setting up the dictionary")]
    Provider(#[source] Box<dyn std::error::Error + Send + Sync>),

    /// lindera refused.
    #[error("{}: {reason}", path.display())]
    Lindera {
        /// The folder it was working on.
        path: PathBuf,
        /// What it said.
        reason: String,
    },
}

/// How to get a dictionary.
pub(in crate::morpheme) const BUILD: &str =
    "run `ko-eval setup dictionary`, or build it by hand as docs/SETUP.md says";

impl DictionaryError {
    /// What was being done when it happened.
    pub(crate) fn doing(&self) -> &'static str {
        match self {
            Self::BadWord { .. } => "adding the user's words to the dictionary",
            Self::BadSource { .. } | Self::TooMany { .. } => {
                "converting MeCab's compiled dictionary"
            }
            _ => "loading the dictionary of the morpheme scheme",
        }
    }

    #[cfg(feature = "lindera")]
    pub(in crate::morpheme) fn lindera(path: &Path, error: &dyn std::error::Error) -> Self {
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
