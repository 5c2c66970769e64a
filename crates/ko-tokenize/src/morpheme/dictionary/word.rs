//! Words as they stand in the dictionary.

/// Kind and cost, little-endian; the highest bit of the kind says that another word of the same surface follows.
pub(in crate::morpheme) type Packed = [u8; 4];

/// The words of one surface go on after this one.
const MORE: u16 = 1 << 15;
/// The largest number of a kind.
pub(super) const MAX_KIND: u16 = MORE - 1;

/// A word of the dictionary.
#[derive(Debug, Clone, Copy)]
pub(in crate::morpheme) struct Word {
    /// Its number among the kinds.
    pub(in crate::morpheme) kind: u16,
    pub(in crate::morpheme) cost: i16,
    /// Whether another word of the same surface follows.
    pub(in crate::morpheme) more: bool,
}

impl Word {
    #[inline]
    pub(in crate::morpheme) fn unpack([a, b, c, d]: Packed) -> Self {
        let kind = u16::from_le_bytes([a, b]);
        let cost = i16::from_le_bytes([c, d]);
        Self { kind: kind & MAX_KIND, cost, more: kind & MORE != 0 }
    }

    pub(super) fn pack(self) -> Packed {
        let [a, b] = (self.kind | if self.more { MORE } else { 0 }).to_le_bytes();
        let [c, d] = self.cost.to_le_bytes();
        [a, b, c, d]
    }
}

/// What many words have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::morpheme) struct Kind {
    /// How it connects to what stands before it …
    pub(in crate::morpheme) left: u16,
    /// … and to what follows.
    pub(in crate::morpheme) right: u16,
    /// The number of its tag.
    pub(in crate::morpheme) tag: u16,
    /// Whether there are morphemes behind it that can be restored.
    pub(in crate::morpheme) restores: bool,
}

impl Kind {
    pub(super) fn to_bytes(self) -> [u8; 8] {
        let [a, b] = self.left.to_le_bytes();
        let [c, d] = self.right.to_le_bytes();
        let [e, f] = self.tag.to_le_bytes();
        [a, b, c, d, e, f, u8::from(self.restores), 0]
    }

    pub(super) fn from_bytes([a, b, c, d, e, f, restores, _]: [u8; 8]) -> Self {
        let [left, right, tag] = [[a, b], [c, d], [e, f]].map(u16::from_le_bytes);
        Self { left, right, tag, restores: restores != 0 }
    }
}
