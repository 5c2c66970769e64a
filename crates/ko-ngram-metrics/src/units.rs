//! A segment's units as small integers: cut once, hashed once, compared cheaply ever after.

use crate::numbering::SPREAD;
use ko_eval_core::{Param, Params, Piece, Pieces, Result, Segment, Signature, Token, Tokenizer};
use std::{cell::Cell, hint::select_unpredictable, sync::Arc};

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

    /// The units of a segment as numbers.
    pub(crate) fn units(&self, segment: &Segment<'_>) -> Result<Units> {
        Units::with(segment, |interner, text| self.numbers(interner, text))
    }

    /// The units of one text as numbers.
    pub(crate) fn numbers(&self, interner: &mut Interner, text: &str) -> Result<Vec<u32>> {
        interner.number_cut(|pieces| self.pieces(text, pieces))
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
        Self::with(segment, |interner, text| {
            interner.number_cut(|pieces| tokenizer.cut(text, pieces))
        })
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
    room: Room,
    /// Of the slots in use, one less: they are a power of two.
    mask: usize,
    kinds: u32,
}

/// What an interner works in, used again for the next segment.
#[derive(Debug, Default)]
struct Room {
    /// The numbers of single characters, by code point.
    characters: Vec<Character>,
    /// A hash table of all other units.
    slots: Vec<Slot>,
    /// Slots of other epochs are vacant, so clearing costs nothing. Never 0 in use.
    epoch: u32,
    /// The texts that are longer than their keys, one after the other.
    texts: String,
    /// The units of the text at hand.
    pieces: Pieces,
}

#[derive(Debug, Clone, Copy, Default)]
struct Character {
    number: u32,
    epoch: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: u128,
    number: u32,
    epoch: u32,
    /// Where among the texts it stands, if it does.
    start: usize,
}

thread_local! {
    static SPARE: Cell<Option<Room>> = const { Cell::new(None) };
}

/// The characters of the Basic Multilingual Plane.
const CHARACTERS: usize = 1 << 16;
/// Slots at first: a sentence's words. Few, so that they stay near the processor.
const FIRST_SLOTS: usize = 256;
/// What has more slots, or longer texts in bytes, is not kept.
const MOST_SPARE: usize = 1 << 14;
/// So many units are numbered at once; there are slots for all of them, should they be new, before the first is.
const BLOCK: usize = 1 << 7;

/// The longest text, in bytes, that is its own key.
const PACKED: usize = 15;
/// Where in a key the length stands, behind the text.
const LENGTH: u32 = 8 * PACKED as u32;
/// In its place, the mark of a longer text's key, which is only a hash.
const HASHED: u128 = 0xff << LENGTH;

impl Drop for Interner {
    fn drop(&mut self) {
        let room = std::mem::take(&mut self.room);
        if room.slots.len().max(room.texts.capacity()).max(room.pieces.len()) <= MOST_SPARE {
            // A thread that ends has no more use for it.
            let _ = SPARE.try_with(|spare| spare.set(Some(room)));
        }
    }
}

impl Interner {
    pub(crate) fn new() -> Self {
        let mut room = SPARE.try_with(Cell::take).ok().flatten().unwrap_or_default();
        room.vacate();
        // What an earlier segment made it grow to stays in use.
        Self { mask: room.slots.len() - 1, room, kinds: 0 }
    }

    /// How many different texts were numbered.
    pub(crate) fn kinds(&self) -> usize {
        self.kinds as usize
    }

    /// The numbers of many texts.
    pub(crate) fn numbers<T: AsRef<str>>(&mut self, tokens: &[T]) -> Vec<u32> {
        self.room.pieces.clear();
        tokens.iter().for_each(|token| self.room.pieces.push(token.as_ref()));
        self.number_pieces()
    }

    /// The numbers of the units that a text is cut into.
    fn number_cut(&mut self, cut: impl FnOnce(&mut Pieces) -> Result<()>) -> Result<Vec<u32>> {
        self.room.pieces.clear();
        cut(&mut self.room.pieces)?;
        Ok(self.number_pieces())
    }

    /// The numbers of many characters.
    pub(crate) fn characters(&mut self, characters: impl Iterator<Item = char>) -> Vec<u32> {
        let number = |c: char| match self.number_character(c) {
            Some(number) => number,
            // Beyond the table, and rare.
            None => self.numbers(&[c.encode_utf8(&mut [0; 4])]).into_iter().next().unwrap_or(0),
        };
        characters.map(number).collect()
    }

