//! What a Korean sentence's endings say: speech level, honorification, tense, mood, negation.
//!
//! Deterministic rules over morphemes, without a model. Every answer names the morphemes that decided
//! it. Morphemes come from a treebank or from any analyzer ([`from_text`]); useful
//! on its own, as a tone check of generated text.
//!
//! | question | answer | decided by |
//! |---|---|---|
//! | speech level | 하십시오체, 해요체, 하오체, 하게체, 해라체, 해체 | the final ending, and 요 |
//! | subject honoured | yes, no | -시-, 께서, 계시다, 주무시다 … |
//! | object honoured | yes, no | 께, 드리다, 모시다, 뵙다 … |
//! | tense | past, non-past | 았/었/였 in the main predicate |
//! | mood | declarative, interrogative, imperative, propositive, exclamative | final ending, question mark, stem |
//! | negated | yes, no | 안, 못, 않다, 말다, 못하다, 아니다, 없다, 모르다 in the main predicate |
//!
//! ```
//! use ko_register::{Grammar, Morph, Mood, SpeechLevel, Tense};
//!
//! // 할머니께서 아직 안 주무셨어요?
//! let morphs = [
//!     Morph::new("할머니", "NNG", 0), Morph::new("께서", "JKS", 0), Morph::new("아직", "MAG", 1),
//!     Morph::new("안", "MAG", 2), Morph::new("주무시", "VV", 3), Morph::new("었", "EP", 3),
//!     Morph::new("어요", "EF", 3), Morph::new("?", "SF", 3),
//! ];
//! let grammar = Grammar::of(&morphs);
//! assert_eq!(grammar.speech_level.as_ref().map(|a| a.value), Some(SpeechLevel::Haeyo));
//! assert_eq!(grammar.tense.as_ref().map(|a| a.value), Some(Tense::Past));
//! assert_eq!(grammar.mood.as_ref().map(|a| a.value), Some(Mood::Interrogative));
//! assert_eq!(grammar.honours_subject().unwrap().to_string(), "께서/JKS 주무시/VV");
//! assert_eq!(grammar.negated().unwrap().to_string(), "안/MAG");
//! ```
//!
//! A sentence without a predicate (a title, "네.") has no tense, mood or negation; its level may
//! still show in 요 ("저도요?"). Complexity: linear in the morphemes.

use crate::{
    Act, Honorific, Mood, Morph, Polarity, SpeechLevel, Tense, act,
    closing::{Closing, closings},
    honorific, mood,
    morph::from_text,
    negation,
    predicate::Predicate,
    speech_level, tense,
};
use ko_eval_core::Result;
use ko_tokenize::{MorphemeAnalyzer, Tag};
use serde::Serialize;
use std::fmt;

/// An answer with the morphemes that decided it; for "no", the morphemes that were looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer<T> {
    /// What was found.
    pub value: T,
    /// Why.
    pub evidence: Evidence,
}

/// Morphemes that decided something, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Evidence(pub Vec<Morph>);

/// Written as corpora do: `안/MAG 주무시/VV`.
impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let morphs: Vec<_> = self.0.iter().map(Morph::to_string).collect();
        f.write_str(&morphs.join(" "))
    }
}

impl<T> Answer<T> {
    pub(crate) fn new<'m>(value: T, evidence: impl IntoIterator<Item = &'m Morph>) -> Self {
        Self { value, evidence: Evidence(evidence.into_iter().cloned().collect()) }
    }
}

/// The grammar of one sentence. A field is `None` where the sentence does not say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Grammar {
    /// To whom the sentence is said.
    pub speech_level: Option<Answer<SpeechLevel>>,
    /// Another level that the same ending can be of: 좋네 is 해체 or 하게체.
    pub second_level: Option<SpeechLevel>,
    /// Whether the sentence breaks off at an ending that connects: 바빠서. Its 해체 is then the mere lack of 요.
    pub left_open: bool,
    /// Whether the subject is honoured.
    pub subject: Answer<Honorific>,
    /// Whether the object (or whoever receives) is honoured.
    pub object: Answer<Honorific>,
    /// When it happens.
    pub tense: Option<Answer<Tense>>,
    /// What the sentence does.
    pub mood: Option<Answer<Mood>>,
    /// Whether only intonation could tell the mood for sure (먹어: statement, question or order).
    pub by_intonation: bool,
    /// What the sentence wants of the listener, whatever its form.
    pub act: Option<Act>,
    /// Whether the main clause is negated.
    pub polarity: Option<Answer<Polarity>>,
}

