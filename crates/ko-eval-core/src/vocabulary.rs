//! Units as small integers: hashed once, compared cheaply ever after.

use crate::{Pieces, Result};
use std::{hint::select_unpredictable, iter};

/// The units of texts as numbers: equal units have equal numbers, counted from 0 in order of appearance. What a metric needs
/// that only asks which units are equal. Meant to be filled again and again.
///
/// ```
/// use ko_eval_core::Vocabulary;
///
/// let mut vocabulary = Vocabulary::new();
/// for unit in ["비가", "또", "온다", "또"] {
///     vocabulary.push(unit);
/// }
/// assert_eq!(vocabulary.numbers(), [0, 1, 2, 1]);
/// assert_eq!(vocabulary.kinds(), 3);
/// ```
#[derive(Debug)]
pub struct Vocabulary {
    /// The numbers of single characters, by code point. As many as there are code points, but the system provides only
    /// what is used.
    characters: Vec<Tag>,
    /// Whether they are what the units so far are numbered by; else the slots are.
    by_characters: bool,
    /// A hash table of texts, as many as a power of two.
    slots: Vec<Slot>,
    /// What has a tag of another epoch is vacant, so clearing costs nothing. Never 0.
    epoch: u32,
    kinds: u32,
    /// The texts that are longer than their keys, one after the other.
    long: String,
    /// The numbers; behind the first `numbered`, what is to be written over.
    numbers: Vec<u32>,
    numbered: usize,
    /// What a text is cut into that is not numbered while it is cut.
    pieces: Pieces,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: Key,
    tag: Tag,
    /// Where among the long texts it stands, if it does.
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

    /// This tag if it is of the epoch of the next free one, and else that.
    #[inline]
    fn or(self, next: Self) -> Self {
        // Known or new is a matter of chance, and not worth a branch.
        select_unpredictable(self.is_of_epoch(next), self, next)
    }
}

/// What tells texts apart: the bytes of a text of at most [`PACKED`] bytes, the first in the lowest place, and in the
/// highest place its length; or the hash of a longer one.
type Key = [u64; 2];

/// The longest text, in bytes, that is its own key.
const PACKED: usize = 15;
/// What a longer text's key has in the highest place.
const HASHED: u64 = 0xff << 56;
/// 2⁶⁴ divided by the golden ratio: spreads keys that differ in few bits.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
/// Slots at first: a sentence's words. Few, so that they stay near the processor.
const FIRST_SLOTS: usize = 256;

impl Default for Vocabulary {
    fn default() -> Self {
        Self {
            characters: Vec::new(),
            by_characters: false,
            slots: vec![Slot::default(); FIRST_SLOTS],
            epoch: 1,
            kinds: 0,
            long: String::new(),
            numbers: Vec::new(),
            numbered: 0,
            pieces: Pieces::new(),
        }
    }
}

