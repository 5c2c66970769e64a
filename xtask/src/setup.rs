//! Installing a part: fetch, verify, unpack beside its place, move it there.
//!
//! Interrupted at any point, the next run goes on: a verified download stays, and a folder is in its
//! place only when it is whole. Two at once wait for each other at a lock that the operating system
//! releases even if its holder dies.

use crate::{
    doctor::{STAMP, State},
    recipes::{self, Licence, RECIPES, Recipe},
};
use anyhow::{Context, Result, anyhow, bail};
use ko_eval_core::home;
use std::{
    fs::{self, File, TryLockError},
    path::Path,
};

/// Installs a part unless it is there; `accepted` are the licences that the user has accepted.
pub(crate) fn install(name: &str, accepted: &[Licence]) -> Result<()> {
    let recipe = recipes::by_name(name).ok_or_else(|| {
        let known: Vec<_> = RECIPES.iter().map(|recipe| recipe.part.name).collect();
        anyhow!("unknown part `{name}`; known: {}", known.join(", "))
    })?;
    if is_installed(recipe) {
        eprintln!("{name} is in {}", recipe.part.path().display());
        return Ok(());
    }
    recipe.runs_here()?;
    consent(recipe, accepted)?;
    (recipe.check)()?;
    let home = home();
    fs::create_dir_all(&home).with_context(|| home.display().to_string())?;
    let _lock = lock(&home.join(format!(".lock-{}", recipe.lock())), name)?;
    if !is_installed(recipe) {
        make(recipe, &home).with_context(|| format!("setting up {name}"))?;
    }
    Ok(())
}

/// Refuses what is under a licence that the user has not accepted.
fn consent(recipe: &Recipe, accepted: &[Licence]) -> Result<()> {
    match recipe.licence {
        Some(licence @ Licence::Gpl3) if !accepted.contains(&licence) => bail!(
            "{name} is under the GNU General Public License, version 3, which ko-eval is not: whoever passes on a program \
             together with it has to follow that licence for the whole. Nothing has been fetched. To use it on this \
             machine, say\n  cargo xtask setup {name} --accept-gpl",
            name = recipe.part.name
        ),
        _ => Ok(()),
    }
}

/// What a user put there is left alone; what set-up made from other packages is made again.
fn is_installed(recipe: &Recipe) -> bool {
    match recipe.part.state() {
        State::Complete(stamp) => stamp.is_none_or(|stamp| stamp == recipe.stamp()),
        State::Incomplete(_) | State::Absent => false,
    }
}

fn lock(path: &Path, name: &str) -> Result<File> {
    let file = File::create(path).with_context(|| path.display().to_string())?;
    match file.try_lock() {
        Ok(()) => return Ok(file),
        Err(TryLockError::WouldBlock) => eprintln!("waiting for another set-up of {name}"),
        Err(TryLockError::Error(error)) => bail!("locking {}: {error}", path.display()),
    }
    file.lock().with_context(|| format!("locking {}", path.display()))?;
    Ok(file)
}

fn make(recipe: &Recipe, home: &Path) -> Result<()> {
    let downloads = home.join("downloads");
    fs::create_dir_all(&downloads).with_context(|| downloads.display().to_string())?;
    let by_hand: Vec<_> =
        recipe.packages.iter().map(|package| downloads.join(package.file).exists()).collect();
    let files = recipe
        .packages
        .iter()
        .map(|package| package.fetch(&downloads))
        .collect::<Result<Vec<_>>>()?;

    let target = recipe.part.path();
    let partial = home.join(format!(".partial-{}", recipe.part.folder));
    remove(&partial)?;
    eprintln!("making {}", target.display());
    (recipe.make)(&files, &partial)?;
    let stamp = partial.join(STAMP);
    fs::write(&stamp, recipe.stamp()).with_context(|| stamp.display().to_string())?;
    remove(&target)?;
    fs::rename(&partial, &target).with_context(|| target.display().to_string())?;
    if let State::Incomplete(missing) = recipe.part.state() {
        bail!("{} lacks {}", target.display(), missing.join(", "));
    }
    // Downloads of ours have served; a file that somebody put there stays.
    for (file, _) in files.iter().zip(by_hand).filter(|(_, by_hand)| !by_hand) {
        fs::remove_file(file).with_context(|| file.display().to_string())?;
    }
    Ok(())
}

/// Removes a folder if it is there.
pub(crate) fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| folder.display().to_string())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_under_the_gpl_is_asked_for() {
        let konlpy = recipes::by_name("konlpy").unwrap();
        let refusal = consent(konlpy, &[]).unwrap_err().to_string();
        assert!(refusal.contains("setup konlpy --accept-gpl"), "{refusal}");
        assert!(consent(konlpy, &[Licence::Gpl3]).is_ok());
        assert!(consent(recipes::by_name("kiwi").unwrap(), &[]).is_ok());
    }
}
