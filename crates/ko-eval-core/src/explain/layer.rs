//! The units that were compared, and what met what.

use crate::{Segment, Token};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, fmt, ops::Range};

/// One view of a segment: the units of its texts, and the links between them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Layer {
    /// What the units are: `units`, `characters`, `words`, `tokens`, or [evidence](Layer::EVIDENCE).
    pub name: Cow<'static, str>,
    /// The units of the hypothesis.
    pub hypothesis: Vec<Unit>,
    /// The units of each reference.
    pub references: Vec<Vec<Unit>>,
    /// What met what.
    pub links: Vec<Link>,
}

/// A unit, and where in its text it came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Unit {
    /// The first byte of the text that it was derived from.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
    /// What was compared, where that is not what the text has there: a jamo, a restored morpheme, a word in lower case;
    /// or everywhere, once it is [spelled out](super::Explanation::spell_out).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Box<str>>,
}

/// What met what, or met nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Link {
    /// Of which kind it is.
    pub kind: LinkKind,
    /// The units of the hypothesis, counted from 0; none where only the reference has something.
    pub hypothesis: Range<u32>,
    /// The units of a reference; nothing where only the hypothesis has something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<InReference>,
    /// What it counts where links are [added up](super::Formula::Links): 1 for most, the cost of an edit, a similarity, an
    /// n-gram's information.
    pub value: f64,
    /// What is known of it beside: the speech level of an ending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Box<str>>,
}

/// Some units of a reference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InReference {
    /// Which reference, counted from 0.
    pub number: u32,
    /// Which units of it, counted from 0.
    pub units: Range<u32>,
}

/// Kinds of [links](Link). Edits turn the hypothesis into the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LinkKind {
    /// Equal units.
    Match,
    /// Units of the same stem.
    Stem,
    /// Units of the same meaning.
    Synonym,
    /// An n-gram that both texts have, as often as it counts.
    NGram,
    /// An n-gram of the hypothesis that the references have, but not so often: it counts nothing.
    Clipped,
    /// A unit of the longest common subsequence.
    Subsequence,
    /// Units that stand for each other in the order of the texts.
    Aligned,
    /// A run of the hypothesis that goes with a run of the reference.
    Chunk,
    /// A unit that became another.
    Substitution,
    /// A unit of the reference that is put in.
    Insertion,
    /// A unit of the hypothesis that goes.
    Deletion,
    /// Units that stand elsewhere in the reference and were moved. Of units that stood apart, the first link counts.
    Shift,
    /// A jump to another place of the hypothesis.
    Jump,
    /// How far the visits of a place of the hypothesis are from one.
    Coverage,
    /// The unit of a reference that is most like one of the hypothesis.
    Partner,
    /// The unit of the hypothesis that is most like one of a reference.
    Counterpart,
    /// What a judgement rests on: an ending, an honorific.
    Evidence,
}

impl fmt::Display for LinkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Match => "match",
            Self::Stem => "stem",
            Self::Synonym => "synonym",
            Self::NGram => "n-gram",
            Self::Clipped => "clipped",
            Self::Subsequence => "subsequence",
            Self::Aligned => "aligned",
            Self::Chunk => "chunk",
            Self::Substitution => "substitution",
            Self::Insertion => "insertion",
            Self::Deletion => "deletion",
            Self::Shift => "shift",
            Self::Jump => "jump",
            Self::Coverage => "coverage",
            Self::Partner => "partner",
            Self::Counterpart => "counterpart",
            Self::Evidence => "evidence",
        })
    }
}

fn narrow(range: Range<usize>) -> Range<u32> {
    range.start as u32..range.end as u32
}

impl Link {
    /// A link that counts 1, of these units of the hypothesis.
    pub fn new(kind: LinkKind, hypothesis: Range<usize>) -> Self {
        Self { kind, hypothesis: narrow(hypothesis), reference: None, value: 1.0, label: None }
    }

    /// A link that counts 1, of units that only a reference has.
    pub fn only_in(kind: LinkKind, reference: usize, units: Range<usize>) -> Self {
        Self::new(kind, 0..0).with(reference, units)
    }

    /// The same, to these units of a reference.
    #[must_use]
    pub fn with(self, reference: usize, units: Range<usize>) -> Self {
        let reference = InReference { number: reference as u32, units: narrow(units) };
        Self { reference: Some(reference), ..self }
    }

    /// The same as another kind of link.
    #[must_use]
    pub fn as_kind(self, kind: LinkKind) -> Self {
        Self { kind, ..self }
    }

    /// The same, counting this much.
    #[must_use]
    pub fn worth(self, value: f64) -> Self {
        Self { value, ..self }
    }

    /// The same with a label.
    #[must_use]
    pub fn labelled(self, label: impl Into<Box<str>>) -> Self {
        Self { label: Some(label.into()), ..self }
    }
}

impl Unit {
    /// A unit as it stands in the text.
    pub fn written(span: Range<usize>) -> Self {
        let clamp = |place: usize| place.min(Token::MAX_TEXT) as u32;
        Self { start: clamp(span.start), end: clamp(span.end), text: None }
    }

    /// A unit that was made of what stands in the text.
    pub fn made(span: Range<usize>, text: impl Into<Box<str>>) -> Self {
        Self { text: Some(text.into()), ..Self::written(span) }
    }

    /// A token of the text.
    pub fn of_token(text: &str, token: &Token<'_>) -> Self {
        match text.get(token.span()) {
            Some(piece) if token == piece => Self::written(token.span()),
            _ => Self::made(token.span(), token.as_str()),
        }
    }

