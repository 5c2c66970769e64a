//! A segment's units as small integers: cut once, hashed once, compared cheaply ever after.

use crate::numbering::SPREAD;
use ko_eval_core::{Param, Params, Result, Segment, Signature, Token, Tokenizer};
use std::{cell::Cell, sync::Arc};

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
        Units::with(segment, |interner, text| self.numbers(interner, text))
    }

    /// The units of one text as numbers.
    pub(crate) fn numbers(&self, interner: &mut Interner, text: &str) -> Result<Vec<u32>> {
        match self.case {
            Case::Mixed => interner.cut(&*self.tokenizer, text),
            Case::Lower => Ok(interner.numbers(&self.tokens(text)?)),
        }
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
        Self::with(segment, |interner, text| interner.cut(tokenizer, text))
    }

    /// Numbers a segment's texts, each with what was numbered before.
    pub(crate) fn with(
        segment: &Segment<'_>,
        mut numbers: impl FnMut(&mut Interner, &str) -> Result<Vec<u32>>,
    ) -> Result<Self> {
        let mut interner = Interner::new();
        let hypothesis = numbers(&mut interner, segment.hypothesis())?;
        let references = segment.references().iter().map(|text| numbers(&mut interner, text));
        let references = references.collect::<Result<_>>()?;
        Ok(Self { hypothesis, references, kinds: interner.kinds() })
    }

    /// Numbers units that are cut already.
    pub(crate) fn number<T: AsRef<str>>(hypothesis: &[T], references: &[Vec<T>]) -> Self {
        let mut interner = Interner::new();
        Self {
            hypothesis: interner.numbers(hypothesis),
            references: references.iter().map(|tokens| interner.numbers(tokens)).collect(),
            kinds: interner.kinds(),
        }
    }
}

/// Texts, numbered from 0 in order of appearance.
#[derive(Debug)]
pub(crate) struct Interner {
    table: Table,
    /// Of the slots in use, one less: they are a power of two, and at least twice as many as texts.
    mask: usize,
    kinds: u32,
}

/// A hash table, used again for the next segment.
#[derive(Debug, Default)]
struct Table {
    slots: Vec<Slot>,
    /// Slots of other epochs are vacant, so clearing costs nothing. Never 0 in use.
    epoch: u32,
    /// The texts that are longer than their keys, one after the other.
    texts: String,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: u64,
    number: u32,
    epoch: u32,
    /// Where among the texts it stands, if it does.
    start: usize,
    end: usize,
}

thread_local! {
    static SPARE: Cell<Option<Table>> = const { Cell::new(None) };
}

/// Slots at first: a sentence's characters. Few, so that they stay near the processor.
const FIRST_SLOTS: usize = 256;
/// What has more slots, or longer texts in bytes, is not kept.
const MOST_SPARE: usize = 1 << 14;

/// The longest text, in bytes, that is its own key.
const PACKED: usize = 7;
/// Marks the key of a longer text, which is only a hash.
const HASHED: u64 = 0xff << 56;

impl Drop for Interner {
    fn drop(&mut self) {
        let table = std::mem::take(&mut self.table);
        if table.slots.len().max(table.texts.capacity()) <= MOST_SPARE {
            // A thread that ends has no more use for it.
            let _ = SPARE.try_with(|spare| spare.set(Some(table)));
        }
    }
}

impl Interner {
    pub(crate) fn new() -> Self {
        let mut table = SPARE.try_with(Cell::take).ok().flatten().unwrap_or_default();
        table.texts.clear();
        table.vacate(FIRST_SLOTS);
        Self { table, mask: FIRST_SLOTS - 1, kinds: 0 }
    }

    /// How many different texts were numbered.
    pub(crate) fn kinds(&self) -> usize {
        self.kinds as usize
    }

    /// The numbers of many texts.
    pub(crate) fn numbers<T: AsRef<str>>(&mut self, tokens: &[T]) -> Vec<u32> {
        tokens.iter().map(|token| self.number(token.as_ref())).collect()
    }

    /// The numbers of a text's units.
    pub(crate) fn cut(&mut self, tokenizer: &dyn Tokenizer, text: &str) -> Result<Vec<u32>> {
        // As many as there are syllables.
        let mut numbers = Vec::with_capacity(text.len() / 3 + 1);
        tokenizer.each_unit(text, &mut |unit| numbers.push(self.number(unit)))?;
        Ok(numbers)
    }

