//! What is standard for the test sets of WMT.

use std::collections::BTreeSet;

/// The standard reference and human scores of a language pair, and systems that are left out because their scores lie far from
/// all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standards {
    /// The reference that metrics are compared with.
    pub reference: Option<String>,
    /// The human scores.
    pub gold: Option<String>,
    /// Outliers.
    pub outliers: BTreeSet<String>,
}

/// Standard references that are not the first.
const REFERENCES: &[(&str, &str, &str)] = &[
    ("wmt21.news", "en-de", "refC"),
    ("wmt21.news", "zh-en", "refB"),
    ("wmt21.tedtalks", "zh-en", "refB"),
    ("wmt22", "cs-en", "refB"),
    ("wmt22", "en-cs", "refB"),
    ("wmt23", "he-en", "refB"),
    ("wmt23", "en-he", "refB"),
    ("wmt24", "en-de", "refB"),
];

/// Human scores from the most to the least careful: the first that is there is the standard.
const GOLD: &[&str] =
    &["mqm", "esa", "esa-human1", "da-sqm", "wmt-appraise", "wmt", "wmt-raw", "wmt-z"];

const OUTLIERS: &[(&str, &str, &str)] = &[
    ("wmt22", "en-de", "M2M100_1.2B-B4"),
    ("wmt23", "en-de", "synthetic_ref"),
    ("wmt23", "zh-en", "synthetic_ref"),
    ("wmt24", "en-de", "MSLC"),
    ("wmt24", "en-es", "MSLC"),
    ("wmt24", "ja-zh", "MSLC"),
];

impl Standards {
    pub(super) fn of(
        test_set: &str,
        pair: &str,
        references: &[String],
        gold: &BTreeSet<String>,
    ) -> Self {
        let listed = |rows: &[(&str, &str, &str)]| -> BTreeSet<String> {
            let own = rows.iter().filter(|row| row.0 == test_set && row.1 == pair);
            own.map(|row| row.2.to_owned()).collect()
        };
        let chosen = listed(REFERENCES).into_iter().find(|name| references.contains(name));
        let usual = ["refA", "ref"].iter().find(|name| references.iter().any(|own| own == *name));
        let usual = usual.map(|name| (*name).to_owned());
        let best = GOLD.iter().find(|name| gold.contains(**name)).map(|name| (*name).to_owned());
        Self {
            reference: chosen.or(usual).or_else(|| references.first().cloned()),
            gold: best.or_else(|| gold.first().cloned()),
            outliers: listed(OUTLIERS),
        }
    }
}