    /// The numbers of the pieces, the next free ones for those that are new.
    fn number_pieces(&mut self) -> Vec<u32> {
        let mut pieces = std::mem::take(&mut self.room.pieces);
        pieces.pad();
        let mut numbers = Vec::with_capacity(pieces.len());
        let mut units = pieces.iter();
        while units.len() > 0 {
            let block = units.len().min(BLOCK);
            while (self.kinds() + block) * 2 > self.mask {
                self.grow();
            }
            numbers.extend(units.by_ref().take(block).map(|unit| {
                let number = unit.character().and_then(|c| self.number_character(c));
                number.unwrap_or_else(|| self.number_text(unit))
            }));
        }
        drop(units);
        self.room.pieces = pieces;
        numbers
    }

    /// None for a character that the table has no place for.
    #[inline]
    fn number_character(&mut self, character: char) -> Option<u32> {
        let slot = self.room.characters.get_mut(character as usize)?;
        // New or known is a matter of chance, and not worth a branch.
        let is_new = slot.epoch != self.room.epoch;
        let number = select_unpredictable(is_new, self.kinds, slot.number);
        *slot = Character { number, epoch: self.room.epoch };
        self.kinds += u32::from(is_new);
        Some(number)
    }

    fn number_text(&mut self, unit: Piece<'_>) -> u32 {
        let Room { slots, epoch, texts, .. } = &mut self.room;
        let slot = if unit.len() <= PACKED {
            let key = unit.head() | (unit.len() as u128) << LENGTH;
            let slot = find(slots, *epoch, self.mask, key, |_| true);
            slot.key = key;
            slot
        } else {
            let text = unit.as_str();
            let key = hash(text.as_bytes());
            let slot = find(slots, *epoch, self.mask, key, |slot| {
                texts.get(slot.start..).is_some_and(|known| known.starts_with(text))
            });
            if slot.epoch != *epoch {
                (slot.key, slot.start) = (key, texts.len());
                texts.push_str(text);
            }
            slot
        };
        let is_new = slot.epoch != *epoch;
        slot.number = select_unpredictable(is_new, self.kinds, slot.number);
        slot.epoch = *epoch;
        self.kinds += u32::from(is_new);
        slot.number
    }

    #[cold]
    fn grow(&mut self) {
        self.mask = self.mask * 2 + 1;
        let Room { slots, epoch, .. } = &mut self.room;
        let live: Vec<Slot> = slots.iter().filter(|slot| slot.epoch == *epoch).copied().collect();
        slots.clear();
        slots.resize(self.mask + 1, Slot::default());
        for slot in live {
            // All keys that are known differ.
            *find(slots, *epoch, self.mask, slot.key, |_| false) = slot;
        }
    }
}

impl Room {
    /// Makes every slot vacant.
    fn vacate(&mut self) {
        self.texts.clear();
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 || self.slots.is_empty() {
            self.slots = vec![Slot::default(); FIRST_SLOTS];
            self.characters = vec![Character::default(); CHARACTERS];
            self.epoch = 1;
        }
    }
}

/// The slot that holds the key, or else the vacant one where it belongs; among slots of this key, `is_it` tells.
#[inline]
#[allow(clippy::indexing_slicing, reason = "a slot's index is masked")]
fn find(
    slots: &mut [Slot],
    epoch: u32,
    mask: usize,
    key: u128,
    is_it: impl Fn(&Slot) -> bool,
) -> &mut Slot {
    let slots = &mut slots[..=mask];
    let mixed = (key as u64 ^ ((key >> 64) as u64).rotate_left(29)).wrapping_mul(SPREAD);
    let mut at = (mixed >> 32) as usize & mask;
    loop {
        let slot = &slots[at];
        // New or known is a matter of chance: only a clash of the two kinds is worth a branch.
        let vacant = slot.epoch != epoch;
        let held = select_unpredictable(vacant, key, slot.key);
        if held == key && (vacant || is_it(slot)) {
            return &mut slots[at];
        }
        at = (at + 1) & mask;
    }
}

/// The key of a text of more than [`PACKED`] bytes.
fn hash(text: &[u8]) -> u128 {
    let mix = |hash: u64, word: [u8; 8]| {
        let product = (hash ^ u64::from_le_bytes(word)).wrapping_mul(SPREAD);
        product ^ product >> 32
    };
    // The last word overlaps the one before it, unless the length is a multiple of eight.
    let (words, _) = text.as_chunks();
    let hash = words.iter().fold(0, |hash, &word| mix(hash, word));
    let hash = text.last_chunk().map_or(hash, |&word| mix(hash, word));
    // Only texts of one length are compared.
    HASHED | (text.len() as u128) << 64 & !HASHED | u128::from(hash)
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
            Interner::new().numbers(&["가"]);
            let mut interner = Interner::new();
            let mut map = HashMap::new();
            for texts in texts.chunks(7) {
                let number = |text| {
                    let next = map.len() as u32;
                    *map.entry(text).or_insert(next)
                };
                let expected: Vec<u32> = texts.iter().map(number).collect();
                prop_assert_eq!(interner.numbers(texts), expected);
            }
            prop_assert_eq!(interner.kinds(), map.len());
        }
    }
}
