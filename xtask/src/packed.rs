//! The dictionary in the crate that carries it: packed from the one that is set up, and in no commit.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The part of set-up that it is packed from.
pub(crate) const PART: &str = "dictionary";
/// The checksum at the end of a dictionary's file, which a packed one has behind these bytes.
const MAGIC: &[u8] = b"ko-pack1";
const CHECKSUM: usize = 64;

/// Where the packed dictionary lies in the repository.
pub(crate) fn file(root: &Path) -> PathBuf {
    root.join("crates/ko-tokenize-dictionary/data/mecab-ko-dic-2.1.1")
}

/// Whether it was packed from the dictionary in this folder.
pub(crate) fn is_current(packed: &Path, folder: &Path) -> bool {
    let (Ok(packed), Ok(dictionary)) = (fs::read(packed), fs::read(folder.join("dictionary.bin")))
    else {
        return false;
    };
    let checksum = dictionary.last_chunk::<CHECKSUM>();
    let packed = packed.strip_prefix(MAGIC).and_then(|packed| packed.first_chunk::<CHECKSUM>());
    packed.is_some() && packed == checksum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_from_another_file_is_not_current() {
        let folder = tempfile::tempdir().unwrap();
        let packed = folder.path().join("packed");
        let (ours, other) = (["1"; CHECKSUM].concat(), ["2"; CHECKSUM].concat());
        assert!(!is_current(&packed, folder.path()));
        fs::write(folder.path().join("dictionary.bin"), format!("words{ours}")).unwrap();
        fs::write(&packed, format!("ko-pack1{ours}columns")).unwrap();
        assert!(is_current(&packed, folder.path()));
        for bytes in [format!("ko-pack1{other}columns"), format!("ko-pack0{ours}"), "ko".into()] {
            fs::write(&packed, bytes).unwrap();
            assert!(!is_current(&packed, folder.path()));
        }
    }
}
