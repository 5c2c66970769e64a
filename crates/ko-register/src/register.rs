//! The register of a text: sentence by sentence, with the words that show it.

use crate::{
    Endings, Grammar, Marker, Morph, SpeechLevel,
    clause::clauses,
    closing::{Closing, words},
    grammar::closed_sentences,
    marker,
    morph::from_text,
    predicate::Predicate,
};
use ko_eval_core::Result;
use ko_tokenize::MorphemeAnalyzer;
use serde::Serialize;
use std::{ops::Range, sync::Arc};

/// Judges texts through a morphological analyzer.
#[derive(Debug, Clone)]
pub struct RegisterAnalyzer {
    analyzer: Arc<dyn MorphemeAnalyzer>,
}

impl RegisterAnalyzer {
    /// Through this analyzer.
    pub fn new(analyzer: Arc<dyn MorphemeAnalyzer>) -> Self {
        Self { analyzer }
    }

    /// By rules over letters, without a dictionary (see [`Endings`]).
    pub fn without_dictionary() -> Self {
        Self::new(Arc::new(Endings))
    }

    /// The analyzer behind it.
    pub fn analyzer(&self) -> &Arc<dyn MorphemeAnalyzer> {
        &self.analyzer
    }

    /// The register of a text of any number of sentences.
    ///
    /// # Errors
    /// When the analyzer fails.
    pub fn analyze(&self, text: &str) -> Result<Register> {
        Ok(Register::of(text, &from_text(text, self.analyzer.as_ref())?))
    }
}

/// A stretch of a text that shows something. Places count characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Word {
    /// As written.
    pub text: String,
    /// Its first character.
    pub start: usize,
    /// Behind its last character.
    pub end: usize,
    /// What it shows.
    pub shows: Marker,
    /// Its morphemes: `가/VV`, `시/EP`, `어요/EF`.
    pub morphemes: Vec<Morph>,
}

/// The register of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Register {
    /// That of the last sentence that closes; `None` where no sentence has a level.
    pub level: Option<SpeechLevel>,
    /// Whether the listener is raised; `None` where nothing tells.
    pub polite: Option<bool>,
    /// The words that show the register, in order.
    pub evidence: Vec<Word>,
    /// The sentences in order.
    pub sentences: Vec<SentenceRegister>,
}

/// The register of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SentenceRegister {
    /// As written.
    pub text: String,
    /// Its first character.
    pub start: usize,
    /// Behind its last character.
    pub end: usize,
    /// To whom it is said.
    pub level: Option<SpeechLevel>,
    /// Whether the listener is raised.
    pub polite: Option<bool>,
    /// Level, honorification, tense, mood and polarity, each with the morphemes that decided it.
    pub grammar: Grammar,
    /// The words that show the register.
    pub evidence: Vec<Word>,
    /// Its clauses, the main one last unless the sentence is inverted.
    pub clauses: Vec<Clause>,
}

/// A clause. Only the one that closes the sentence has a level, unless another ends in 요.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Clause {
    /// As written.
    pub text: String,
    /// Its first character.
    pub start: usize,
    /// Behind its last character.
    pub end: usize,
    /// What its morphemes say.
    pub grammar: Grammar,
}

impl Register {
    /// The register of a text whose morphemes are known (see [`from_text`]).
    pub fn of(text: &str, morphs: &[Morph]) -> Self {
        let sentences: Vec<_> = closed_sentences(morphs)
            .map(|(sentence, closing)| SentenceRegister::of(text, sentence, closing))
            .collect();
        let closed =
            |sentence: &&SentenceRegister| sentence.level.is_some() && !sentence.grammar.left_open;
        let speaks = sentences.iter().rev().find(closed);
        // Where every sentence breaks off, their words together tell more than each alone.
        let (level, polite) = match speaks {
            Some(sentence) => (sentence.level, sentence.polite),
            None => undecided(&sentences),
        };
        let evidence =
            sentences.iter().flat_map(|sentence| sentence.evidence.iter().cloned()).collect();
        Self { level, polite, evidence, sentences }
    }
}

fn undecided(sentences: &[SentenceRegister]) -> (Option<SpeechLevel>, Option<bool>) {
    let words = || sentences.iter().flat_map(|sentence| &sentence.evidence);
    let open = sentences.iter().rev().find(|sentence| sentence.grammar.left_open);
    match (open, lean(words())) {
        (None, _) => (None, None),
        (Some(_), Some(true)) => (None, Some(true)),
        (Some(sentence), _) => {
            (sentence.grammar.speech_level.as_ref().map(|level| level.value), Some(false))
        }
    }
}

/// Which way words besides the ending point; `None` where they balance.
fn lean<'w>(words: impl Iterator<Item = &'w Word>) -> Option<bool> {
    let vote = words.map(|word| match word.shows {
        Marker::Raising => 1,
        Marker::Familiar => -1,
        Marker::Ending => 0,
    });
    match vote.sum::<i64>() {
        0 => None,
        sum => Some(sum > 0),
    }
}

impl SentenceRegister {
    fn of(text: &str, morphs: &[Morph], closing: Option<Closing>) -> Self {
        let predicate = closing.and_then(|closing| Predicate::of(morphs, &closing));
        let grammar = Grammar::with(morphs, predicate.as_ref());
        let closing = predicate.filter(|_| grammar.speech_level.is_some() && !grammar.left_open);
        let words = words(morphs);
        let evidence: Vec<_> = words
            .iter()
            .filter_map(|word| {
                let closes = closing.as_ref().is_some_and(|closing| word.contains(&closing.ending));
                let shows = if closes { Marker::Ending } else { marker::of(morphs, word)? };
                let own = morphs.get(word.clone())?;
                let (text, span) = place(text, own)?;
                let (start, end) = (span.start, span.end);
                Some(Word { text, start, end, shows, morphemes: own.to_vec() })
            })
            .collect();
        let level = grammar.speech_level.as_ref().map(|level| level.value);
        let (level, polite) = match (level, grammar.left_open, lean(evidence.iter())) {
            (Some(_), true, Some(true)) => (None, Some(true)),
            (level, ..) => (level, level.map(SpeechLevel::is_polite)),
        };
        let (text_of, span) = place(text, morphs).unwrap_or_default();
        let clauses = match &clauses(morphs, &words)[..] {
            // The sentence is its only clause.
            [_] | [] => Clause::new(text, morphs, grammar.clone()).into_iter().collect(),
            several => {
                let several = several.iter().filter_map(|clause| morphs.get(clause.clone()));
                several.filter_map(|own| Clause::new(text, own, Grammar::of(own))).collect()
            }
        };
        Self {
            text: text_of,
            start: span.start,
            end: span.end,
            level,
            polite,
            grammar,
            evidence,
            clauses,
        }
    }
}

impl Clause {
    fn new(text: &str, morphs: &[Morph], mut grammar: Grammar) -> Option<Self> {
        if grammar.left_open {
            grammar.speech_level = None;
        }
        let (text, span) = place(text, morphs)?;
        Some(Self { text, start: span.start, end: span.end, grammar })
    }
}

/// What morphemes cover: the text, and its place in characters.
fn place(text: &str, morphs: &[Morph]) -> Option<(String, Range<usize>)> {
    let (first, last) = (morphs.first()?, morphs.last()?);
    let covered = text.get(first.bytes.start..last.bytes.end).unwrap_or_default();
    Some((covered.to_owned(), first.span.start..last.span.end))
}
