//! `cargo xtask setup`: the recipes of `ko-eval-setup`, for people in the repository.

use crate::{packed, tasks};
use anyhow::{Context, Result};
use ko_eval_setup::{Licence, Lines, Outcome, Setup};
use std::path::Path;

/// Installs a part unless it is there; `accepted` are the licences that the user has accepted.
pub(crate) fn install(name: &str, accepted: &[Licence]) -> Result<()> {
    let convert = |source: &Path, target: &Path, version: &str| {
        tasks::build_dictionary(source, target, version).map_err(Into::into)
    };
    let lines = Lines::new(|line| eprintln!("{line}"));
    let setup = Setup::new(&convert).progress(&lines);
    let setup = accepted.iter().fold(setup, |setup, licence| setup.accept(*licence));
    let outcome = setup.install(name).with_context(|| format!("setting up {name}"))?;
    let folder = outcome.folder().display();
    match &outcome {
        Outcome::Found(_) => eprintln!("{name} is in {folder}"),
        Outcome::Made(_) => eprintln!("{name} is now in {folder}"),
    }
    match name {
        packed::PART => tasks::pack_dictionary(outcome.folder()),
        _ => Ok(()),
    }
}
