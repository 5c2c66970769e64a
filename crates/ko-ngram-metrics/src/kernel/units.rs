//! A segment's units: cut once, and compared as small integers ever after.

use super::{ngrams::neighbours, spare};
use crate::settings::CASE;
use ko_eval_core::{Pieces, Result, Segment, Signature, Token, Tokenizer, Vocabulary};
use std::{cell::Cell, ops::Range, sync::Arc};

/// Whether a text repeats none of its units, if they are numbered in order of appearance from 0 on: then, and only then, the
/// last one's number is the greatest that it can be. The number of each unit is then its place.
#[inline]
pub(crate) fn repeats_none(numbers: &[u32]) -> bool {
    numbers.last().is_none_or(|&last| last as usize == numbers.len() - 1)
}

/// Whether upper and lower case differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Case {
    /// They differ.
    #[default]
    Mixed,
    /// Units are lower-cased after they were cut.
    Lower,
}

/// How a metric cuts its texts.
#[derive(Debug, Clone)]
pub(crate) struct Cutter {
    tokenizer: Arc<dyn Tokenizer>,
    case: Case,
}

impl Cutter {
    pub(crate) fn new(tokenizer: Arc<dyn Tokenizer>, case: Case) -> Self {
        Self { tokenizer, case }
    }

    /// The units of one text.
    pub(crate) fn tokens<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        let tokens = self.tokenizer.tokenize(text)?;
        Ok(match self.case {
            Case::Mixed => tokens,
            Case::Lower => {
                let lower = |t: Token<'_>| Token::new(t.as_str().to_lowercase(), t.span());
                tokens.into_iter().map(lower).collect()
            }
        })
    }

    /// The units of all references.
    pub(crate) fn references<'t>(&self, segment: &Segment<'t>) -> Result<Vec<Vec<Token<'t>>>> {
        segment.references().iter().map(|text| self.tokens(text)).collect()
    }

    /// Adds the units of one text to others.
    #[inline]
    pub(crate) fn pieces(&self, text: &str, pieces: &mut Pieces) -> Result<()> {
        match self.case {
            Case::Mixed => self.tokenizer.cut(text, pieces)?,
            Case::Lower => {
                self.tokens(text)?.iter().for_each(|token| pieces.push(token.as_str()));
            }
        }
        Ok(())
    }

    /// Cuts all texts of a segment, and lends them to `then`.
    #[inline]
    pub(crate) fn texts<T>(
        &self,
        segment: &Segment<'_>,
        then: impl FnOnce(&Texts) -> T,
    ) -> Result<T> {
        Texts::cut(segment, |text, pieces| self.pieces(text, pieces), then)
    }

    /// Adds the units of one text to others, as numbers.
    #[inline]
    pub(crate) fn number(&self, text: &str, vocabulary: &mut Vocabulary) -> Result<()> {
        match self.case {
            Case::Mixed => self.tokenizer.number(text, vocabulary),
            Case::Lower => vocabulary.fill(|pieces| self.pieces(text, pieces)),
        }
    }

    /// Numbers the units of a segment, and lends them to `then`.
    #[inline]
    pub(crate) fn units<T>(
        &self,
        segment: &Segment<'_>,
        then: impl FnOnce(&Units) -> T,
    ) -> Result<T> {
        Units::of_segment(segment, |text, vocabulary| self.number(text, vocabulary), then)
    }

    /// A signature that says whether case counts.
    pub(crate) fn sign_case(&self, signature: Signature) -> Signature {
        signature.with(CASE.param().name, CASE.word(&self.case))
    }

    /// A signature that says so only if case does not count, for metrics whose references know no such setting.
    pub(crate) fn sign_lower_case(&self, signature: Signature) -> Signature {
        match self.case {
            Case::Mixed => signature,
            Case::Lower => self.sign_case(signature),
        }
    }

    /// Ends a metric's signature: what cut the texts, and the version of this crate.
    pub(crate) fn sign(&self, signature: Signature) -> Signature {
        let signature = signature.with_nested("tok", &self.tokenizer.signature());
        signature.with("version", env!("CARGO_PKG_VERSION"))
    }
}

/// A segment's texts, cut: the hypothesis, then the references.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    pieces: Pieces,
    /// Where in the pieces each text ends.
    ends: Vec<usize>,
}

thread_local! {
    /// The memory of the last segment's texts, used again for the next.
    static SPARE_TEXTS: Cell<Option<Box<Texts>>> = const { Cell::new(None) };
    /// The memory of the last segment's numbers.
    static SPARE_UNITS: Cell<Option<Box<Units>>> = const { Cell::new(None) };
}

