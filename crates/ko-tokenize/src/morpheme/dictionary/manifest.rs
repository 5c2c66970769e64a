//! What a built dictionary says about itself.

use super::{
    context::Contexts,
    error::{DictionaryError, missing},
};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fs, path::Path};

/// The file it stands in, beside the files of the dictionary.
pub(super) const MANIFEST: &str = "ko-eval.json";
/// Changes whenever what [`build`](super::build()) writes changes.
pub(super) const FORMAT: u32 = 1;

/// What a built dictionary says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub(super) format: u32,
    pub(super) name: String,
    pub(super) version: String,
    pub(super) sha256: String,
    pub(super) entries: usize,
    /// Bytes of each file beside the manifest.
    pub(super) files: BTreeMap<String, u64>,
    /// Added to a word after white space, by its left id.
    pub(super) space_penalty: Vec<i32>,
    pub(super) contexts: Contexts,
}

impl Manifest {
    /// The dictionary's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// SHA-256 over the compiled files it was built from.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// How many words it holds.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// Reads the manifest in a folder, and checks that the files beside it are as long as it says.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let foreign =
            |found| Error::from(DictionaryError::Foreign { folder: folder.to_owned(), found });
        if !folder.exists() {
            return Err(missing(folder));
        }
        let bytes = match fs::read(folder.join(MANIFEST)) {
            Ok(bytes) => bytes,
            Err(_) => return Err(foreign(contents(folder))),
        };
        let manifest: Self = serde_json::from_slice(&bytes)
            .map_err(|error| foreign(format!("a `{MANIFEST}` that cannot be read: {error}")))?;
        if manifest.format != FORMAT {
            let found = manifest.format;
            return Err(foreign(format!(
                "format {found}, where {FORMAT} is expected; build it again"
            )));
        }
        for (name, expected) in &manifest.files {
            let path = folder.join(name);
            let found = fs::metadata(&path).map_or(0, |file| file.len());
            if found != *expected {
                let expected = *expected;
                return Err(DictionaryError::Damaged { path, found, expected }.into());
            }
        }
        Ok(manifest)
    }
}

/// What a folder holds, for an error.
fn contents(folder: &Path) -> String {
    let Ok(files) = fs::read_dir(folder) else { return "a file".into() };
    let mut names: Vec<_> =
        files.flatten().map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    let has = |name: &str| names.iter().any(|n| n == name);
    if has("sys.dic") {
        return "MeCab's compiled dictionary; convert it with `dictionary::build`".into();
    }
    if has("metadata.json") {
        return "a dictionary of lindera's own making".into();
    }
    match names.len() {
        0 => "an empty folder".into(),
        count => {
            format!("{count} files: {} …", names.get(..count.min(5)).unwrap_or_default().join(", "))
        }
    }
}
