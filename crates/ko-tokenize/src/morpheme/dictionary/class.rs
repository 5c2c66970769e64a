//! What the lattice needs to know about characters.

use super::super::compiled::CharInfo;

/// A code point as the lattice sees it, as it stands in the dictionary: its code in the trie, its class, its flags.
pub(in crate::morpheme) type Character = [u8; 4];

/// White space, which is skipped.
const SPACE: u8 = 1;
/// Unknown words are tried even where the dictionary has some.
const INVOKE: u8 = 2;
/// An unknown word may be as long as the run of its kind.
const GROUP: u8 = 1;

/// What is the same for many code points.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::morpheme) struct Class {
    /// One bit per category it belongs to.
    kinds: u32,
    /// The category whose entries an unknown word takes.
    pub(in crate::morpheme) category: u8,
    /// An unknown word may be 1 to this many code points long …
    pub(in crate::morpheme) length: u8,
    /// … or as long as the run of its kind.
    pub(in crate::morpheme) group: bool,
}

impl Class {
    #[inline]
    pub(in crate::morpheme) fn is_kind_of(self, other: Self) -> bool {
        self.kinds & other.kinds != 0
    }

    pub(super) fn to_bytes(self) -> [u8; 8] {
        let [a, b, c, d] = self.kinds.to_le_bytes();
        [a, b, c, d, self.category, self.length, if self.group { GROUP } else { 0 }, 0]
    }

    pub(super) fn from_bytes([a, b, c, d, category, length, flags, _]: [u8; 8]) -> Self {
        let kinds = u32::from_le_bytes([a, b, c, d]);
        Self { kinds, category, length, group: flags & GROUP != 0 }
    }
}

#[inline]
pub(in crate::morpheme) fn code([a, b, ..]: Character) -> u16 {
    u16::from_le_bytes([a, b])
}

#[inline]
pub(in crate::morpheme) fn class([_, _, class, _]: Character) -> usize {
    usize::from(class)
}

#[inline]
pub(in crate::morpheme) fn is_space([.., flags]: Character) -> bool {
    flags & SPACE != 0
}

#[inline]
pub(in crate::morpheme) fn invokes([.., flags]: Character) -> bool {
    flags & INVOKE != 0
}

/// Every code point of the basic plane with the code that `code` gives it, and the classes; or that these are too many.
pub(super) fn characters(
    infos: &[CharInfo],
    code: impl Fn(u32) -> u16,
) -> Option<(Vec<Character>, Vec<Class>)> {
    let mut classes = Vec::new();
    let mut characters = Vec::with_capacity(1 << 16);
    let space = infos.get(usize::from(b' ')).map_or(0, |info| info.kinds());
    for number in 0..=0xffff_u32 {
        // MeCab's table ends before U+FFFF; there it reads zeros: no kind, no group.
        let info = infos.get(number as usize).copied().unwrap_or_default();
        let (invoke, group, length) = info.unknown();
        let class = Class {
            kinds: info.kinds(),
            category: u8::try_from(info.default_category()).ok()?,
            length: u8::try_from(length).ok()?,
            group: group != 0,
        };
        let known = classes.iter().position(|other| *other == class);
        let index = known.unwrap_or_else(|| {
            classes.push(class);
            classes.len() - 1
        });
        let [low, high] = code(number).to_le_bytes();
        let space = if info.kinds() & space != 0 { SPACE } else { 0 };
        let invoke = if invoke != 0 { INVOKE } else { 0 };
        characters.push([low, high, u8::try_from(index).ok()?, space | invoke]);
    }
    Some((characters, classes))
}