impl Texts {
    /// Cuts all texts of a segment, and lends them to `then`.
    #[inline]
    pub(crate) fn cut<T>(
        segment: &Segment<'_>,
        mut cut: impl FnMut(&str, &mut Pieces) -> Result<()>,
        then: impl FnOnce(&Self) -> T,
    ) -> Result<T> {
        let mut texts: Box<Self> = spare::take(&SPARE_TEXTS);
        texts.pieces.clear();
        texts.ends.clear();
        for text in [segment.hypothesis()].iter().chain(segment.references()) {
            cut(text, &mut texts.pieces)?;
            texts.ends.push(texts.pieces.len());
        }
        let result = then(&texts);
        let size = texts.pieces.len();
        spare::keep(&SPARE_TEXTS, texts, size);
        Ok(result)
    }

    /// The units of all texts, one after the other.
    pub(crate) fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// Where each text begins and ends.
    pub(crate) fn spans(&self) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        self.ends.iter().map(move |&end| std::mem::replace(&mut start, end)..end)
    }

    /// The numbers of units of the texts.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = usize> {
        self.spans().map(|span| span.len())
    }
}

/// The units of a hypothesis and its references as numbers: equal texts have equal numbers, counted from 0 in order of
/// appearance.
#[derive(Debug, Default)]
pub(crate) struct Units {
    /// Of all texts, one after the other.
    vocabulary: Vocabulary,
    /// Where each text ends, the hypothesis first.
    ends: Vec<usize>,
}

impl Units {
    /// Lends the units of a segment to `then`: `number` adds those of a text to those before.
    #[inline]
    pub(crate) fn of_segment<T>(
        segment: &Segment<'_>,
        mut number: impl FnMut(&str, &mut Vocabulary) -> Result<()>,
        then: impl FnOnce(&Self) -> T,
    ) -> Result<T> {
        let mut units = Self::spare();
        for text in [segment.hypothesis()].iter().chain(segment.references()) {
            number(text, &mut units.vocabulary)?;
            units.ends.push(units.vocabulary.len());
        }
        Ok(units.lend(then))
    }

    /// Lends the units of texts, the hypothesis first, to `then`: `number` adds those of a text to those before.
    #[inline]
    pub(crate) fn of_texts<S, T>(
        texts: impl Iterator<Item = S>,
        mut number: impl FnMut(S, &mut Vocabulary),
        then: impl FnOnce(&Self) -> T,
    ) -> T {
        let mut units = Self::spare();
        for text in texts {
            number(text, &mut units.vocabulary);
            units.ends.push(units.vocabulary.len());
        }
        units.lend(then)
    }

    /// Lends the units of texts that are cut already to `then`.
    pub(crate) fn of_tokens<S: AsRef<str>, T>(
        hypothesis: &[S],
        references: &[Vec<S>],
        then: impl FnOnce(&Self) -> T,
    ) -> T {
        let texts = [hypothesis].into_iter().chain(references.iter().map(Vec::as_slice));
        let number = |text: &[S], vocabulary: &mut Vocabulary| {
            text.iter().for_each(|unit| vocabulary.push(unit.as_ref()));
        };
        Self::of_texts(texts, number, then)
    }

    /// No units, in memory that was used before.
    #[inline]
    fn spare() -> Box<Self> {
        let mut units: Box<Self> = spare::take(&SPARE_UNITS);
        units.vocabulary.clear();
        units.ends.clear();
        units
    }

    /// Lends itself to `then`, and leaves its memory to the next.
    #[inline]
    fn lend<T>(self: Box<Self>, then: impl FnOnce(&Self) -> T) -> T {
        let result = then(&self);
        let size = self.vocabulary.capacity();
        spare::keep(&SPARE_UNITS, self, size);
        result
    }

    /// The numbers of the hypothesis.
    #[inline]
    pub(crate) fn hypothesis(&self) -> &[u32] {
        let end = self.ends.first().copied().unwrap_or(0);
        self.vocabulary.numbers().get(..end).unwrap_or_default()
    }

    /// The numbers of each reference.
    #[inline]
    pub(crate) fn references(&self) -> impl ExactSizeIterator<Item = &[u32]> + Clone {
        let numbers = self.vocabulary.numbers();
        neighbours(&self.ends).map(move |(start, end)| numbers.get(start..end).unwrap_or_default())
    }

    /// How many different units there are: every number is below.
    #[inline]
    pub(crate) fn kinds(&self) -> usize {
        self.vocabulary.kinds()
    }

    /// Whether no reference has units.
    #[inline]
    pub(crate) fn no_reference(&self) -> bool {
        self.ends.first() == self.ends.last()
    }
}
