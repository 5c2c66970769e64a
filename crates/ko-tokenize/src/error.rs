//! What can go wrong, whichever unit it is.

use std::{io, path::PathBuf};

/// The error of everything in this crate that is not a method of the core's traits.
///
/// What was wrong with one analyzer, vocabulary or program is a type of its own inside; what can be missing or unreadable
/// for all of them is here. It converts to the core's error, which adds what was being done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something that has to be set up is not there.
    #[error("{what} is missing: {how_to_get_it}")]
    Missing {
        /// What is missing.
        what: String,
        /// The command or the setting that provides it.
        how_to_get_it: String,
    },

    /// A file that cannot be opened, read or written.
    #[error("cannot read or write {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },

    /// A dictionary of the morpheme scheme.
    #[cfg(feature = "morpheme")]
    #[error(transparent)]
    Dictionary(#[from] crate::morpheme::DictionaryError),

    /// Khaiii's resource folder.
    #[cfg(feature = "khaiii")]
    #[error(transparent)]
    Khaiii(#[from] crate::khaiii::KhaiiiError),

    /// Kiwi.
    #[cfg(feature = "kiwi")]
    #[error(transparent)]
    Kiwi(#[from] crate::kiwi::KiwiError),

    /// An analyzer written in Java.
    #[cfg(feature = "jvm")]
    #[error(transparent)]
    Jvm(#[from] crate::jvm::JvmError),

    /// A SentencePiece model.
    #[cfg(feature = "sentencepiece")]
    #[error(transparent)]
    SentencePiece(#[from] crate::sentencepiece::SentencePieceError),

    /// A subword vocabulary.
    #[cfg(feature = "subword")]
    #[error(transparent)]
    Subword(#[from] crate::subword::SubwordError),

    /// A program of the user's own.
    #[error(transparent)]
    Bridge(#[from] crate::bridge::BridgeError),
}

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Short for [`Error::Io`], to be used with `map_err`.
    #[cfg(any(
        feature = "morpheme",
        feature = "sentencepiece",
        feature = "khaiii",
        feature = "kiwi",
        feature = "jvm"
    ))]
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        |source| Self::Io { path: path.into(), source }
    }

    /// What was being done when it happened.
    fn doing(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "looking for what is needed",
            Self::Io { .. } => "reading or writing a file",
            #[cfg(feature = "morpheme")]
            Self::Dictionary(error) => error.doing(),
            #[cfg(feature = "khaiii")]
            Self::Khaiii(_) => "loading Khaiii's resource folder",
            #[cfg(feature = "kiwi")]
            Self::Kiwi(error) => error.doing(),
            #[cfg(feature = "jvm")]
            Self::Jvm(error) => error.doing(),
            #[cfg(feature = "sentencepiece")]
            Self::SentencePiece(_) => "cutting by a SentencePiece model",
            #[cfg(feature = "subword")]
            Self::Subword(error) => error.doing(),
            Self::Bridge(crate::bridge::BridgeError::Start { .. }) => {
                "starting a program for units"
            }
            Self::Bridge(_) => "asking a program for the units of a text",
        }
    }
}

impl From<Error> for ko_eval_core::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Missing { what, how_to_get_it } => Self::Missing { what, how_to_get_it },
            Error::Io { path, source } => Self::Io { path, source },
            #[cfg(feature = "jvm")]
            Error::Jvm(crate::jvm::JvmError::NoMachine { tried }) => Self::Missing {
                what: "a Java virtual machine".into(),
                how_to_get_it: crate::jvm::JvmError::how_to_get_java(&tried),
            },
            other => Self::source(other.doing(), other),
        }
    }
}

/// A part's own error becomes the core's by way of [`Error`].
macro_rules! into_core {
    ($($(#[$feature:meta])? $error:path;)*) => {$(
        $(#[$feature])?
        impl From<$error> for ko_eval_core::Error {
            fn from(error: $error) -> Self {
                Error::from(error).into()
            }
        }
    )*};
}

into_core! {
    #[cfg(feature = "morpheme")] crate::morpheme::DictionaryError;
    #[cfg(feature = "khaiii")] crate::khaiii::KhaiiiError;
    #[cfg(feature = "kiwi")] crate::kiwi::KiwiError;
    #[cfg(feature = "jvm")] crate::jvm::JvmError;
    #[cfg(feature = "sentencepiece")] crate::sentencepiece::SentencePieceError;
    #[cfg(feature = "subword")] crate::subword::SubwordError;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::BridgeError;
    use std::error::Error as _;

    #[test]
    fn the_context_says_what_and_the_cause_says_why() {
        let source = io::Error::other("no such program");
        let error = Error::from(BridgeError::Start { command: "cut".into(), source });
        assert_eq!(error.to_string(), "`cut` cannot be started");
        let core = ko_eval_core::Error::from(error);
        assert_eq!(core.to_string(), "starting a program for units");
        let causes = std::iter::successors(core.source(), |cause| (*cause).source());
        assert_eq!(
            causes.map(ToString::to_string).collect::<Vec<_>>(),
            ["`cut` cannot be started", "no such program"]
        );
    }

    #[test]
    fn what_is_missing_stays_missing() {
        let missing = Error::Missing { what: "a model".into(), how_to_get_it: "set it up".into() };
        let text = missing.to_string();
        assert_eq!(text, "a model is missing: set it up");
        let core = ko_eval_core::Error::from(missing);
        assert!(matches!(core, ko_eval_core::Error::Missing { .. }));
        assert_eq!((core.to_string(), core.source().is_none()), (text, true));
    }
}
