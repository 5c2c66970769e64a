//! Words by their code points: a double array.
//!
//! A slot is a value and the slot before it (`check`). From slot `s` with base `b`, the code `c` leads to slot `b + c` if
//! that one's check is `s`. Codes are small numbers, frequent code points first, and the slots of the first code points of
//! words come first, so that what most texts touch lies close together.
//!
//! No text can lead out of the array: every step asks whether there is such a slot, and consumes a code point.

use std::collections::VecDeque;

/// Value and check, little-endian.
pub(in crate::morpheme) type Slot = [u8; 8];

/// No word goes on from here; the rest of the value is the number of the first word that ends here.
const LEAF: u32 = 1 << 31;
/// Words end here and others go on; the slot at the base is a leaf that names them.
const WORDS: u32 = 1 << 30;
const BASE: u32 = WORDS - 1;
/// The check of a slot that is not in use.
const FREE: u32 = u32::MAX;

#[inline]
fn split(slot: Slot) -> (u32, u32) {
    let [a, b, c, d, e, f, g, h] = slot;
    (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]))
}

/// Calls `found` with the first word and the length of every entry that the codes begin with, short ones first. Code 0
/// stands in no word.
#[inline]
pub(in crate::morpheme) fn search(
    slots: &[Slot],
    codes: impl Iterator<Item = u16>,
    mut found: impl FnMut(u32, u32),
) {
    let Some(&root) = slots.first() else { return };
    let (mut base, _) = split(root);
    let mut before = 0;
    for (length, code) in (1..).zip(codes) {
        let at = (base & BASE) + u32::from(code);
        let Some(&slot) = slots.get(at as usize) else { return };
        let (value, check) = split(slot);
        if check != before || code == 0 {
            return;
        }
        if value & LEAF != 0 {
            return found(value & !LEAF, length);
        }
        if value & WORDS != 0 {
            let (end, _) = slots.get((value & BASE) as usize).map_or((0, 0), |slot| split(*slot));
            if end & LEAF != 0 {
                found(end & !LEAF, length);
            }
        }
        (base, before) = (value, at);
    }
}

/// Whether every leaf names one of so many words.
pub(super) fn is_within(slots: &[Slot], words: usize) -> bool {
    slots.iter().map(|slot| split(*slot)).all(|(value, check)| {
        check == FREE || value & LEAF == 0 || ((value & !LEAF) as usize) < words
    })
}

/// An entry: its codes, and the number of its first word.
pub(super) type Key = (Vec<u16>, u32);

/// The array of entries in the order of their codes, no two alike.
pub(super) fn build(keys: &[Key]) -> Vec<Slot> {
    let mut array = Array::new();
    // Level by level: what stands near the root is asked for most, and needs most room at once.
    let mut open = VecDeque::from([Open { at: 0, depth: 0, keys }]);
    let mut children: Vec<(u16, &[Key])> = Vec::new();
    while let Some(Open { at, depth, keys }) = open.pop_front() {
        children.clear();
        let code = |key: &Key| key.0.get(depth).copied().unwrap_or(0);
        children.extend(
            keys.chunk_by(|a, b| code(a) == code(b))
                .filter_map(|group| Some((code(group.first()?), group))),
        );
        let base = array.room_for(&children);
        let ends = children.first().is_some_and(|(code, _)| *code == 0);
        array.set(at, base | if ends { WORDS } else { 0 });
        for (code, keys) in &children {
            let child = base + u32::from(*code);
            array.take(child, at);
            match keys {
                [(codes, word)] if codes.len() <= depth + 1 => array.set(child, word | LEAF),
                keys => open.push_back(Open { at: child, depth: depth + 1, keys }),
            }
        }
    }
    array.slots()
}

struct Open<'k> {
    at: u32,
    depth: usize,
    keys: &'k [Key],
}

/// The array while it grows; free slots are linked in order.
struct Array {
    values: Vec<u32>,
    checks: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    first: u32,
    last: u32,
    /// Where to look for room for several children.
    start: u32,
}

/// After so many free slots without room for several children, these slots are left to only children.
const TRIES: usize = 256;

#[allow(clippy::indexing_slicing, reason = "slots are made by `grow` before they are named")]
impl Array {
    /// With a root.
    fn new() -> Self {
        let (values, checks, next, previous) = Default::default();
        let mut array =
            Self { values, checks, next, previous, first: FREE, last: FREE, start: FREE };
        array.grow(1);
        array.take(0, 0);
        array
    }

    /// A base that has room for all children, in the order of their codes.
    fn room_for(&mut self, children: &[(u16, &[Key])]) -> u32 {
        let (Some((lowest, _)), Some((highest, _))) = (children.first(), children.last()) else {
            return 0;
        };
        let (lowest, highest) = (u32::from(*lowest), u32::from(*highest));
        let is_free = |slot: u32| self.checks.get(slot as usize).is_none_or(|check| *check == FREE);
        let has_room =
            |base: u32| children.iter().all(|(code, _)| is_free(base + u32::from(*code)));
        // An only child fits wherever there is a slot, and fills the gaps that others left.
        let mut slot = if children.len() == 1 { self.first } else { self.start };
        let mut tried = 0;
        let base = loop {
            if slot == FREE {
                break (self.values.len() as u32).max(lowest) - lowest;
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
        self.grow((base + highest) as usize + 1);
        base
    }

    fn grow(&mut self, length: usize) {
        for slot in self.values.len()..length {
            let slot = slot as u32;
            self.values.push(0);
            self.checks.push(FREE);
            self.next.push(FREE);
            self.previous.push(self.last);
            self.link(self.last, slot);
            self.last = slot;
            if self.start == FREE {
                self.start = slot;
            }
        }
    }

    /// Makes `next` the free slot after `slot`.
    fn link(&mut self, slot: u32, next: u32) {
        match slot {
            FREE => self.first = next,
            slot => self.next[slot as usize] = next,
        }
    }

    /// Puts a free slot to use.
    fn take(&mut self, slot: u32, check: u32) {
        let (previous, next) = (self.previous[slot as usize], self.next[slot as usize]);
        self.link(previous, next);
        if self.start == slot {
            self.start = next;
        }
        match next {
            FREE => self.last = previous,
            next => self.previous[next as usize] = previous,
        }
        self.checks[slot as usize] = check;
    }

    fn set(&mut self, slot: u32, value: u32) {
        self.values[slot as usize] = value;
    }

    fn slots(&self) -> Vec<Slot> {
        let slots = self.values.iter().zip(&self.checks);
        slots
            .map(|(value, check)| (u64::from(*check) << 32 | u64::from(*value)).to_le_bytes())
            .collect()
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
            let slots = build(&keys);
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