impl Vocabulary {
    /// No units.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the units, and keeps the memory.
    pub fn clear(&mut self) {
        self.by_characters = false;
        self.kinds = 0;
        self.long.clear();
        self.numbered = 0;
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            *self = Self::new();
        }
    }

    /// How much it has room for: units, or bytes of long ones.
    pub fn capacity(&self) -> usize {
        self.slots.len().max(self.numbers.len()).max(self.long.capacity())
    }

    /// The numbers of the units, in order.
    #[inline]
    pub fn numbers(&self) -> &[u32] {
        self.numbers.get(..self.numbered).unwrap_or_default()
    }

    /// How many units there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.numbered
    }

    /// Whether there is no unit.
    pub fn is_empty(&self) -> bool {
        self.numbered == 0
    }

    /// How many different units there are: every number is below.
    #[inline]
    pub fn kinds(&self) -> usize {
        self.kinds as usize
    }

    /// The next unit is this text.
    #[inline]
    pub fn push(&mut self, unit: &str) {
        self.cut(unit, iter::once((0, unit.len())));
    }

    /// The next units are stretches of a text: where each starts, and its length in bytes. One that goes beyond the end
    /// ends with the text.
    ///
    /// ```
    /// use ko_eval_core::Vocabulary;
    ///
    /// let mut vocabulary = Vocabulary::new();
    /// vocabulary.cut("비가 비가 온다", [(0, 6), (7, 6), (14, 6)].into_iter());
    /// assert_eq!(vocabulary.numbers(), [0, 0, 1]);
    /// ```
    #[inline]
    pub fn cut(&mut self, text: &str, mut stretches: impl Iterator<Item = (usize, usize)>) {
        if self.by_characters {
            self.spell_out();
        }
        while let Some((start, length)) = self.number_short(text, &mut stretches) {
            self.number_one(text, start, length);
        }
    }

    /// Numbers stretches as long as they are short and there is room; returns the first that is not.
    #[inline]
    fn number_short(
        &mut self,
        text: &str,
        stretches: &mut impl Iterator<Item = (usize, usize)>,
    ) -> Option<(usize, usize)> {
        let mut next = Tag::new(self.epoch, self.kinds);
        let room = self.numbered..self.room();
        let slots = self.slots.as_mut_slice();
        let free = self.numbers.get_mut(room).unwrap_or_default();
        let mut used = 0;
        let other = loop {
            let Some((start, length)) = stretches.next() else { break None };
            let (Some(own), Some(number)) = (OWN.get(length), free.get_mut(used)) else {
                break Some((start, length));
            };
            let (bits, length) = match text.as_bytes().get(start..).and_then(<[u8]>::first_chunk) {
                Some(&bytes) => (u128::from_le_bytes(bytes), length),
                None => last_bits(text.as_bytes(), start, length),
            };
            let [low, high] = own;
            let key = [bits as u64 & low, (bits >> 64) as u64 & high | (length as u64) << 56];
            let tag = tag_short(slots, key, next);
            next.0 += u64::from(tag == next);
            *number = tag.number();
            used += 1;
        };
        self.numbered += used;
        self.kinds = next.number();
        other
    }

    /// Numbers any stretch, and makes room for more.
    #[cold]
    fn number_one(&mut self, text: &str, start: usize, length: usize) {
        if self.room() <= self.numbered {
            self.make_room();
        }
        let end = text.len().min(start.saturating_add(length));
        let unit = text.get(start..end).unwrap_or_default();
        let next = Tag::new(self.epoch, self.kinds);
        let tag = match unit.len() {
            0..=PACKED => tag_short(&mut self.slots, pack(unit), next),
            _ => tag_long(&mut self.slots, &mut self.long, unit, next),
        };
        self.kinds += u32::from(tag == next);
        if let Some(number) = self.numbers.get_mut(self.numbered) {
            *number = tag.number();
            self.numbered += 1;
        }
    }

    /// For so many units there is room for their numbers, and slots, should they all be different.
    #[inline]
    fn room(&self) -> usize {
        self.numbers.len().min(self.slots.len() / 2)
    }

    #[cold]
    fn make_room(&mut self) {
        let most = (self.numbered * 2).max(FIRST_SLOTS / 2);
        self.numbers.resize(most.max(self.numbers.len()), 0);
        if self.slots.len() < most * 2 {
            let next = Tag::new(self.epoch, self.kinds);
            let slots = vec![Slot::default(); (most * 2).next_power_of_two()];
            let old = std::mem::replace(&mut self.slots, slots);
            for slot in old.into_iter().filter(|slot| slot.tag.is_of_epoch(next)) {
                // All keys that are known differ.
                *find(&mut self.slots, next, slot.key, |_| false) = slot;
            }
        }
    }

    /// The next units are single characters.
    ///
    /// ```
    /// use ko_eval_core::Vocabulary;
    ///
    /// let mut vocabulary = Vocabulary::new();
    /// vocabulary.write("나나가".chars());
    /// assert_eq!(vocabulary.numbers(), [0, 0, 1]);
    /// ```
    #[inline]
    pub fn write(&mut self, characters: impl Iterator<Item = char>) {
        if self.kinds > 0 && !self.by_characters {
            return characters.for_each(|c| self.push(c.encode_utf8(&mut [0; 4])));
        }
        self.by_characters = true;
        if self.characters.is_empty() {
            self.characters = vec![Tag::default(); char::MAX as usize + 1];
        }
        let known = self.characters.as_mut_slice();
        let mut next = Tag::new(self.epoch, self.kinds);
        self.numbers.truncate(self.numbered);
        self.numbers.extend(characters.map(|c| {
            let Some(tag) = known.get_mut(c as usize) else { return 0 };
            *tag = tag.or(next);
            next.0 += u64::from(*tag == next);
            tag.number()
        }));
        self.numbered = self.numbers.len();
        self.kinds = next.number();
    }

    /// Characters become texts like all others, with the numbers that they have.
    #[cold]
    fn spell_out(&mut self) {
        self.by_characters = false;
        self.make_room();
        let next = Tag::new(self.epoch, self.kinds);
        let known = (0..).zip(&self.characters).filter(|(_, tag)| tag.is_of_epoch(next));
        for (c, &tag) in known.filter_map(|(number, tag)| Some((char::from_u32(number)?, tag))) {
            let mut bytes = [0; 4];
            let key = pack(c.encode_utf8(&mut bytes));
            *find(&mut self.slots, next, key, |_| true) = Slot { key, tag, start: 0 };
        }
    }

    /// The next units are pieces.
    pub fn add(&mut self, pieces: &Pieces) {
        match pieces.characters() {
            Some(characters) => self.write(characters.iter().copied()),
            None => self.cut(pieces.text(), pieces.marks()),
        }
    }

    /// The next units are what `cut` adds to no pieces.
    ///
    /// # Errors
    /// What `cut` returns.
    pub fn fill(&mut self, cut: impl FnOnce(&mut Pieces) -> Result<()>) -> Result<()> {
        let mut pieces = std::mem::take(&mut self.pieces);
        pieces.clear();
        let result = cut(&mut pieces);
        if result.is_ok() {
            self.add(&pieces);
        }
        self.pieces = pieces;
        result
    }
}

