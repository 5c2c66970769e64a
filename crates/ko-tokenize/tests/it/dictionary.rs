//! Dictionaries that are not as they should be are refused, and the error says what was found.

use crate::small;
use ko_eval_core::{Signed, Tokenizer};
use ko_eval_testing::cases;
use ko_tokenize::{
    Error, MorphemeAnalyzer, Tag,
    morpheme::{
        Dictionary, DictionaryError, MecabForm, MecabKo, UserDictionary,
        dictionary::{FILE, MECAB_KO_DIC, build, resealed},
    },
};
use std::{fs, path::Path, sync::Arc};
use tempfile::{TempDir, tempdir};

fn refusal(folder: &Path) -> String {
    Dictionary::load(folder).unwrap_err().to_string()
}

/// A small dictionary in a folder of its own.
fn small() -> TempDir {
    let (source, home) = (tempdir().unwrap(), tempdir().unwrap());
    small::write(source.path());
    build(source.path(), &home.path().join("dic"), "small", "1").unwrap();
    home
}

fn analyses(dictionary: &Arc<Dictionary>) -> Vec<String> {
    let builder = MecabKo::builder().dictionary(dictionary.clone()).form(MecabForm::Morpheme);
    let mecab = builder.build().unwrap();
    let written = |text: &&str| {
        let morphemes = mecab.analyze(text).unwrap();
        morphemes.iter().map(|m| format!("{}/{} ", m.form, m.tag)).collect()
    };
    small::TEXTS.iter().map(written).collect()
}

/// Numbers without a pattern, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

#[test]
fn a_small_dictionary_is_analysed_by() {
    let home = small();
    let dictionary = Dictionary::load(&home.path().join("dic")).unwrap();
    assert_eq!(dictionary.manifest().entries(), 13);
    let all = analyses(&dictionary);
    assert_eq!(all[0], "나/NP 는/JX 밥/NNG 을/JKO 먹/VV 었/EP 다/EF ./SF ");
    assert!(all[1].contains("하/VV 았/EP "), "{}", all[1]);
    assert!(all[2].contains("😀/SY ") && all[2].contains("ABC/"), "{}", all[2]);
    let words = UserDictionary::new().with("🎉🎉", Tag::Nng, -9000);
    let mecab = MecabKo::builder().dictionary(dictionary).user(words).build().unwrap();
    assert_eq!(mecab.tokenize("밥🎉🎉을").unwrap()[1], "🎉🎉");
    assert!(mecab.signature().to_string().starts_with("mecab-ko@small-1|"));
}

#[test]
fn every_damaged_byte_is_noticed() {
    let home = small();
    let whole = fs::read(home.path().join("dic").join(FILE)).unwrap();
    let mut dice = Dice(1);
    for round in 0..cases(200, 3_000) {
        let mut bytes = whole.clone();
        let at = dice.below(bytes.len());
        match round % 3 {
            0 => bytes[at] ^= 1 << dice.below(8),
            1 => bytes.truncate(at),
            _ => {
                let last = bytes.len() - 64;
                let from = dice.below(last);
                bytes.copy_within(from..from + 64, at.min(last));
            }
        }
        if bytes != whole {
            let error = Dictionary::from_bytes(bytes).unwrap_err();
            assert!(matches!(error, Error::Dictionary(DictionaryError::Damaged { .. })), "{error}");
        }
    }
}

#[test]
fn what_a_right_checksum_hides_does_no_harm() {
    let home = small();
    let whole = fs::read(home.path().join("dic").join(FILE)).unwrap();
    let mut dice = Dice(2);
    let (mut refused, mut opened) = (0, 0);
    let rounds = cases(300, 4_000);
    for round in 0..rounds {
        let mut bytes = whole.clone();
        for _ in 0..=dice.below(3) {
            // Most of the file is the table of characters: look at its ends more often.
            let at = match round % 3 {
                0 => dice.below(3_000.min(bytes.len())),
                1 => bytes.len() - 65 - dice.below(30_000.min(bytes.len() - 65)),
                _ => dice.below(bytes.len()),
            };
            bytes[at] = [dice.below(256) as u8, 0, 0xff, bytes[at] ^ 1][dice.below(4)];
        }
        match Dictionary::from_bytes(resealed(bytes)) {
            Err(_) => refused += 1,
            Ok(dictionary) => {
                opened += 1;
                analyses(&Arc::new(dictionary));
            }
        }
    }
    assert!(refused > rounds / 8 && opened > rounds / 8, "{refused} refused, {opened} opened");
}

