//! CommonGen's items in both published forms, and labelled sentences, damaged: an error that names the line, or what reads back from what is written.
#![no_main]

use ko_commongen::{
    BadLines, Item, entity::LabelledSentence, read_concept_sets, read_items,
};
use ko_eval_core::Error;
use ko_eval_fuzz::{Folder, damaged, is_packed};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let json = "{\"concept-set\": \"공#선수\", \"scene\": \"선수가 공을 찬다.\"}\n{\"concept-set\": \"비#우산\", \"scene\": [\"비가 와서 우산을 쓴다.\", \"우산이 비를 막는다.\"]}\n";
    let text = "[SOS] 공#선수 = 선수가 공을 찬다. = 공은 선수의 것이다. [EOS]\r\n[SOS] 비 = 비가 온다. [EOS]\n";
    let labelled = "<민수:PS>가 <서울:LC>에 왔다.\n";
    let sets = "[\"비\",\"우산\"]\n[\"공\", \"핫 도그\"]\n";
    [json, text, labelled, sets].map(|text| text.as_bytes().to_vec()).to_vec()
});
static FOLDER: LazyLock<Folder> = LazyLock::new(Folder::new);

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data, &SEEDS);
    for line in String::from_utf8_lossy(&bytes).lines() {
        if let Ok(item) = line.parse::<Item>() {
            assert_eq!(item.to_json().parse::<Item>().expect("what was written"), item);
            if let Ok(text) = item.to_text() {
                assert_eq!(text.parse::<Item>().expect("what was written"), item);
            }
        }
        if let Ok(sentence) = line.parse::<LabelledSentence>() {
            let found = |entity: &ko_commongen::entity::Entity| {
                sentence.text().get(entity.span.clone()).is_some()
            };
            assert!(sentence.entities().iter().all(found));
        }
    }
    let lines = bytes.split(|byte| *byte == b'\n').count();
    let path = FOLDER.write("items", &bytes);
    if let Ok(reading) = read_concept_sets(&path, BadLines::Skip) {
        assert!(reading.rows.iter().all(|(_, set)| !set.is_empty()));
    }
    match read_items(&path, BadLines::Refuse) {
        Ok(reading) => assert_eq!(reading.rows.len(), reading.lines),
        Err(Error::Io { .. } | Error::BadLine { .. }) if is_packed(&bytes) => {}
        Err(Error::BadLine { line, .. }) => assert!((1..=lines).contains(&line)),
        Err(other) => panic!("{other}"),
    }
});