    /// The text's number, the next free one if it is new.
    #[inline]
    pub(crate) fn number(&mut self, text: &str) -> u32 {
        let key = key(text.as_bytes());
        match self.table.number(key, text, self.mask) {
            Some(number) => number,
            None => self.add(key, text),
        }
    }

    fn add(&mut self, key: u64, text: &str) -> u32 {
        if self.kinds() * 2 > self.mask {
            self.grow();
        }
        let start = self.table.texts.len();
        if key >= HASHED {
            self.table.texts.push_str(text);
        }
        let (number, epoch, end) = (self.kinds, self.table.epoch, self.table.texts.len());
        *self.table.vacant(key, self.mask) = Slot { key, number, epoch, start, end };
        self.kinds += 1;
        number
    }

    #[cold]
    fn grow(&mut self) {
        let Table { slots, epoch, .. } = &self.table;
        let live: Vec<Slot> = slots.iter().filter(|slot| slot.epoch == *epoch).copied().collect();
        self.mask = self.mask * 2 + 1;
        self.table.vacate(self.mask + 1);
        let epoch = self.table.epoch;
        for slot in live {
            *self.table.vacant(slot.key, self.mask) = Slot { epoch, ..slot };
        }
    }
}

#[allow(clippy::indexing_slicing, reason = "a slot's index is masked")]
impl Table {
    /// Makes at least so many slots vacant.
    fn vacate(&mut self, slots: usize) {
        self.epoch = self.epoch.wrapping_add(1);
        if self.slots.len() < slots || self.epoch == 0 {
            self.slots = vec![Slot::default(); slots.max(self.slots.len())];
            self.epoch = 1;
        }
    }

    /// The text's number, if it has one.
    #[inline]
    fn number(&self, key: u64, text: &str, mask: usize) -> Option<u32> {
        let slots = &self.slots[..=mask];
        let mut at = place(key) & mask;
        loop {
            let slot = &slots[at];
            if slot.epoch != self.epoch {
                return None;
            }
            let known = || self.texts.get(slot.start..slot.end) == Some(text);
            if slot.key == key && (key < HASHED || known()) {
                return Some(slot.number);
            }
            at = (at + 1) & mask;
        }
    }

    /// The vacant slot where a text belongs that is not there.
    fn vacant(&mut self, key: u64, mask: usize) -> &mut Slot {
        let mut at = place(key) & mask;
        while self.slots[at].epoch == self.epoch {
            at = (at + 1) & mask;
        }
        &mut self.slots[at]
    }
}

/// Where a key belongs, to be masked.
#[inline]
fn place(key: u64) -> usize {
    (key.wrapping_mul(SPREAD) >> 32) as usize
}

/// A short text with its length, or the hash of a long one.
#[inline]
fn key(text: &[u8]) -> u64 {
    let length = text.len();
    let mix = |hash: u64, word: [u8; 8]| {
        let product = (hash ^ u64::from_le_bytes(word)).wrapping_mul(SPREAD);
        product ^ product >> 32
    };
    match (text, text.first_chunk(), text.last_chunk()) {
        // A Hangul syllable or jamo.
        (&[a, b, c], ..) => u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 4]),
        (_, Some(&first), Some(&last)) if length <= PACKED => {
            // The two overlap: what the first has is shifted out of the last.
            let [first, last] = [first, last].map(|bytes| u64::from(u32::from_le_bytes(bytes)));
            (length as u64 + 1) << 56 | last >> (8 * (8 - length)) << 32 | first
        }
        _ if length < 3 => {
            let packed = text.iter().fold(0, |key, &byte| key << 8 | u64::from(byte));
            (length as u64 + 1) << 56 | packed
        }
        _ => {
            // The last word overlaps the one before it, unless the length is a multiple of eight.
            let (words, _) = text.as_chunks();
            let hash = words.iter().fold(length as u64, |hash, &word| mix(hash, word));
            text.last_chunk().map_or(hash, |&word| mix(hash, word)) | HASHED
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
        fn numbers_as_a_map_would(texts in proptest::collection::vec("[가-다a\0]{0,6}|[ab]{0,9}|.{0,40}", 0..400)) {
            // What another one left behind does not show.
            Interner::new().number("가");
            let mut interner = Interner::new();
            let mut map = HashMap::new();
            for text in &texts {
                let next = map.len() as u32;
                prop_assert_eq!(interner.number(text), *map.entry(text).or_insert(next));
            }
            prop_assert_eq!(interner.kinds(), map.len());
        }
    }
}
