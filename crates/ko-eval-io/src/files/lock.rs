//! One process at a time in a folder.

use super::remove_old_drafts;
use ko_eval_core::{Error, Result};
use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
};

/// The file that is locked. It stays when the lock is released: taking it away would let two processes lock two files of
/// one name.
const NAME: &str = ".ko-eval.lock";

/// A folder of unfinished work that this process alone changes, until this is dropped or the process ends, however it
/// ends.
///
/// ```
/// use ko_eval_core::Error;
/// use ko_eval_io::files::FolderLock;
///
/// # let folder = tempfile::tempdir()?;
/// let work = folder.path().join("작업");
/// let held = FolderLock::take(&work)?;
/// let error = FolderLock::take(&work).unwrap_err();
/// assert!(matches!(error, Error::InUse { .. }));
/// assert!(error.to_string().contains(&format!("process {}", std::process::id())));
/// drop(held);
/// FolderLock::take(&work)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FolderLock {
    /// Locked until it is closed.
    file: File,
    folder: PathBuf,
}

impl FolderLock {
    /// Makes the folder if there is none, locks it, and takes away what killed processes left half-written in it.
    ///
    /// A file system without locks locks nothing: there it is for the caller that nobody else works in the folder.
    ///
    /// # Errors
    /// [`Error::InUse`], which names the process, if another one holds the folder; [`Error::Io`] if it cannot be made
    /// or written.
    pub fn take(folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
        Self::lock(folder, File::try_lock)
    }

    /// The same, but waits until no other process holds the folder; `waiting` hears once who does.
    ///
    /// # Errors
    /// [`Error::Io`] if the folder cannot be made or written.
    pub fn wait(folder: &Path, waiting: impl FnOnce(&Error)) -> Result<Self> {
        match Self::take(folder) {
            Err(held @ Error::InUse { .. }) => {
                waiting(&held);
                Self::lock(folder, |file| file.lock().map_err(TryLockError::Error))
            }
            taken => taken,
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn lock(folder: &Path, lock: impl Fn(&File) -> Result<(), TryLockError>) -> Result<Self> {
        let path = folder.join(NAME);
        let io = |error| Error::io(&path, error);
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).read(true).write(true);
        let mut file = options.open(&path).map_err(io)?;
        match lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::InUse { path: folder.to_owned(), holder: holder(&mut file) });
            }
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        file.set_len(0).and_then(|()| file.rewind()).map_err(io)?;
        write!(file, "process {} ({})", std::process::id(), program()).map_err(io)?;
        remove_old_drafts(folder);
        Ok(Self { file, folder: folder.to_owned() })
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Closing would do, but a program that was started meanwhile may have inherited the file.
        let _ = self.file.unlock();
    }
}

/// What the holder wrote.
fn holder(file: &mut File) -> String {
    let mut text = String::new();
    match file.take(200).read_to_string(&mut text) {
        Ok(1..) => text,
        // It is about to write, or the system does not let us read what is locked.
        _ => "another process".to_owned(),
    }
}

/// What this process is called.
fn program() -> String {
    let path = std::env::current_exe().unwrap_or_default();
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_gets_the_folder_next() {
        let folder = tempfile::tempdir().unwrap();
        let held = FolderLock::take(folder.path()).unwrap();
        let (told, tell) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| {
                FolderLock::wait(folder.path(), |who| told.send(who.to_string()).unwrap())
            });
            assert!(tell.recv().unwrap().contains("process"));
            drop(held);
            waiter.join().unwrap().unwrap();
        });
    }

    #[test]
    fn drafts_of_the_dead_are_taken_away() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".표.csv.1-0.part"), "half").unwrap();
        fs::write(folder.path().join("표.csv"), "whole").unwrap();
        let _held = FolderLock::take(folder.path()).unwrap();
        let mut names: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, [NAME, "표.csv"]);
    }
}
