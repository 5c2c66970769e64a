//! A file of a package registry.

use crate::archive::Form;

/// A file of a package registry.
#[derive(Debug)]
pub struct Package {
    /// The package's name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The file's name.
    pub file: &'static str,
    /// The file's checksum.
    pub sha256: &'static str,
    /// The file's size, for whoever waits.
    pub megabytes: u32,
    /// What the file is.
    pub kind: Kind,
}

/// What a package's file is.
#[derive(Debug)]
#[non_exhaustive]
pub enum Kind {
    /// A wheel, and what makes every pip pick this one of the version's wheels.
    Wheel(&'static [&'static str]),
    /// A source archive of the Python registry.
    Source,
    /// A package of npm's registry, which is an archive too.
    Npm,
}

impl Package {
    /// Which registry has it.
    pub fn registry(&self) -> &'static str {
        match self.kind {
            Kind::Wheel(_) | Kind::Source => "Python package",
            Kind::Npm => "npm",
        }
    }

    pub(crate) fn form(&self) -> Form {
        match self.kind {
            Kind::Wheel(_) => Form::Zip,
            Kind::Source | Kind::Npm => Form::TarGz,
        }
    }
}
