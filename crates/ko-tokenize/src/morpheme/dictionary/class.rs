//! What the lattice needs to know about characters.

use lindera_dictionary::dictionary::Dictionary as Tables;

/// What the lattice needs to know about a code point.
#[derive(Clone, Copy, Default)]
pub(in crate::morpheme) struct Class {
    /// One bit per category it belongs to.
    kinds: u32,
    /// The category whose entries an unknown word takes.
    pub(in crate::morpheme) category: u8,
    /// An unknown word may be 1 to this many code points long …
    pub(in crate::morpheme) length: u8,
    /// … or as long as the run of its kind.
    pub(in crate::morpheme) group: bool,
    /// Unknown words are tried even where the dictionary has some.
    pub(in crate::morpheme) invoke: bool,
    pub(in crate::morpheme) space: bool,
}

impl Class {
    #[inline]
    pub(in crate::morpheme) fn is_kind_of(self, other: Self) -> bool {
        self.kinds & other.kinds != 0
    }
}

/// The classes of all code points of the basic plane.
pub(super) fn classes(tables: &Tables) -> Vec<Class> {
    let characters = &tables.character_definition;
    let space = characters.category_id_by_name("SPACE");
    let class = |code: u32| {
        // MeCab's table ends before U+FFFF; there it reads zeros: no kind, no group.
        let c = char::from_u32(code).filter(|_| code != 0xffff)?;
        let categories = characters.lookup_categories(c);
        let first = categories.first()?;
        let unknown = characters.category_definitions.get(first.0)?;
        Some(Class {
            kinds: categories.iter().fold(0, |kinds, category| kinds | 1 << (category.0 & 31)),
            category: u8::try_from(first.0).ok()?,
            length: u8::try_from(unknown.length).ok()?,
            group: unknown.group,
            invoke: unknown.invoke,
            space: space.is_some_and(|space| categories.contains(&space)),
        })
    };
    (0..=0xffff).map(|code| class(code).unwrap_or_default()).collect()
}
