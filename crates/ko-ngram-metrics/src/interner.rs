//! Texts and characters as small integers: hashed once, compared cheaply ever after.

use crate::numbering::SPREAD;
use ko_eval_core::{Pieces, TextPiece};
use std::{hint::select_unpredictable, ops::Range};

/// Texts, numbered from 0 in order of appearance.
#[derive(Debug)]
pub(crate) struct Interner {
    /// The numbers of single characters, by code point; each with its epoch in the upper half. As many as there are
    /// code points, but the system provides only what is used.
    characters: Vec<u64>,
    /// A hash table of texts, as many as a power of two.
    slots: Vec<Slot>,
    /// What is of another epoch is vacant, so clearing costs nothing. Never 0.
    epoch: u32,
    kinds: u32,
    /// The texts that are hashed, one after the other.
    texts: String,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: Key,
    tag: Tag,
    /// Where among the texts it stands, if it does.
    start: usize,
}

/// A number, and in the upper half the epoch that gave it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Tag(u64);

impl Tag {
    fn new(epoch: u32, number: u32) -> Self {
        Self(u64::from(epoch) << 32 | u64::from(number))
    }

    #[inline]
    fn number(self) -> u32 {
        self.0 as u32
    }

    #[inline]
    fn is_of_epoch(self, other: Self) -> bool {
        (self.0 ^ other.0) >> 32 == 0
    }
}

/// Slots at first: a sentence's words. Few, so that they stay near the processor.
const FIRST_SLOTS: usize = 256;
/// So many texts are numbered at once; there are slots for all of them, should they be new, before the first is.
const BLOCK: usize = 1 << 7;

/// What tells texts apart: the bytes of a text of at most [`PACKED`] bytes and, in the last byte, its length; or
/// the hash of a longer one.
type Key = [u64; 2];

/// The longest text, in bytes, that is its own key.
const PACKED: usize = 15;
/// The last byte of a longer text's key.
const HASHED: u64 = 0xff << 56;

impl Default for Interner {
    fn default() -> Self {
        Self {
            characters: Vec::new(),
            slots: vec![Slot::default(); FIRST_SLOTS],
            epoch: 1,
            kinds: 0,
            texts: String::new(),
        }
    }
}

impl Interner {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Forgets all texts and characters, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.kinds = 0;
        self.texts.clear();
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            *self = Self::new();
        }
    }

    /// How many different texts were numbered.
    pub(crate) fn kinds(&self) -> usize {
        self.kinds as usize
    }

    /// How much memory it keeps: in slots, or in bytes of text.
    pub(crate) fn size(&self) -> usize {
        self.slots.len().max(self.texts.capacity())
    }

    /// The numbers of many texts.
    pub(crate) fn numbers<T: AsRef<str>>(&mut self, texts: &[T]) -> Vec<u32> {
        let mut pieces = Pieces::new();
        texts.iter().for_each(|text| pieces.push(text.as_ref()));
        pieces.pad();
        let mut numbers = Vec::with_capacity(pieces.len());
        self.number_texts(&pieces, 0..pieces.len(), &mut numbers);
        numbers
    }

    /// Adds the numbers of characters. An interner numbers either characters or texts.
    #[inline]
    pub(crate) fn number_characters(
        &mut self,
        characters: impl Iterator<Item = char>,
        numbers: &mut Vec<u32>,
    ) {
        let Self { characters: known, epoch, .. } = self;
        if known.is_empty() {
            *known = vec![0; char::MAX as usize + 1];
        }
        let mut kinds = self.kinds;
        numbers.extend(characters.map(|c| {
            let Some(slot) = known.get_mut(c as usize) else { return 0 };
            // New or known is a matter of chance, and not worth a branch.
            let is_new = *slot >> 32 != u64::from(*epoch);
            let number = select_unpredictable(is_new, kinds, *slot as u32);
            *slot = u64::from(*epoch) << 32 | u64::from(number);
            kinds += u32::from(is_new);
            number
        }));
        self.kinds = kinds;
    }

    /// Adds the numbers of the texts in a range of pieces, the next free ones for those that are new.
    pub(crate) fn number_texts(
        &mut self,
        pieces: &Pieces,
        range: Range<usize>,
        numbers: &mut Vec<u32>,
    ) {
        for start in range.clone().step_by(BLOCK) {
            let block = start..range.end.min(start + BLOCK);
            while (self.kinds() + block.len()) * 2 >= self.slots.len() {
                self.grow();
            }
            let Self { slots, texts: long, .. } = self;
            let slots = slots.as_mut_slice();
            let mut next = Tag::new(self.epoch, self.kinds);
            numbers.extend(pieces.texts_in(block).map(|text| {
                let tag = if text.len() <= PACKED {
                    number_short(slots, text, next)
                } else {
                    number_long(slots, long, text.as_str(), next)
                };
                next.0 += u64::from(tag == next);
                tag.number()
            }));
            self.kinds = next.number();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let next = Tag::new(self.epoch, self.kinds);
        let doubled = vec![Slot::default(); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, doubled);
        for slot in old.into_iter().filter(|slot| slot.tag.is_of_epoch(next)) {
            // All keys that are known differ.
            *find(&mut self.slots, next, slot.key, |_| false) = slot;
        }
    }
}

