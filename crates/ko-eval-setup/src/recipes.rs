//! What set-up can install. A new part is a file and a row.

mod albert;
mod dictionary;
mod khaiii;
mod kiwi;
mod konlpy;
mod libtorch;
mod sacrebleu_dictionary;
mod wordnet;

use crate::Recipe;

/// Every part that set-up knows.
pub const RECIPES: &[Recipe] = &[
    dictionary::RECIPE,
    sacrebleu_dictionary::RECIPE,
    libtorch::RECIPE,
    albert::RECIPE,
    wordnet::RECIPE,
    khaiii::RECIPE,
    kiwi::RECIPE,
    konlpy::RECIPE,
];

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

    #[test]
    fn every_command_that_is_told_names_its_part() {
        for recipe in RECIPES {
            assert!(recipe.command().starts_with(&format!("ko-eval setup {}", recipe.part.name)));
        }
    }
}
