//! MeCab-ko's analysis, exactly.
//!
//! Surfaces and tags equal MeCab-ko's (python-mecab-ko 1.3.7) on the same dictionary, with the left-space
//! penalty of the dictionary and without it. What differs, by intent:
//!
//! | text | MeCab-ko through python-mecab-ko | here |
//! |---|---|---|
//! | decomposed Hangul (NFD) | unknown words | composed first, unless told not to |
//! | U+0000 | ends the text | a symbol like another |
//! | 65,535 bytes of white space in a row | what follows is lost | white space like any other |
//! | a text whose costs add up to over 2³¹ | an error | analysed |
//!
//! ```
//! use ko_eval_core::{Signed, Tokenizer};
//! use ko_tokenize::morpheme::{MecabForm, MecabKo};
//!
//! let mecab = MecabKo::new()?;
//! let units = mecab.tokenize("밥을 했다.")?;
//! assert_eq!(units.iter().map(|u| u.as_str()).collect::<Vec<_>>(), ["밥", "을", "했", "다", "."]);
//! assert_eq!(mecab.signature().to_string(), "mecab-ko@2.1.1|penalty:on|norm:nfc");
//!
//! let restored = MecabKo::builder().form(MecabForm::Morpheme).build()?;
//! let units = restored.tokenize("밥을 했다.")?;
//! assert_eq!(units.iter().map(|u| u.as_str()).collect::<Vec<_>>(), ["밥", "을", "하", "았", "다", "."]);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use super::{
    MecabForm,
    dictionary::{Dictionary, MECAB_KO_DIC},
    form::FORM,
    lattice::{Lattice, Lexicon, PathWord},
    user::{UserDictionary, UserWords},
};
use crate::{Morpheme, MorphemeAnalyzer, Normalization, Tag};
use ko_eval_core::{Result, Signature, Signed, Token, Tokenizer};
use std::{borrow::Cow, cell::Cell, path::PathBuf, sync::Arc};

/// Whether words after white space that rarely stand there (particles, endings) cost more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum SpacePenalty {
    /// As the dictionary says: what MeCab-ko does.
    #[default]
    On,
    /// As MeCab without the Korean change does.
    Off,
}

/// Cuts into morphemes as MeCab-ko does.
///
/// ```
/// use ko_tokenize::{morpheme::MecabKo, prelude::*};
///
/// let units = MecabKo::new()?.tokenize("밥을 먹었어요.")?;
/// assert_eq!(units.iter().map(Token::as_str).collect::<Vec<_>>(), ["밥", "을", "먹", "었", "어요", "."]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct MecabKo {
    dictionary: Arc<Dictionary>,
    user: Option<Arc<UserWords>>,
    user_checksum: Option<String>,
    penalty: SpacePenalty,
    form: MecabForm,
    /// Empty: all.
    tags: Vec<Tag>,
    norm: Normalization,
}

/// Settings of a [`MecabKo`].
#[derive(Debug, Clone, Default)]
pub struct MecabKoBuilder {
    dictionary: Option<Arc<Dictionary>>,
    folder: Option<PathBuf>,
    user: UserDictionary,
    penalty: SpacePenalty,
    form: MecabForm,
    tags: Vec<Tag>,
    norm: Normalization,
}

impl MecabKo {
    /// Surfaces by mecab-ko-dic 2.1.1: as it was set up in [`home`](ko_eval_io::home), or else as the program carries it.
    ///
    /// # Errors
    /// When the dictionary is missing or damaged.
    pub fn new() -> Result<Self> {
        Self::builder().build()
    }

    /// Other settings.
    pub fn builder() -> MecabKoBuilder {
        MecabKoBuilder::default()
    }

    /// The dictionary, to share it with another analyzer.
    pub fn dictionary(&self) -> &Arc<Dictionary> {
        &self.dictionary
    }

    /// Calls `each` with every word of a normalised text.
    fn for_each(&self, text: &str, mut each: impl FnMut(&PathWord)) {
        thread_local! {
            // Taken out while in use, so that a call inside a call finds an empty one and not a panic.
            static LATTICE: Cell<Lattice> = Cell::default();
        }
        let mut lattice = LATTICE.take();
        let penalties = match self.penalty {
            SpacePenalty::On => self.dictionary.tables().penalties(),
            SpacePenalty::Off => &[],
        };
        lattice
            .search(self.dictionary.tables(), self.user.as_deref(), penalties, text)
            .iter()
            .for_each(&mut each);
        lattice.shrink();
        LATTICE.set(lattice);
    }

    /// Tag of a word, and its expression (`하/VV/*+았/EP/*`) where units are restored and there is
    /// something to restore.
    fn features(&self, found: &PathWord) -> (Cow<'static, str>, Option<&str>) {
        let tables = self.dictionary.tables();
        let kind = match found.lexicon {
            Lexicon::System => tables.kind_of(found.word),
            Lexicon::Unknown => tables.kind(found.word as u16),
            Lexicon::User => {
                let tag = self.user.as_ref().and_then(|user| user.tag(found.word));
                return (tag.map_or("", Tag::as_str).into(), None);
            }
        };
        let restores = self.form != MecabForm::Surface && kind.restores;
        let expression = if restores { tables.expression(found.word) } else { None };
        (tables.tag(kind).clone(), expression)
    }

    /// Whether a word with this tag, fused or not, is wanted.
    fn wants(&self, tag: &str) -> bool {
        self.tags.is_empty()
            || tag.split('+').any(|tag| self.tags.iter().any(|wanted| wanted.as_str() == tag))
    }