#[test]
fn what_happens_to_the_file_changes_nothing_for_whoever_has_it() {
    let home = small();
    let folder = home.path().join("dic");
    let dictionary = Dictionary::load(&folder).unwrap();
    let before = analyses(&dictionary);
    fs::OpenOptions::new().write(true).open(folder.join(FILE)).unwrap().set_len(100).unwrap();
    assert_eq!(analyses(&dictionary), before);
    let error = Dictionary::load(&folder).unwrap_err();
    assert!(matches!(error, Error::Dictionary(DictionaryError::Damaged { .. })), "{error}");
    let error = error.to_string();
    assert!(error.contains(FILE) && error.contains("ko-eval setup dictionary"), "{error}");
}

#[test]
fn missing_empty_foreign_and_older_folders() {
    let folder = tempdir().unwrap();
    assert!(refusal(&folder.path().join("none")).contains("ko-eval setup dictionary"));
    assert!(refusal(folder.path()).contains("an empty folder"));
    fs::write(folder.path().join("metadata.json"), "{}").unwrap();
    assert!(refusal(folder.path()).contains("lindera"));
    fs::write(folder.path().join("ko-eval.json"), "{\"format\":1").unwrap();
    let older = refusal(folder.path());
    assert!(
        older.contains("older format") && older.contains("ko-eval setup dictionary"),
        "{older}"
    );
    fs::write(folder.path().join("sys.dic"), "").unwrap();
    assert!(refusal(folder.path()).contains("MeCab's compiled dictionary"));
    fs::write(folder.path().join(FILE), "ko-dic9\n…").unwrap();
    assert!(refusal(folder.path()).contains("format 9, where 2"));
    fs::write(folder.path().join(FILE), "").unwrap();
    assert!(refusal(folder.path()).contains("not a dictionary"));
}

#[cfg(feature = "shared-dictionary")]
#[test]
fn processes_share_a_file_that_nobody_may_write() {
    use ko_tokenize::morpheme::dictionary::Memory;

    let home = small();
    let folder = home.path().join("dic");
    let file = folder.join(FILE);
    let own = Dictionary::load_in(&folder, Memory::Own).unwrap();
    let error = Dictionary::load_in(&folder, Memory::Shared).unwrap_err();
    assert!(matches!(error, Error::Dictionary(DictionaryError::Writable { .. })), "{error}");
    assert!(error.to_string().contains("chmod a-w"), "{error}");

    let mut permissions = fs::metadata(&file).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).unwrap();
    let shared = Dictionary::load_in(&folder, Memory::Shared).unwrap();
    assert!(Arc::ptr_eq(&shared, &Dictionary::load_in(&folder, Memory::Shared).unwrap()));
    assert!(!Arc::ptr_eq(&shared, &own));
    assert_eq!(analyses(&shared), analyses(&own));
    if cfg!(target_os = "linux") {
        let maps = fs::read_to_string("/proc/self/maps").unwrap();
        let path = fs::canonicalize(&file).unwrap();
        assert!(maps.contains(path.to_str().unwrap()), "it is not mapped");
    }

    // A new dictionary takes the place of the old one, which stays with whoever has it.
    let before = analyses(&shared);
    let source = tempdir().unwrap();
    small::write(source.path());
    build(source.path(), &folder, "small", "2").unwrap();
    assert_eq!(analyses(&shared), before);
    let newer = Dictionary::load_in(&folder, Memory::Own).unwrap();
    assert_eq!((shared.manifest().version(), newer.manifest().version()), ("1", "2"));

    // Damage is found in a shared file, too.
    let foreign = tempdir().unwrap();
    let bytes = fs::read(folder.join(FILE)).unwrap();
    fs::write(foreign.path().join(FILE), &bytes[..bytes.len() - 1]).unwrap();
    let mut permissions = fs::metadata(foreign.path().join(FILE)).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(foreign.path().join(FILE), permissions).unwrap();
    let error = Dictionary::load_in(foreign.path(), Memory::Shared).unwrap_err();
    assert!(matches!(error, Error::Dictionary(DictionaryError::Damaged { .. })), "{error}");
}

