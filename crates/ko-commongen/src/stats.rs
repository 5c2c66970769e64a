//! What a data set holds: the figures of the paper's Table 1.
//!
//! ```
//! use ko_commongen::{Item, Statistics};
//!
//! let items = [
//!     Item::new(["공", "선수", "차"], ["선수가 공을 찬다.", "공을 찬 선수다."])?,
//!     Item::new(["공", "강아지", "물", "뛰"], ["강아지가 공을 물고 뛴다."])?,
//! ];
//! let statistics = Statistics::of(&items);
//! assert_eq!((statistics.sets, statistics.references), (2, 3));
//! assert_eq!(statistics.sizes, [1, 1, 0, 0, 0]); // three concepts or fewer, 4, 5, 6, seven or more
//! assert_eq!((statistics.concepts, statistics.pairs, statistics.triples), (6, 9, 5));
//! # Ok::<(), ko_commongen::Error>(())
//! ```

use crate::{Item, Source};
use ko_eval_core::{Result, Tokenizer, par_map};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The figures of one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Concept sets.
    pub sets: usize,
    /// How many of them have at most 3, 4, 5, 6, at least 7 concepts.
    pub sizes: [usize; 5],
    /// Sentences.
    pub references: usize,
    /// Mean words of a sentence, split at white space.
    pub words: f64,
    /// Different concepts.
    pub concepts: usize,
    /// Different pairs of concepts that share a set.
    pub pairs: usize,
    /// Different triples.
    pub triples: usize,
}

impl Statistics {
    /// Counts.
    pub fn of(items: &[Item]) -> Self {
        let mut sizes = [0; 5];
        for item in items {
            let [three, four, five, six, more] = &mut sizes;
            *match item.concepts().len() {
                0..=3 => three,
                4 => four,
                5 => five,
                6 => six,
                _ => more,
            } += 1;
        }
        let sentences = items.iter().flat_map(Item::references);
        let references = sentences.clone().count();
        let words: usize = sentences.map(|text| text.split_whitespace().count()).sum();
        let combinations = Combinations::of(items);
        Self {
            sets: items.len(),
            sizes,
            references,
            words: words as f64 / references.max(1) as f64,
            concepts: combinations.single.len(),
            pairs: combinations.pairs.len(),
            triples: combinations.triples.len(),
        }
    }
}

/// Sentences in morphemes.
///
/// ```
/// use ko_commongen::{Item, stats::Morphemes};
///
/// // Any tokenizer counts; the paper's figures are of MeCab-ko's surfaces.
/// let item = Item::new(["공"], ["공 을 찬다 ."])?;
/// let morphemes = Morphemes::of(&[item], &ko_tokenize::Word::new())?;
/// assert_eq!((morphemes.length, morphemes.additional), (4.0, 3.0)); // 을, 찬다 and the full stop are no concepts
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Morphemes {
    /// Mean morphemes of a sentence.
    pub length: f64,
    /// Mean morphemes of a sentence that are none of its concept set's: what a writer has to add.
    pub additional: f64,
}

impl Morphemes {
    /// Counts by the surfaces that a tokenizer gives of sentences, and of the string `a#b#c`.
    ///
    /// # Errors
    /// A text that cannot be analysed.
    pub fn of(items: &[Item], tokenizer: &dyn Tokenizer) -> Result<Self> {
        let counts = par_map(items, |item| {
            let set = item.concept_set();
            let concepts = tokenizer.tokenize(&set)?;
            let known: FxHashSet<&str> = concepts.iter().map(|token| token.as_str()).collect();
            let mut counts = (0usize, 0usize);
            for reference in item.references() {
                let tokens = tokenizer.tokenize(reference)?;
                let more = tokens.iter().filter(|token| !known.contains(token.as_str()));
                counts = (counts.0 + tokens.len(), counts.1 + more.count());
            }
            Ok(counts)
        })?;
        let sentences: usize = items.iter().map(|item| item.references().len()).sum();
        let mean = |of: fn(&(usize, usize)) -> usize| {
            counts.iter().map(of).sum::<usize>() as f64 / sentences.max(1) as f64
        };
        Ok(Self { length: mean(|c| c.0), additional: mean(|c| c.1) })
    }
}

/// How many sentences come from where.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origins {
    /// Descriptions of pictures.
    pub captions: usize,
    /// Summaries of dialogues.
    pub dialogues: usize,
    /// Sentences whose origin is not known.
    pub unknown: usize,
}

