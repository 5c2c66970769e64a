//! From a text to its morphemes.

use super::{
    KhaiiiForm,
    error_patches::Mark,
    network::Scratch,
    resource::{Resource, TAGS, folder},
    restoration::Joins,
};
use crate::{Morpheme, MorphemeAnalyzer, Normalization, TagSet, tag_set};
use ko_eval_core::{Pieces, Result, Signature, Signed, Token, Tokenizer};
use std::{borrow::Cow, cell::Cell, ops::Range, path::PathBuf, sync::Arc};

/// Cuts into morphemes as Khaiii does.
///
/// ```no_run
/// use ko_tokenize::{khaiii::Khaiii, prelude::*};
///
/// let units = Khaiii::new()?.tokenize("사랑했다.")?;
/// assert_eq!(units.iter().map(Token::as_str).collect::<Vec<_>>(), ["사랑", "하", "였", "다", "."]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Khaiii {
    resource: Arc<Resource>,
    form: KhaiiiForm,
    norm: Normalization,
}

/// Settings of a [`Khaiii`].
#[derive(Debug, Clone, Default)]
pub struct KhaiiiBuilder {
    resource: Option<Arc<Resource>>,
    folder: Option<PathBuf>,
    form: KhaiiiForm,
    norm: Normalization,
}

/// A character that is no white space.
pub(super) struct Letter {
    pub(super) c: char,
    /// 0 until it is known.
    pub(super) tag: u16,
    /// How many characters stand before it in its word, and after it.
    pub(super) from_start: u32,
    pub(super) to_end: u32,
    /// Its first byte in the text.
    at: u32,
}

/// Memory that is used again for every text.
#[derive(Default)]
struct Workspace {
    letters: Vec<Letter>,
    network: Scratch,
    marks: Vec<Mark>,
    form: String,
}

impl Khaiii {
    /// Restored morphemes by the resource in [`folder`].
    ///
    /// # Errors
    /// When the resource is missing or damaged.
    pub fn new() -> Result<Self> {
        Self::builder().build()
    }

    /// Other settings.
    pub fn builder() -> KhaiiiBuilder {
        KhaiiiBuilder::default()
    }

    /// The resource, to share it with another analyzer.
    pub fn resource(&self) -> &Arc<Resource> {
        &self.resource
    }