    /// The words of a normalised text as they stand in it.
    fn surfaces<'t>(&self, text: &'t str) -> Vec<Token<'t>> {
        let mut tokens = Vec::with_capacity(text.len() / 4);
        self.for_each(text, |found| {
            let span = found.start as usize..found.end as usize;
            if self.tags.is_empty() || self.wants(&self.features(found).0) {
                tokens.push(Token::new(text.get(span.clone()).unwrap_or_default(), span));
            }
        });
        tokens
    }

    fn morphemes<'t>(&self, text: &'t str) -> Vec<Morpheme<'t>> {
        let mut morphemes = Vec::with_capacity(text.len() / 4);
        self.for_each(text, |found| {
            let span = found.start as usize..found.end as usize;
            let surface = text.get(span.clone()).unwrap_or_default();
            let (tag, expression) = self.features(found);
            let mut push = |form: &str, tag: Cow<'static, str>| {
                if form.is_empty() || !self.wants(&tag) {
                    return;
                }
                let form = match self.form {
                    MecabForm::Lemma if is_predicate(&tag) => format!("{form}다").into(),
                    _ if form == surface => surface.into(),
                    _ => form.to_owned().into(),
                };
                morphemes.push(Morpheme { form, tag, span: span.clone() });
            };
            let Some(expression) = expression else { return push(surface, tag) };
            for morpheme in expression.split('+') {
                let mut parts = morpheme.split('/');
                let form = parts.next().unwrap_or_default();
                push(form, tag_text(parts.next().unwrap_or_default()));
            }
        });
        morphemes
    }
}

fn is_predicate(tag: &str) -> bool {
    matches!(tag, "VV" | "VA" | "VX" | "VCP" | "VCN" | "XSV" | "XSA")
}

/// A tag that does not borrow from the dictionary; only fused ones are copied.
pub(super) fn tag_text(tag: &str) -> Cow<'static, str> {
    match tag.parse::<Tag>() {
        Ok(tag) => tag.as_str().into(),
        Err(_) => tag.to_owned().into(),
    }
}

impl Signed for MecabKo {
    fn signature(&self) -> Signature {
        let penalty = match self.penalty {
            SpacePenalty::On => "on",
            SpacePenalty::Off => "off",
        };
        let name = self.dictionary.signed_as("mecab-ko");
        let mut signature = Signature::new(name).with("penalty", penalty);
        match self.form {
            MecabForm::Surface => {}
            other => signature = signature.with("form", FORM.word(&other)),
        }
        if !self.tags.is_empty() {
            let tags: Vec<_> = self.tags.iter().map(|tag| tag.as_str()).collect();
            signature = signature.with("tags", tags.join("+"));
        }
        if let Some(checksum) = &self.user_checksum {
            signature = signature.with("user", checksum);
        }
        self.norm.sign(signature)
    }
}

impl Tokenizer for MecabKo {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        self.norm.cut(text, |text| {
            Ok(match self.form {
                MecabForm::Surface => self.surfaces(text),
                MecabForm::Morpheme | MecabForm::Lemma => {
                    self.morphemes(text).into_iter().map(Token::from).collect()
                }
            })
        })
    }
}

impl MorphemeAnalyzer for MecabKo {
    fn analyze<'t>(&self, text: &'t str) -> Result<Vec<Morpheme<'t>>> {
        self.norm.analyze(text, |text| Ok(self.morphemes(text)))
    }
}

impl MecabKoBuilder {
    /// A dictionary that is loaded already.
    #[must_use]
    pub fn dictionary(self, dictionary: Arc<Dictionary>) -> Self {
        Self { dictionary: Some(dictionary), ..self }
    }

    /// A dictionary by its folder.
    #[must_use]
    pub fn folder(self, folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), ..self }
    }

    /// Words of your own.
    #[must_use]
    pub fn user(self, user: UserDictionary) -> Self {
        Self { user, ..self }
    }

    /// With the space penalty or without it.
    #[must_use]
    pub fn penalty(self, penalty: SpacePenalty) -> Self {
        Self { penalty, ..self }
    }

    /// What a unit is.
    #[must_use]
    pub fn form(self, form: MecabForm) -> Self {
        Self { form, ..self }
    }

    /// Only units with one of these tags; a fused surface is kept for any of its own.
    #[must_use]
    pub fn tags(self, tags: impl IntoIterator<Item = Tag>) -> Self {
        let mut tags: Vec<_> = tags.into_iter().collect();
        tags.sort_unstable();
        tags.dedup();
        Self { tags, ..self }
    }

    /// Another normalisation.
    #[must_use]
    pub fn normalization(self, norm: Normalization) -> Self {
        Self { norm, ..self }
    }

    /// Loads what is needed.
    ///
    /// # Errors
    /// When the dictionary is missing, foreign or damaged, or does not take a user's word.
    pub fn build(self) -> Result<MecabKo> {
        let dictionary = match (self.dictionary, self.folder) {
            (Some(dictionary), _) => dictionary,
            (None, Some(folder)) => Dictionary::load(&folder)?,
            (None, None) => MECAB_KO_DIC.open()?,
        };
        let user = (!self.user.words().is_empty()).then_some(&self.user);
        let words = user.map(|user| UserWords::new(user, &dictionary, self.norm)).transpose()?;
        Ok(MecabKo {
            user: words.map(Arc::new),
            user_checksum: user.map(UserDictionary::checksum),
            dictionary,
            penalty: self.penalty,
            form: self.form,
            tags: self.tags,
            norm: self.norm,
        })
    }
}
