//! TopDeps: which relations does the root govern?
//!
//! The universal relations of the root's dependents in order, joined by `_`: `advcl_obj`. Punctuation is
//! none of them. The 19 most frequent sequences are classes (ties in alphabetical order); of the others, a
//! random choice of at most 5 % of the data makes the twentieth.

use crate::{
    dataset::{Dataset, sample},
    sentence::Sentence,
    task::{Hidden, Options, Property, Standing, Task},
    treebank::Treebank,
};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// The row of the table.
pub(crate) const TASK: Task = Task {
    name: "TopDeps",
    property: Property::Syntactic,
    summary: "the root's relations in order: the 19 most frequent sequences, and OTHER",
    hidden: Hidden::Allowed,
    standing: Standing::Default,
    label,
};

const SEQUENCES: usize = 19;
const OTHER: &str = "OTHER";
/// OTHER's share of all examples, in percent.
const OTHER_PERCENT: usize = 5;

/// The relations of the root's dependents: `advcl_obj`.
pub(crate) fn sequence(sentence: &Sentence) -> Option<String> {
    let dependents = sentence.dependents(sentence.root()?).filter(|word| !word.is_punctuation());
    let relations: Vec<_> = dependents.map(|word| word.universal_relation()).collect();
    (!relations.is_empty()).then(|| relations.join("_"))
}

fn label(treebank: &Treebank, options: &Options) -> Dataset {
    let sequences: Vec<_> = treebank.sentences.iter().map(|a| sequence(&a.sentence)).collect();
    let mut frequency: FxHashMap<&str, usize> = FxHashMap::default();
    for sequence in sequences.iter().flatten() {
        *frequency.entry(sequence).or_default() += 1;
    }
    let mut ranked: Vec<_> = frequency.into_iter().collect();
    ranked.sort_by_key(|(sequence, n)| (Reverse(*n), *sequence));
    ranked.truncate(SEQUENCES);
    let top: Vec<&str> = ranked.iter().map(|(sequence, _)| *sequence).collect();

    let labelled: usize = ranked.iter().map(|(_, n)| n).sum();
    let is_other = |at: &usize| {
        let sequence = sequences.get(*at).and_then(Option::as_deref);
        sequence.is_some_and(|sequence| !top.contains(&sequence))
    };
    let others: Vec<usize> = (0..sequences.len()).filter(is_other).collect();
    let limit = labelled * OTHER_PERCENT / (100 - OTHER_PERCENT);
    let others = sample(others, limit, options.split.seed());

    let mut data = Dataset::new("TopDeps");
    data.classes = top.iter().copied().chain([OTHER]).map(str::to_owned).collect();
    for (at, (annotated, sequence)) in treebank.sentences.iter().zip(&sequences).enumerate() {
        let class = match sequence.as_deref() {
            None => Err("the root governs nothing"),
            Some(sequence) if top.contains(&sequence) => Ok(sequence),
            Some(_) if others.binary_search(&at).is_ok() => Ok(OTHER),
            Some(_) => Err("OTHER over its share of 5 %"),
        };
        match class {
            Ok(class) => {
                data.push(class, &annotated.sentence.text, annotated.sentence.origin.clone());
            }
            Err(reason) => data.drop(reason),
        }
    }
    data
}
