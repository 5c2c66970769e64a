//! The dictionary within a program: the same file to the byte, and refused where it is not.

use crate::small;
use ko_eval_testing::cases;
use ko_tokenize::{
    Error, MorphemeAnalyzer,
    morpheme::{
        Dictionary, DictionaryError, MecabKo,
        dictionary::{FILE, build, pack},
    },
};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::{fs, sync::Arc};
use tempfile::tempdir;

/// The file of a small dictionary.
fn small() -> Vec<u8> {
    let (source, home) = (tempdir().unwrap(), tempdir().unwrap());
    small::write(source.path());
    let folder = home.path().join("dic");
    build(source.path(), &folder, "small", "1").unwrap();
    fs::read(folder.join(FILE)).unwrap()
}

fn packed(file: &[u8]) -> Vec<u8> {
    pack(file, |column| compress_to_vec(column, CompressionLevel::Fastest)).unwrap()
}

fn analyses(dictionary: Dictionary) -> Vec<String> {
    let mecab = MecabKo::builder().dictionary(Arc::new(dictionary)).build().unwrap();
    small::TEXTS.iter().map(|text| format!("{:?}", mecab.analyze(text).unwrap())).collect()
}

fn is_damaged(error: &Error) -> bool {
    matches!(error, Error::Dictionary(DictionaryError::Damaged { .. }))
}

#[test]
fn what_was_packed_is_the_same_dictionary() {
    let file = small();
    let packed = packed(&file);
    assert!(packed.len() < file.len() / 7, "{} of {}", packed.len(), file.len());
    let unpacked = Dictionary::from_packed(&packed).unwrap();
    assert_eq!(unpacked.manifest().version(), "1");
    assert_eq!(analyses(unpacked), analyses(Dictionary::from_bytes(file).unwrap()));
}

#[test]
fn only_what_was_built_is_packed() {
    let mut file = small();
    let nothing = |_: &[u8]| Vec::new();
    assert!(is_damaged(&pack(b"no dictionary", nothing).unwrap_err()));
    let middle = file.len() / 2;
    file[middle] ^= 1;
    assert!(is_damaged(&pack(&file, nothing).unwrap_err()));
}

#[test]
fn every_damaged_byte_is_noticed() {
    let whole = packed(&small());
    // What is not part of the unpacked file: its checksum as it stands in front.
    let beside = 8..72;
    for at in (0..whole.len()).step_by(cases(71, 7)).filter(|at| !beside.contains(at)) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        if let Ok(dictionary) = Dictionary::from_packed(&bytes) {
            // zstd has bits that mean nothing; the file has not.
            assert_eq!(dictionary.manifest().version(), "1", "byte {at}");
        }
        let cut = Dictionary::from_packed(&whole[..at]).unwrap_err();
        assert!(is_damaged(&cut), "{cut}");
    }
    assert!(is_damaged(&Dictionary::from_packed(b"").unwrap_err()));
}

/// A few bytes of zstd may stand for any number of them.
#[test]
fn columns_are_not_unpacked_beyond_any_dictionary() {
    let mut bomb = packed(&small());
    for column in bomb[72..152].chunks_mut(8) {
        column[..4].copy_from_slice(&(1_u32 << 27).to_le_bytes());
    }
    let error = Dictionary::from_packed(&bomb).unwrap_err().to_string();
    assert!(error.contains("its columns have 1342177280 bytes"), "{error}");
}
