//! Finished work in a folder, so that an interrupted experiment goes on where it stopped.
//!
//! A piece of work is known by everything that its result depends on. The file's name is a hash of that, and
//! the file repeats it in full, with a digest of the result: what does not match to the letter is done again. The folder is
//! locked while an experiment runs.

use crate::Result;
use ko_eval_core::Fingerprint;
use ko_eval_io::files::{FolderLock, write_atomically};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::path::{Path, PathBuf};

/// Changes whenever what is stored changes its meaning.
const FORMAT: u32 = 3;

/// A folder of finished work, or none.
#[derive(Debug)]
pub(super) struct Store {
    folder: Option<FolderLock>,
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
    /// Of the result, so that what was damaged or edited is not taken for finished work.
    digest: String,
    result: T,
}

impl Store {
    /// # Errors
    /// A folder that cannot be made, or that another process works in.
    pub(super) fn open(folder: Option<&Path>, checksum: String) -> Result<Self> {
        Ok(Self { folder: folder.map(FolderLock::take).transpose()?, checksum })
    }

    /// What an earlier run left. A file that cannot be read is as good as none.
    pub(super) fn load<T>(&self, kind: &str, signature: &str) -> Option<T>
    where
        T: Serialize + DeserializeOwned,
    {
        let bytes = std::fs::read(self.path(kind, signature)?).ok()?;
        let stored: Stored<T> = serde_json::from_slice(&bytes).ok()?;
        let same = stored.format == FORMAT
            && stored.kind == kind
            && stored.signature == signature
            && stored.checksum == self.checksum
            && stored.digest == digest(&stored.result).ok()?;
        same.then_some(stored.result)
    }

    pub(super) fn save<T: Serialize>(&self, kind: &str, signature: &str, result: &T) -> Result<()> {
        let Some(path) = self.path(kind, signature) else { return Ok(()) };
        let stored = Stored {
            format: FORMAT,
            kind: kind.to_owned(),
            signature: signature.to_owned(),
            checksum: self.checksum.clone(),
            digest: digest(result)?,
            result,
        };
        Ok(write_atomically(&path, &json(&stored)?)?)
    }

    fn path(&self, kind: &str, signature: &str) -> Option<PathBuf> {
        let key = format!("{FORMAT}\n{kind}\n{signature}\n{}", self.checksum);
        let digits = Fingerprint::new().bytes(key.as_bytes()).digits(32);
        Some(self.folder.as_ref()?.folder().join(format!("{kind}-{digits}.json")))
    }
}

/// The digest of what a result is written as.
fn digest(result: &impl Serialize) -> Result<String> {
    Ok(Fingerprint::new().bytes(&json(result)?).hex())
}

fn json(value: &impl Serialize) -> Result<Vec<u8>> {
    let written = serde_json::to_vec(value);
    Ok(written.map_err(|e| ko_eval_core::Error::source("writing finished work", e))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_changed_by_a_digit_is_done_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(Some(folder.path()), "texts".into()).unwrap();
        store.save("score", "bleu", &vec![0.1 + 0.2, 7.25]).unwrap();
        assert_eq!(store.load("score", "bleu"), Some(vec![0.1 + 0.2, 7.25]));
        let path = store.path("score", "bleu").unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("7.25", "7.26")).unwrap();
        assert_eq!(store.load::<Vec<f64>>("score", "bleu"), None);
        assert!(Store::open(Some(folder.path()), "texts".into()).is_err(), "one at a time");
    }
}
