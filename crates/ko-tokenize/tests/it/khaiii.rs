//! Khaiii's resource format, by a tiny resource that is written here. The real one is compared by `cargo xtask reproduce`.

use ko_eval_core::{Error, Signed, Tokenizer};
use ko_tokenize::{
    Error as Fault, MorphemeAnalyzer, Tag, analyzer_by_name, by_name,
    khaiii::{Khaiii, KhaiiiError, KhaiiiForm, Resource},
};
use std::{collections::BTreeMap, fs, path::Path, sync::Arc};
use tempfile::TempDir;

/// Tag numbers of morphemes that begin or continue: those of the parts of speech, and 46.
const EF: u16 = 2 + 46;
const JX: u16 = 15 + 46;
const NNG: u16 = 20 + 46;
const NP: u16 = 22 + 46;
const SF: u16 = 25 + 46;
/// A compound of the tiny resource.
const VV_EP: u16 = 95;

fn floats(numbers: impl IntoIterator<Item = f32>) -> Vec<u8> {
    numbers.into_iter().flat_map(f32::to_le_bytes).collect()
}

fn numbers_u16(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}

fn numbers_u32(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}

/// A trie as Khaiii compiles it: breadth first, a node's children together.
fn trie(entries: &[(Vec<i32>, u32)]) -> Vec<u8> {
    #[derive(Default)]
    struct Tree {
        value: u32,
        children: BTreeMap<i32, Tree>,
    }
    let mut root = Tree::default();
    for (keys, value) in entries {
        let leaf = keys.iter().fold(&mut root, |tree, key| tree.children.entry(*key).or_default());
        leaf.value = *value;
    }
    let mut queue = vec![(0_i32, &root)];
    let mut at = 0;
    let mut bytes = Vec::new();
    while at < queue.len() {
        let (key, tree) = queue[at];
        let offset = if tree.children.is_empty() { 0 } else { queue.len() - at } as i32;
        let node = [
            key.to_le_bytes(),
            tree.value.to_le_bytes(),
            offset.to_le_bytes(),
            (tree.children.len() as i32).to_le_bytes(),
        ];
        bytes.extend(node.concat());
        queue.extend(tree.children.iter().map(|(key, child)| (*key, child)));
        at += 1;
    }
    bytes
}

fn keys(word: &str) -> Vec<i32> {
    word.chars().map(|c| c as i32).collect()
}

fn mix(c: char, tag: u16) -> i32 {
    ((c as u32) << 12 | u32::from(tag)) as i32
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    fs::write(folder.join(name), bytes).unwrap();
}

/// A network that calls everything a noun but a full stop and its neighbours; four known words, one known mistake.
fn tiny() -> TempDir {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    write(
        folder,
        "config.json",
        br#"{"vocab_size": 6, "embed_dim": 1, "window": 1, "hidden_dim": 1, "class_num": 99, "conv_kernels": [1]}"#,
    );
    let characters = numbers_u32(&[0, 0, 0, 0, '.' as u32, '가' as u32]);
    write(folder, "embed.bin", &[characters, floats([0.0, 0.0, 0.0, 0.0, 100.0, 0.0])].concat());
    write(folder, "conv.1.fil", &floats([1.0, 0.0]));
    write(folder, "cnv2hdn.lin", &floats([1.0, -10.0]));
    let weights = (1..=99).map(|tag| f32::from(tag == SF));
    let biases = (1..=99).map(|tag| f32::from(tag == NNG));
    write(folder, "hdn2tag.lin", &floats(weights.chain(biases)));
    // 했다 only as a whole word, 우리 at the beginning of any, 닭 and 해 with a compound.
    write(folder, "preanal.val", &numbers_u16(&[0, 0, VV_EP, EF, 0, NP, NP, 0, VV_EP, 0]));
    let words = [
        (keys("했다"), 2 * 2),
        (keys("우리"), 2 * 5 + 1),
        (keys("닭"), 2 * 8),
        (keys("해"), 2 * 8),
    ];
    write(folder, "preanal.tri", &trie(&words));
    let patches = [(vec![-2, mix('가', NNG), -1], 1), (vec![mix('나', NNG), mix('나', NNG)], 2)];
    write(folder, "errpatch.tri", &trie(&patches));
    write(folder, "errpatch.len", &[0, 3, 2]);
    let values = [0_i16, -2, JX as i16, -1, 0, JX as i16, NP as i16, 0];
    write(folder, "errpatch.val", &values.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>());
    // 해 with 95: only the one character 하; 했: 하/VV and 였/EP.
    let known = [mix('해', VV_EP) as u32, mix('했', VV_EP) as u32];
    write(folder, "restore.key", &numbers_u32(&known));
    let piece = |c: char, tag: u32| (c as u32) << 8 | 0x80 | tag;
    let pieces = [piece('하', 37), 0, 0, 0, piece('하', 37), piece('였', 3), 0, 0];
    write(folder, "restore.val", &numbers_u32(&pieces));
    let simple: Vec<u8> = (0..=99).map(|tag| if tag > 92 { NNG as u8 } else { tag }).collect();
    write(folder, "restore.one", &simple);
    temporary
}

