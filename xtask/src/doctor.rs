//! What is installed, where, and how to get what is missing.

use crate::package::NPM;
use ko_eval_core::home;
use std::{env, fmt::Write as _, fs, path::PathBuf, process::Command};

/// The file that set-up leaves in a folder it made: the packages, their versions and checksums.
pub(crate) const STAMP: &str = ".set-up";

/// Something that lies in a folder of its own under [`home`].
#[derive(Debug)]
pub(crate) struct Part {
    /// What `cargo xtask setup` calls it.
    pub name: &'static str,
    /// What it is for, in a few words.
    pub summary: &'static str,
    /// Its folder under [`home`].
    pub folder: &'static str,
    /// What must lie in the folder.
    pub files: &'static [&'static str],
}

/// What there is of a [`Part`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Everything, with what set-up wrote about it; nothing was written by a user's own hand.
    Complete(Option<String>),
    /// The folder without these files.
    Incomplete(Vec<&'static str>),
    /// No folder.
    Absent,
}

impl Part {
    /// Its folder.
    pub(crate) fn path(&self) -> PathBuf {
        home().join(self.folder)
    }

    /// Whether all of it is there.
    pub(crate) fn is_complete(&self) -> bool {
        matches!(self.state(), State::Complete(_))
    }

    /// What there is of it.
    pub(crate) fn state(&self) -> State {
        let path = self.path();
        if !path.is_dir() {
            return State::Absent;
        }
        let missing: Vec<_> =
            self.files.iter().copied().filter(|file| !path.join(file).exists()).collect();
        match missing.is_empty() {
            true => State::Complete(fs::read_to_string(path.join(STAMP)).ok()),
            false => State::Incomplete(missing),
        }
    }
}

/// A page for people.
pub(crate) fn report<'p>(parts: impl IntoIterator<Item = &'p Part>) -> String {
    let mut page = format!("home      {}\n", home().display());
    let set = |name| env::var(name).unwrap_or_else(|_| "not set".into());
    for name in [
        "KO_EVAL_HOME",
        "KHAIII_RESOURCE_DIR",
        "LIBTORCH",
        "LIBTORCH_USE_PYTORCH",
        "JAVA_HOME",
        "KO_EVAL_JVM",
    ] {
        // Writing to a string cannot fail.
        let _ = writeln!(page, "{name}={}", set(name));
    }
    let _ =
        writeln!(page, "pip       {}", pip().map_or("not found".into(), |(_, version)| version));
    // For Khaiii's files, for Kiwi, which is compiled, and for KoNLPy's analyzers, which run in Java.
    for (program, question) in
        [(NPM, "--version"), ("cmake", "--version"), ("c++", "--version"), ("java", "-version")]
    {
        let found = version(program, question).unwrap_or_else(|| "not found".into());
        let _ = writeln!(page, "{program:<9} {found}");
    }
    page.push('\n');
    for part in parts {
        let (mark, about) = match part.state() {
            State::Complete(Some(stamp)) => ("ok", packages(&stamp)),
            State::Complete(None) => ("ok", "not made by set-up, left as it is".into()),
            State::Incomplete(missing) => ("BROKEN", format!("lacks {}", missing.join(", "))),
            State::Absent => ("-", "not installed".into()),
        };
        let _ = writeln!(page, "{mark:<9} {}: {}\n          {about}", part.name, part.summary);
        let _ = match part.state() {
            State::Complete(_) => writeln!(page, "          {}", part.path().display()),
            _ => writeln!(page, "          get it: cargo xtask setup {}", part.name),
        };
    }
    page
}

/// The lines of a stamp that name packages, without their checksums.
fn packages(stamp: &str) -> String {
    let names = stamp.lines().filter_map(|line| line.split_once(" sha256:")).map(|(name, _)| name);
    names.collect::<Vec<_>>().join(", ")
}

/// The first line of what a program says about its version; Java says it on standard error.
fn version(program: &str, question: &str) -> Option<String> {
    let output = Command::new(program).arg(question).output().ok()?;
    let text = String::from_utf8([output.stdout, output.stderr].concat()).ok()?;
    Some(text.lines().next()?.trim().to_owned()).filter(|_| output.status.success())
}

/// The Python that has pip, and pip's version.
pub(crate) fn pip() -> Option<(&'static str, String)> {
    ["python3", "python"].into_iter().find_map(|python| {
        let output = Command::new(python).args(["-m", "pip", "--version"]).output().ok()?;
        let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
        Some((python, text.split(" from ").next()?.trim().to_owned()))
    })
}
