//! Whether libtorch lies where it should, in the version this crate is built for: for a program's
//! self-check, before anything is linked or loaded.

use crate::error::{Error, Result};
use std::path::{Path, PathBuf};

/// The version that tch 0.26 wants, exactly.
pub const VERSION: &str = "2.13.0";

/// What every program that uses libtorch loads.
const LIBRARIES: [&str; 2] = if cfg!(windows) {
    ["torch_cpu.dll", "c10.dll"]
} else if cfg!(target_os = "macos") {
    ["libtorch_cpu.dylib", "libc10.dylib"]
} else {
    ["libtorch_cpu.so", "libc10.so"]
};

/// The folder that `LIBTORCH` names, else `libtorch-2.13.0` under [`ko_eval_io::home`].
pub fn folder() -> PathBuf {
    let named = std::env::var_os("LIBTORCH").filter(|folder| !folder.is_empty());
    let default = || ko_eval_io::home().join(format!("libtorch-{VERSION}"));
    named.map_or_else(default, PathBuf::from)
}

/// Looks for the libraries and reads `build-version`.
///
/// # Errors
/// [`Error::Libtorch`] says what is missing or which version was found.
pub fn check(folder: &Path) -> Result<()> {
    let fail = |reason: String| Err(Error::Libtorch { expected: VERSION, reason });
    for library in LIBRARIES {
        let library = folder.join("lib").join(library);
        // An empty file is what an interrupted copy leaves.
        if !library.metadata().is_ok_and(|file| file.is_file() && file.len() > 0) {
            return fail(format!(
                "{} is missing: run `ko-eval setup libtorch`, or set LIBTORCH to the folder of your own",
                library.display()
            ));
        }
    }
    let path = folder.join("build-version");
    let found = std::fs::read_to_string(&path).map_err(|e| Error::io(&path, e))?;
    // A wheel's version ends in `+cpu` or `+cu130`.
    let version = found.trim().split('+').next().unwrap_or_default();
    if version != VERSION {
        return fail(format!("{} says {version}", path.display()));
    }
    Ok(())
}

/// How the error of [`not_built_in`] begins.
const NOT_BUILT_IN: &str = "libtorch, which ";

/// What a program without the feature `torch` says of something that needs a model.
pub fn not_built_in(what: &str) -> ko_eval_core::Error {
    ko_eval_core::Error::Missing {
        what: format!("{NOT_BUILT_IN}`{what}` runs on,"),
        how_to_get_it: "build with the cargo feature `torch`".into(),
    }
}

/// Whether an error is that of [`not_built_in`]: for a program that knows another one which has libtorch.
pub fn is_not_built_in(error: &ko_eval_core::Error) -> bool {
    matches!(error, ko_eval_core::Error::Missing { what, .. } if what.starts_with(NOT_BUILT_IN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_built_in_is_told_from_what_is_not_there() {
        assert!(is_not_built_in(&not_built_in("bertscore")));
        let dictionary = ko_eval_core::Error::Missing {
            what: "a dictionary".into(),
            how_to_get_it: "set-up".into(),
        };
        assert!(!is_not_built_in(&dictionary));
    }

    #[test]
    fn says_what_is_missing_or_wrong() {
        let folder = tempfile::tempdir().unwrap();
        assert!(check(folder.path()).unwrap_err().to_string().contains("is missing"));
        std::fs::create_dir(folder.path().join("lib")).unwrap();
        for name in LIBRARIES {
            let library = folder.path().join("lib").join(name);
            std::fs::write(&library, "").unwrap();
            let missing = check(folder.path()).unwrap_err().to_string();
            assert!(
                missing.contains(name) && missing.contains("ko-eval setup libtorch"),
                "{missing}"
            );
            std::fs::write(&library, "not empty").unwrap();
        }
        std::fs::write(folder.path().join("build-version"), "2.9.1+cpu\n").unwrap();
        assert!(check(folder.path()).unwrap_err().to_string().contains("says 2.9.1"));
        std::fs::write(folder.path().join("build-version"), "2.13.0+cpu\n").unwrap();
        check(folder.path()).unwrap();
    }
}