impl Origins {
    /// Counts by what is known of each sentence.
    pub fn of(items: &[Item], known: impl Fn(&str) -> Option<Source>) -> Self {
        let mut origins = Self::default();
        for sentence in items.iter().flat_map(Item::references) {
            *match known(sentence) {
                Some(Source::Caption) => &mut origins.captions,
                Some(Source::Dialogue) => &mut origins.dialogues,
                None => &mut origins.unknown,
            } += 1;
        }
        origins
    }

    /// The share of captions among the sentences whose origin is known, in percent; none where none is.
    pub fn caption_rate(&self) -> Option<f64> {
        let known = self.captions + self.dialogues;
        (known > 0).then(|| 100.0 * self.captions as f64 / known as f64)
    }

    /// The share of dialogue summaries likewise.
    pub fn dialogue_rate(&self) -> Option<f64> {
        self.caption_rate().map(|rate| 100.0 - rate)
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = ["size ≤ 3", "size 4", "size 5", "size 6", "size ≥ 7"];
        writeln!(f, "concept sets   {}", self.sets)?;
        for (name, count) in names.iter().zip(self.sizes) {
            writeln!(f, "  {name:<12} {count}")?;
        }
        writeln!(f, "sentences      {}", self.references)?;
        writeln!(f, "  per set      {:.2}", self.references as f64 / self.sets.max(1) as f64)?;
        writeln!(f, "  words        {:.2}", self.words)?;
        writeln!(f, "concepts       {}", self.concepts)?;
        writeln!(f, "pairs          {}", self.pairs)?;
        write!(f, "triples        {}", self.triples)
    }
}

/// How much of a test set a training set has not shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unseen {
    /// Concepts.
    pub concepts: Share,
    /// Pairs of concepts that share a set.
    pub pairs: Share,
    /// Triples.
    pub triples: Share,
}

/// Some of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// How many of the different ones in the test set are not in the training set.
    pub unseen: usize,
    /// How many different ones the test set has.
    pub all: usize,
}

impl Share {
    /// In percent; 0 of none.
    pub fn percent(self) -> f64 {
        100.0 * self.unseen as f64 / self.all.max(1) as f64
    }
}

impl Unseen {
    /// Compares a test (or validation) set with a training set.
    pub fn of(test: &[Item], train: &[Item]) -> Self {
        let mut names = Names::default();
        let (seen, asked) =
            (Combinations::with(train, &mut names), Combinations::with(test, &mut names));
        fn share<T: std::hash::Hash + Eq>(asked: &FxHashSet<T>, seen: &FxHashSet<T>) -> Share {
            Share { unseen: asked.difference(seen).count(), all: asked.len() }
        }
        Self {
            concepts: share(&asked.single, &seen.single),
            pairs: share(&asked.pairs, &seen.pairs),
            triples: share(&asked.triples, &seen.triples),
        }
    }
}

/// Concepts as numbers.
#[derive(Default)]
struct Names<'i>(FxHashMap<&'i str, u32>);

impl<'i> Names<'i> {
    fn number(&mut self, name: &'i str) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(name).or_insert(next)
    }
}

/// The different concepts, pairs and triples of sets.
struct Combinations {
    single: FxHashSet<u32>,
    pairs: FxHashSet<[u32; 2]>,
    triples: FxHashSet<[u32; 3]>,
}

impl Combinations {
    fn of(items: &[Item]) -> Self {
        Self::with(items, &mut Names::default())
    }

    fn with<'i>(items: &'i [Item], names: &mut Names<'i>) -> Self {
        let mut all = Self {
            single: Default::default(),
            pairs: Default::default(),
            triples: Default::default(),
        };
        for item in items {
            let mut set: Vec<u32> = item.concepts().iter().map(|c| names.number(c)).collect();
            set.sort_unstable();
            set.dedup();
            all.single.extend(&set);
            let mut rest = set.as_slice();
            while let [a, others @ ..] = rest {
                let mut rest_of_pair = others;
                while let [b, more @ ..] = rest_of_pair {
                    all.pairs.insert([*a, *b]);
                    all.triples.extend(more.iter().map(|c| [*a, *b, *c]));
                    rest_of_pair = more;
                }
                rest = others;
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unseen_is_about_different_ones() {
        let item = |concepts: &[&str]| Item::new(concepts.iter().copied(), ["문장이다."]).unwrap();
        let train = [item(&["가", "나", "다"])];
        let test = [item(&["다", "나", "라"]), item(&["나", "다", "가"])];
        let unseen = Unseen::of(&test, &train);
        assert_eq!(unseen.concepts, Share { unseen: 1, all: 4 });
        assert_eq!(unseen.pairs, Share { unseen: 2, all: 5 });
        assert_eq!(unseen.triples, Share { unseen: 1, all: 2 });
        assert_eq!(unseen.concepts.percent(), 25.0);
    }
}
