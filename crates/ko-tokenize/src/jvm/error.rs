//! What can go wrong between here and Java.

use crate::Error;
use std::path::{Path, PathBuf};

/// Why an analyzer written in Java cannot be loaded, or did not analyse.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JvmError {
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

    /// Java has no memory left, for a text or for a tool's dictionary.
    #[error(
        "Java has no memory left ({message}): cut the text, or give Java more, as in {MORE_MEMORY}"
    )]
    OutOfMemory {
        /// What Java said.
        message: String,
    },

    /// A tool caught its own failure, wrote it to standard error, and returned nothing.
    #[error("{tool} failed on a text of {bytes} bytes and wrote the reason to standard error")]
    Refused {
        /// The tool.
        tool: &'static str,
        /// The text's length.
        bytes: usize,
    },

    /// A word on which a tool would not come to an end.
    #[error(
        "{syllables} syllables in a row are too many for {tool}: with more than {limit} it might never finish"
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
    #[error("no class {class} on the class path: is KoNLPy {} complete?", super::VERSION)]
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
}

const HOW_TO_GET_JAVA: &str = "install any Java runtime (Debian: default-jre-headless), or name its folder in JAVA_HOME or \
                               its libjvm in KO_EVAL_JVM";

/// Java reads this variable itself; it goes before what we ask for.
const MORE_MEMORY: &str = "_JAVA_OPTIONS=-Xmx4g";

/// What Java throws where it has no memory left.
const OUT_OF_MEMORY: &str = "java.lang.OutOfMemoryError";

impl JvmError {
    /// What was being done when it happened.
    pub(crate) fn doing(&self) -> &'static str {
        match self {
            Self::NoMachine { .. } | Self::Start { .. } | Self::OtherFolder { .. } => {
                "starting Java"
            }
            _ => "analysing a text in Java",
        }
    }

    /// What to do where there is no Java.
    pub(crate) fn how_to_get_java(tried: &str) -> String {
        format!("{HOW_TO_GET_JAVA}; `ko-eval setup` does not install it; looked at {tried}")
    }
}

/// That a file of KoNLPy's is not there.
pub(super) fn missing(path: &Path) -> Error {
    Error::Missing {
        what: format!("KoNLPy's {}", path.display()),
        how_to_get_it: "run `ko-eval setup konlpy --accept-gpl` (it is under the GPL-3), or unpack it by hand as \
                        docs/SETUP.md says"
            .into(),
    }
}

impl From<jni::errors::Error> for JvmError {
    fn from(error: jni::errors::Error) -> Self {
        use jni::errors::{Error as Jni, JniError};
        match error {
            Jni::CaughtJavaException { name, msg, .. } if name == OUT_OF_MEMORY => {
                Self::OutOfMemory { message: msg }
            }
            Jni::JniCall(JniError::NoMemory) => Self::OutOfMemory { message: OUT_OF_MEMORY.into() },
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
