//! Words by their code points: a double array.
//!
//! From a slot with base `b`, the code `c` leads to slot `b + c` if that one's label is `c`: no two slots have the same base. A
//! slot also names the words that end there, so that a step touches one place in memory. Codes are small numbers, frequent
//! code points first, and the slots of the first code points of words come first, so that what most texts touch lies close
//! together.
//!
//! No text can lead out of the array: every step asks whether there is such a slot, and consumes a code point.

use std::collections::{HashSet, VecDeque};

/// From the lowest bit on: label (16 bits; 0 in a slot that is not in use), base (24 bits; 0 where no word goes on), one more
/// than the number of the first word that ends here (24 bits; 0 where none does). Little-endian.
pub(in crate::morpheme) type Slot = [u8; 8];

const BASE: u32 = 16;
const WORD: u32 = 40;
/// What a base or a word's number has to be less than.
pub(super) const LIMIT: u32 = 1 << 24;

/// Calls `found` with the first word and the length of every entry that the codes begin with, short ones first. Code 0
/// stands in no word.
#[inline]
pub(in crate::morpheme) fn search(
    slots: &[Slot],
    codes: impl Iterator<Item = u16>,
    mut found: impl FnMut(u32, u32),
) {
    let mut base = base(slots.first().copied().unwrap_or_default());
    for (length, code) in (1..).zip(codes) {
        let Some(&slot) = slots.get((base + u32::from(code)) as usize) else { return };
        if u64::from_le_bytes(slot) as u16 != code || code == 0 {
            return;
        }
        if let Some(word) = word(slot) {
            found(word, length);
        }
        base = self::base(slot);
        if base == 0 {
            return;
        }
    }
}

#[inline]
fn base(slot: Slot) -> u32 {
    (u64::from_le_bytes(slot) >> BASE) as u32 & (LIMIT - 1)
}

#[inline]
fn word(slot: Slot) -> Option<u32> {
    ((u64::from_le_bytes(slot) >> WORD) as u32).checked_sub(1)
}

/// What stands in a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) label: u16,
    pub(super) base: u32,
    pub(super) word: u32,
}

pub(super) fn node(slot: Slot) -> Node {
    let bits = u64::from_le_bytes(slot);
    Node { label: bits as u16, base: base(slot), word: (bits >> WORD) as u32 }
}

pub(super) fn slot(Node { label, base, word }: Node) -> Slot {
    (u64::from(label) | u64::from(base) << BASE | u64::from(word) << WORD).to_le_bytes()
}

/// Whether every slot names one of so many words, or none.
pub(super) fn is_within(slots: &[Slot], words: usize) -> bool {
    slots.iter().all(|slot| word(*slot).is_none_or(|word| (word as usize) < words))
}

/// An entry: its codes, and the number of its first word.
pub(super) type Key = (Vec<u16>, u32);

/// The array of entries in the order of their codes, no two alike; or that they are too many.
pub(super) fn build(keys: &[Key]) -> Option<Vec<Slot>> {
    let mut array = Array::new();
    // Level by level: what stands near the root is asked for most, and needs most room at once.
    let mut open = VecDeque::from([Open { slot: 0, depth: 0, keys }]);
    while let Some(Open { slot, depth, keys }) = open.pop_front() {
        // A key that ends here comes first.
        let (ends, longer) = match keys.split_first() {
            Some(((codes, word), longer)) if codes.len() <= depth => (Some(*word), longer),
            _ => (None, keys),
        };
        let code = |key: &Key| key.0.get(depth).copied().unwrap_or(0);
        let groups = longer.chunk_by(|a, b| code(a) == code(b));
        let children: Vec<(u16, &[Key])> =
            groups.filter_map(|group| Some((code(group.first()?), group))).collect();
        let base = array.room_for(&children);
        if base >= LIMIT || ends.is_some_and(|word| word + 1 >= LIMIT) {
            return None;
        }
        array.set(slot, base, ends.map_or(0, |word| word + 1));
        for (code, keys) in children {
            let slot = base + u32::from(code);
            array.take(slot, code);
            open.push_back(Open { slot, depth: depth + 1, keys });
        }
    }
    Some(array.slots.iter().map(|slot| slot.to_le_bytes()).collect())
}

struct Open<'k> {
    slot: u32,
    depth: usize,
    keys: &'k [Key],
}

/// The array while it grows; free slots are linked in order.
struct Array {
    slots: Vec<u64>,
    is_free: Vec<bool>,
    next: Vec<u32>,
    previous: Vec<u32>,
    first: u32,
    last: u32,
    /// Where to look for room for several children.
    start: u32,
    bases: HashSet<u32>,
}

