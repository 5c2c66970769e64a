//! Models of entities, damaged: an error, or a tagger whose entities lie in the text.
#![no_main]

use ko_commongen::{
    BioTagger, EntityTagger,
    entity::{LabelledSentence, TaggerTraining},
};
use ko_eval_fuzz::{Folder, damaged};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let parse = |line: &str| line.parse::<LabelledSentence>().expect("a labelled sentence");
    let sentences = ["<민수:PS>가 왔다.", "<서울:LC>에 갔다."].map(parse);
    let tagger = BioTagger::train(&sentences, &TaggerTraining::default()).expect("sentences");
    let path = Folder::new().path().join("model");
    tagger.save(&path).expect("a folder to write to");
    vec![std::fs::read(path).expect("what was written")]
});

fuzz_target!(|data: &[u8]| {
    let Ok(tagger) = BioTagger::from_bytes(&damaged(data, &SEEDS)) else { return };
    for text in ["민수가 서울에 갔다.", "", "😀 e\u{301}"] {
        let entities = tagger.entities(text).expect("a short text");
        assert!(entities.iter().all(|entity| text.get(entity.span.clone()).is_some()));
    }
});
