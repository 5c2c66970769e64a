//! The sentences that tasks take their examples from.

use crate::{conllu::Reader, error::Result, morphemes::from_treebank, sentence::Sentence};
use ko_eval_core::par_map;
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
        let mut kept = Vec::new();
        let mut dropped = BTreeMap::new();
        for path in paths {
            for sentence in Reader::open(path.as_ref())? {
                let sentence = sentence?;
                match sentence.eojeols() {
                    n if Self::EOJEOLS.contains(&n) => kept.push(sentence),
                    n => count(
                        &mut dropped,
                        if n < 5 { "under 5 eojeols" } else { "over 28 eojeols" },
                    ),
                }
            }
        }
        Ok(Self { dropped, ..Self::new(kept, analyzer)? })
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
        Ok(Self { sentences, dropped: BTreeMap::new() })
    }
}

/// Counts one more of a kind.
pub(crate) fn count(counts: &mut BTreeMap<String, usize>, key: impl Into<String>) {
    *counts.entry(key.into()).or_default() += 1;
}
