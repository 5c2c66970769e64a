//! What set-up can install. A new part is a file and a row.

mod albert;
mod dictionary;
mod khaiii;
mod kiwi;
mod konlpy;
mod libtorch;
mod sacrebleu_dictionary;
mod wordnet;

use crate::{doctor::Part, package::Package};
use anyhow::{Result, bail};
use std::{
    env::consts::{ARCH, OS},
    path::{Path, PathBuf},
};

/// Every part that set-up knows.
pub(crate) const RECIPES: &[Recipe] = &[
    dictionary::RECIPE,
    sacrebleu_dictionary::RECIPE,
    libtorch::RECIPE,
    albert::RECIPE,
    wordnet::RECIPE,
    khaiii::RECIPE,
    kiwi::RECIPE,
    konlpy::RECIPE,
];

/// A licence that somebody may not want on their machine without having been asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Licence {
    /// The GNU General Public License, version 3.
    Gpl3,
}

/// How a part is made from packages.
#[derive(Debug)]
pub(crate) struct Recipe {
    /// What it makes.
    pub part: Part,
    /// What it is made from.
    pub packages: &'static [Package],
    /// The only system (`linux`) and machine (`x86_64`) that it works on, if there is one.
    pub only_on: Option<(&'static str, &'static str)>,
    /// The licence that has to be accepted before anything is fetched, if there is one.
    pub licence: Option<Licence>,
    /// Looks, before anything is fetched, whether what `make` runs is there.
    pub check: fn() -> Result<()>,
    /// Counts the changes of `make`: another number makes the part anew.
    pub revision: u32,
    /// Makes the folder, which is not there yet, from the packages' files in their order.
    pub make: fn(&[PathBuf], &Path) -> Result<()>,
}

impl Recipe {
    /// What the part is made from, in the words of its [`STAMP`](crate::doctor::STAMP).
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
    pub(crate) fn runs_here(&self) -> Result<()> {
        match self.only_on {
            Some((os, arch)) if (os, arch) != (OS, ARCH) => {
                bail!(
                    "{} comes for {os} on {arch} only, and this is {OS} on {ARCH}",
                    self.part.name
                )
            }
            _ => Ok(()),
        }
    }
}

/// The recipe of a part.
pub(crate) fn by_name(name: &str) -> Option<&'static Recipe> {
    RECIPES.iter().find(|recipe| recipe.part.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn parts_do_not_share_names_folders_or_downloads() {
        let of = |get: fn(&Recipe) -> &'static str| RECIPES.iter().map(get).collect::<HashSet<_>>();
        assert_eq!(of(|recipe| recipe.part.name).len(), RECIPES.len());
        assert_eq!(of(|recipe| recipe.part.folder).len(), RECIPES.len());
        let packages = || RECIPES.iter().flat_map(|recipe| recipe.packages);
        assert!(packages().all(|p| p.sha256.len() == 64));
        // Parts that share a package wait for each other at its lock, which is named after the first.
        for (number, recipe) in RECIPES.iter().enumerate() {
            for other in RECIPES.iter().skip(number + 1) {
                let names = |recipe: &Recipe| recipe.packages.iter().map(|p| p.name).collect();
                let (own, theirs): (HashSet<_>, HashSet<_>) = (names(recipe), names(other));
                assert!(own.is_disjoint(&theirs) || recipe.lock() == other.lock());
            }
        }
    }
}
