//! sacreBLEU's units, as sacreBLEU itself cut the golden texts.

use ko_eval_core::Pieces;
use serde_json::Value;

fn compare(row: &str) {
    let golden: Value = serde_json::from_str(include_str!("../golden/sacrebleu.json")).unwrap();
    let tokenizer = ko_tokenize::by_name(row).unwrap();
    let cases = golden["cases"].as_array().unwrap();
    assert!(cases.len() > 40);
    for case in cases {
        let text = case["text"].as_str().unwrap();
        let units = tokenizer.tokenize(text).unwrap();
        let texts: Value = units.iter().map(|unit| unit.as_str()).collect();
        assert_eq!(texts, case["units"][row], "{row}: {text:?}");

        let mut pieces = Pieces::new();
        tokenizer.cut(text, &mut pieces).unwrap();
        let cut: Value = pieces.iter().map(|piece| piece.as_str().to_owned()).collect();
        assert_eq!(cut, texts, "{row}: {text:?}");

        let mut at = 0;
        for unit in &units {
            let span = unit.span();
            assert!(span.start >= at && text.get(span.clone()).is_some(), "{row}: {unit:?}");
            at = span.start;
        }
    }
}

#[test]
fn thirteen_a() {
    compare("13a");
}

#[test]
fn international() {
    compare("intl");
}

#[test]
fn chinese() {
    compare("zh");
}

#[test]
fn characters() {
    compare("sacrebleu-char");
}

#[test]
fn words() {
    compare("sacrebleu-none");
}

/// Needs the dictionary: `cargo xtask setup sacrebleu-dictionary`, which `cargo xtask test` does.
#[cfg(feature = "morpheme")]
#[test]
fn ko_mecab() {
    compare("ko-mecab");
}

#[test]
fn spans_lead_back_to_what_was_replaced() {
    let text = "&amp;quot;밥&quot;";
    let units = ko_tokenize::by_name("13a").unwrap().tokenize(text).unwrap();
    let found: Vec<_> = units.iter().map(|unit| (unit.as_str(), &text[unit.span()])).collect();
    let expected = [("&", "&amp;"), ("quot", "quot"), (";", ";"), ("밥", "밥"), ("\"", "&quot;")];
    assert_eq!(found, expected);
}
