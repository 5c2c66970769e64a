//! What can go wrong with set-up.

use crate::{Licence, Package};
use std::{
    io,
    path::{Path, PathBuf},
};

/// The result of anything here.
pub type Result<T> = std::result::Result<T, Error>;

/// Why something is not set up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No such part.
    #[error("unknown part `{name}`; known: {known}, all")]
    Unknown {
        /// What was asked for.
        name: String,
        /// All there are.
        known: String,
    },

    /// The packages are for another machine.
    #[error(
        "{part} comes for {os} on {arch} only, and this is {} on {}",
        std::env::consts::OS,
        std::env::consts::ARCH
    )]
    WrongMachine {
        /// The part.
        part: &'static str,
        /// The operating system that it is for.
        os: &'static str,
        /// The processor that it is for.
        arch: &'static str,
    },

    /// A licence that nobody has accepted.
    #[error(
        "{part} is under the {licence}, which ko-eval is not: whoever passes on a program together with it has to follow \
         that licence for the whole. Nothing has been fetched. To use it on this machine, say\n  ko-eval setup {part} \
         --accept-gpl"
    )]
    Licence {
        /// The part.
        part: &'static str,
        /// Its licence.
        licence: Licence,
    },

    /// A program that set-up runs is not there.
    #[error("`{program}` is not found: {how_to_get_it}")]
    NoTool {
        /// The program.
        program: String,
        /// How to install it.
        how_to_get_it: &'static str,
    },

    /// A package could not be fetched; the message tells the way by hand.
    #[error(
        "{} {} could not be fetched: {reason}\nBy hand: get the file\n  {}\n  SHA-256 {}\nof that package from your {} \
         registry, on a machine with network for example by\n  {}\nput it into\n  {}\nand run this again",
        package.name, package.version, package.file, package.sha256, package.registry(), package.command(), folder.display()
    )]
    Fetch {
        /// The package.
        package: &'static Package,
        /// What pip or npm said.
        reason: String,
        /// Where the file belongs.
        folder: PathBuf,
    },

    /// A file that is not the one it should be.
    #[error("{}: its SHA-256 is {found}, not {expected}; remove it, and set-up fetches it again", path.display())]
    Checksum {
        /// The file.
        path: PathBuf,
        /// Its checksum.
        found: String,
        /// The right one.
        expected: String,
    },

    /// An archive that cannot be read, or holds what it must not.
    #[error("{}: {reason}", archive.display())]
    Archive {
        /// The archive.
        archive: PathBuf,
        /// What is wrong with it.
        reason: String,
    },

    /// A program that set-up ran has failed.
    #[error("{program}: {reason}")]
    Tool {
        /// The program.
        program: String,
        /// The end of what it said.
        reason: String,
    },

    /// A dictionary could not be converted.
    #[error("converting the dictionary in {}", folder.display())]
    Convert {
        /// Where it was unpacked.
        folder: PathBuf,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },

    /// The folder that was made is not whole.
    #[error("{} lacks {missing}", folder.display())]
    Incomplete {
        /// The folder.
        folder: PathBuf,
        /// What it should hold.
        missing: String,
    },

    /// The operating system refused.
    #[error("{}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
}

impl Error {
    /// For `map_err`: what the operating system says about a path.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }

    pub(crate) fn archive(archive: &Path, reason: &dyn ToString) -> Self {
        Self::Archive { archive: archive.to_owned(), reason: reason.to_string() }
    }
}
