//! SentEval's format, damaged: an error, or data that are the same when they are written and read again.
#![no_main]

use ko_eval_fuzz::damaged;
use ko_probe::{Dataset, senteval};
use libfuzzer_sys::fuzz_target;
use std::{io::Cursor, sync::LazyLock};

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let data =
        "\u{feff}tr\tpast\t비가 왔다.\r\nva\tnon-past\t비가 온다.\n\nte\tpast\t눈이\t왔다.\n";
    vec![data.into()]
});

fn rows(data: &Dataset) -> Vec<(String, String, &'static str)> {
    let label = |class: usize| data.classes[class].clone();
    data.examples.iter().map(|e| (e.text.clone(), label(e.class), e.part.code())).collect()
}

fuzz_target!(|data: &[u8]| {
    let read = |bytes| senteval::read("Tense", "tense.txt", Cursor::new(bytes));
    let Ok(found) = read(damaged(data, &SEEDS)) else { return };
    let mut written = Vec::new();
    // A sentence with a tab or a carriage return is read and cannot be written.
    if senteval::write(&found, &mut written).is_ok() {
        assert_eq!(rows(&read(written).expect("what was written")), rows(&found));
    }
});
