//! Models of offensive text, damaged: an error, or a flagger whose probabilities are some.
#![no_main]

use ko_commongen::{Flagger, NgramFlagger, ethics::Comment};
use ko_eval_fuzz::{Folder, damaged};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let comment = |(text, offensive): (&str, bool)| Comment { text: text.into(), offensive };
    let comments = [
        ("바보 같은 소리", true),
        ("저런 바보", true),
        ("날씨가 좋다", false),
        ("좋은 노래", false),
    ];
    let flagger = NgramFlagger::train(&comments.map(comment), 1).expect("comments of both sorts");
    let path = Folder::new().path().join("model");
    flagger.save(&path).expect("a folder to write to");
    vec![std::fs::read(path).expect("what was written")]
});

fuzz_target!(|data: &[u8]| {
    let Ok(flagger) = NgramFlagger::from_bytes(&damaged(data, &SEEDS)) else { return };
    for text in ["저런 바보 같은 소리", "좋은 날씨", "", "😀"] {
        let probability = flagger.probability(text).expect("any text");
        assert!((0.0..=1.0).contains(&probability), "{probability}");
    }
});
