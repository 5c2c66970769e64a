//! What every morphological analyzer has in common.

use crate::{Tag, TagSet, tag_set};
use ko_eval_core::{Result, Token, Tokenizer};
use std::{borrow::Cow, ops::Range};

/// One morpheme as an analyzer gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Morpheme<'t> {
    /// The surface (했), or the restored form (하) where the analyzer restores.
    pub form: Cow<'t, str>,
    /// The tag as the analyzer writes it; mecab-ko joins the tags of a fused surface: `VCP+EF`.
    pub tag: Cow<'t, str>,
    /// The bytes of the text that it was found in.
    pub span: Range<usize>,
}

impl Morpheme<'_> {
    /// The Sejong tags behind the analyzer's tag, those of a fused surface in order; what is no
    /// Sejong tag is left out.
    pub fn tags(&self) -> impl Iterator<Item = Tag> + '_ {
        self.tag.split('+').filter_map(|tag| tag.parse().ok())
    }
}

impl<'t> From<Morpheme<'t>> for Token<'t> {
    /// The unit without its tag.
    fn from(morpheme: Morpheme<'t>) -> Self {
        Token::new(morpheme.form, morpheme.span)
    }
}

/// A morphological analyzer: a tokenizer that tags its units.
///
/// Its units as a [`Tokenizer`] are the forms of its morphemes.
pub trait MorphemeAnalyzer: Tokenizer {
    /// The morphemes of the text, in order.
    ///
    /// # Errors
    /// When the analyzer fails on this text.
    fn analyze<'t>(&self, text: &'t str) -> Result<Vec<Morpheme<'t>>>;

    /// The tags it writes, and what they are in Sejong's set.
    fn tag_set(&self) -> &'static TagSet {
        &tag_set::SEJONG
    }
}
