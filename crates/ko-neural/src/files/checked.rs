//! Files as whoever published them wrote them: where a checksum is stated, it must be right.
//!
//! A checksum is stated by `NAME.sha256` beside a file, or by a line of `SHA256SUMS` in its folder, as `sha256sum` writes
//! both: 64 hexadecimal digits, then the name; in `NAME.sha256` the name may be missing.

use crate::error::{Error, Result};
use ko_eval_core::Fingerprint;
use ko_eval_io::read::Lines;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// A file's bytes, compared with the checksum that is stated for it, if there is one.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let bytes = std::fs::read(path).map_err(|e| Error::io(path, e))?;
    if let Some((stated_in, expected)) = stated(path)? {
        let found = Fingerprint::new().bytes(&bytes).hex();
        if found != expected {
            return Err(Error::Checksum { path: path.into(), stated_in, expected, found });
        }
    }
    Ok(bytes)
}

/// The checksum that is stated for a file, and where.
fn stated(path: &Path) -> Result<Option<(PathBuf, String)>> {
    let Some(name) = path.file_name() else { return Ok(None) };
    let mut alone = OsString::from(name);
    alone.push(".sha256");
    for (list, names_needed) in
        [(path.with_file_name(alone), false), (path.with_file_name("SHA256SUMS"), true)]
    {
        if !list.is_file() {
            continue;
        }
        let mut lines = Lines::open(&list)?;
        while let Some(line) = lines.next().transpose()? {
            if line.trim().is_empty() {
                continue;
            }
            let (digits, of) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            if digits.len() != 64 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return Err(lines.error("expected 64 hexadecimal digits, then a name").into());
            }
            // `sha256sum` marks binary files by a star.
            let of = of.trim().trim_start_matches('*').trim_start_matches("./");
            if name == of || (of.is_empty() && !names_needed) {
                return Ok(Some((list, digits.to_ascii_lowercase())));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Of `abc`.
    const DIGITS: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_stated_checksum_must_be_right() {
        for (list, line) in [
            ("weights.bin.sha256", DIGITS.to_owned()),
            ("weights.bin.sha256", format!("{}  weights.bin\n", DIGITS.to_uppercase())),
            ("SHA256SUMS", format!("{DIGITS}  other.bin\r\n{DIGITS} *./weights.bin\r\n")),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("weights.bin");
            fs::write(folder.path().join(list), line).unwrap();
            fs::write(&path, "abc").unwrap();
            assert_eq!(read(&path).unwrap(), b"abc");
            fs::write(&path, "abd").unwrap();
            let error = read(&path).unwrap_err();
            assert!(matches!(&error, Error::Checksum { .. }), "{error}");
            assert!(error.to_string().contains(list), "{error}");
        }
    }

    #[test]
    fn a_checksum_of_something_else_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.bin");
        fs::write(&path, "가").unwrap();
        fs::write(folder.path().join("SHA256SUMS"), format!("{DIGITS}  other.bin\n")).unwrap();
        assert_eq!(read(&path).unwrap(), "가".as_bytes());
        fs::write(folder.path().join("SHA256SUMS"), "weights.bin\n").unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("SHA256SUMS:1: expected 64 hexadecimal digits"), "{error}");
    }
}
