//! Dictionaries that are not as they should be are refused, and the error says what was found.

use ko_tokenize::{
    Error,
    morpheme::{
        Dictionary, DictionaryError, MecabKo,
        dictionary::{MECAB_KO_DIC, build},
    },
};
use std::{fs, path::Path, sync::Arc};
use tempfile::tempdir;

fn refusal(folder: &Path) -> String {
    Dictionary::load(folder).unwrap_err().to_string()
}

/// The dictionary by links, so that a file of it can be replaced.
fn copy(to: &Path) {
    let folder = MECAB_KO_DIC.folder();
    let files = fs::read_dir(&folder)
        .unwrap_or_else(|_| panic!("no {}: run `ko-eval setup dictionary`", folder.display()));
    for file in files.map(Result::unwrap) {
        let target = to.join(file.file_name());
        fs::hard_link(file.path(), &target)
            .or_else(|_| fs::copy(file.path(), target).map(drop))
            .unwrap();
    }
}

fn replace(path: &Path, content: &[u8]) {
    fs::remove_file(path).unwrap();
    fs::write(path, content).unwrap();
}

#[test]
fn missing_empty_and_foreign_folders() {
    let folder = tempdir().unwrap();
    assert!(refusal(&folder.path().join("none")).contains("ko-eval setup dictionary"));
    assert!(refusal(folder.path()).contains("an empty folder"));
    fs::write(folder.path().join("metadata.json"), "{}").unwrap();
    assert!(refusal(folder.path()).contains("lindera"));
    fs::write(folder.path().join("sys.dic"), "").unwrap();
    assert!(refusal(folder.path()).contains("MeCab's compiled dictionary"));
    fs::write(folder.path().join("ko-eval.json"), "{\"format\":1").unwrap();
    assert!(refusal(folder.path()).contains("cannot be read"));
}

#[test]
fn one_folder_is_loaded_once() {
    let folder = MECAB_KO_DIC.folder();
    let load = |folder: &Path| Dictionary::load(folder).unwrap();
    let first = load(&folder);
    assert!(Arc::ptr_eq(&first, &load(&folder.join("."))), "another way to write the same path");
    assert!(Arc::ptr_eq(&first, MecabKo::new().unwrap().dictionary()));

    let copied = tempdir().unwrap();
    copy(copied.path());
    let other = load(copied.path());
    assert!(!Arc::ptr_eq(&first, &other));
    // Damage is noticed although somebody has the dictionary.
    replace(&copied.path().join("unk.bin"), b"");
    assert!(Dictionary::load(copied.path()).is_err());
}

#[test]
fn truncated_files() {
    let folder = tempdir().unwrap();
    copy(folder.path());
    assert!(Dictionary::load(folder.path()).is_ok());
    for name in ["dict.vals", "matrix.mtx", "unk.bin"] {
        let path = folder.path().join(name);
        let whole = fs::read(&path).unwrap();
        replace(&path, &whole[..whole.len() / 2]);
        let error = Dictionary::load(folder.path()).unwrap_err();
        assert!(matches!(error, Error::Dictionary(DictionaryError::Damaged { .. })), "{error}");
        assert!(
            error.to_string().contains(name)
                && error.to_string().contains(&whole.len().to_string())
        );
        replace(&path, &whole);
    }
    let manifest = folder.path().join("ko-eval.json");
    let text = fs::read_to_string(&manifest).unwrap();
    replace(&manifest, text.replacen("\"format\":1", "\"format\":99", 1).as_bytes());
    assert!(refusal(folder.path()).contains("format 99"));
}

#[test]
fn a_source_that_is_no_dictionary() {
    let (source, home) = (tempdir().unwrap(), tempdir().unwrap());
    let target = home.path().join("dic");
    let attempt = || build(source.path(), &target, "dic", "1").unwrap_err().to_string();
    assert!(attempt().contains("sys.dic"));
    for name in ["sys.dic", "unk.dic", "matrix.bin", "char.bin", "dicrc"] {
        fs::write(source.path().join(name), b"this is no dictionary at all").unwrap();
    }
    assert!(attempt().contains("not a dictionary of MeCab"));
    assert!(!target.exists());
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_folder_of_somebody_elses_is_not_replaced() {
    let (source, target) = (tempdir().unwrap(), tempdir().unwrap());
    for name in ["sys.dic", "unk.dic", "matrix.bin", "char.bin", "dicrc"] {
        fs::write(source.path().join(name), b"").unwrap();
    }
    fs::write(target.path().join("thesis.txt"), b"...").unwrap();
    let error = build(source.path(), target.path(), "dic", "1").unwrap_err();
    assert!(error.to_string().contains("thesis.txt"), "{error}");
    assert!(target.path().join("thesis.txt").exists());
}
