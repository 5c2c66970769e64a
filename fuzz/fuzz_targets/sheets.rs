//! Sheets of crowd work and their key, damaged: an error that names a line of the file, or answers that were asked for.
#![no_main]

use ko_commongen::{
    Item, Pairs,
    human::Criterion,
    sheet::{RatingSheet, WritingSheet},
};
use ko_eval_core::Error;
use ko_eval_fuzz::{Folder, damaged, is_packed};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static ITEMS: LazyLock<Vec<Item>> = LazyLock::new(|| {
    let item = |set: &[&str], text| Item::new(set.iter().copied(), [text]).expect("an item");
    vec![item(&["공", "선수"], "선수가 공을 찬다."), item(&["비"], "비가 온다.")]
});
static SHEET: LazyLock<RatingSheet> = LazyLock::new(|| {
    let outputs = ["공을 찬다, \"선수\"가.", "비 온다."].map(String::from);
    let pairs = Pairs::new(ITEMS.clone(), outputs.to_vec()).expect("pairs");
    RatingSheet::new([("갑", &pairs), ("을", &pairs)], 1).expect("a sheet")
});
static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let blank = SHEET.csv().expect("a sheet");
    let ratings = blank.replace(",,,,\n", ",2,1,0,2\n");
    let written = "\u{feff}writer,id,concepts,sentence\r\n민수,1,공#선수,\"선수가, 공을 찬다.\"\r\n,2,비,비가 온다.\r\n";
    vec![ratings.into(), blank.into(), SHEET.key().expect("a key").into(), written.into()]
});
static FOLDER: LazyLock<Folder> = LazyLock::new(Folder::new);

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data, &SEEDS);
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
    let file = FOLDER.write("sheet.csv", &bytes);
    let is_of_the_file = |error: &Error| match error {
        Error::Io { .. } | Error::BadLine { .. } if is_packed(&bytes) => {}
        Error::BadLine { line, .. } => assert!((1..=lines).contains(line), "{error}"),
        other => panic!("{other}"),
    };
    match SHEET.read(&[file.clone()]) {
        Err(error) => is_of_the_file(&error),
        Ok(filled) => {
            assert!(filled.raters().values().all(|count| (1..=SHEET.len()).contains(count)));
            if let Ok(systems) = filled.choose(1, 7) {
                assert_eq!(systems.len(), 2);
                let ratings = systems
                    .values()
                    .flat_map(|s| Criterion::ALL.iter().filter_map(|c| s.ratings(*c)));
                assert!(ratings.flat_map(|ratings| ratings.all()).all(|rating| *rating <= 2));
            }
        }
    }
    match RatingSheet::read_key(&file) {
        Err(error) => is_of_the_file(&error),
        Ok(sheet) => {
            let again = FOLDER.write("key.csv", sheet.key().expect("a key").as_bytes());
            assert_eq!(RatingSheet::read_key(&again).expect("what was written"), sheet);
        }
    }
    match WritingSheet::new(&ITEMS).expect("a sheet").read(&[file]) {
        Err(error) => is_of_the_file(&error),
        Ok(filled) => {
            if let Ok(items) = filled.choose(1, 7) {
                assert!(items.iter().zip(ITEMS.iter()).all(|(a, b)| a.concepts() == b.concepts()));
            }
        }
    }
});
