//! Telling one installation of an analyzer from another without reading all of it.
//!
//! A signature must change when a model does, but hashing 100 MB at every start would cost more than loading them.
//! So the checksum covers, of every file, its name, its length, and its first and last 64 KiB: files of up to 128 KiB
//! as a whole, and of larger ones the header and the end. Another release of a model always differs there.

use crate::error::{Error, Result};
use ko_eval_core::Fingerprint;
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
};

/// How much of each end of a file is looked at.
const END: u64 = 1 << 16;

/// Eight hexadecimal digits of the files under a folder, in the order given.
///
/// # Errors
/// The file that cannot be read, and why.
pub(crate) fn fingerprint<N: AsRef<str>>(folder: &Path, files: &[N]) -> Result<String> {
    let mut all = Fingerprint::new();
    for name in files {
        let name = name.as_ref();
        let path = folder.join(name);
        all = all.bytes(name.as_bytes()).bytes(&ends(&path).map_err(Error::io(&path))?);
    }
    Ok(all.digits(8))
}

/// A file's length, its beginning and its end.
fn ends(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = length.to_le_bytes().to_vec();
    file.by_ref().take(END).read_to_end(&mut bytes)?;
    file.seek(SeekFrom::Start(length.saturating_sub(END).max(END.min(length))))?;
    file.take(END).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn names_lengths_and_both_ends_count() {
        let folder = tempfile::tempdir().unwrap();
        let of = |bytes: &[u8], name: &str| {
            fs::write(folder.path().join(name), bytes).unwrap();
            fingerprint(folder.path(), &[name]).unwrap()
        };
        let long = vec![7; 300_000];
        let with = |at: usize| {
            let mut bytes = long.clone();
            bytes[at] = 8;
            of(&bytes, "a")
        };
        let whole = of(&long, "a");
        assert_eq!(whole.len(), 8);
        assert_eq!(whole, of(&long, "a"));
        assert_ne!(whole, of(&long, "b"));
        assert_ne!(whole, of(&long[1..], "a"));
        assert_ne!(whole, with(0));
        assert_ne!(whole, with(299_999));
        assert_eq!(whole, with(150_000), "the middle is not read");
        assert_ne!(of(b"ab", "a"), of(b"ac", "a"));
        let error = fingerprint(folder.path(), &["none"]).unwrap_err();
        assert!(matches!(error, Error::Io { path, .. } if path.ends_with("none")));
    }
}
