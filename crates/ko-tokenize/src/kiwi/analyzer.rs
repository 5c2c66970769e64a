//! Kiwi as a scheme.

use super::{
    VERSION,
    error::{KiwiError, missing},
    ffi::{Engine, RawMorpheme},
};
use crate::{
    Morpheme, MorphemeAnalyzer, Normalization, TagSet,
    fingerprint::fingerprint,
    shared::{self, Shared},
    tag_set,
    utf16::Utf16Offsets,
};
use ko_eval_core::{Result, Signature, Signed, Token, Tokenizer};
use ko_eval_io::home;
use std::{
    env::consts::{DLL_PREFIX, DLL_SUFFIX},
    ffi::CString,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

/// What the model's folder must hold.
pub const MODEL_FILES: &[&str] = &[
    "combiningRule.txt",
    "cong.mdl",
    "default.dict",
    "dialect.dict",
    "extract.mdl",
    "multi.dict",
    "nounchr.mdl",
    "sj.morph",
    "typo.dict",
];

/// Cuts into morphemes as Kiwi does. Clones share the model.
///
/// ```no_run
/// use ko_tokenize::{kiwi::Kiwi, prelude::*};
///
/// let units = Kiwi::new()?.tokenize("밥을 했다.")?;
/// assert_eq!(units.iter().map(Token::as_str).collect::<Vec<_>>(), ["밥", "을", "하", "었", "다", "."]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Clone)]
pub struct Kiwi {
    engine: Arc<Engine>,
    checksum: String,
    norm: Normalization,
}

/// Settings of a [`Kiwi`].
#[derive(Debug, Clone, Default)]
pub struct KiwiBuilder {
    library: Option<PathBuf>,
    model: Option<PathBuf>,
    norm: Normalization,
}

impl fmt::Debug for Kiwi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kiwi").field(&self.signature().to_string()).finish()
    }
}

impl Kiwi {
    /// Kiwi as it was set up in [`home`].
    ///
    /// # Errors
    /// When the library or the model is missing, foreign or damaged.
    pub fn new() -> Result<Self> {
        Self::builder().build()
    }

    /// Other settings.
    pub fn builder() -> KiwiBuilder {
        KiwiBuilder::default()
    }

    fn morphemes<'t>(&self, text: &str) -> Result<Vec<Morpheme<'t>>> {
        let mut morphemes = Vec::with_capacity(text.len() / 4);
        let mut at = 0;
        // A C string ends at U+0000, so what stands between two of them is a text of its own.
        for piece in text.split('\0') {
            let offsets = Utf16Offsets::new(piece);
            let c_text = CString::new(piece).unwrap_or_default();
            for RawMorpheme { form, tag, position, length } in self.engine.analyze(&c_text)? {
                let span = offsets.bytes(position, length);
                // That a predicate is regular is what the lack of `-I` says already.
                let tag = tag.strip_suffix("-R").unwrap_or(&tag).to_owned();
                morphemes.push(Morpheme {
                    form: form.into(),
                    tag: tag.into(),
                    span: at + span.start..at + span.end,
                });
            }
            at += piece.len() + 1;
        }
        Ok(morphemes)
    }
}

impl Signed for Kiwi {
    fn signature(&self) -> Signature {
        let signature = Signature::new(format!("kiwi@{VERSION}"))
            .with("model", &self.checksum)
            .with("form", "restored");
        self.norm.sign(signature)
    }
}

impl Tokenizer for Kiwi {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        Ok(self.analyze(text)?.into_iter().map(Token::from).collect())
    }
}

impl MorphemeAnalyzer for Kiwi {
    fn analyze<'t>(&self, text: &'t str) -> Result<Vec<Morpheme<'t>>> {
        self.norm.analyze(text, |text| self.morphemes(text))
    }

    fn tag_set(&self) -> &'static TagSet {
        &tag_set::KIWI
    }
}

impl KiwiBuilder {
    /// Another shared library.
    #[must_use]
    pub fn library(self, path: impl Into<PathBuf>) -> Self {
        Self { library: Some(path.into()), ..self }
    }

    /// Another folder of the model.
    #[must_use]
    pub fn model(self, folder: impl Into<PathBuf>) -> Self {
        Self { model: Some(folder.into()), ..self }
    }

    /// Another normalisation.
    #[must_use]
    pub fn normalization(self, norm: Normalization) -> Self {
        Self { norm, ..self }
    }

    /// Opens the library and loads the model, or shares what another [`Kiwi`] has loaded.
    ///
    /// # Errors
    /// When the library or the model is missing, foreign or damaged.
    pub fn build(self) -> Result<Kiwi> {
        let home = home().join(format!("kiwi-{VERSION}"));
        let library = self
            .library
            .unwrap_or_else(|| home.join("lib").join(format!("{DLL_PREFIX}kiwi{DLL_SUFFIX}")));
        let model = self.model.unwrap_or_else(|| home.join("model"));
        let files = MODEL_FILES.iter().map(|file| model.join(file));
        if let Some(path) = [library.clone()].into_iter().chain(files).find(|path| !path.is_file())
        {
            return Err(missing(&path).into());
        }
        let checksum = fingerprint(&model, MODEL_FILES)?;
        let engine = engine(&library, &model, &checksum)?;
        Ok(Kiwi { engine, checksum, norm: self.norm })
    }
}

/// The engine of a library and a model: loading takes a second and some hundred megabytes, so there is one of each.
fn engine(library: &Path, model: &Path, checksum: &str) -> Result<Arc<Engine>, KiwiError> {
    static LOADED: Shared<(PathBuf, PathBuf, String), Engine> = Shared::new();
    let key = (shared::canonical(library), shared::canonical(model), checksum.to_owned());
    LOADED.get(key, || Engine::load(library, model))
}
