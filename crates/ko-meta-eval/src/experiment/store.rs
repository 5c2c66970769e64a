//! Finished work in a folder, so that an interrupted experiment goes on where it stopped.
//!
//! A piece of work is known by everything that its result depends on. The file's name is a hash of that, and
//! the file repeats it in full: what does not match to the letter is done again.

use crate::Result;
use ko_eval_core::{Fingerprint, files::write_atomically};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::path::PathBuf;

/// Changes whenever what is stored changes its meaning.
const FORMAT: u32 = 1;

/// A folder of finished work, or none.
#[derive(Debug)]
pub(super) struct Store {
    folder: Option<PathBuf>,
    checksum: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Stored<T> {
    format: u32,
    /// What was done: `cut` or `score`.
    kind: String,
    /// By whom.
    signature: String,
    /// On which texts.
    checksum: String,
    result: T,
}

impl Store {
    pub(super) fn new(folder: Option<PathBuf>, checksum: String) -> Self {
        Self { folder, checksum }
    }

    /// What an earlier run left. A file that cannot be read is as good as none.
    pub(super) fn load<T: DeserializeOwned>(&self, kind: &str, signature: &str) -> Option<T> {
        let bytes = std::fs::read(self.path(kind, signature)?).ok()?;
        let stored: Stored<T> = serde_json::from_slice(&bytes).ok()?;
        let same = stored.format == FORMAT
            && stored.kind == kind
            && stored.signature == signature
            && stored.checksum == self.checksum;
        same.then_some(stored.result)
    }

    pub(super) fn save<T: Serialize>(&self, kind: &str, signature: &str, result: &T) -> Result<()> {
        let Some(path) = self.path(kind, signature) else { return Ok(()) };
        let stored = Stored {
            format: FORMAT,
            kind: kind.to_owned(),
            signature: signature.to_owned(),
            checksum: self.checksum.clone(),
            result,
        };
        let bytes = serde_json::to_vec(&stored)
            .map_err(|e| ko_eval_core::Error::source("writing finished work", e))?;
        Ok(write_atomically(&path, &bytes)?)
    }

    fn path(&self, kind: &str, signature: &str) -> Option<PathBuf> {
        let key = format!("{FORMAT}\n{kind}\n{signature}\n{}", self.checksum);
        let digits = Fingerprint::new().bytes(key.as_bytes()).digits(32);
        Some(self.folder.as_ref()?.join(format!("{kind}-{digits}.json")))
    }
}
