//! Texts and characters as small integers: hashed once, compared cheaply ever after.

use crate::numbering::SPREAD;
use ko_eval_core::{Pieces, TextPiece};
use std::{cell::Cell, hint::select_unpredictable, ops::Range};

/// Texts, numbered from 0 in order of appearance.
#[derive(Debug)]
pub(crate) struct Interner {
    room: Room,
    kinds: u32,
}

/// What an interner works in, used again for the next segment.
#[derive(Debug, Default)]
struct Room {
    /// The numbers of single characters, by code point; each with its epoch in the upper half. As many as there are
    /// code points, but the system provides only what is used.
    characters: Vec<u64>,
    /// A hash table of texts, as many as a power of two.
    slots: Vec<Slot>,
    /// What is of another epoch is vacant, so clearing costs nothing. Never 0 in use.
    epoch: u32,
    /// The texts that are longer than their keys, one after the other.
    texts: String,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: Key,
    number: u32,
    epoch: u32,
    /// Where among the texts it stands, if it does.
    start: usize,
}

thread_local! {
    static SPARE: Cell<Option<Room>> = const { Cell::new(None) };
}

/// Slots at first: a sentence's words. Few, so that they stay near the processor.
const FIRST_SLOTS: usize = 256;
/// What has more slots, or longer texts in bytes, is not kept.
const MOST_SPARE: usize = 1 << 14;
/// So many texts are numbered at once; there are slots for all of them, should they be new, before the first is.
const BLOCK: usize = 1 << 7;

/// What tells texts apart: the bytes of a text of at most [`PACKED`] bytes and, in the last byte, its length; or
/// the hash of a longer one.
type Key = [u64; 2];

/// The longest text, in bytes, that is its own key.
const PACKED: usize = 15;
/// The last byte of a longer text's key.
const HASHED: u64 = 0xff << 56;

impl Drop for Interner {
    fn drop(&mut self) {
        if self.room.slots.len().max(self.room.texts.capacity()) <= MOST_SPARE {
            let room = std::mem::take(&mut self.room);
            // A thread that ends has no more use for it.
            let _ = SPARE.try_with(|spare| spare.set(Some(room)));
        }
    }
}

impl Interner {
    pub(crate) fn new() -> Self {
        let mut room = SPARE.try_with(Cell::take).ok().flatten().unwrap_or_default();
        room.vacate();
        Self { room, kinds: 0 }
    }

    /// How many different texts were numbered.
    pub(crate) fn kinds(&self) -> usize {
        self.kinds as usize
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
        let Room { characters: known, epoch, .. } = &mut self.room;
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
            while (self.kinds() + block.len()) * 2 >= self.room.slots.len() {
                self.room.grow();
            }
            let Room { slots, epoch, texts: long, .. } = &mut self.room;
            let (slots, epoch, mut kinds) = (slots.as_mut_slice(), *epoch, self.kinds);
            numbers.extend(pieces.texts_in(block).map(|text| {
                let number = if text.len() <= PACKED {
                    number_short(slots, epoch, text, kinds)
                } else {
                    number_long(slots, epoch, long, text.as_str(), kinds)
                };
                kinds += u32::from(number == kinds);
                number
            }));
            self.kinds = kinds;
        }
    }
}

/// The number of a text of at most [`PACKED`] bytes, `next` if it is new.
#[inline]
fn number_short(slots: &mut [Slot], epoch: u32, text: TextPiece<'_>, next: u32) -> u32 {
    let [low, high] = text.head();
    let key = [low, high | (text.len() as u64) << 56];
    let slot = find(slots, epoch, key, |_| true);
    // New or known is a matter of chance, and not worth a branch.
    let number = select_unpredictable(slot.epoch == epoch, slot.number, next);
    (slot.key, slot.number, slot.epoch) = (key, number, epoch);
    number
}

/// The number of a longer text; its kind is kept in `long`.
#[inline(never)]
fn number_long(slots: &mut [Slot], epoch: u32, long: &mut String, text: &str, next: u32) -> u32 {
    let key = hash(text.as_bytes());
    let slot = find(slots, epoch, key, |slot| {
        long.get(slot.start..).is_some_and(|known| known.starts_with(text))
    });
    if slot.epoch != epoch {
        *slot = Slot { key, number: next, epoch, start: long.len() };
        long.push_str(text);
    }
    slot.number
}

impl Room {
    /// Makes every place vacant.
    fn vacate(&mut self) {
        self.texts.clear();
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 || self.slots.is_empty() {
            self.slots = vec![Slot::default(); FIRST_SLOTS];
            self.characters.clear();
            self.epoch = 1;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let Self { slots, epoch, .. } = self;
        let doubled = vec![Slot::default(); slots.len() * 2];
        let old = std::mem::replace(slots, doubled);
        for slot in old.into_iter().filter(|slot| slot.epoch == *epoch) {
            // All keys that are known differ.
            *find(slots, *epoch, slot.key, |_| false) = slot;
        }
    }
}

/// The slot that holds the key, or else the vacant one where it belongs; among slots of this key, `is_it` tells.
#[inline]
#[allow(clippy::indexing_slicing, reason = "a slot's index is below the number of slots")]
fn find(slots: &mut [Slot], epoch: u32, key: Key, is_it: impl Fn(&Slot) -> bool) -> &mut Slot {
    let mask = slots.len() - 1;
    let mixed = (key[0] ^ key[1].rotate_left(29)).wrapping_mul(SPREAD);
    let mut at = (mixed >> 32) as usize & mask;
    loop {
        let slot = &slots[at];
        // New or known is a matter of chance: only a clash of the two kinds is worth a branch.
        let vacant = slot.epoch != epoch;
        let differs = (slot.key[0] ^ key[0]) | (slot.key[1] ^ key[1]);
        if (vacant | (differs == 0)) && (vacant || is_it(slot)) {
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
            // What another one left behind does not show.
            Interner::new().numbers(&["가"]);
            let mut interner = Interner::new();
            let mut map = HashMap::new();
            for texts in texts.chunks(7) {
                let expected: Vec<u32> = texts.iter().map(|text| by_map(&mut map, text)).collect();
                prop_assert_eq!(interner.numbers(texts), expected);
            }
            prop_assert_eq!(interner.kinds(), map.len());
        }

        #[test]
        fn numbers_characters_as_a_map_would(text in ".{0,40}|[가-나]{0,40}") {
            for _ in 0..2 {
                let mut interner = Interner::new();
                let (mut map, mut numbers) = (HashMap::new(), Vec::new());
                interner.number_characters(text.chars(), &mut numbers);
                let expected: Vec<u32> = text.chars().map(|c| by_map(&mut map, c)).collect();
                prop_assert_eq!(numbers, expected);
                prop_assert_eq!(interner.kinds(), map.len());
            }
        }
    }
}
