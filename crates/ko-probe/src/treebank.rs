//! The sentences that tasks take their examples from.

use crate::{conllu, error::Result, morphemes::from_treebank, sejong, sentence::Sentence};
use ko_eval_core::{Error, par_map};
use ko_register::{Grammar, Morph, from_text};
use ko_tokenize::MorphemeAnalyzer;
use std::{collections::BTreeMap, ops::RangeInclusive, path::Path};

/// A sentence with what its morphemes say.
#[derive(Debug, Clone)]
pub struct Annotated {
    /// The sentence and its tree.
    pub sentence: Sentence,
    /// Its morphemes: the treebank's own, else an analyzer's; none if there is neither.
    pub morphs: Vec<Morph>,
    /// What they say; `None` without morphemes.
    pub grammar: Option<Grammar>,
}

/// Sentences of the right length, and how many were not.
#[derive(Debug, Clone, Default)]
pub struct Treebank {
    /// The sentences in order.
    pub sentences: Vec<Annotated>,
    /// Why sentences were left out, and how many.
    pub dropped: BTreeMap<String, usize>,
    /// Trees of the Sejong treebank that are broken, each with its file, its line and what is wrong.
    pub broken: Vec<String>,
}

impl Treebank {
    /// The lengths, in eojeols, of the sentences that tasks are made of.
    pub const EOJEOLS: RangeInclusive<usize> = 5..=28;

    /// Reads CoNLL-U files, sentence by sentence, and keeps those of 5 to 28 eojeols. Sentences
    /// without morphemes in LEMMA and XPOS are given to the analyzer, if there is one.
    ///
    /// # Errors
    /// A file that cannot be read, broken CoNLL-U (with file, line and sentence), a failing analyzer.
    pub fn read<P: AsRef<Path>>(
        paths: &[P],
        analyzer: Option<&dyn MorphemeAnalyzer>,
    ) -> Result<Self> {
        let mut so_far = Sorted::default();
        for path in paths {
            for sentence in conllu::Reader::open(path.as_ref())? {
                so_far.add(sentence?);
            }
        }
        so_far.annotated(analyzer)
    }

    /// Reads files of the Sejong treebank as they are distributed ([`sejong`]) and keeps sentences of 5 to 28 eojeols. A broken tree is
    /// left out and [told of](Self::broken).
    ///
    /// # Errors
    /// A file that cannot be read, is neither UTF-16 nor UTF-8, does not close its header or holds no sentence; a failing analyzer.
    pub fn read_sejong<P: AsRef<Path>>(
        paths: &[P],
        analyzer: Option<&dyn MorphemeAnalyzer>,
    ) -> Result<Self> {
        let mut so_far = Sorted::default();
        for path in paths {
            for sentence in sejong::Reader::open(path.as_ref())? {
                match sentence {
                    Ok(sentence) => so_far.add(sentence),
                    Err(error @ Error::BadLine { .. }) => so_far.broken.push(error.to_string()),
                    Err(error) => return Err(error.into()),
                }
            }
        }
        so_far.annotated(analyzer)
    }

    /// The sentences of both, and what was left out of either.
    #[must_use]
    pub fn joined(mut self, other: Self) -> Self {
        self.sentences.extend(other.sentences);
        for (reason, sentences) in other.dropped {
            *self.dropped.entry(reason).or_default() += sentences;
        }
        self.broken.extend(other.broken);
        self
    }

    /// Annotates sentences, whatever their length.
    ///
    /// # Errors
    /// When the analyzer fails.
    pub fn new(sentences: Vec<Sentence>, analyzer: Option<&dyn MorphemeAnalyzer>) -> Result<Self> {
        let morphs = par_map(&sentences, |sentence| match (from_treebank(sentence), analyzer) {
            (Some(morphs), _) => Ok(morphs),
            (None, Some(analyzer)) => from_text(&sentence.text, analyzer),
            (None, None) => Ok(Vec::new()),
        })?;
        let annotate = |(sentence, morphs): (_, Vec<Morph>)| {
            let grammar = (!morphs.is_empty()).then(|| Grammar::of(&morphs));
            Annotated { sentence, morphs, grammar }
        };
        let sentences = sentences.into_iter().zip(morphs).map(annotate).collect();
        Ok(Self { sentences, ..Self::default() })
    }
}

/// Sentences by their length, while they are read.
#[derive(Default)]
struct Sorted {
    kept: Vec<Sentence>,
    dropped: BTreeMap<String, usize>,
    broken: Vec<String>,
}

impl Sorted {
    fn add(&mut self, sentence: Sentence) {
        match sentence.eojeols() {
            n if Treebank::EOJEOLS.contains(&n) => self.kept.push(sentence),
            n if n < *Treebank::EOJEOLS.start() => count(&mut self.dropped, "under 5 eojeols"),
            _ => count(&mut self.dropped, "over 28 eojeols"),
        }
    }

    fn annotated(self, analyzer: Option<&dyn MorphemeAnalyzer>) -> Result<Treebank> {
        let Self { kept, mut dropped, broken } = self;
        if !broken.is_empty() {
            dropped.insert("broken tree".into(), broken.len());
        }
        Ok(Treebank { dropped, broken, ..Treebank::new(kept, analyzer)? })
    }
}

/// Counts one more of a kind.
pub(crate) fn count(counts: &mut BTreeMap<String, usize>, key: impl Into<String>) {
    *counts.entry(key.into()).or_default() += 1;
}
