//! From sentences with concepts to training, validation and test sets.
//!
//! Sentences with the same concept set belong together, so that no set of the test is in the training
//! set. Sets with most sentences go to the test, where several references are worth having (at
//! most three are kept); chance decides among equals. Training and validation have a sentence per line, and the training set
//! is a curriculum: captions first, then dialogue summaries. [`high_level`] makes the variants in which each set lacks one
//! concept.

use crate::{Draft, Error, Item, Statistics, Unseen};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The seeds of the paper's five high-level variants.
pub const HIGH_LEVEL_SEEDS: [u64; 5] = [42, 52, 62, 72, 82];

/// How sentences are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// Concept sets of the validation set.
    pub validation: usize,
    /// Concept sets of the test set.
    pub test: usize,
    /// The most references of a test item.
    pub references: usize,
    /// Decides among equals.
    pub seed: u64,
}

impl Default for Split {
    /// The published sizes.
    fn default() -> Self {
        Self { validation: 1000, test: 2040, references: 3, seed: 42 }
    }
}

/// The three sets.
#[derive(Debug, Clone, PartialEq)]
pub struct Sets {
    /// To learn from, in curriculum order.
    pub train: Vec<Item>,
    /// To choose a model by.
    pub validation: Vec<Item>,
    /// To report on.
    pub test: Vec<Item>,
}

/// What the three sets hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SetStatistics {
    /// The training set.
    pub train: Statistics,
    /// The validation set.
    pub validation: Statistics,
    /// The test set.
    pub test: Statistics,
    /// What of the validation set is not in the training set.
    pub validation_unseen: Unseen,
    /// What of the test set is not in the training set.
    pub test_unseen: Unseen,
}

impl Sets {
    /// Counts.
    pub fn statistics(&self) -> SetStatistics {
        SetStatistics {
            train: Statistics::of(&self.train),
            validation: Statistics::of(&self.validation),
            test: Statistics::of(&self.test),
            validation_unseen: Unseen::of(&self.validation, &self.train),
            test_unseen: Unseen::of(&self.test, &self.train),
        }
    }
}

impl Split {
    /// Divides sentences.
    ///
    /// # Errors
    /// When there are too few concept sets, or a sentence has none.
    pub fn apply(&self, drafts: &[Draft]) -> Result<Sets, Error> {
        let mut groups = groups(drafts);
        if self.references == 0 {
            let value = "0".into();
            return Err(Error::BadSetting { name: "references", value, expected: "at least 1" });
        }
        let wanted = self.test.saturating_add(self.validation);
        if wanted >= groups.len() {
            return Err(Error::BadSetting {
                name: "test + validation",
                value: format!("{wanted} of {} concept sets", groups.len()),
                expected: "fewer than there are concept sets",
            });
        }
        groups.shuffle(&mut ChaCha8Rng::seed_from_u64(self.seed));
        groups.sort_by_key(|group| std::cmp::Reverse(group.len().min(self.references)));
        let train = groups.split_off(wanted);
        let validation = groups.split_off(self.test);
        let test = groups.iter().filter_map(|group| {
            let texts = group.iter().take(self.references).map(|draft| draft.text.as_str());
            Some(Item::new(group.first()?.concepts.iter().cloned(), texts))
        });
        let train: Vec<&Draft> = train.into_iter().flatten().collect();
        let validation: Vec<&Draft> = validation.into_iter().flatten().collect();
        Ok(Sets {
            test: test.collect::<Result<_, _>>()?,
            validation: validation.into_iter().map(Draft::item).collect::<Result<_, _>>()?,
            train: curriculum(train).into_iter().map(Draft::item).collect::<Result<_, _>>()?,
        })
    }
}

/// Sentences of the same concept set, in the order in which the sets first occur.
fn groups(drafts: &[Draft]) -> Vec<Vec<&Draft>> {
    let mut places: FxHashMap<Vec<&str>, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<&Draft>> = Vec::new();
    for draft in drafts {
        let mut set: Vec<&str> = draft.concepts.iter().map(String::as_str).collect();
        set.sort_unstable();
        let place = *places.entry(set).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(place) {
            group.push(draft);
        }
    }
    groups
}

/// Captions first, then dialogue summaries; within each the order stays.
fn curriculum(mut drafts: Vec<&Draft>) -> Vec<&Draft> {
    drafts.sort_by_key(|draft| draft.source);
    drafts
}

/// Every item with one concept deleted at random; a set of one concept stays as it is.
///
/// The same seed gives the same sets on every machine; they are not those of the published files,
/// which another generator drew.
///
/// # Errors
/// None in practice: what is left of an item is an item.
pub fn high_level(items: &[Item], seed: u64) -> Result<Vec<Item>, Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    items
        .iter()
        .map(|item| {
            let mut concepts = item.concepts().to_vec();
            if concepts.len() > 1 {
                concepts.remove(rng.random_range(0..concepts.len()));
            }
            item.with_concepts(concepts)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    fn drafts() -> Vec<Draft> {
        let draft = |i: usize, set: usize, source| Draft {
            text: format!("문장 {i}이다."),
            source,
            morphemes: Vec::new(),
            concepts: vec![format!("가{set}"), format!("나{}", set % 7), "다".into()],
        };
        let source =
            |i: usize| if i.is_multiple_of(2) { Source::Dialogue } else { Source::Caption };
        // Sets 0 to 4 have four sentences each, the other 35 one.
        (0..20)
            .map(|i| draft(i, i % 5, source(i)))
            .chain((20..55).map(|i| draft(i, i, source(i))))
            .collect()
    }

    #[test]
    fn sets_do_not_overlap_and_the_test_has_references() {
        let split = Split { validation: 5, test: 5, references: 3, seed: 1 };
        let drafts = drafts();
        let sets = split.apply(&drafts).unwrap();
        assert!(sets.test.iter().all(|item| item.references().len() == 3));
        assert_eq!((sets.validation.len(), sets.train.len()), (5, 30));
        assert_eq!(sets.statistics().test_unseen.concepts.unseen, 5);
        assert_eq!(
            sets.statistics().test_unseen.triples,
            crate::stats::Share { unseen: 5, all: 5 }
        );
        assert_eq!(split.apply(&drafts).unwrap(), sets);
        assert_ne!(Split { seed: 2, ..split }.apply(&drafts).unwrap(), sets);
        assert!(Split { test: 35, ..split }.apply(&drafts).is_err());
    }

    #[test]
    fn captions_come_first() {
        let drafts = drafts();
        let ordered = curriculum(drafts.iter().collect());
        let first_dialogue = ordered.iter().position(|d| d.source == Source::Dialogue).unwrap();
        assert!(ordered[first_dialogue..].iter().all(|d| d.source == Source::Dialogue));
        assert_eq!(
            (ordered[0].text.as_str(), ordered[1].text.as_str()),
            ("문장 1이다.", "문장 3이다.")
        );
    }

    #[test]
    fn one_concept_goes() {
        let items = [
            Item::new(["가", "나", "다"], ["가나다."]).unwrap(),
            Item::new(["라"], ["라다."]).unwrap(),
        ];
        let variants: Vec<_> =
            HIGH_LEVEL_SEEDS.iter().map(|seed| high_level(&items, *seed).unwrap()).collect();
        for variant in &variants {
            assert_eq!(
                (variant[0].concepts().len(), variant[1].concepts()),
                (2, items[1].concepts())
            );
        }
        assert!(variants.iter().any(|v| *v != variants[0]), "{variants:?}");
    }
}