    /// Calls `each` with every unit of a normalised text: its form, its tag and its place.
    fn for_each(&self, text: &str, mut each: impl FnMut(&str, Cow<'static, str>, Range<usize>)) {
        thread_local! {
            // Taken out while in use, so that a call inside a call finds an empty one and not a panic.
            static WORKSPACE: Cell<Workspace> = Cell::default();
        }
        let mut workspace = WORKSPACE.take();
        let Workspace { letters, network, marks, form } = &mut workspace;
        read(text, letters);
        self.tag(letters, network, marks);
        match self.form {
            KhaiiiForm::Morpheme => {
                self.morphemes(letters, form, |form, tag, span| each(form, tag.into(), span));
            }
            KhaiiiForm::Surface => self.surfaces(text, letters, form, each),
        }
        workspace.shrink();
        WORKSPACE.set(workspace);
    }

    /// Gives every letter its final tag number.
    fn tag(&self, letters: &mut [Letter], scratch: &mut Scratch, marks: &mut Vec<Mark>) {
        let Resource { network, preanalysis, patches, restoration, .. } = &*self.resource;
        for word in letters.chunk_by_mut(|_, next| next.from_start > 0) {
            let known = preanalysis.find(word.iter().map(|letter| letter.c));
            word.iter_mut().zip(known).for_each(|(letter, tag)| letter.tag = *tag);
        }
        network.tag(letters, scratch);
        let mut before = 0;
        for letter in letters.iter_mut() {
            if letter.from_start == 0 {
                before = 0;
            }
            (letter.tag, before) = restoration.revise(letter.c, letter.tag, before);
        }
        patches.apply(letters, marks);
    }

    /// Calls `each` with every restored morpheme.
    fn morphemes(
        &self,
        letters: &[Letter],
        form: &mut String,
        mut each: impl FnMut(&str, &'static str, Range<usize>),
    ) {
        let (mut tag, mut span) = (0, 0..0);
        form.clear();
        let mut give = |form: &mut String, tag, span: &Range<usize>| {
            if !form.is_empty() {
                each(form, tag_text(tag), span.clone());
                form.clear();
            }
        };
        for letter in letters {
            if letter.from_start == 0 {
                // No morpheme goes from one word to the next.
                give(form, tag, &span);
                tag = 0;
            }
            let place = letter.span();
            self.resource.restoration.restore(letter.c, letter.tag, |piece| {
                if piece.joins == Joins::Yes && piece.tag == tag {
                    span.end = place.end;
                } else {
                    give(form, tag, &span);
                    (tag, span) = (piece.tag, place.clone());
                }
                form.push(piece.c);
            });
        }
        give(form, tag, &span);
    }

    /// Calls `each` with the pieces of text that morphemes were found in.
    fn surfaces(
        &self,
        text: &str,
        letters: &[Letter],
        form: &mut String,
        mut each: impl FnMut(&str, Cow<'static, str>, Range<usize>),
    ) {
        let mut pending: Option<(Cow<'static, str>, Range<usize>)> = None;
        let mut give = |(tag, span): (Cow<'static, str>, Range<usize>)| {
            each(text.get(span.clone()).unwrap_or_default(), tag, span);
        };
        self.morphemes(letters, form, |_, tag, span| match &mut pending {
            Some((tags, fused)) if span.start < fused.end => {
                *tags = format!("{tags}+{tag}").into();
                fused.end = fused.end.max(span.end);
            }
            _ => {
                if let Some(unit) = pending.replace((tag.into(), span)) {
                    give(unit);
                }
            }
        });
        pending.into_iter().for_each(give);
    }
}

impl Letter {
    fn span(&self) -> Range<usize> {
        let at = self.at as usize;
        at..at + self.c.len_utf8()
    }
}

impl Workspace {
    /// Memory for ordinary texts stays; that of a giant goes.
    fn shrink(&mut self) {
        const LETTERS: usize = 1 << 16;
        if self.letters.capacity() > LETTERS {
            (self.letters, self.marks) = Default::default();
        }
    }
}

/// The characters of a text that are no white space.
fn read(text: &str, letters: &mut Vec<Letter>) {
    letters.clear();
    let mut from_start = 0;
    for (at, c) in text.char_indices() {
        if is_space(c) {
            from_start = 0;
            continue;
        }
        // No text is longer than a token's span can tell.
        letters.push(Letter { c, tag: 0, from_start, to_end: 0, at: at as u32 });
        from_start += 1;
    }
    for word in letters.chunk_by_mut(|_, next| next.from_start > 0) {
        word.iter_mut().rev().zip(0..).for_each(|(letter, to_end)| letter.to_end = to_end);
    }
}

#[cfg(test)]
pub(super) fn letters(text: &str) -> Vec<Letter> {
    let mut letters = Vec::new();
    read(text, &mut letters);
    letters
}

/// What Khaiii takes for white space; everything else is a character.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\u{b}' | '\r' | '\u{3000}')
}

/// A part of speech by its number, from 1.
fn tag_text(number: u8) -> &'static str {
    TAGS.get(usize::from(number).wrapping_sub(1)).copied().unwrap_or_default()
}

impl Signed for Khaiii {
    fn signature(&self) -> Signature {
        let form = match self.form {
            KhaiiiForm::Morpheme => "restored",
            KhaiiiForm::Surface => "surface",
        };
        let signature = Signature::new("khaiii@0.4").with("resource", self.resource.checksum());
        self.norm.sign(signature.with("form", form))
    }
}

/// The form as a piece of the text, if it is one.
fn borrowed<'t>(text: &'t str, form: &str, span: &Range<usize>) -> Cow<'t, str> {
    match text.get(span.clone()) {
        Some(piece) if piece == form => piece.into(),
        _ => form.to_owned().into(),
    }
}

impl Tokenizer for Khaiii {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        self.norm.cut(text, |text| {
            let mut tokens = Vec::with_capacity(text.len() / 4);
            self.for_each(text, |form, _, span| {
                tokens.push(Token::new(borrowed(text, form, &span), span));
            });
            Ok(tokens)
        })
    }

    fn cut(&self, text: &str, pieces: &mut Pieces) -> Result<()> {
        self.for_each(&self.norm.checked(text)?, |form, _, _| pieces.push(form));
        Ok(())
    }
}

impl MorphemeAnalyzer for Khaiii {
    fn analyze<'t>(&self, text: &'t str) -> Result<Vec<Morpheme<'t>>> {
        self.norm.analyze(text, |text| {
            let mut morphemes = Vec::with_capacity(text.len() / 4);
            self.for_each(text, |form, tag, span| {
                morphemes.push(Morpheme { form: borrowed(text, form, &span), tag, span });
            });
            Ok(morphemes)
        })
    }

    fn tag_set(&self) -> &'static TagSet {
        &tag_set::KHAIII
    }
}

impl KhaiiiBuilder {
    /// A resource that is loaded already.
    #[must_use]
    pub fn resource(self, resource: Arc<Resource>) -> Self {
        Self { resource: Some(resource), ..self }
    }

    /// A resource by its folder.
    #[must_use]
    pub fn folder(self, folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), ..self }
    }

    /// What a unit is.
    #[must_use]
    pub fn form(self, form: KhaiiiForm) -> Self {
        Self { form, ..self }
    }

    /// Another normalisation.
    #[must_use]
    pub fn normalization(self, norm: Normalization) -> Self {
        Self { norm, ..self }
    }

    /// Loads what is needed.
    ///
    /// # Errors
    /// When the resource is missing or damaged.
    pub fn build(self) -> Result<Khaiii> {
        let resource = match self.resource {
            Some(resource) => resource,
            None => Resource::load(&self.folder.unwrap_or_else(folder))?,
        };
        Ok(Khaiii { resource, form: self.form, norm: self.norm })
    }
}