/// No slot.
const NONE: u32 = u32::MAX;
/// After so many free slots without room for several children, these slots are left to only children.
const TRIES: usize = 1024;

#[allow(clippy::indexing_slicing, reason = "slots are made by `grow` before they are named")]
impl Array {
    /// With a root, and no base at 0.
    fn new() -> Self {
        let (slots, is_free, next, previous) = Default::default();
        let bases = HashSet::from([0]);
        let (first, last, start) = (NONE, NONE, NONE);
        let mut array = Self { slots, is_free, next, previous, first, last, start, bases };
        array.grow(1);
        array.take(0, 0);
        array
    }

    /// A base of their own that has room for all children, which stand in the order of their codes; 0 for none.
    fn room_for(&mut self, children: &[(u16, &[Key])]) -> u32 {
        let (Some((lowest, _)), Some((highest, _))) = (children.first(), children.last()) else {
            return 0;
        };
        let (lowest, highest) = (u32::from(*lowest), u32::from(*highest));
        let is_free = |slot: u32| self.is_free.get(slot as usize).copied().unwrap_or(true);
        let has_room = |base: u32| {
            children.iter().all(|(code, _)| is_free(base + u32::from(*code)))
                && !self.bases.contains(&base)
        };
        // An only child fits nearly everywhere, and fills the gaps that others left.
        let mut slot = if children.len() == 1 { self.first } else { self.start };
        let mut tried = 0;
        let base = loop {
            if slot == NONE {
                let end = self.slots.len() as u32;
                break (end.max(lowest) - lowest..).find(|base| has_room(*base)).unwrap_or(LIMIT);
            }
            if let Some(base) = slot.checked_sub(lowest).filter(|base| has_room(*base)) {
                break base;
            }
            slot = self.next[slot as usize];
            tried += 1;
            if tried == TRIES && children.len() > 1 {
                (self.start, tried) = (slot, 0);
            }
        };
        self.bases.insert(base);
        self.grow((base + highest) as usize + 1);
        base
    }

    fn grow(&mut self, length: usize) {
        for slot in self.slots.len()..length {
            let slot = slot as u32;
            self.slots.push(0);
            self.is_free.push(true);
            self.next.push(NONE);
            self.previous.push(self.last);
            self.link(self.last, slot);
            self.last = slot;
            if self.start == NONE {
                self.start = slot;
            }
        }
    }

    /// Makes `next` the free slot after `slot`.
    fn link(&mut self, slot: u32, next: u32) {
        match slot {
            NONE => self.first = next,
            slot => self.next[slot as usize] = next,
        }
    }

    /// Puts a free slot to use.
    fn take(&mut self, slot: u32, label: u16) {
        let (previous, next) = (self.previous[slot as usize], self.next[slot as usize]);
        self.link(previous, next);
        match next {
            NONE => self.last = previous,
            next => self.previous[next as usize] = previous,
        }
        if self.start == slot {
            self.start = next;
        }
        self.is_free[slot as usize] = false;
        self.slots[slot as usize] = u64::from(label);
    }

    fn set(&mut self, slot: u32, base: u32, word: u32) {
        self.slots[slot as usize] |= u64::from(base) << BASE | u64::from(word) << WORD;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn finds_what_a_list_finds(
            words in prop::collection::btree_set(prop::collection::vec(1u16..9, 1..6), 0..60),
            text in prop::collection::vec(0u16..10, 0..12),
        ) {
            let keys: Vec<Key> = words.iter().cloned().zip(0..).collect();
            let slots = build(&keys).unwrap();
            prop_assert!(is_within(&slots, keys.len().max(1)));
            prop_assert!(keys.is_empty() || !is_within(&slots, keys.len() - 1));
            let mut found = Vec::new();
            search(&slots, text.iter().copied(), |word, length| found.push((word, length as usize)));
            let expected: BTreeSet<(u32, usize)> = keys.iter()
                .filter(|(codes, _)| text.starts_with(codes))
                .map(|(codes, word)| (*word, codes.len()))
                .collect();
            prop_assert!(found.is_sorted_by_key(|(_, length)| *length));
            prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
        }

        #[test]
        fn any_bytes_are_searched_without_harm(
            slots in prop::collection::vec(any::<Slot>(), 0..40),
            text in prop::collection::vec(any::<u16>(), 0..20),
        ) {
            search(&slots, text.iter().copied(), |_, length| assert!(length as usize <= text.len()));
        }
    }
}
