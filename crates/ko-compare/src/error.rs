//! What can go wrong in a comparison.

use std::path::PathBuf;

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Too few systems, or too many to look at.
    #[error("{count} systems; a comparison takes {least} to {most}")]
    Systems {
        /// How many there are.
        count: usize,
        /// How many it takes at least.
        least: usize,
        /// And at most.
        most: usize,
    },

    /// Two systems of one name.
    #[error("the system name `{name}` is given twice; name the systems apart, as in NAME=FILE")]
    NameTwice {
        /// The name.
        name: String,
    },

    /// A system without a name.
    #[error("system {number} has no name")]
    NoName {
        /// The system, from 1.
        number: usize,
    },

    /// A system that has no output at all.
    #[error("the system `{name}` has no segments")]
    EmptySystem {
        /// Its name.
        name: String,
    },

    /// Systems of unequal length.
    #[error("`{first}` has {first_len} segments, but `{second}` has {second_len}")]
    Lengths {
        /// The first system.
        first: String,
        /// Its length.
        first_len: usize,
        /// The other system, or what else must be as long.
        second: String,
        /// Its length.
        second_len: usize,
    },

    /// Systems whose segments have different references or sources.
    #[error(
        "segment {segment} of `{second}` has another reference or source than that of `{first}`; systems are compared on the same segments"
    )]
    References {
        /// The first system.
        first: String,
        /// The other system.
        second: String,
        /// Counted from 1.
        segment: usize,
    },

    /// A grouping with more buckets than can be looked at.
    #[error("the groups `{name}` have {count} different values; at most {most} can be shown")]
    Groups {
        /// The grouping.
        name: String,
        /// How many values it has.
        count: usize,
        /// How many it may have.
        most: usize,
    },

    /// A name that is no plain file name, or a date that is none.
    #[error("`{value}` is no {what}: expected {expected}")]
    Named {
        /// `name of a run`, `date`.
        what: &'static str,
        /// What was given.
        value: String,
        /// What would have been accepted.
        expected: &'static str,
    },

    /// A run of this name is kept already.
    #[error("{}: a run of this name is kept already; choose another name, or remove the file", path.display())]
    RunExists {
        /// Its file.
        path: PathBuf,
    },

    /// A file that is no run, or was changed after it was written.
    #[error("{}: {reason}", path.display())]
    BadRun {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },

    /// A run that was asked for and is not there.
    #[error("there is no run `{name}`; known: {known}")]
    UnknownRun {
        /// The name.
        name: String,
        /// The runs there are, comma-separated.
        known: String,
    },

    /// Runs whose scores came about differently; they are not to be compared.
    #[error(
        "{metric} was measured differently in the runs `{first}` and `{second}`: {differences}; such scores cannot be compared"
    )]
    Mixed {
        /// The metric, with its unit.
        metric: String,
        /// The earlier run.
        first: String,
        /// The later run.
        second: String,
        /// The settings that differ, with both values.
        differences: String,
    },

    /// What the core says.
    #[error(transparent)]
    Core(#[from] ko_eval_core::Error),
}
