//! WC: which of the chosen words is in the sentence?
//!
//! Words are eojeols without the punctuation around them. Chosen are those of middling frequency
//! that enough sentences hold without holding another chosen one; because dropping a word changes
//! which sentences hold exactly one, the choice is repeated until it stands.

use crate::{
    dataset::Dataset,
    task::{Hidden, Property, Standing, Task, WordLimits},
    treebank::Treebank,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The row of the table.
pub(crate) const TASK: Task = Task {
    name: "WC",
    property: Property::Surface,
    summary: "which of the mid-frequency eojeols occurs",
    hidden: Hidden::Never,
    standing: Standing::Default,
    label: |treebank, options| label(treebank, options.words),
};

/// The words of a text without the punctuation around them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let trimmed =
        text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    trimmed.filter(|word| !word.is_empty())
}

fn label(treebank: &Treebank, limits: WordLimits) -> Dataset {
    let texts = || treebank.sentences.iter().map(|annotated| annotated.sentence.text.as_str());
    let mut frequency: FxHashMap<&str, usize> = FxHashMap::default();
    for word in texts().flat_map(words) {
        *frequency.entry(word).or_default() += 1;
    }
    let frequent = limits.at_least..=limits.at_most;
    let chosen = frequency.into_iter().filter(|(_, n)| frequent.contains(n)).map(|(word, _)| word);
    // Sorted, so that classes do not depend on the order of a hash map.
    let mut chosen: BTreeSet<&str> = chosen.collect();
    loop {
        let mut sentences: FxHashMap<&str, usize> = FxHashMap::default();
        for word in texts().filter_map(|text| only_one(text, &chosen).ok()) {
            *sentences.entry(word).or_default() += 1;
        }
        let enough = |word: &&str| sentences.get(word).is_some_and(|n| *n >= limits.sentences);
        let before = chosen.len();
        chosen.retain(enough);
        if chosen.len() == before {
            break;
        }
    }
    let mut data = Dataset::new("WC");
    data.classes = chosen.iter().map(|word| (*word).to_owned()).collect();
    for annotated in &treebank.sentences {
        match only_one(&annotated.sentence.text, &chosen) {
            Ok(word) => {
                data.push(word, &annotated.sentence.text, annotated.sentence.origin.clone());
            }
            Err(reason) => data.drop(reason),
        }
    }
    data
}

/// The chosen word that the text holds, if it is exactly one.
fn only_one<'t>(text: &'t str, chosen: &BTreeSet<&str>) -> Result<&'t str, &'static str> {
    let held: FxHashSet<_> = words(text).filter(|word| chosen.contains(word)).collect();
    match (held.len(), held.into_iter().next()) {
        (1, Some(word)) => Ok(word),
        (0, _) => Err("none of the chosen words"),
        _ => Err("several of the chosen words"),
    }
}
