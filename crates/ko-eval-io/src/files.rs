//! Files that appear whole or not at all, results that harm nothing where they are written, and folders in which one
//! process works at a time.

mod lock;
mod output;

pub use lock::FolderLock;
pub use output::{check_output, is_same, within, write_output};

use ko_eval_core::{Error, Result};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// Drafts that this process is writing.
static DRAFTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// How a draft's name ends.
const DRAFT: &str = ".part";

/// Writes a file under another name first and then moves it into place, so that no reader and no
/// interruption ever sees half of it. Missing folders are made.
///
/// # Errors
/// [`Error::Io`] if the disk does not take it; the old file, if there was one, stays.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    stream_atomically(path, |file| file.write_all(bytes).map_err(|e| Error::io(path, e)))
}

/// The same for what is too long to be in memory at once: `write` gets the draft, which takes the file's place when it
/// returns.
///
/// # Errors
/// What `write` returns, or [`Error::Io`] if the disk does not take it; the old file, if there was one, stays.
pub fn stream_atomically<T, E: From<Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    }
    replace(path, write)
}

/// Writes a draft in the folder of the file, which must be there, and lets it take the file's place.
fn replace<T, E: From<Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let draft = draft_of(path);
    drafts().insert(draft.clone());
    let io = |error| Error::io(path, error);
    let create = || -> Result<T, E> {
        let file = File::create(&draft).map_err(io)?;
        // Whoever could read and write the old file can do so with the new one.
        if let Ok(old) = fs::metadata(path) {
            let _ = file.set_permissions(old.permissions());
        }
        let mut file = BufWriter::with_capacity(1 << 16, file);
        let value = write(&mut file)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error).map_err(io)?;
        file.sync_all().and_then(|()| fs::rename(&draft, path)).map_err(io)?;
        Ok(value)
    };
    let written = create();
    drafts().remove(&draft);
    written.inspect_err(|_| {
        // Nothing more can be done if even this fails.
        let _ = fs::remove_file(&draft);
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

/// A hidden neighbour of the file that no other process and no other thread uses.
fn draft_of(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    name.push(format!(".{}-{count}{DRAFT}", std::process::id()));
    path.with_file_name(name)
}

/// Takes away drafts that a process left which was killed; only for who holds the folder's lock.
fn remove_old_drafts(folder: &Path) {
    let is_old = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with('.') && name.ends_with(DRAFT) && !drafts().contains(path)
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_old(&entry.path()) {
            // A draft that stays does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
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

    #[test]
    fn a_writer_that_fails_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("표.csv");
        write_atomically(&path, b"old").unwrap();
        let failed: Result<()> = stream_atomically(&path, |file| {
            file.write_all(&[b'x'; 1 << 17]).unwrap();
            Err(Error::EmptyCorpus)
        });
        assert!(matches!(failed, Err(Error::EmptyCorpus)));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn threads_that_write_one_file_leave_one_of_their_texts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("표.csv");
        std::thread::scope(|scope| {
            for digit in b'0'..b'8' {
                let path = &path;
                scope.spawn(move || write_atomically(path, &[digit; 50_000]).unwrap());
            }
        });
        let bytes = fs::read(&path).unwrap();
        assert!(bytes.len() == 50_000 && bytes.iter().all(|byte| *byte == bytes[0]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