/// By the length of a text, the bits that are its own.
const OWN: [[u64; 2]; PACKED + 1] = {
    let mut masks = [[0; 2]; PACKED + 1];
    let mut length = 0;
    #[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, and only there")]
    while length <= PACKED {
        let mask: u128 = (1 << (8 * length)) - 1;
        masks[length] = [mask as u64, (mask >> 64) as u64];
        length += 1;
    }
    masks
};

/// The key of a text of at most [`PACKED`] bytes.
fn pack(text: &str) -> Key {
    let fold = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte));
    let (low, high) = text.as_bytes().split_at(text.len().min(8));
    [fold(low), fold(high) | (text.len() as u64) << 56]
}

/// The bits of a text from `start` on, which is less than sixteen bytes from the end, and how many bytes a stretch has
/// there.
#[cold]
fn last_bits(text: &[u8], start: usize, length: usize) -> (u128, usize) {
    let rest = text.get(start..).unwrap_or_default();
    let bits = match text.last_chunk() {
        Some(&bytes) => {
            let others = (size_of::<u128>() - rest.len()) * 8;
            u128::from_le_bytes(bytes).checked_shr(others as u32).unwrap_or(0)
        }
        None => rest.iter().rev().fold(0, |bits, &byte| bits << 8 | u128::from(byte)),
    };
    (bits, length.min(rest.len()))
}

/// The tag of a text that is its own key, `next` if it is new.
#[inline]
fn tag_short(slots: &mut [Slot], key: Key, next: Tag) -> Tag {
    let slot = find(slots, next, key, |_| true);
    slot.key = key;
    slot.tag = slot.tag.or(next);
    slot.tag
}