/// The number of a text of at most [`PACKED`] bytes, `next` if it is new.
#[inline]
fn number_short(slots: &mut [Slot], text: TextPiece<'_>, next: Tag) -> Tag {
    let [low, high] = text.head();
    let key = [low, high | (text.len() as u64) << 56];
    let slot = find(slots, next, key, |_| true);
    // New or known is a matter of chance, and not worth a branch.
    slot.key = key;
    slot.tag = select_unpredictable(slot.tag.is_of_epoch(next), slot.tag, next);
    slot.tag
}

/// The number of a longer text; its kind is kept in `long`.
#[inline(never)]
fn number_long(slots: &mut [Slot], long: &mut String, text: &str, next: Tag) -> Tag {
    let key = hash(text.as_bytes());
    let slot = find(slots, next, key, |slot| {
        long.get(slot.start..).is_some_and(|known| known.starts_with(text))
    });
    if !slot.tag.is_of_epoch(next) {
        *slot = Slot { key, tag: next, start: long.len() };
        long.push_str(text);
    }
    slot.tag
}

/// The slot that holds the key, or else the vacant one where it belongs; among slots of this key, `is_it` tells.
#[inline]
#[allow(clippy::indexing_slicing, reason = "a slot's index is below the number of slots")]
fn find(slots: &mut [Slot], next: Tag, key: Key, is_it: impl Fn(&Slot) -> bool) -> &mut Slot {
    let mask = slots.len() - 1;
    let mixed = (key[0] ^ key[1].rotate_left(29)).wrapping_mul(SPREAD);
    let mut at = (mixed >> 32) as usize & mask;
    loop {
        let slot = &slots[at];
        // New or known is a matter of chance: only a clash of the two kinds is worth a branch.
        let is_known = slot.tag.is_of_epoch(next);
        let differs = (slot.key[0] ^ key[0]) | (slot.key[1] ^ key[1]);
        if select_unpredictable(is_known, differs, 0) == 0 && (!is_known || is_it(slot)) {
            return &mut slots[at];
        }
        at = (at + 1) & mask;
    }
}

/// The key of a text of more than [`PACKED`] bytes.
fn hash(text: &[u8]) -> Key {
    let mix = |hash: u64, word: [u8; 8]| {
        let product = (hash ^ u64::from_le_bytes(word)).wrapping_mul(SPREAD);
        product ^ product >> 32
    };
    // The last word overlaps the one before it, unless the length is a multiple of eight.
    let (words, _) = text.as_chunks();
    let hash = words.iter().fold(0, |hash, &word| mix(hash, word));
    let hash = text.last_chunk().map_or(hash, |&word| mix(hash, word));
    // Only texts of one length are compared.
    [hash, text.len() as u64 | HASHED]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::{collections::HashMap, hash::Hash};

    /// Numbers in order of appearance.
    fn by_map<T: Hash + Eq>(map: &mut HashMap<T, u32>, key: T) -> u32 {
        let next = map.len() as u32;
        *map.entry(key).or_insert(next)
    }

    proptest! {
        #[test]
        fn numbers_as_a_map_would(texts in proptest::collection::vec("[가-다a\0]{0,6}|[ab]{0,9}|.{0,40}", 0..400)) {
            // What was there before does not show.
            let mut interner = Interner::new();
            interner.numbers(&["가", "나", "이보다 더 긴 글"]);
            interner.clear();
            let mut map = HashMap::new();
            for texts in texts.chunks(7) {
                let expected: Vec<u32> = texts.iter().map(|text| by_map(&mut map, text)).collect();
                prop_assert_eq!(interner.numbers(texts), expected);
            }
            prop_assert_eq!(interner.kinds(), map.len());
        }

        #[test]
        fn numbers_characters_as_a_map_would(text in ".{0,40}|[가-나]{0,40}") {
            let mut interner = Interner::new();
            for _ in 0..2 {
                interner.clear();
                let (mut map, mut numbers) = (HashMap::new(), Vec::new());
                interner.number_characters(text.chars(), &mut numbers);
                let expected: Vec<u32> = text.chars().map(|c| by_map(&mut map, c)).collect();
                prop_assert_eq!(numbers, expected);
                prop_assert_eq!(interner.kinds(), map.len());
            }
        }
    }
}
