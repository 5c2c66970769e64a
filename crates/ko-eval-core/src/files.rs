//! Files that appear whole or not at all.

use crate::{Error, Result};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Drafts that this process is writing.
static DRAFTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Writes a file under another name first and then moves it into place, so that no reader and no
/// interruption ever sees half of it. Missing folders are made.
///
/// # Errors
/// [`Error::Io`] if the disk does not take it; the old file, if there was one, stays.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    }
    let draft = draft_of(path);
    drafts().insert(draft.clone());
    let written = File::create(&draft)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&draft, path));
    drafts().remove(&draft);
    written.map_err(|error| {
        // Nothing more can be done if even this fails.
        let _ = fs::remove_file(&draft);
        Error::io(path, error)
    })
}

/// Takes away the drafts of files that are being written: for a program's handler of Ctrl-C,
/// which ends the process next.
pub fn remove_drafts() {
    for draft in drafts().iter() {
        let _ = fs::remove_file(draft);
    }
}

fn drafts() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A hidden neighbour of the file that no other process uses.
fn draft_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_whole_files_and_leaves_no_draft() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("깊은/곳/표.csv");
        write_atomically(&path, b"1").unwrap();
        write_atomically(&path, b"2").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"2");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        assert!(write_atomically(&path.join("x"), b"3").is_err(), "a file is no folder");
    }
}
