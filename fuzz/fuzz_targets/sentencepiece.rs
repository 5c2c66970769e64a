//! SentencePiece models of all kinds, damaged: an error, or a model that cuts as often as it counts, at places of the text.
#![no_main]

use ko_eval_core::{Pieces, Tokenizer};
use ko_eval_fuzz::damaged;
use ko_tokenize::sentencepiece::SentencePiece;
use libfuzzer_sys::fuzz_target;

macro_rules! model {
    ($name:literal) => {
        include_bytes!(concat!(
            "../../crates/ko-tokenize/tests/golden/sentencepiece/",
            $name,
            ".model"
        ))
        .to_vec()
    };
}

static SEEDS: std::sync::LazyLock<Vec<Vec<u8>>> = std::sync::LazyLock::new(|| {
    vec![
        model!("unigram"),
        model!("unigram-bytes"),
        model!("unigram-symbols"),
        model!("unigram-suffix"),
        model!("unigram-unused"),
        model!("bpe"),
        model!("bpe-bytes"),
        model!("bpe-unused"),
        model!("char"),
        model!("word"),
    ]
});

const TEXTS: [&str; 4] =
    ["나는 국밥을 먹었다.", "  ①\u{ad}㈜ A<s>뷁 ", "", "\u{1100}\u{1161}\u{fdfa}e\u{301}😀▁▁"];

fuzz_target!(|data: &[u8]| {
    let Ok(model) = SentencePiece::from_bytes("damaged", &damaged(data, &SEEDS)) else { return };
    for text in TEXTS {
        let (Ok(units), Ok(ids)) = (model.tokenize(text), model.encode(text)) else { continue };
        assert_eq!(units.len(), ids.len());
        assert!(units.iter().all(|unit| text.get(unit.span()).is_some()), "{units:?}");
        let mut pieces = Pieces::new();
        model.cut(text, &mut pieces).expect("cut before");
        assert!(
            pieces
                .iter()
                .map(|piece| piece.as_str().to_owned())
                .eq(units.iter().map(|unit| unit.as_str().to_owned()))
        );
        let _ = model.decode(&ids);
    }
});
