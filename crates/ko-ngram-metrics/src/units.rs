//! A segment's units as small integers: cut once, hashed once, compared cheaply ever after.

use crate::numbering::SPREAD;
use ko_eval_core::{Param, Params, Result, Segment, Signature, Token, Tokenizer};
use std::sync::Arc;

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

    /// The units of a segment as numbers.
    pub(crate) fn units(&self, segment: &Segment<'_>) -> Result<Units> {
        Ok(Units::number(&self.tokens(segment.hypothesis())?, &self.references(segment)?))
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

/// The units of a hypothesis and its references; equal texts have equal numbers, counted from 0 in
/// order of appearance.
#[derive(Debug)]
pub(crate) struct Units {
    pub(crate) hypothesis: Vec<u32>,
    pub(crate) references: Vec<Vec<u32>>,
    /// How many different units there are: every number is below.
    pub(crate) kinds: usize,
}

impl Units {
    /// Cuts and numbers a segment's texts.
    pub(crate) fn of(tokenizer: &dyn Tokenizer, segment: &Segment<'_>) -> Result<Self> {
        let hypothesis = tokenizer.tokenize(segment.hypothesis())?;
        let references: Vec<Vec<Token<'_>>> = segment
            .references()
            .iter()
            .map(|text| tokenizer.tokenize(text))
            .collect::<Result<_>>()?;
        Ok(Self::number(&hypothesis, &references))
    }

    /// Numbers units that are cut already.
    pub(crate) fn number<T: AsRef<str>>(hypothesis: &[T], references: &[Vec<T>]) -> Self {
        let total = hypothesis.len() + references.iter().map(Vec::len).sum::<usize>();
        let mut interner = Interner::with_capacity(total);
        Self {
            hypothesis: interner.numbers(hypothesis),
            references: references.iter().map(|tokens| interner.numbers(tokens)).collect(),
            kinds: interner.texts.len(),
        }
    }
}

/// Texts, numbered from 0 in order of appearance.
#[derive(Debug)]
pub(crate) struct Interner<'t> {
    /// At least twice as many as texts, so that there is always a vacant one.
    slots: Vec<Slot>,
    texts: Vec<&'t str>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// 0 where vacant.
    key: u64,
    number: u32,
}

/// The longest text, in bytes, that is its own key.
const PACKED: usize = 7;
/// Marks the key of a longer text, which is only a hash.
const HASHED: u64 = 0xff << 56;

impl<'t> Interner<'t> {
    /// Room for `texts` texts and no more.
    pub(crate) fn with_capacity(texts: usize) -> Self {
        let slots = (texts * 2).next_power_of_two().max(2);
        Self { slots: vec![Slot::default(); slots], texts: Vec::with_capacity(texts) }
    }

    /// How many different texts were numbered.
    pub(crate) fn kinds(&self) -> usize {
        self.texts.len()
    }

    /// The numbers of many texts.
    pub(crate) fn numbers<T: AsRef<str>>(&mut self, tokens: &'t [T]) -> Vec<u32> {
        tokens.iter().map(|token| self.number(token.as_ref())).collect()
    }

    /// The text's number, the next free one if it is new.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "the slot's index is masked, the number given out")]
    pub(crate) fn number(&mut self, text: &'t str) -> u32 {
        let key = key(text.as_bytes());
        let mask = self.slots.len() - 1;
        let mut at = (key.wrapping_mul(SPREAD) >> 32) as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.key == 0 {
                let number = self.texts.len() as u32;
                self.slots[at] = Slot { key, number };
                self.texts.push(text);
                return number;
            }
            if slot.key == key && (key < HASHED || self.texts[slot.number as usize] == text) {
                return slot.number;
            }
            at = (at + 1) & mask;
        }
    }
}

/// A short text with its length, or the hash of a long one. Never 0.
#[inline]
fn key(text: &[u8]) -> u64 {
    match *text {
        // A Hangul syllable or jamo.
        [a, b, c] => u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 4]),
        _ if text.len() <= PACKED => {
            let packed = text.iter().fold(0, |key, &byte| key << 8 | u64::from(byte));
            (text.len() as u64 + 1) << 56 | packed
        }
        _ => {
            let mix = |hash: u64, word: u64| {
                let product = (hash ^ word).wrapping_mul(SPREAD);
                product ^ product >> 32
            };
            let (words, rest) = text.as_chunks::<8>();
            let hash = words.iter().fold(text.len() as u64, |h, &w| mix(h, u64::from_le_bytes(w)));
            let rest = rest.iter().fold(0, |key, &byte| key << 8 | u64::from(byte));
            mix(hash, rest) | HASHED
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn numbers_as_a_map_would(texts in proptest::collection::vec("[가-다a\0]{0,6}|.{0,40}", 0..60)) {
            let mut interner = Interner::with_capacity(texts.len());
            let mut map = HashMap::new();
            for text in &texts {
                let next = map.len() as u32;
                prop_assert_eq!(interner.number(text), *map.entry(text).or_insert(next));
            }
            prop_assert_eq!(interner.kinds(), map.len());
        }
    }
}
