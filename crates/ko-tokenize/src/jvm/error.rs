//! What can go wrong between here and Java.

use ko_eval_core::Error;
use std::{io, path::PathBuf};

/// Why an analyzer written in Java cannot be loaded, or did not analyse.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JvmError {
    /// A file of KoNLPy's is not there.
    #[error("no {}: run `cargo xtask setup konlpy --accept-gpl`, or see the README of ko-tokenize for the way by hand", path.display())]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },

    /// There is no Java on this machine, or it is not found.
    #[error("no Java virtual machine: {HOW_TO_GET_JAVA}; looked at {tried}")]
    NoMachine {
        /// Where it was looked for.
        tried: String,
    },

    /// The virtual machine does not start.
    #[error("the Java virtual machine {} does not start: {message}", path.display())]
    Start {
        /// Its library.
        path: PathBuf,
        /// What it said.
        message: String,
    },

    /// The one virtual machine that a process can have runs with other classes.
    #[error("Java runs in this process with the classes of {}, and cannot load those of {}", running.display(), asked.display())]
    OtherFolder {
        /// Where its classes are.
        running: PathBuf,
        /// Where they were asked for.
        asked: PathBuf,
    },

    /// Java threw.
    #[error("{class}: {message}")]
    Exception {
        /// The exception's class.
        class: String,
        /// What it said.
        message: String,
    },

    /// A tool caught its own failure, wrote it to standard error, and returned nothing.
    #[error("{tool} fails on a text of {bytes} bytes, and has written why to standard error")]
    Refused {
        /// The tool.
        tool: &'static str,
        /// The text's length.
        bytes: usize,
    },

    /// A word on which a tool would not come to an end.
    #[error(
        "{tool} is not given {syllables} syllables in a row: with more than {limit} it might not come to an end"
    )]
    LongWord {
        /// The tool.
        tool: &'static str,
        /// The word's length.
        syllables: usize,
        /// The longest that is passed on.
        limit: usize,
    },

    /// A class that the class path does not have.
    #[error("no class {class} on the class path: is KoNLPy {} there, whole?", super::VERSION)]
    NoClass {
        /// The class.
        class: String,
    },

    /// A call that Java does not understand.
    #[error("calling Java: {message}")]
    Call {
        /// What the bridge said.
        message: String,
    },

    /// A file that cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

const HOW_TO_GET_JAVA: &str = "install any Java runtime (Debian: default-jre-headless), or name its folder in JAVA_HOME or \
                               its libjvm in KO_EVAL_JVM";

impl From<JvmError> for Error {
    fn from(error: JvmError) -> Self {
        match error {
            JvmError::Missing { path } => Error::Missing {
                what: format!("KoNLPy's {}", path.display()),
                how_to_get_it: "run `cargo xtask setup konlpy --accept-gpl` (it is under the GPL-3), or unpack it by hand \
                                as the README of ko-tokenize says"
                    .into(),
            },
            JvmError::NoMachine { tried } => Error::Missing {
                what: "a Java virtual machine".into(),
                how_to_get_it: format!(
                    "{HOW_TO_GET_JAVA}; this is no part of `cargo xtask setup`; looked at {tried}"
                ),
            },
            other => Error::source("an analyzer in Java", other),
        }
    }
}

impl From<jni::errors::Error> for JvmError {
    fn from(error: jni::errors::Error) -> Self {
        use jni::errors::Error as Jni;
        match error {
            // The bridge writes a Java null so.
            Jni::CaughtJavaException { name, msg, .. } if msg == "<NULL>" => {
                Self::Exception { class: name, message: "no message".into() }
            }
            Jni::CaughtJavaException { name, msg, .. } => {
                Self::Exception { class: name, message: msg }
            }
            Jni::NoClassDefFound { requested, .. } => Self::NoClass { class: requested },
            Jni::ClassNotFound { name } => Self::NoClass { class: name },
            other => Self::Call { message: other.to_string() },
        }
    }
}
