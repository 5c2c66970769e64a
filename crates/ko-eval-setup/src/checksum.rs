//! The SHA-256 of files.

use crate::{Error, Result};
use ko_eval_core::{Error as CoreError, Fingerprint};
use std::{io, path::Path};

/// The checksum of a file, in hexadecimal digits.
pub(crate) fn sha256(path: &Path) -> Result<String> {
    match Fingerprint::new().file(path) {
        Ok(all) => Ok(all.hex()),
        Err(CoreError::Io { source, .. }) => Err(Error::io(path)(source)),
        Err(other) => Err(Error::io(path)(io::Error::other(other))),
    }
}

/// Refuses a file with another checksum.
pub(crate) fn verify(path: &Path, expected: &str) -> Result<()> {
    match sha256(path)? {
        found if found == expected => Ok(()),
        found => {
            Err(Error::Checksum { path: path.to_owned(), found, expected: expected.to_owned() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_standards_example() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        std::fs::write(&path, "abc").unwrap();
        // From FIPS 180-4.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        verify(&path, abc).unwrap();
        std::fs::write(&path, "abd").unwrap();
        let error = verify(&path, abc).unwrap_err().to_string();
        assert!(error.contains("its SHA-256 is a52d159f"), "{error}");
    }
}