fn analyze(khaiii: &Khaiii, text: &str) -> Vec<String> {
    khaiii.analyze(text).unwrap().iter().map(|m| format!("{}/{}", m.form, m.tag)).collect()
}

#[test]
fn every_dictionary_has_its_say() {
    let folder = tiny();
    let khaiii = Khaiii::builder().folder(folder.path()).build().unwrap();
    for (text, expected) in [
        // The network; a full stop is in the window of the letter before it, across the space too.
        ("가나 다라", &["가나/NNG", "다라/NNG"][..]),
        ("가나다.", &["가나/NNG", "다./SF"]),
        ("가나 .", &["가/NNG", "나/SF", "./SF"]),
        // Known words: the whole word only, or any word that begins so.
        ("했다", &["하/VV", "였/EP", "다/EF"]),
        ("했다가", &["했다가/NNG"]),
        ("우리는 우리", &["우리/NP", "는/NNG", "우리/NP"]),
        // A compound that the character is not known with.
        ("닭", &["닭/NNG"]),
        ("해", &["하/VV"]),
        // Known mistakes: at the text's beginning before another word, and anywhere.
        ("가 다", &["가/JX", "다/NNG"]),
        ("가다 가", &["가다/NNG", "가/NNG"]),
        ("라나나 라", &["라/NNG", "나/JX", "나/NP", "라/NNG"]),
    ] {
        assert_eq!(analyze(&khaiii, text), expected, "{text}");
    }
}

#[test]
fn spans_tell_where_a_morpheme_was_found() {
    let folder = tiny();
    let khaiii = Khaiii::builder().folder(folder.path()).build().unwrap();
    let spans = |khaiii: &Khaiii, text| -> Vec<_> {
        khaiii
            .tokenize(text)
            .unwrap()
            .iter()
            .map(|unit| (unit.as_str().to_owned(), unit.span()))
            .collect()
    };
    let expected = [("하", 1..4), ("였", 1..4), ("다", 4..7), ("가", 8..11)];
    assert_eq!(spans(&khaiii, " 했다\t가"), expected.map(|(unit, span)| (unit.to_owned(), span)));
    // Decomposed, spans are those of the text as given.
    let decomposed = "\u{1112}\u{1162}\u{11bb}다";
    assert_eq!(spans(&khaiii, decomposed)[0], ("하".to_owned(), 0..9));

    let surfaces = Khaiii::builder()
        .resource(khaiii.resource().clone())
        .form(KhaiiiForm::Surface)
        .build()
        .unwrap();
    assert_eq!(analyze(&surfaces, "했다 가"), ["했/VV+EP", "다/EF", "가/NNG"]);
    assert_eq!(spans(&surfaces, "했다")[0], ("했".to_owned(), 0..3));
}

#[test]
fn nothing_is_lost_of_any_text() {
    let folder = tiny();
    let surfaces =
        Khaiii::builder().folder(folder.path()).form(KhaiiiForm::Surface).build().unwrap();
    let long = "가나다".repeat(3334);
    for text in [
        "",
        " \t\n\r\u{b}\u{3000}",
        "\0",
        "가\0나",
        "👨‍👩‍👧🇰🇷",
        "ㅋㅋㅋ ㅠ",
        "\u{10ffff}가",
        "가\u{a0}나",
        "e\u{301}",
        &long,
    ] {
        let units = surfaces.tokenize(text).unwrap();
        let joined: String = units.iter().map(|unit| &text[unit.span()]).collect();
        assert_eq!(joined, text.replace([' ', '\t', '\n', '\r', '\u{b}', '\u{3000}'], ""));
        let mut pieces = ko_eval_core::Pieces::new();
        surfaces.cut(text, &mut pieces).unwrap();
        let pieces: Vec<_> = pieces.iter().map(|piece| piece.as_str().to_owned()).collect();
        assert_eq!(pieces, units.iter().map(|unit| unit.as_str()).collect::<Vec<_>>());
    }
}

#[test]
fn the_row_takes_a_folder_and_a_form() {
    let folder = tiny();
    let spec = format!("khaiii:resource={},form=surface", folder.path().display());
    let units = by_name(&spec).unwrap();
    assert_eq!(units.tokenize("했다").unwrap()[0], "했");
    let signature = units.signature();
    assert_eq!(signature.name(), "khaiii@0.4");
    assert_eq!(signature.get("form"), Some("surface"));
    assert_eq!(signature.get("resource").map(str::len), Some(12));
    assert_eq!(analyzer_by_name(&spec).unwrap().tag_set().sejong("SWK"), Some(Tag::Sw));

    // The folder is loaded once, as long as it stays the same.
    let first = Resource::load(folder.path()).unwrap();
    assert!(Arc::ptr_eq(&first, &Resource::load(&folder.path().join(".")).unwrap()));

    // Another resource is another signature.
    write(folder.path(), "conv.1.fil", &floats([1.0, 0.5]));
    assert_ne!(by_name(&spec).unwrap().signature(), signature);
    let error = by_name("khaiii:form=lemma").unwrap_err().to_string();
    assert!(error.contains("one of morpheme, surface"), "{error}");
    let error = by_name("khaiii:resource=/no/such/folder").unwrap_err();
    assert!(
        matches!(error, Error::Missing { .. }) && error.to_string().contains("KHAIII_RESOURCE_DIR")
    );
}

