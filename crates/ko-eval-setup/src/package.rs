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

    /// What gets the file on any machine with network.
    ///
    /// ```
    /// let khaiii = &ko_eval_setup::by_name("khaiii")?.packages[0];
    /// assert_eq!(khaiii.command(), "npm pack khaiii@0.0.2");
    /// # Ok::<(), ko_eval_setup::Error>(())
    /// ```
    pub fn command(&self) -> String {
        let Self { name, version, .. } = self;
        match self.kind {
            Kind::Wheel(tags) => {
                let words = ["--only-binary=:all:"].iter().chain(tags).copied();
                let words = words.collect::<Vec<_>>().join(" ");
                format!("python3 -m pip download --no-deps {words} {name}=={version}")
            }
            Kind::Source => {
                format!("python3 -m pip download --no-deps --no-binary=:all: {name}=={version}")
            }
            Kind::Npm => format!("npm pack {name}@{version}"),
        }
    }

    pub(crate) fn form(&self) -> Form {
        match self.kind {
            Kind::Wheel(_) => Form::Zip,
            Kind::Source | Kind::Npm => Form::TarGz,
        }
    }
}