/// The tag of a text of more than [`PACKED`] bytes, `next` if it is new; its kind is kept in `long`.
fn tag_long(slots: &mut [Slot], long: &mut String, text: &str, next: Tag) -> Tag {
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

/// The slot that holds the key, or else the vacant one where it belongs; among slots of this key, `is_it` tells. There are
/// more slots than keys.
#[inline]
#[allow(clippy::indexing_slicing, reason = "a slot's index is below the number of slots")]
fn find(slots: &mut [Slot], next: Tag, key: Key, is_it: impl Fn(&Slot) -> bool) -> &mut Slot {
    let mask = slots.len() - 1;
    let mixed = (key[0] ^ key[1].rotate_left(29)).wrapping_mul(SPREAD);
    let mut at = (mixed >> 32) as usize & mask;
    loop {
        let slot = &slots[at];
        let differs = (slot.key[0] ^ key[0]) | (slot.key[1] ^ key[1]);
        if !slot.tag.is_of_epoch(next) || (differs == 0 && is_it(slot)) {
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
    use std::collections::HashMap;

    fn found(vocabulary: &Vocabulary) -> (Vec<u32>, usize) {
        (vocabulary.numbers().to_vec(), vocabulary.kinds())
    }

    /// Numbers in order of appearance.
    fn by_map(units: &[String]) -> (Vec<u32>, usize) {
        let mut map = HashMap::new();
        let number = |unit| {
            let next = map.len() as u32;
            *map.entry(unit).or_insert(next)
        };
        let numbers = units.iter().map(number).collect();
        (numbers, map.len())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(ko_eval_testing::cases(48, 256)))]
        #[test]
        fn numbers_as_a_map_would(units in proptest::collection::vec("[가-다a\0]{0,6}|[ab]{0,9}|.{0,40}", 0..400)) {
            let mut vocabulary = Vocabulary::new();
            // What was there before does not show.
            ["가", "나", "이보다 더 긴 글"].iter().for_each(|unit| vocabulary.push(unit));
            let expected = by_map(&units);
            vocabulary.clear();
            units.iter().for_each(|unit| vocabulary.push(unit));
            prop_assert_eq!(&found(&vocabulary), &expected);
            // Out of the whole text.
            vocabulary.clear();
            let ends = units.iter().scan(0, |end, unit| {
                *end += unit.len();
                Some((*end - unit.len(), unit.len()))
            });
            vocabulary.cut(&units.concat(), ends);
            prop_assert_eq!(&found(&vocabulary), &expected);
            vocabulary.clear();
            vocabulary.fill(|pieces| {
                units.iter().for_each(|unit| pieces.push(unit));
                Ok(())
            }).unwrap();
            prop_assert_eq!(&found(&vocabulary), &expected);
        }

        #[test]
        fn characters_are_numbered_with_texts(parts in proptest::collection::vec((".{0,5}|[가-나]{0,9}", any::<bool>()), 0..5)) {
            let mut vocabulary = Vocabulary::new();
            let mut units = Vec::new();
            for (part, is_text) in parts {
                if is_text {
                    vocabulary.push(&part);
                    units.push(part);
                } else {
                    vocabulary.write(part.chars());
                    units.extend(part.chars().map(String::from));
                }
            }
            prop_assert_eq!(found(&vocabulary), by_map(&units));
        }
    }

    #[test]
    fn what_is_out_of_bounds_ends_with_the_text() {
        let mut vocabulary = Vocabulary::new();
        let stretches = [(0, 3), (0, 9), (0, 100), (5, 2), (5, 100), (0, usize::MAX), (3, 0)];
        vocabulary.cut("가", stretches.into_iter());
        assert_eq!(vocabulary.numbers(), [0, 0, 0, 1, 1, 0, 1]);
    }
}
