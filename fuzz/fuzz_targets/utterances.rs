//! Labelled utterances, damaged: an error at a line of the file, or texts that stand in it under a label that is mapped.
#![no_main]

use ko_eval_core::Error as CoreError;
use ko_eval_fuzz::damaged;
use ko_probe::{Error, utterances};
use libfuzzer_sys::fuzz_target;
use std::{io::Cursor, sync::LazyLock};

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let data = "\u{feff}2\t지금 몇 시야\r\n3\t불 좀 꺼 줘\n\n0\t김밥\n1\t비가\t온다\n";
    vec![data.into()]
});

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data, &SEEDS);
    let lines = bytes.split(|byte| *byte == b'\n').count();
    let map = "1=other,2=interrogative,3=imperative".parse().expect("a map");
    match utterances::read("a.tsv", Cursor::new(bytes.clone()), &map) {
        Ok(found) => {
            // Tabs within a text become spaces.
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let text = words(&String::from_utf8(bytes).expect("only UTF-8 is read"));
            for example in &found.examples {
                assert!(text.contains(&words(&example.text)) && !example.text.contains('\t'));
                assert!(example.class < 3);
            }
        }
        Err(Error::Core(CoreError::BadLine { line, .. })) => {
            assert!((1..=lines).contains(&line), "line {line} of {lines}");
        }
        Err(other) => panic!("{other}"),
    }
});
