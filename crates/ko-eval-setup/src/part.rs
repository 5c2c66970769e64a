//! What set-up makes, and what there is of it.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The file that set-up leaves in a folder it made: the packages, their versions and checksums.
pub(crate) const STAMP: &str = ".set-up";

/// Something that lies in a folder of its own under [`home`](ko_eval_io::home).
#[derive(Debug)]
pub struct Part {
    /// What `ko-eval setup` calls it.
    pub name: &'static str,
    /// What it is for, in a few words.
    pub summary: &'static str,
    /// Its folder.
    pub folder: &'static str,
    /// What must lie in the folder.
    pub files: &'static [&'static str],
}

/// What there is of a [`Part`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// Everything, with what set-up wrote about it; nothing was written by a user's own hand.
    Complete(Option<String>),
    /// The folder without these files.
    Incomplete(Vec<&'static str>),
    /// No folder.
    Absent,
}

impl Part {
    /// Its folder under `home`.
    pub fn path(&self, home: &Path) -> PathBuf {
        home.join(self.folder)
    }

    /// What there is of it under `home`.
    ///
    /// ```
    /// use ko_eval_setup::{State, by_name};
    ///
    /// let part = &by_name("albert")?.part;
    /// assert_eq!(part.state("no/such/folder".as_ref()), State::Absent);
    /// # Ok::<(), ko_eval_setup::Error>(())
    /// ```
    pub fn state(&self, home: &Path) -> State {
        let path = self.path(home);
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

    /// Whether all of it is there.
    pub fn is_complete(&self, home: &Path) -> bool {
        matches!(self.state(home), State::Complete(_))
    }
}

impl State {
    /// The packages that it was made from, without their checksums; empty if set-up did not make it.
    pub fn packages(&self) -> String {
        let Self::Complete(Some(stamp)) = self else { return String::new() };
        let names =
            stamp.lines().filter_map(|line| line.split_once(" sha256:")).map(|(name, _)| name);
        names.collect::<Vec<_>>().join(", ")
    }
}