#[test]
fn one_folder_is_opened_once() {
    let home = small();
    let folder = home.path().join("dic");
    let first = Dictionary::load(&folder).unwrap();
    let again = Dictionary::load(&folder.join(".")).unwrap();
    assert!(Arc::ptr_eq(&first, &again), "another way to write the same path");
    let address = Arc::as_ptr(&first);
    drop((first, again));
    let later = Dictionary::load(&folder).unwrap();
    assert_eq!(Arc::as_ptr(&later), address, "it stays although nobody had it");
    let spec = format!("mecab:dic={}", folder.display());
    let names = [&spec, &spec].map(|spec| ko_tokenize::by_name(spec).unwrap().signature());
    assert_eq!(names[0], names[1]);
    // A file that was replaced is opened anew.
    fs::write(folder.join(FILE), fs::read(folder.join(FILE)).unwrap()).unwrap();
    fs::File::options().append(true).open(folder.join(FILE)).unwrap().set_len(10).unwrap();
    assert!(Dictionary::load(&folder).is_err());
}

#[test]
fn the_same_source_is_built_once_and_damage_is_repaired() {
    let (source, home) = (tempdir().unwrap(), tempdir().unwrap());
    small::write(source.path());
    let target = home.path().join("dic");
    let first = build(source.path(), &target, "small", "1").unwrap();
    let written = fs::metadata(target.join(FILE)).unwrap().modified().unwrap();
    assert_eq!(build(source.path(), &target, "small", "1").unwrap(), first);
    assert_eq!(fs::metadata(target.join(FILE)).unwrap().modified().unwrap(), written);
    fs::write(target.join(FILE), b"ko-dic2\n").unwrap();
    build(source.path(), &target, "small", "1").unwrap();
    assert!(Dictionary::load(&target).is_ok());
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1, "nothing else is left behind");
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
fn damaged_sources_are_refused_or_give_a_sound_dictionary() {
    let home = tempdir().unwrap();
    let mut dice = Dice(3);
    let (mut refused, mut sound) = (0, 0);
    for round in 0..cases(25, 150) {
        let source = tempdir().unwrap();
        small::write(source.path());
        let name = ["sys.dic", "unk.dic", "matrix.bin", "char.bin", "dicrc"][round % 5];
        let path = source.path().join(name);
        let mut bytes = fs::read(&path).unwrap();
        let at = dice.below(bytes.len());
        match dice.below(3) {
            0 => bytes.truncate(at),
            1 => bytes[at] = dice.below(256) as u8,
            _ => bytes[at.min(71)] ^= 1 << dice.below(8),
        }
        fs::write(&path, bytes).unwrap();
        let target = home.path().join(round.to_string());
        match build(source.path(), &target, "small", "1") {
            Ok(_) => {
                analyses(&Dictionary::load(&target).unwrap());
                sound += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 0 && sound > 0, "{refused} refused, {sound} sound");
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

#[test]
fn the_real_dictionary_notices_damage() {
    let file = MECAB_KO_DIC.folder().join(FILE);
    let whole = fs::read(&file)
        .unwrap_or_else(|_| panic!("no {}: run `cargo xtask setup dictionary`", file.display()));
    let mut dice = Dice(4);
    for _ in 0..20 {
        let mut bytes = whole.clone();
        let at = dice.below(bytes.len());
        bytes[at] ^= 1 << dice.below(8);
        assert!(Dictionary::from_bytes(bytes).is_err(), "byte {at}");
    }
    assert!(Dictionary::from_bytes(whole).is_ok());
}

#[cfg(feature = "lindera")]
#[test]
fn linderas_form_is_verified_too() {
    use ko_tokenize::morpheme::LinderaKo;
    let home = small();
    let folder = home.path().join("dic");
    let lindera = || LinderaKo::builder().folder(&folder).build();
    let segmenter = lindera().unwrap();
    assert!(segmenter.signature().to_string().starts_with("lindera-ko@small-1|lindera:6.2.0"));
    let units = segmenter.tokenize("나는 밥을").unwrap();
    assert_eq!(units.iter().map(|unit| unit.as_str()).collect::<String>(), "나는밥을");
    for file in fs::read_dir(folder.join("lindera")).unwrap() {
        let path = file.unwrap().path();
        let whole = fs::read(&path).unwrap();
        let mut bytes = whole.clone();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).unwrap();
        assert!(lindera().is_err(), "{}", path.display());
        fs::write(&path, whole).unwrap();
    }
    assert!(lindera().is_ok());
    fs::remove_dir_all(folder.join("lindera")).unwrap();
    assert!(lindera().unwrap_err().to_string().contains("lindera's form"));
}
