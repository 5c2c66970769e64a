//! How a part is made.

use crate::{Error, Package, Part, Result, work::Work};
use std::{
    env::consts::{ARCH, OS},
    fmt,
};

/// A licence that somebody may not want on their machine without having been asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Licence {
    /// The GNU General Public License, version 3.
    Gpl3,
}

impl fmt::Display for Licence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gpl3 => f.write_str("GNU General Public License, version 3"),
        }
    }
}

/// How much may come out of a part's archives. An archive that holds more is refused, whatever it says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most files of an archive that are written.
    pub files: u64,
    /// The largest file, in megabytes.
    pub file_megabytes: u64,
    /// All that an archive may unpack to, in megabytes.
    pub megabytes: u64,
}

/// How a part is made from packages.
#[derive(Debug)]
pub struct Recipe {
    /// What it makes.
    pub part: Part,
    /// What it is made from.
    pub packages: &'static [Package],
    /// The only system (`linux`) and machine (`x86_64`) that it works on, if there is one.
    pub only_on: Option<(&'static str, &'static str)>,
    /// The licence that has to be accepted before anything is fetched, if there is one.
    pub licence: Option<Licence>,
    /// How much may come out of its archives.
    pub limits: Limits,
    /// Looks, before anything is fetched, whether what `make` runs is there.
    pub(crate) check: fn() -> Result<()>,
    /// Counts the changes of `make`: another number makes the part anew.
    pub(crate) revision: u32,
    /// Makes the folder, which is not there yet, from the packages' files.
    pub(crate) make: fn(&Work<'_>) -> Result<()>,
}

impl Recipe {
    /// How much is fetched, in megabytes.
    pub fn megabytes(&self) -> u32 {
        self.packages.iter().map(|package| package.megabytes).sum()
    }

    /// What to type to get it.
    pub fn command(&self) -> String {
        let consent = if self.licence.is_some() { " --accept-gpl" } else { "" };
        format!("ko-eval setup {}{consent}", self.part.name)
    }

    /// What the part is made from, in the words of its stamp.
    pub(crate) fn stamp(&self) -> String {
        let packages = self.packages.iter().map(|package| {
            format!("{} {} sha256:{}\n", package.name, package.version, package.sha256)
        });
        packages.chain([format!("revision {}\n", self.revision)]).collect()
    }

    /// The name of the lock that guards it: that of its first package, which two parts may be made from.
    pub(crate) fn lock(&self) -> &'static str {
        self.packages.first().map_or(self.part.name, |package| package.name)
    }

    /// Refuses a machine that the packages are not for.
    ///
    /// # Errors
    /// [`Error::WrongMachine`].
    pub fn runs_here(&self) -> Result<()> {
        match self.only_on {
            Some((os, arch)) if (os, arch) != (OS, ARCH) => {
                Err(Error::WrongMachine { part: self.part.name, os, arch })
            }
            _ => Ok(()),
        }
    }
}
