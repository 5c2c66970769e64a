//! Results that go where somebody said.

use super::replace;
use ko_eval_core::{Error, Result};
use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Component, Path, PathBuf},
};

/// How many links in a row are followed, as by Linux.
const LINKS: usize = 40;

/// Writes a result to the path that somebody named, and harms nothing else:
/// - a regular file, or none yet: it appears whole or not at all, with the permissions of the old one; one that is
///   read-only is not replaced;
/// - a symbolic link: what it points to is written, and the link stays;
/// - a FIFO, a terminal, `/dev/stdout` and the like: written through;
/// - a folder, or a file in a folder that is not there: an error. No folder is made.
///
/// ```
/// use ko_eval_io::files::write_output;
///
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("점수.json");
/// write_output(&path, "{}\n".as_bytes())?;
/// assert!(write_output(&folder.path().join("없는/점수.json"), b"{}").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Io`], which says what is wrong with the path, or that the disk does not take the bytes; then an old file stays as it was.
pub fn write_output(path: &Path, bytes: &[u8]) -> Result<()> {
    match destination(path)? {
        Destination::File(file) => {
            replace(&file, |out| out.write_all(bytes).map_err(|e| Error::io(path, e)))
        }
        Destination::Through => {
            // At its end: standard output may be a file that others have written to before.
            let open = OpenOptions::new().append(true).open(path);
            let written = open.and_then(|mut out| out.write_all(bytes).and_then(|()| out.flush()));
            written.map_err(|error| Error::io(path, error))
        }
    }
}

/// Says before any work is done whether [`write_output`] could not write there, or would overwrite one of the inputs.
///
/// # Errors
/// [`Error::Io`], which names the path and says what is wrong with it.
pub fn check_output<'p>(path: &Path, inputs: impl IntoIterator<Item = &'p Path>) -> Result<()> {
    destination(path)?;
    match inputs.into_iter().find(|input| is_same(path, input)) {
        Some(input) => Err(refused(path, &format!("it is also an input ({})", input.display()))),
        None => Ok(()),
    }
}

/// Whether two paths lead to the same file or folder, which is there. What is no file (a terminal, a FIFO) may be both read and
/// written.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let (Ok(a), Ok(b)) = (fs::metadata(one), fs::metadata(other)) else { return false };
    if !(a.is_file() && b.is_file() || a.is_dir() && b.is_dir()) {
        return false;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (a.dev(), a.ino()) == (b.dev(), b.ino())
    }
    #[cfg(not(unix))]
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// The path of a file that another file names, if it stays in the folder: no absolute path, and no way up. What a model's or a checkpoint's
/// files say must not reach for other files of this machine.
///
/// ```
/// use ko_eval_io::files::within;
///
/// assert!(within("모델".as_ref(), "1_Pooling").is_some_and(|path| path.ends_with("1_Pooling")));
/// assert_eq!(within("모델".as_ref(), "../비밀"), None);
/// assert_eq!(within("모델".as_ref(), "/etc/passwd"), None);
/// ```
pub fn within(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut parts = Path::new(name).components();
    let stays = parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    stays.then(|| folder.join(name))
}

enum Destination {
    /// A regular file, links followed.
    File(PathBuf),
    /// Something else that can be written to.
    Through,
}

fn destination(path: &Path) -> Result<Destination> {
    let Some(file) = linked(path)? else { return Ok(Destination::Through) };
    match fs::metadata(&file) {
        Ok(found) if found.is_dir() => Err(refused(path, "it is a folder; name a file")),
        Ok(found) if found.is_file() && found.permissions().readonly() => {
            Err(refused(path, "the file is read-only"))
        }
        Ok(found) if found.is_file() => Ok(Destination::File(file)),
        Ok(_) => Ok(Destination::Through),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            match folder {
                Some(folder) if !folder.is_dir() => {
                    Err(refused(path, &format!("there is no folder {}", folder.display())))
                }
                _ if file.file_name().is_none() => {
                    Err(refused(path, "it is a folder; name a file"))
                }
                _ => Ok(Destination::File(file)),
            }
        }
        Err(error) => Err(Error::io(path, error)),
    }
}

/// Where symbolic links lead, whether or not something is there; `None` for what the system has open already
/// (`/dev/stdout`, `/dev/fd/3`), whatever that is.
fn linked(path: &Path) -> Result<Option<PathBuf>> {
    let mut file = path.to_owned();
    for _ in 0..LINKS {
        if !fs::symlink_metadata(&file).is_ok_and(|found| found.is_symlink()) {
            return Ok(Some(file));
        }
        if cfg!(unix) && ["/dev", "/proc"].iter().any(|folder| file.starts_with(folder)) {
            return Ok(None);
        }
        let target = fs::read_link(&file).map_err(|error| Error::io(path, error))?;
        file = file.parent().map(|folder| folder.join(&target)).unwrap_or(target);
    }
    Err(refused(path, "too many symbolic links"))
}

fn refused(path: &Path, reason: &str) -> Error {
    Error::io(path, io::Error::new(io::ErrorKind::InvalidInput, format!("cannot write: {reason}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(result: Result<()>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn what_cannot_be_written_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert!(reason(write_output(path, b"1")).contains("it is a folder"));
        assert!(reason(write_output(&path.join("a/b"), b"1")).contains("there is no folder"));
        assert!(!path.join("a").exists(), "no folder is made");
        let file = path.join("표");
        write_output(&file, b"old").unwrap();
        let mut permissions = fs::metadata(&file).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&file, permissions).unwrap();
        assert!(reason(write_output(&file, b"new")).contains("read-only"));
        assert_eq!(fs::read(&file).unwrap(), b"old");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_written_through_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::create_dir(path.join("깊은")).unwrap();
        fs::write(path.join("깊은/표"), "old").unwrap();
        fs::set_permissions(path.join("깊은/표"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("깊은/표", path.join("링크")).unwrap();
        symlink("링크", path.join("둘째")).unwrap();
        symlink("깊은/새", path.join("빈")).unwrap();
        symlink("돌", path.join("돌")).unwrap();
        write_output(&path.join("둘째"), b"new").unwrap();
        write_output(&path.join("빈"), b"fresh").unwrap();
        assert_eq!(fs::read(path.join("깊은/표")).unwrap(), b"new");
        assert_eq!(fs::read(path.join("깊은/새")).unwrap(), b"fresh");
        assert!(fs::symlink_metadata(path.join("둘째")).unwrap().is_symlink());
        let mode = fs::metadata(path.join("깊은/표")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert!(reason(write_output(&path.join("돌"), b"x")).contains("돌"));
    }

    #[cfg(unix)]
    #[test]
    fn an_output_that_is_an_input_is_refused_under_any_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::write(path.join("입력"), "글").unwrap();
        fs::hard_link(path.join("입력"), path.join("다른 이름")).unwrap();
        std::os::unix::fs::symlink("입력", path.join("링크")).unwrap();
        let input = path.join("입력");
        for name in ["입력", "다른 이름", "링크", "./입력"] {
            let error = reason(check_output(&path.join(name), [input.as_path()]));
            assert!(error.contains("also an input"), "{error}");
        }
        check_output(&path.join("새"), [input.as_path()]).unwrap();
        // A terminal may be both.
        check_output(Path::new("/dev/null"), [Path::new("/dev/null")]).unwrap();
    }
}
