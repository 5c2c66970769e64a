//! The tag sets of analyzers that do not write Sejong's, as tables to Sejong's.
//!
//! A [`Morpheme`](crate::Morpheme) keeps the tag that its analyzer wrote. To compare analyzers, or to look for nouns
//! whoever found them, ask the analyzer's tag set what the tag is in Sejong's.
//!
//! ```
//! use ko_tokenize::{Tag, tag_set};
//! assert_eq!(tag_set::KHAIII.sejong("SWK"), Some(Tag::Sw));
//! assert_eq!(tag_set::KHAIII.sejong("NNG"), Some(Tag::Nng));
//! assert_eq!(tag_set::SEJONG.sejong("Noun"), None);
//! ```

use crate::Tag;

/// A tag set: what each tag that is not Sejong's own is in Sejong's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagSet {
    /// Whose it is.
    pub name: &'static str,
    /// Tags that Sejong's set does not have, or has with another meaning.
    pub rows: &'static [(&'static str, Tag)],
}

impl TagSet {
    /// The Sejong tag nearest to one of this set; `None` for a text that is no tag of either.
    pub fn sejong(&self, tag: &str) -> Option<Tag> {
        let row = self.rows.iter().find(|(name, _)| *name == tag);
        row.map(|&(_, sejong)| sejong).or_else(|| tag.parse().ok())
    }
}

/// Sejong's own, with mecab-ko-dic's additions.
pub const SEJONG: TagSet = TagSet { name: "Sejong", rows: &[] };

/// Khaiii's: it tells single jamo from other symbols, and three kinds of what it could not analyse.
pub const KHAIII: TagSet = TagSet {
    name: "Khaiii",
    rows: &[("SWK", Tag::Sw), ("ZN", Tag::Nf), ("ZV", Tag::Nv), ("ZZ", Tag::Na)],
};
