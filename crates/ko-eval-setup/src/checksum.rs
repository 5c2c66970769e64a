//! The SHA-256 of files.

use crate::{Error, Result};
use sha2::{Digest, Sha256};
use std::{
    fs::File,
    io::{self, Write},
    path::Path,
};

/// Feeds a hash with what is copied into it.
struct Feed(Sha256);

impl Write for Feed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The checksum of a file, in hexadecimal digits.
pub(crate) fn sha256(path: &Path) -> Result<String> {
    let mut feed = Feed(Sha256::new());
    File::open(path)
        .and_then(|mut file| io::copy(&mut file, &mut feed))
        .map_err(Error::io(path))?;
    Ok(feed.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
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
