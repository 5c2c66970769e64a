//! lindera's own segmenter, on the same dictionary.
//!
//! It keeps white space as a word of the lattice, so a particle connects to the space and not to the
//! noun before it: on Korean sentences it agrees with MeCab-ko on fewer than half. Here for those who
//! compare with work done with lindera; to compare with MeCab-ko, use [`MecabKo`](super::MecabKo).
//!
//! lindera reads a form of its own, which [`dictionary::build`](super::dictionary::build()) writes beside ours where the feature
//! `lindera` is on.

mod definitions;
mod tables;

pub(super) use tables::{build, is_built};

use super::{
    dictionary::{Dictionary, MECAB_KO_DIC},
    mecab_ko::{SpacePenalty, tag_text},
};
use crate::{Morpheme, MorphemeAnalyzer, Normalization, Tag};
use ko_eval_core::{Error, Result, Signature, Signed, Token, Tokenizer};
use lindera::{mode::Mode, segmenter::Segmenter};
use std::{fmt, path::PathBuf, sync::Arc};

/// Cuts into morphemes as lindera 6.2 does.
///
/// ```no_run
/// use ko_tokenize::{morpheme::LinderaKo, prelude::*};
///
/// let units = LinderaKo::new()?.tokenize("밥을 먹었어요.")?;
/// assert_eq!(units.iter().map(Token::as_str).collect::<Vec<_>>(), ["밥", "을", "먹", "었", "어요", "."]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Clone)]
pub struct LinderaKo {
    segmenter: Arc<Segmenter>,
    name: String,
    penalty: SpacePenalty,
    /// Empty: all.
    tags: Vec<Tag>,
    norm: Normalization,
}

impl fmt::Debug for LinderaKo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LinderaKo").field(&self.signature().to_string()).finish()
    }
}

/// Settings of a [`LinderaKo`].
#[derive(Debug, Clone, Default)]
pub struct LinderaKoBuilder {
    folder: Option<PathBuf>,
    penalty: SpacePenalty,
    tags: Vec<Tag>,
    norm: Normalization,
}

impl LinderaKo {
    /// Surfaces by mecab-ko-dic 2.1.1.
    ///
    /// # Errors
    /// When the dictionary is missing or damaged.
    pub fn new() -> Result<Self> {
        Self::builder().build()
    }

    /// Other settings.
    pub fn builder() -> LinderaKoBuilder {
        LinderaKoBuilder::default()
    }

    /// Calls `each` with the place and the tag of every wanted word.
    fn for_each(
        &self,
        text: &str,
        mut each: impl FnMut(std::ops::Range<usize>, &str),
    ) -> Result<()> {
        let words = self.segmenter.segment(text.into());
        for mut word in words.map_err(|error| Error::source("lindera's segmenter", error))? {
            let span = word.byte_start..word.byte_end;
            let tag = word.get_detail(0).unwrap_or_default();
            let wanted = |tag: &str| self.tags.iter().any(|wanted| wanted.as_str() == tag);
            if self.tags.is_empty() || tag.split('+').any(wanted) {
                each(span, tag);
            }
        }
        Ok(())
    }
}

impl Signed for LinderaKo {
    fn signature(&self) -> Signature {
        let penalty = match self.penalty {
            SpacePenalty::On => "on",
            SpacePenalty::Off => "off",
        };
        let mut signature = Signature::new(&self.name)
            .with("lindera", lindera::get_version())
            .with("penalty", penalty);
        if !self.tags.is_empty() {
            let tags: Vec<_> = self.tags.iter().map(|tag| tag.as_str()).collect();
            signature = signature.with("tags", tags.join("+"));
        }
        self.norm.sign(signature)
    }
}

impl Tokenizer for LinderaKo {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        self.norm.cut(text, |text| {
            let mut tokens = Vec::new();
            self.for_each(text, |span, _| {
                tokens.push(Token::new(text.get(span.clone()).unwrap_or_default(), span));
            })?;
            Ok(tokens)
        })
    }
}

impl MorphemeAnalyzer for LinderaKo {
    fn analyze<'t>(&self, text: &'t str) -> Result<Vec<Morpheme<'t>>> {
        self.norm.analyze(text, |text| {
            let mut morphemes = Vec::new();
            self.for_each(text, |span, tag| {
                let form = text.get(span.clone()).unwrap_or_default().into();
                morphemes.push(Morpheme { form, tag: tag_text(tag), span });
            })?;
            Ok(morphemes)
        })
    }
}

impl LinderaKoBuilder {
    /// A dictionary by its folder.
    #[must_use]
    pub fn folder(self, folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), ..self }
    }

    /// With the space penalty or without it.
    #[must_use]
    pub fn penalty(self, penalty: SpacePenalty) -> Self {
        Self { penalty, ..self }
    }

    /// Only words with one of these tags.
    #[must_use]
    pub fn tags(self, tags: impl IntoIterator<Item = Tag>) -> Self {
        Self { tags: tags.into_iter().collect(), ..self }
    }

    /// Another normalisation.
    #[must_use]
    pub fn normalization(self, norm: Normalization) -> Self {
        Self { norm, ..self }
    }

    /// Loads the dictionary.
    ///
    /// # Errors
    /// When the dictionary is missing, foreign or damaged.
    pub fn build(self) -> Result<LinderaKo> {
        let folder = self.folder.unwrap_or_else(|| MECAB_KO_DIC.folder());
        let dictionary = Dictionary::load(&folder)?;
        // A new segmenter applies the penalty that the dictionary comes with.
        let segmenter = Segmenter::new(Mode::Normal, tables::load(&folder)?, None);
        let segmenter = match self.penalty {
            SpacePenalty::On => Ok(segmenter),
            SpacePenalty::Off => segmenter.space_penalty(None),
        };
        let segmenter = segmenter.map_err(|error| Error::source("lindera's segmenter", error))?;
        Ok(LinderaKo {
            segmenter: Arc::new(segmenter),
            name: dictionary.signed_as("lindera-ko"),
            penalty: self.penalty,
            tags: self.tags,
            norm: self.norm,
        })
    }
}
