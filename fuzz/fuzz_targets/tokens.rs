//! Units of text that is left as it is rebuild the text: all of it but the white space.
#![no_main]

use ko_eval_core::Tokenizer;
use ko_eval_fuzz::bounded;
use ko_tokenize::jamo::{compose, letters};
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};

static UNITS: LazyLock<[Arc<dyn Tokenizer>; 3]> = LazyLock::new(|| {
    ["word:norm=none", "char:norm=none", "char:norm=none,by=grapheme,space=keep"]
        .map(|unit| ko_tokenize::by_name(unit).expect("a unit"))
});

fuzz_target!(|text: &str| {
    let text = bounded(text);
    let visible: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    for unit in &*UNITS {
        let tokens = unit.tokenize(text).expect("a short text");
        let mut end = 0;
        for token in &tokens {
            let span = token.span();
            assert!(span.start >= end, "units overlap");
            assert_eq!(&text[span.clone()], token.as_str());
            end = span.end;
        }
        let rebuilt: String = tokens.iter().flat_map(|token| token.as_str().chars()).collect();
        assert_eq!(rebuilt.chars().filter(|c| !c.is_whitespace()).collect::<String>(), visible);
    }
    assert_eq!(compose(letters(text)).collect::<String>(), text);
});