    /// The characters of a token, each where it came from: exactly, where the token is written in the text or has as many
    /// characters as what is; else all of them where the token came from.
    pub fn characters<'t>(
        text: &'t str,
        token: &'t Token<'_>,
    ) -> impl Iterator<Item = (Self, char)> + use<'t> {
        let span = token.span();
        let written = text.get(span.clone()).unwrap_or_default();
        let is_parallel = written.chars().count() == token.as_str().chars().count();
        let mut places = written.char_indices();
        token.as_str().chars().map(move |c| {
            let place = places.next().filter(|_| is_parallel);
            let Some((at, there)) = place else {
                return (Self::made(span.clone(), c.encode_utf8(&mut [0; 4]) as &str), c);
            };
            let start = span.start + at;
            let unit = Self::written(start..start + there.len_utf8());
            let text = (there != c).then(|| Box::from(c.encode_utf8(&mut [0; 4]) as &str));
            (Self { text, ..unit }, c)
        })
    }

    /// Units of which only the texts are known, looked for in the text one after the other: white space, case and what was
    /// left out do not matter. One that is not found soon (an unknown word) is at the place where it should be.
    ///
    /// ```
    /// use ko_eval_core::explain::Unit;
    ///
    /// let units = Unit::located("나는 AI를 (잘) 쓴다", ["나는", "ai", "를", "[UNK]", "쓴다"]);
    /// let spans: Vec<_> = units.iter().map(|unit| unit.span()).collect();
    /// assert_eq!(spans, [0..6, 7..9, 9..12, 13..13, 19..25]);
    /// ```
    pub fn located<S: AsRef<str>>(text: &str, units: impl IntoIterator<Item = S>) -> Vec<Self> {
        let mut at = 0;
        let locate = |unit: S| {
            let unit = unit.as_ref();
            let rest = text.get(at..).unwrap_or_default();
            at += rest.len() - rest.trim_start().len();
            let span = find(text, at, unit).unwrap_or(at..at);
            at = span.end;
            match text.get(span.clone()) {
                Some(piece) if piece == unit => Self::written(span),
                _ => Self::made(span, unit),
            }
        };
        units.into_iter().map(locate).collect()
    }

    /// The bytes of the text that it was derived from.
    pub fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// What was compared, given the text.
    pub fn text<'u>(&'u self, whole: &'u str) -> &'u str {
        match &self.text {
            Some(text) => text,
            None => whole.get(self.span()).unwrap_or_default(),
        }
    }
}

impl Layer {
    /// The name of a layer in which only what is linked matters: units without a link are not at fault.
    pub const EVIDENCE: &'static str = "evidence";

    /// The units of a segment's texts, without links yet.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        hypothesis: Vec<Unit>,
        references: Vec<Vec<Unit>>,
    ) -> Self {
        Self { name: name.into(), hypothesis, references, links: Vec::new() }
    }

    /// Tokens, each text's with the text.
    pub fn of_tokens<'t, T: AsRef<[Token<'t>]>>(
        name: impl Into<Cow<'static, str>>,
        (hypothesis, tokens): (&str, T),
        references: impl IntoIterator<Item = (&'t str, T)>,
    ) -> Self {
        let units = |text: &str, tokens: T| {
            tokens.as_ref().iter().map(|token| Unit::of_token(text, token)).collect()
        };
        let references = references.into_iter().map(|(text, tokens)| units(text, tokens)).collect();
        Self::new(name, units(hypothesis, tokens), references)
    }

    /// The bytes of the hypothesis from the first of these units to the last; nothing of no units.
    pub fn hypothesis_span(&self, units: &Range<u32>) -> Option<Range<usize>> {
        span(&self.hypothesis, units)
    }

    /// The bytes of a reference from the first of these units to the last; nothing of no units.
    pub fn reference_span(&self, place: &InReference) -> Option<Range<usize>> {
        span(self.references.get(place.number as usize)?, &place.units)
    }

    /// Writes its text into every unit.
    pub(super) fn spell_out(&mut self, segment: &Segment<'_>) {
        let units = std::iter::once(&mut self.hypothesis).chain(&mut self.references);
        for (units, text) in units.zip(segment.texts()) {
            for unit in units.iter_mut().filter(|unit| unit.text.is_none()) {
                unit.text = Some(text.get(unit.span()).unwrap_or_default().into());
            }
        }
    }
}

fn span(units: &[Unit], wanted: &Range<u32>) -> Option<Range<usize>> {
    let units = units.get(wanted.start as usize..wanted.end as usize)?;
    let start = units.iter().map(|unit| unit.start).min()?;
    let end = units.iter().map(|unit| unit.end).max()?;
    Some(start as usize..end as usize)
}

/// How many bytes beyond its own length a unit is looked for.
const FARTHEST: usize = 96;

/// Where the text has a unit from a place on: there, or not far behind it.
fn find(text: &str, at: usize, unit: &str) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let mut starts = rest.char_indices().map(|(start, _)| start);
    let ends = |start: usize| Some(at + start..at + start + same(rest.get(start..)?, unit)?);
    starts.by_ref().take_while(|start| *start <= unit.len() + FARTHEST).find_map(ends)
}

/// How many bytes at the beginning of a text are a unit, whatever the case.
fn same(text: &str, unit: &str) -> Option<usize> {
    if unit.is_empty() || text.starts_with(unit) {
        return Some(unit.len());
    }
    let mut letters = text.chars();
    for wanted in unit.chars() {
        let letter = letters.next()?;
        if letter != wanted && !letter.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    Some(text.len() - letters.as_str().len())
}