/// The error when one file is changed.
fn error_with(name: &str, change: impl FnOnce(Vec<u8>) -> Option<Vec<u8>>) -> Fault {
    let folder = tiny();
    let path = folder.path().join(name);
    match change(fs::read(&path).unwrap()) {
        Some(bytes) => fs::write(&path, bytes).unwrap(),
        None => fs::remove_file(&path).unwrap(),
    }
    let error = Resource::load(folder.path()).expect_err(name);
    assert!(error.to_string().contains(name), "{error}");
    error
}

#[test]
fn files_that_are_missing_or_cut_off_are_named() {
    let folder = tiny();
    let names = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
    let names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    assert_eq!(names.len(), 13);
    for name in &names {
        assert!(matches!(error_with(name, |_| None), Fault::Io { .. }), "{name}");
    }
    let cut = |mut bytes: Vec<u8>| {
        bytes.pop();
        Some(bytes)
    };
    for name in names
        .iter()
        .filter(|name| !["config.json", "errpatch.len", "restore.one"].contains(&name.as_str()))
    {
        assert!(matches!(error_with(name, cut), Fault::Khaiii(KhaiiiError::Size { .. })), "{name}");
    }
    // Without its last entry the other files say more than there is.
    let folder = tiny();
    write(folder.path(), "errpatch.len", &[0, 3]);
    let error = Resource::load(folder.path()).unwrap_err().to_string();
    assert!(error.contains("errpatch.val: 16 bytes where 10 (as"), "{error}");
}

#[test]
fn settings_that_cannot_be_are_named() {
    let with = |from: &str, to: &str| {
        let (from, to) = (from.to_owned(), to.to_owned());
        error_with("config.json", move |bytes| {
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.contains(&from));
            Some(text.replace(&from, &to).into_bytes())
        })
    };
    assert!(matches!(with("{", "["), Fault::Khaiii(KhaiiiError::Config { .. })));
    assert!(matches!(with("\"window\": 1, ", ""), Fault::Khaiii(KhaiiiError::Config { .. })));
    assert!(matches!(
        with("\"window\": 1", "\"window\": -1"),
        Fault::Khaiii(KhaiiiError::Config { .. })
    ));
    for (from, to, name) in [
        ("\"window\": 1", "\"window\": 0", "window"),
        ("\"window\": 1", "\"window\": 4000000000", "window"),
        ("\"embed_dim\": 1", "\"embed_dim\": 0", "embed_dim"),
        ("\"vocab_size\": 6", "\"vocab_size\": 3", "vocab_size"),
        ("[1]", "[]", "conv_kernels"),
        ("[1]", "[4]", "conv_kernels"),
        ("\"class_num\": 99", "\"class_num\": 5000", "class_num"),
    ] {
        let error = with(from, to);
        assert!(
            matches!(error, Fault::Khaiii(KhaiiiError::Setting { name: found, .. }) if found == name),
            "{error}"
        );
    }
    let folder = tiny();
    let config = fs::read_to_string(folder.path().join("config.json")).unwrap();
    write(
        folder.path(),
        "config.json",
        config.replace("\"vocab_size\": 6", "\"vocab_size\": 7").as_bytes(),
    );
    let error = Resource::load(folder.path()).unwrap_err().to_string();
    assert!(error.ends_with("embed.bin: 48 bytes where 56 are expected"), "{error}");
}

#[test]
fn content_that_cannot_be_is_named() {
    let put = |at: usize, new: [u8; 4]| {
        move |mut bytes: Vec<u8>| {
            bytes[at..at + 4].copy_from_slice(&new);
            Some(bytes)
        }
    };
    for (name, at, new) in [
        ("embed.bin", 24, f32::NAN.to_le_bytes()),
        ("hdn2tag.lin", 0, f32::INFINITY.to_le_bytes()),
        // A root whose children lie beyond the end; keys out of order; tags beyond the end; a patch that is not there.
        ("preanal.tri", 12, 1000_i32.to_le_bytes()),
        ("preanal.tri", 16, i32::MAX.to_le_bytes()),
        ("preanal.tri", 20, u32::MAX.to_le_bytes()),
        ("errpatch.tri", 20, 9_u32.to_le_bytes()),
        ("preanal.val", 4, [100, 0, 0, 0]),
        ("errpatch.val", 4, [100, 0, 0, 0]),
        ("restore.key", 0, u32::MAX.to_le_bytes()),
        ("restore.val", 0, [0; 4]),
        ("restore.val", 0, u32::MAX.to_le_bytes()),
        ("restore.one", 94, [93; 4]),
    ] {
        let error = error_with(name, put(at, new));
        assert!(matches!(error, Fault::Khaiii(KhaiiiError::Damaged { .. })), "{name}: {error}");
    }
}
