//! A segment's units: cut once, and compared as small integers ever after.

use crate::interner::Interner;
use ko_eval_core::{Param, Params, Pieces, Result, Segment, Signature, Token, Tokenizer};
use std::{cell::Cell, ops::Range, sync::Arc};

/// Whether upper and lower case differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Case {
    /// They differ.
    #[default]
    Mixed,
    /// Units are lower-cased after they were cut.
    Lower,
}

impl Case {
    /// The registry parameter, shared by all rows that have it.
    pub(crate) const PARAM: Param =
        Param { name: "case", default: "mixed", help: "mixed, or lower: compare in lower case" };

    pub(crate) fn from_params(owner: &str, params: &Params) -> Result<Self> {
        let words = [("mixed", Self::Mixed), ("lower", Self::Lower)];
        params.choose(owner, Self::PARAM.name, Self::Mixed, &words)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Mixed => "mixed",
            Self::Lower => "lower",
        }
    }
}

/// How a metric cuts its texts.
#[derive(Debug, Clone)]
pub(crate) struct Cut {
    pub(crate) tokenizer: Arc<dyn Tokenizer>,
    pub(crate) case: Case,
}

impl Cut {
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
    pub(crate) fn texts<T>(
        &self,
        segment: &Segment<'_>,
        then: impl FnOnce(&Texts) -> T,
    ) -> Result<T> {
        Texts::cut(segment, |text, pieces| self.pieces(text, pieces), then)
    }

    /// The units of a segment as numbers.
    pub(crate) fn units(&self, segment: &Segment<'_>) -> Result<Units> {
        self.texts(segment, Units::of_texts)
    }

    /// Ends a metric's signature: what cut the texts, and the version of this crate.
    pub(crate) fn sign(&self, signature: Signature) -> Signature {
        sign(signature, &*self.tokenizer)
    }
}

/// Ends a metric's signature: what cut the texts, and the version of this crate.
pub(crate) fn sign(signature: Signature, tokenizer: &dyn Tokenizer) -> Signature {
    signature.with_nested("tok", &tokenizer.signature()).with("version", env!("CARGO_PKG_VERSION"))
}

/// A segment's texts, cut: the hypothesis, then the references.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    pieces: Pieces,
    /// Where in the pieces each text ends.
    ends: Vec<usize>,
}

/// The numbers of a hypothesis, and of its references.
type Numbers = (Vec<u32>, Vec<Vec<u32>>);

thread_local! {
    /// The memory of the last segment's texts, used again for the next.
    static SPARE_TEXTS: Cell<Option<Texts>> = const { Cell::new(None) };
    /// The memory of the last segment's numbers.
    static SPARE_UNITS: Cell<Option<Numbers>> = const { Cell::new(None) };
}

/// The memory of more units, or of more texts, is not kept.
const MOST_SPARE: usize = 1 << 14;

impl Texts {
    /// Cuts all texts of a segment, and lends them to `then`.
    pub(crate) fn cut<T>(
        segment: &Segment<'_>,
        mut cut: impl FnMut(&str, &mut Pieces) -> Result<()>,
        then: impl FnOnce(&Self) -> T,
    ) -> Result<T> {
        let mut texts = SPARE_TEXTS.try_with(Cell::take).ok().flatten().unwrap_or_default();
        texts.pieces.clear();
        texts.ends.clear();
        for text in [segment.hypothesis()].iter().chain(segment.references()) {
            cut(text, &mut texts.pieces)?;
            texts.ends.push(texts.pieces.len());
        }
        texts.pieces.pad();
        let result = then(&texts);
        if texts.pieces.len() <= MOST_SPARE {
            // A thread that ends has no more use for it.
            let _ = SPARE_TEXTS.try_with(|spare| spare.set(Some(texts)));
        }
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

/// The units of a hypothesis and its references; equal texts have equal numbers, counted from 0 in
/// order of appearance.
#[derive(Debug, Default)]
pub(crate) struct Units {
    pub(crate) hypothesis: Vec<u32>,
    pub(crate) references: Vec<Vec<u32>>,
    /// How many different units there are: every number is below.
    pub(crate) kinds: usize,
}

impl Units {
    /// Cuts and numbers a segment's texts.
    pub(crate) fn of(tokenizer: &dyn Tokenizer, segment: &Segment<'_>) -> Result<Self> {
        Texts::cut(segment, |text, pieces| tokenizer.cut(text, pieces), Self::of_texts)
    }

    /// Numbers a segment's units.
    pub(crate) fn of_texts(texts: &Texts) -> Self {
        let pieces = texts.pieces();
        match pieces.characters() {
            Some(characters) => Self::number_with(texts.spans(), |interner, span, numbers| {
                let text = characters.get(span).unwrap_or_default();
                interner.number_characters(text.iter().copied(), numbers);
            }),
            None => Self::number_with(texts.spans(), |interner, span, numbers| {
                interner.number_texts(pieces, span, numbers);
            }),
        }
    }

    /// Numbers texts that are cut already.
    pub(crate) fn number<T: AsRef<str>>(hypothesis: &[T], references: &[Vec<T>]) -> Self {
        let references = references.iter().map(Vec::as_slice);
        Self::number_with([hypothesis].into_iter().chain(references), |interner, text, numbers| {
            *numbers = interner.numbers(text);
        })
    }

    /// Numbers a segment's texts, each with what was numbered before.
    #[inline]
    pub(crate) fn number_with<T>(
        texts: impl Iterator<Item = T>,
        mut number: impl FnMut(&mut Interner, T, &mut Vec<u32>),
    ) -> Self {
        let spare = SPARE_UNITS.try_with(Cell::take).ok().flatten();
        let (hypothesis, references) = spare.unwrap_or_default();
        let mut units = Self { hypothesis, references, kinds: 0 };
        let mut interner = Interner::new();
        let mut texts = texts.into_iter();
        units.hypothesis.clear();
        if let Some(text) = texts.next() {
            number(&mut interner, text, &mut units.hypothesis);
        }
        let mut count = 0;
        for text in texts {
            if count == units.references.len() {
                units.references.push(Vec::new());
            }
            if let Some(numbers) = units.references.get_mut(count) {
                numbers.clear();
                number(&mut interner, text, numbers);
            }
            count += 1;
        }
        units.references.truncate(count);
        units.kinds = interner.kinds();
        units
    }
}

impl Drop for Units {
    fn drop(&mut self) {
        let longest =
            self.references.iter().map(Vec::capacity).fold(self.references.len(), usize::max);
        if longest.max(self.hypothesis.capacity()) <= MOST_SPARE {
            let spare =
                (std::mem::take(&mut self.hypothesis), std::mem::take(&mut self.references));
            // A thread that ends has no more use for it.
            let _ = SPARE_UNITS.try_with(|cell| cell.set(Some(spare)));
        }
    }
}
