//! Where this machine's Java is.

use super::error::JvmError;
use std::{
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

/// Folders that hold installations of Java.
const USUAL_PLACES: &[&str] = &[
    "/usr/lib/jvm",
    "/usr/java",
    "/opt/java",
    "/Library/Java/JavaVirtualMachines",
    "C:\\Program Files\\Java",
    "C:\\Program Files\\Eclipse Adoptium",
];

/// Where the virtual machine's library lies in an installation: since Java 9, and in Java 8 with its runtime inside.
const IN_A_HOME: &[&str] = &[
    "lib/server",
    "lib/client",
    "bin/server",
    "jre/lib/server",
    "jre/bin/server",
    "jre/lib/amd64/server",
    "jre/lib/aarch64/server",
    "lib/amd64/server",
    "lib/aarch64/server",
    "Contents/Home/lib/server",
];

const LIBRARY: &str = if cfg!(windows) {
    "jvm.dll"
} else if cfg!(target_os = "macos") {
    "libjvm.dylib"
} else {
    "libjvm.so"
};

/// The library of the virtual machine: `KO_EVAL_JVM` if it is set; else what is found first under `JAVA_HOME`, around the
/// `java` on the path, and in the usual places.
///
/// # Errors
/// [`JvmError::NoMachine`] with the places that were looked at.
pub(super) fn library() -> Result<PathBuf, JvmError> {
    find(|name| env::var_os(name).filter(|value| !value.is_empty()), USUAL_PLACES)
}

fn find(
    variable: impl Fn(&str) -> Option<OsString>,
    usual_places: &[&str],
) -> Result<PathBuf, JvmError> {
    let mut tried = Vec::new();
    if let Some(path) = variable("KO_EVAL_JVM").map(PathBuf::from) {
        // Who names a library does not want another.
        return match path.is_file() {
            true => Ok(path),
            false => Err(no_machine(&[path])),
        };
    }
    let java_home = variable("JAVA_HOME").map(PathBuf::from);
    let paths = variable("PATH").unwrap_or_default();
    let on_path = env::split_paths(&paths).filter_map(|folder| home_of(&folder));
    let usual = usual_places.iter().flat_map(|place| installations(Path::new(place)));
    for home in java_home.into_iter().chain(on_path).chain(usual) {
        let library = IN_A_HOME.iter().map(|place| home.join(place).join(LIBRARY));
        if let Some(library) = library.into_iter().find(|path| path.is_file()) {
            return Ok(library);
        }
        tried.push(home);
    }
    tried.extend(usual_places.iter().map(PathBuf::from));
    Err(no_machine(&tried))
}

fn no_machine(tried: &[PathBuf]) -> JvmError {
    let tried: Vec<_> = tried.iter().map(|path| path.display().to_string()).collect();
    JvmError::NoMachine { tried: tried.join(", ") }
}

/// The installation behind the `java` of a folder: links lead to its `bin`.
fn home_of(folder: &Path) -> Option<PathBuf> {
    let java = folder.join(if cfg!(windows) { "java.exe" } else { "java" });
    let java = fs::canonicalize(java).ok()?;
    Some(java.parent()?.parent()?.to_owned())
}

/// What lies in a folder of installations, in an order that does not depend on the file system.
fn installations(place: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(place) else { return Vec::new() };
    let mut homes: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    homes.sort();
    homes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(home: &Path, place: &str) -> PathBuf {
        let path = home.join(place).join(LIBRARY);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        path
    }

    #[test]
    fn a_named_library_comes_first_and_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let other = make(&folder.path().join("java-17"), "lib/server");
        let with = |named: &Path| {
            let named = named.as_os_str().to_owned();
            let home = folder.path().join("java-17").into_os_string();
            find(
                |name| match name {
                    "KO_EVAL_JVM" => Some(named.clone()),
                    "JAVA_HOME" => Some(home.clone()),
                    _ => None,
                },
                &[],
            )
        };
        let own = make(folder.path(), "own");
        assert_eq!(with(&own).unwrap(), own);
        assert_eq!(with(&other).unwrap(), other);
        let error = with(&folder.path().join("none")).unwrap_err().to_string();
        assert!(error.contains("none") && error.contains("default-jre-headless"), "{error}");
    }

    #[test]
    fn java_8_and_later_are_found_under_java_home_and_in_the_usual_places() {
        for place in ["lib/server", "jre/lib/amd64/server"] {
            let folder = tempfile::tempdir().unwrap();
            let home = folder.path().join("jdk");
            let library = make(&home, place);
            let by_home = find(|name| (name == "JAVA_HOME").then(|| home.clone().into()), &[]);
            assert_eq!(by_home.unwrap(), library);
            let usual = folder.path().to_str().unwrap();
            assert_eq!(find(|_| None, &[usual]).unwrap(), library);
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_java_on_the_path_leads_to_its_library() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("jdk");
        let library = make(&home, "lib/server");
        fs::create_dir_all(home.join("bin")).unwrap();
        fs::write(home.join("bin/java"), "").unwrap();
        let links = folder.path().join("links");
        fs::create_dir_all(&links).unwrap();
        std::os::unix::fs::symlink(home.join("bin/java"), links.join("java")).unwrap();
        let found = find(|name| (name == "PATH").then(|| links.clone().into()), &[]).unwrap();
        assert_eq!(found, fs::canonicalize(library).unwrap());
    }

    #[test]
    fn no_java_at_all_names_what_to_install() {
        let error = find(|_| None, &["/no/such/place"]).unwrap_err();
        assert!(error.to_string().contains("/no/such/place"), "{error}");
        let error = ko_eval_core::Error::from(error).to_string();
        assert!(error.contains("default-jre-headless"), "{error}");
    }
}
