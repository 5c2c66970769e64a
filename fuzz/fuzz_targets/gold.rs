//! Gold-standard morphemes, damaged: an error at a line of the file, or sentences with morphemes.
#![no_main]

use ko_eval_core::Error;
use ko_eval_io::read::Lines;
use ko_eval_fuzz::damaged;
use ko_tokenize::gold::Gold;
use libfuzzer_sys::fuzz_target;
use std::{io::Cursor, sync::LazyLock};

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let all = "\u{feff}밥을 먹다.\t밥__2/NNG 을/JKO 먹/VV 다/EF ./SF\t표준말\r\n\n반/반\t반/NNG //SP 반/NNG\t\n";
    let one = "걷/VV\t길을 걸어라.\n\n묻/VV-I\t길을 물어라.\n";
    vec![all.into(), one.into()]
});

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data, &SEEDS);
    let lines = bytes.split(|byte| *byte == b'\n').count();
    match Gold::from_lines(Lines::from_reader("gold.tsv", Cursor::new(bytes))) {
        Ok(gold) => {
            assert!(gold.sentences().is_sorted_by(|a, b| a.line < b.line));
            assert!(gold.sentences().iter().all(|sentence| !sentence.morphemes.is_empty()));
        }
        Err(Error::BadLine { line, .. }) => assert!(line <= lines),
        Err(other) => panic!("{other}"),
    }
});
