//! One set-up of a part at a time.

use crate::{Error, Result};
use ko_eval_io::Progress;
use std::{
    fs::{File, TryLockError},
    path::Path,
};

/// Waits until nobody else holds the lock, and tells that it waits. The operating system releases it with the file,
/// even if its holder is killed.
pub(crate) fn take(path: &Path, part: &str, progress: &dyn Progress) -> Result<File> {
    let file = File::create(path).map_err(Error::io(path))?;
    match file.try_lock() {
        Ok(()) => return Ok(file),
        Err(TryLockError::WouldBlock) => {
            progress.begin(&format!("waiting for another set-up of {part}"), None);
        }
        Err(TryLockError::Error(error)) => return Err(Error::io(path)(error)),
    }
    file.lock().map_err(Error::io(path))?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::mpsc, thread};

    struct Told(mpsc::SyncSender<String>);

    impl Progress for Told {
        fn begin(&self, what: &str, _: Option<u64>) {
            self.0.send(what.to_owned()).unwrap();
        }
    }

    #[test]
    fn the_second_says_that_it_waits_and_gets_its_turn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let first = take(&path, "dictionary", &()).unwrap();
        let (sender, told) = mpsc::sync_channel(1);
        thread::scope(|scope| {
            let second = scope.spawn(|| take(&path, "dictionary", &Told(sender)));
            assert_eq!(told.recv().unwrap(), "waiting for another set-up of dictionary");
            drop(first);
            assert!(second.join().unwrap().is_ok());
        });
    }
}
