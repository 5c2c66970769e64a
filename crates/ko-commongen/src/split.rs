//! From sentences with concepts to training, validation and test sets.
//!
//! Sentences with the same concept set belong together, so that no set of the test is in the training set; and every set of the test has a pair of
//! concepts that no set of the training has. Sets with most sentences go to the test, where several references are worth having (at most three are kept);
//! chance decides among equals. Training and validation have a sentence per line, and the training set is a curriculum: captions first, then dialogue
//! summaries. [`high_level`] makes the variants in which each set lacks one concept.
//!
//! ```
//! use ko_commongen::{Draft, Source, Split};
//!
//! let draft = |text: &str, concepts: &[&str]| Draft {
//!     concepts: concepts.iter().map(|concept| (*concept).to_owned()).collect(),
//!     ..Draft::new(Source::Caption, text)
//! };
//! let drafts = [
//!     draft("개가 공을 문다.", &["개", "공", "문"]),
//!     draft("개가 공을 물고 뛴다.", &["개", "공", "뛴"]),
//!     draft("선수가 공을 던진다.", &["선수", "공", "던진"]),
//! ];
//! let split = Split { validation: 0, test: 1, references: 3, seed: 42 };
//! let statistics = split.apply(&drafts)?.statistics();
//! assert!(statistics.test_unseen.pairs.unseen >= 1);
//! assert_eq!(statistics.sources[0].caption_percent(), 100.0);
//! # Ok::<(), ko_commongen::Error>(())
//! ```

use crate::{Draft, Error, Item, Source, Statistics, Unseen};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

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
    /// Where the sentences of the three come from, in this order.
    pub sources: [SourceCounts; 3],
}

/// How many sentences are captions, and how many are summaries of dialogues.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceCounts {
    /// Descriptions of pictures.
    pub captions: usize,
    /// Summaries of dialogues.
    pub dialogues: usize,
}

impl SourceCounts {
    fn of(drafts: &[&Draft]) -> Self {
        let captions = drafts.iter().filter(|draft| draft.source == Source::Caption).count();
        Self { captions, dialogues: drafts.len() - captions }
    }

    /// The share of captions in percent, as the paper's Table 1 has it; 0 of no sentences.
    pub fn caption_percent(&self) -> f64 {
        100.0 * self.captions as f64 / (self.captions + self.dialogues).max(1) as f64
    }
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
    /// Where the sentences of training, validation and test come from.
    #[serde(default)]
    pub sources: [SourceCounts; 3],
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
            sources: self.sources,
        }
    }
}

impl Split {
    /// Divides sentences.
    ///
    /// # Errors
    /// When there are too few concept sets, or too few with a pair that no other set of the training has, or a sentence has none.
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
        let (groups, mut others) = self.with_unseen_pairs(groups)?;
        let train = others.split_off(self.validation);
        let test = groups.iter().filter_map(|group| {
            let texts = group.iter().take(self.references).map(|draft| draft.text.as_str());
            Some(Item::new(group.first()?.concepts.iter().cloned(), texts))
        });
        let train: Vec<&Draft> = train.into_iter().flatten().collect();
        let validation: Vec<&Draft> = others.into_iter().flatten().collect();
        let tested = groups.iter().flat_map(|group| group.iter().take(self.references).copied());
        let sources = [&train, &validation, &tested.collect::<Vec<_>>()]
            .map(|drafts| SourceCounts::of(drafts));
        Ok(Sets {
            sources,
            test: test.collect::<Result<_, _>>()?,
            validation: validation.into_iter().map(Draft::item).collect::<Result<_, _>>()?,
            train: curriculum(train).into_iter().map(Draft::item).collect::<Result<_, _>>()?,
        })
    }

    /// As many groups as the test wants, each with a pair that none of the others has, and the others, both in order. Groups whose pair is theirs alone
    /// come first, then twos that share one, and so on.
    fn with_unseen_pairs<'d>(
        &self,
        groups: Vec<Group<'d>>,
    ) -> Result<(Vec<Group<'d>>, Vec<Group<'d>>), Error> {
        let all_pairs: Vec<_> = groups.iter().map(|group| pairs(group)).collect();
        let mut holders: FxHashMap<(&str, &str), Vec<usize>> = FxHashMap::default();
        for (number, pairs) in all_pairs.iter().enumerate() {
            pairs.iter().for_each(|pair| holders.entry(*pair).or_default().push(number));
        }
        let mut chosen: BTreeSet<usize> = BTreeSet::new();
        for together in 1..=self.test {
            for (number, pairs) in all_pairs.iter().enumerate() {
                if chosen.len() == self.test || chosen.contains(&number) {
                    continue;
                }
                let most = together.min(self.test - chosen.len());
                let left = |pair: &(&str, &str)| -> Vec<usize> {
                    let all = holders.get(pair).into_iter().flatten().copied();
                    all.filter(|holder| !chosen.contains(holder)).take(most + 1).collect()
                };
                let few = pairs.iter().map(left).find(|left| left.len() <= most);
                chosen.extend(few.into_iter().flatten());
            }
            if chosen.len() == self.test {
                break;
            }
        }
        if chosen.len() < self.test {
            let there = chosen.len();
            return Err(Error::BadSetting {
                name: "test",
                value: format!("{} of {there} concept sets with an unseen pair", self.test),
                expected: "at most as many as there are",
            });
        }
        let (test, others): (Vec<_>, Vec<_>) =
            groups.into_iter().enumerate().partition(|(number, _)| chosen.contains(number));
        let bare = |groups: Vec<(usize, Group<'d>)>| groups.into_iter().map(|(_, g)| g).collect();
        Ok((bare(test), bare(others)))
    }
}

