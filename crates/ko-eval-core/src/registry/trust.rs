//! What a specification that came in somebody's file may open.
//!
//! A specification on the command line is the user's own. One that travels in a file (a plan) is whoever wrote the file's: it must not
//! start a program, load code, or open a file outside of the folder that it came in. What a row would open is what it
//! [declares](Opens), and this is the one place that looks.

use super::{Argument, Library, Param, Spec};
use crate::{Error, Result, setting::Opens};
use std::path::{Component, Path};

/// How deep specifications may stand in each other.
const DEEPEST: usize = 8;

/// What a row declares about its settings.
#[derive(Debug, Clone, Copy)]
pub struct Declared {
    /// What the bare argument is, if the row takes one.
    pub argument: Option<Argument>,
    /// What can be set.
    pub params: &'static [Param],
}

impl Library {
    /// Refuses a metric or a unit that would run code which its settings name, or open a file outside of `folder`. Nothing is built or
    /// opened.
    ///
    /// # Errors
    /// [`Error::Untrusted`], which says what it would do; a text that is no specification.
    pub fn check_trusted(&self, spec: &str, folder: &Path) -> Result<()> {
        self.check_nested(spec, folder, 0)
    }

    fn check_nested(&self, text: &str, folder: &Path, depth: usize) -> Result<()> {
        if depth > DEEPEST {
            return Err(untrusted(text, "holds specifications too deep in each other"));
        }
        let spec: Spec = text.parse()?;
        let metric = self.metrics.iter().find(|row| row.name == spec.name());
        let metric = metric.map(|row| Declared { argument: row.argument, params: row.params });
        for declared in metric.into_iter().chain((self.unit_row)(spec.name())) {
            self.check_row(text, &spec, declared, folder, depth)?;
        }
        Ok(())
    }

    fn check_row(
        &self,
        text: &str,
        spec: &Spec,
        declared: Declared,
        folder: &Path,
        depth: usize,
    ) -> Result<()> {
        let given = declared.params.iter().filter_map(|param| {
            let value = spec.params.get(param.name)?;
            // Written out, what happens by default is the default.
            (param.default.to_string() != value).then_some((param.opens, value))
        });
        let argument = declared.argument.iter().flat_map(|argument| {
            let values = [spec.params.argument(), Some(spec.params.raw())];
            values.into_iter().flatten().map(|value| (argument.opens, value))
        });
        for (opens, value) in given.chain(argument).filter(|(_, value)| !value.is_empty()) {
            match opens {
                Opens::Nothing => {}
                Opens::Program => return Err(untrusted(text, "runs code that it names")),
                Opens::Path => {
                    check_path(Path::new(value), folder).map_err(|_| {
                        untrusted(text, "opens a file outside of the folder that it came in")
                    })?;
                    // `METRIC@UNIT`, and units inside of metrics.
                    let parts = value.split('@').filter(|part| *part != value);
                    for part in std::iter::once(value).chain(parts) {
                        self.check_nested(part, folder, depth + 1)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Refuses a path that leads out of `folder`: an absolute one, one that goes up, or one whose links end elsewhere. A path
/// under which nothing lies is a name, and leads nowhere.
///
/// # Errors
/// [`Error::Untrusted`], which names the path.
pub fn check_path(path: &Path, folder: &Path) -> Result<()> {
    let refused = || {
        untrusted(&path.display().to_string(), "lies outside of the folder that the file came in")
    };
    let stays = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    let is_below = path.strip_prefix(folder).unwrap_or(path).components().all(stays);
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (path.canonicalize(), folder.canonicalize()) {
        _ if !is_below => Err(refused()),
        (Ok(path), Ok(folder)) if !path.starts_with(&folder) => Err(refused()),
        _ => Ok(()),
    }
}

fn untrusted(what: &str, reason: &'static str) -> Error {
    Error::Untrusted { what: what.to_owned(), reason }
}
