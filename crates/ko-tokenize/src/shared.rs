//! What is large is loaded once per process, whoever asks for it: dictionaries, models, resource folders.
//!
//! Everybody who asks for the same thing while somebody has it gets that one; when the last of them is gone, so is the
//! memory. The lock is taken when something is built, never when a text is cut. (Java's virtual machine, which can be neither
//! stopped nor started twice, and the dictionaries of MeCab-ko, which are small, are exceptions: they stay.)

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, Weak},
};

#[cfg_attr(
    not(any(feature = "khaiii", feature = "kiwi")),
    allow(dead_code, reason = "dictionaries of the morpheme scheme stay opened")
)]
/// What is loaded, by what it was loaded from: its paths, and whatever else tells two versions of them apart.
pub(crate) struct Shared<K, V> {
    loaded: Mutex<Vec<(K, Weak<V>)>>,
}

#[cfg_attr(
    not(any(feature = "khaiii", feature = "kiwi")),
    allow(dead_code, reason = "dictionaries of the morpheme scheme stay opened")
)]
impl<K: PartialEq, V> Shared<K, V> {
    /// Nothing is loaded.
    pub(crate) const fn new() -> Self {
        Self { loaded: Mutex::new(Vec::new()) }
    }

    /// What is loaded under `key`, or else what `load` gives.
    ///
    /// # Errors
    /// Those of `load`; nothing is remembered then.
    pub(crate) fn get<E>(&self, key: K, load: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
        // Held while loading: a second caller waits and shares.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        loaded.retain(|(_, value)| value.strong_count() > 0);
        let same = loaded.iter().find(|(other, _)| *other == key);
        if let Some(value) = same.and_then(|(_, value)| value.upgrade()) {
            return Ok(value);
        }
        let value = Arc::new(load()?);
        loaded.push((key, Arc::downgrade(&value)));
        Ok(value)
    }
}

/// The one way to write a path, however it was given; a path that leads nowhere stays as it is.
pub(crate) fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn loaded_once_while_somebody_has_it() {
        let shared = Shared::new();
        let get = |key: &str, value| shared.get(key.to_owned(), || Ok::<_, Infallible>(value));
        let Ok(first) = get("가", 1);
        let Ok(again) = get("가", 2);
        assert!(Arc::ptr_eq(&first, &again));
        let Ok(other) = get("나", 3);
        assert_eq!((*first, *other), (1, 3));
        drop((first, again));
        let Ok(anew) = get("가", 4);
        assert_eq!((*anew, *other), (4, 3));
    }

    #[test]
    fn a_failure_is_not_remembered() {
        let shared = Shared::new();
        assert_eq!(shared.get("가", || Err::<u8, _>("missing")), Err("missing"));
        assert_eq!(shared.get("가", || Ok::<_, ()>(1)), Ok(Arc::new(1)));
    }

    #[test]
    fn threads_that_ask_at_once_share() {
        static SHARED: Shared<u8, u32> = Shared::new();
        let first = SHARED.get(0, || Ok::<_, Infallible>(7)).unwrap();
        std::thread::scope(|scope| {
            for value in 0..8 {
                let first = &first;
                scope.spawn(move || {
                    let Ok(same) = SHARED.get(0, || Ok::<_, Infallible>(value));
                    assert!(Arc::ptr_eq(first, &same));
                });
            }
        });
    }

    #[test]
    fn one_folder_has_one_path() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(canonical(&folder.path().join(".")), canonical(folder.path()));
        assert_eq!(canonical(Path::new("no/such/folder")), Path::new("no/such/folder"));
    }
}