/// Sentences of one concept set.
type Group<'d> = Vec<&'d Draft>;

/// The pairs of concepts of a group, each once, in one order.
fn pairs<'d>(group: &[&'d Draft]) -> Vec<(&'d str, &'d str)> {
    let mut concepts: Vec<&str> =
        group.first().map_or_else(Vec::new, |d| d.concepts.iter().map(String::as_str).collect());
    concepts.sort_unstable();
    concepts.dedup();
    let later = |place: usize| concepts.iter().skip(place + 1);
    let all = concepts.iter().enumerate();
    all.flat_map(|(place, a)| later(place).map(move |b| (*a, *b))).collect()
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
    fn every_test_set_has_an_unseen_pair() {
        let draft = |text: &str, concepts: &[&str]| Draft {
            text: text.into(),
            source: Source::Caption,
            morphemes: Vec::new(),
            concepts: concepts.iter().map(|c| (*c).into()).collect(),
        };
        // The first has two sentences, so it would be the test's, but both of its pairs are others' too.
        let drafts = [
            draft("하나다.", &["가", "나", "다"]),
            draft("둘이다.", &["가", "나", "다"]),
            draft("셋이다.", &["가", "나", "라"]),
            draft("넷이다.", &["가", "다", "라"]),
            draft("다섯이다.", &["나", "다", "라"]),
            draft("여섯이다.", &["가", "마"]),
        ];
        let split = Split { validation: 0, test: 1, references: 3, seed: 1 };
        let sets = split.apply(&drafts).unwrap();
        assert_eq!(sets.test[0].concepts(), ["가", "마"]);
        let unseen = sets.statistics().test_unseen.pairs;
        assert_eq!((unseen.unseen, unseen.all), (1, 1));
        // Where no pair is one set's alone, sets that share one go together.
        let shared: Vec<Draft> = (0..8)
            .map(|n| [["가", "나"][n % 2], ["다", "라"][n / 2 % 2], ["마", "바"][n / 4]])
            .map(|concepts| draft(&format!("{}다.", concepts.concat()), &concepts))
            .collect();
        for seed in 0..5 {
            let split = Split { validation: 1, test: 2, references: 1, seed };
            let sets = split.apply(&shared).unwrap();
            assert_eq!((sets.test.len(), sets.validation.len(), sets.train.len()), (2, 1, 5));
            for item in &sets.test {
                let one = std::slice::from_ref(item);
                assert!(Unseen::of(one, &sets.train).pairs.unseen > 0, "{item:?}");
            }
        }
        let same =
            [draft("하나다.", &["가"]), draft("둘이다.", &["나"]), draft("셋이다.", &["다"])];
        let error = Split { validation: 0, test: 1, references: 1, seed: 1 }.apply(&same);
        assert!(error.unwrap_err().to_string().contains("with an unseen pair"));
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