impl Grammar {
    /// Judges the morphemes of one sentence, its punctuation included.
    pub fn of(morphs: &[Morph]) -> Self {
        Self::with(morphs, Predicate::find(morphs).as_ref())
    }

    /// The same where the main predicate is known.
    pub(crate) fn with(morphs: &[Morph], predicate: Option<&Predicate>) -> Self {
        let ending = predicate.and_then(|found| found.closes);
        let judged = predicate.map(|found| mood::judge(morphs, found, ending));
        let by_intonation = judged.as_ref().is_some_and(|judged| judged.by_intonation);
        let mood = judged.map(|judged| judged.mood);
        let act =
            predicate.zip(mood.as_ref()).map(|(found, mood)| act::judge(morphs, found, mood.value));
        Self {
            speech_level: speech_level::judge(morphs, predicate, ending),
            second_level: ending.and_then(|ending| ending.also),
            left_open: predicate.is_some_and(|found| found.open),
            subject: honorific::subject(morphs),
            object: honorific::object(morphs),
            tense: predicate.map(|found| tense::judge(found.morphs(morphs))),
            by_intonation,
            act,
            mood,
            polarity: predicate.map(|found| negation::judge(morphs, found)),
        }
    }

    /// Judges every sentence of a text that an analyzer takes apart.
    ///
    /// # Errors
    /// When the analyzer fails.
    pub fn of_text(text: &str, analyzer: &dyn MorphemeAnalyzer) -> Result<Vec<Self>> {
        Ok(sentences(&from_text(text, analyzer)?).map(Self::of).collect())
    }

    /// Why the subject is honoured, if it is.
    pub fn honours_subject(&self) -> Option<&Evidence> {
        (self.subject.value == Honorific::Honoured).then_some(&self.subject.evidence)
    }

    /// Why the object is honoured, if it is.
    pub fn honours_object(&self) -> Option<&Evidence> {
        (self.object.value == Honorific::Honoured).then_some(&self.object.evidence)
    }

    /// Why the main clause is negated, if it is.
    pub fn negated(&self) -> Option<&Evidence> {
        let negated = self.polarity.as_ref().filter(|p| p.value == Polarity::Negative);
        negated.map(|polarity| &polarity.evidence)
    }
}

/// Cuts morphemes into sentences: behind `.`, `?`, `!` and `…`, and behind an eojeol that closes a sentence
/// where another one closes after it.
pub fn sentences(morphs: &[Morph]) -> impl Iterator<Item = &[Morph]> {
    closed_sentences(morphs).map(|(sentence, _)| sentence)
}

/// The same, each with what closes it.
pub(crate) fn closed_sentences(
    morphs: &[Morph],
) -> impl Iterator<Item = (&[Morph], Option<Closing>)> {
    stretches(morphs).flat_map(|stretch| {
        let mut closers = closings(stretch);
        // What is behind the last one belongs to its sentence.
        let last = closers.pop();
        if closers.is_empty() {
            return vec![(stretch, last)];
        }
        let mut ends: Vec<usize> = closers
            .iter()
            .map(|closing| {
                let after = stretch.get(closing.word.end..).unwrap_or_default();
                closing.word.end + after.iter().take_while(|morph| morph.is_mark()).count()
            })
            .collect();
        ends.push(stretch.len());
        let starts: Vec<usize> = std::iter::once(0).chain(ends.iter().copied()).collect();
        let cut = starts.into_iter().zip(ends).filter_map(|(start, end)| stretch.get(start..end));
        // Alone, a sentence may close otherwise than beside its neighbours.
        cut.map(|sentence| (sentence, closings(sentence).pop())).collect()
    })
}

/// Cuts behind `.`, `?`, `!` and `…`.
fn stretches(morphs: &[Morph]) -> impl Iterator<Item = &[Morph]> {
    let closes = |morph: &Morph| morph.is_any(&[Tag::Sf, Tag::Se]);
    let mut rest = morphs;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let first = rest.iter().position(closes).unwrap_or(rest.len());
        // "뭐라고요?!" and a closing quotation mark belong to their sentence.
        let tail = rest.get(first..).unwrap_or_default();
        let end = first + tail.iter().take_while(|morph| morph.is_mark()).count();
        let (sentence, after) = rest.split_at(end.min(rest.len()));
        rest = after;
        Some(sentence)
    })
}
