//! Numbers for keys: the hash table under the n-gram counts.
//!
//! An n-gram is a pair, the number of its first n − 1 units and its last unit; numbered order by
//! order, n-grams of any length are keys of 64 bits, compared exactly and never spelled out.

#![allow(
    clippy::indexing_slicing,
    reason = "a slot's index is masked by the table's length, a power of two"
)]

use std::hint::select_unpredictable;

/// 2⁶⁴ divided by the golden ratio: spreads keys that differ in few bits.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Distinct keys, numbered from 0 in order of appearance.
#[derive(Debug)]
pub(crate) struct Numbering {
    slots: Vec<Slot>,
    len: u32,
    /// Slots of other epochs are vacant, so clearing costs nothing.
    epoch: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: u64,
    number: u32,
    epoch: u32,
}

/// The key of an n-gram: what its beginning is numbered, and its last unit.
#[inline]
pub(crate) fn pair(beginning: u32, last: u32) -> u64 {
    u64::from(beginning) << 32 | u64::from(last)
}

/// A table at work: what is looked up again and again, near at hand.
#[derive(Debug)]
pub(crate) struct Keys<'t> {
    slots: &'t mut [Slot],
    len: u32,
    epoch: u32,
}

impl Numbering {
    /// Room for about `keys` keys; it grows beyond.
    pub(crate) fn with_capacity(keys: usize) -> Self {
        let slots = (keys * 2).next_power_of_two().max(16);
        Self { slots: vec![Slot::default(); slots], len: 0, epoch: 1 }
    }

    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.slots.fill(Slot::default());
            self.epoch = 1;
        }
    }

    /// The table without keys, to be used for at most so many.
    pub(crate) fn cleared(&mut self, keys: usize) -> Keys<'_> {
        if self.slots.len() < keys * 2 {
            *self = Self::with_capacity(keys);
        }
        self.clear();
        Keys { slots: &mut self.slots, len: self.len, epoch: self.epoch }
    }

    /// The key's number, or [`Numbering::len`] if it has none.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> u32 {
        let slot = &self.slots[find(&self.slots, self.epoch, key)];
        if slot.epoch == self.epoch { slot.number } else { self.len }
    }

    /// The key's number, the next free one if it is new.
    #[inline]
    pub(crate) fn number(&mut self, key: u64) -> u32 {
        if self.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let at = find(&self.slots, self.epoch, key);
        let slot = &mut self.slots[at];
        // A branch, because whoever asks for one key after the other needs no table for the number of a new one.
        if slot.epoch != self.epoch {
            *slot = Slot { key, number: self.len, epoch: self.epoch };
            self.len += 1;
        }
        slot.number
    }

    #[cold]
    fn grow(&mut self) {
        let doubled = vec![Slot::default(); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, doubled);
        for slot in old.into_iter().filter(|slot| slot.epoch == self.epoch) {
            let at = find(&self.slots, self.epoch, slot.key);
            self.slots[at] = slot;
        }
    }
}

impl Keys<'_> {
    /// The key's number, or a number that none has.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> u32 {
        let slot = &self.slots[find(self.slots, self.epoch, key)];
        select_unpredictable(slot.epoch == self.epoch, slot.number, self.len)
    }

    /// The key's number, the next free one if it is new.
    #[inline]
    pub(crate) fn number(&mut self, key: u64) -> u32 {
        let slot = &mut self.slots[find(self.slots, self.epoch, key)];
        // New or known is a matter of chance, and not worth a branch.
        let is_new = slot.epoch != self.epoch;
        let number = select_unpredictable(is_new, self.len, slot.number);
        *slot = Slot { key, number, epoch: self.epoch };
        self.len += u32::from(is_new);
        number
    }
}

/// The slot that holds the key, or the vacant one where it belongs; there is one.
#[inline]
fn find(slots: &[Slot], epoch: u32, key: u64) -> usize {
    let mask = slots.len() - 1;
    // Two rounds: the low half of a pair must reach the top bits as well as the high half does.
    let mixed = (key ^ (key >> 29)).wrapping_mul(SPREAD);
    let mut at = (mixed >> 32) as usize & mask;
    loop {
        let slot = &slots[at];
        // A stale slot with this very key is vacant too: whoever asks looks at the epoch.
        if (slot.key == key) | (slot.epoch != epoch) {
            return at;
        }
        at = (at + 1) & mask;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn numbers_as_a_map_would(rounds in proptest::collection::vec(proptest::collection::vec(0u64..60, 0..80), 1..4)) {
            let mut table = Numbering::with_capacity(2);
            for keys in rounds {
                table.clear();
                let mut map = HashMap::new();
                for key in keys {
                    let key = pair(key as u32 % 7, key as u32);
                    let next = map.len() as u32;
                    prop_assert_eq!(table.get(key), map.get(&key).copied().unwrap_or(next));
                    prop_assert_eq!(table.number(key), *map.entry(key).or_insert(next));
                }
                prop_assert_eq!(table.len(), map.len());
            }
        }
    }
}
