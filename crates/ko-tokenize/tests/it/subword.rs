//! Vocabularies learned, written, read, and those of others.

use ko_eval_core::{Result, Signed, Token, Tokenizer};
use ko_tokenize::{
    Error,
    subword::{Algorithm, Subword, SubwordError, Unknown, VocabularyTraining},
};
use proptest::prelude::*;
use std::{fs, sync::LazyLock};

const TEXTS: &[&str] = &[
    "나는 어제 시장에서 따뜻한 국밥을 먹고 집으로 걸어갔다.",
    "우리는 내일 시장에서 만나서 국밥을 먹기로 했습니다.",
    "선생님께서는 학생들의 보고서를 읽으시고 칭찬하셨습니다.",
    "비가 와서 사람들이 모두 카페로 뛰어 들어갔습니다 ㅋㅋㅋ",
];
const ALGORITHMS: [Algorithm; 3] = [Algorithm::Bpe, Algorithm::Unigram, Algorithm::JamoBpe];

static LEARNED: LazyLock<Vec<Subword>> = LazyLock::new(|| ALGORITHMS.map(learn).into());

fn learn(algorithm: Algorithm) -> Subword {
    VocabularyTraining::new(algorithm, 150).learn(TEXTS).unwrap()
}

fn texts<'t>(tokens: &'t [Token<'_>]) -> Vec<&'t str> {
    tokens.iter().map(Token::as_str).collect()
}

/// A WordPiece file as somebody else would write it: with padding, truncation and special tokens.
const WORDPIECE: &str = r###"{
    "version": "1.0",
    "truncation": {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0},
    "padding": {"strategy": {"Fixed": 16}, "direction": "Right", "pad_to_multiple_of": null,
                "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
    "added_tokens": [
        {"id": 0, "content": "[PAD]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
        {"id": 1, "content": "[UNK]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
        {"id": 2, "content": "[CLS]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
        {"id": 3, "content": "[SEP]", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}],
    "normalizer": null,
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
    "decoder": null,
    "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
              "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "밥": 4, "##을": 5, "나": 6, "##는": 7, ".": 8}}
}"###;

#[test]
fn a_foreign_file_cuts_without_its_special_tokens() -> Result<()> {
    let subword = Subword::from_bytes("wordpiece", WORDPIECE.as_bytes())?;
    let units = subword.tokenize("나는 밥을 쏜다.")?;
    assert_eq!(texts(&units), ["나", "##는", "밥", "##을", "쏜다", "."]);
    assert_eq!(units[3].span(), 10..13);
    assert!(subword.signature().to_string().contains("|model:wordpiece|vocab:9|unknown:surface"));

    let subword = subword.unknown(Unknown::Token);
    assert_eq!(subword.tokenize("나는 쏜다")?[2], "[UNK]");
    Ok(())
}

#[test]
fn nfd_text_equals_its_nfc_twin() -> Result<()> {
    for subword in LEARNED.iter() {
        let nfd = "\u{1112}\u{1161}\u{11ab}글 국밥";
        let (nfd, nfc) = (subword.tokenize(nfd)?, subword.tokenize("한글 국밥")?);
        assert_eq!(texts(&nfd), texts(&nfc));
    }
    Ok(())
}

#[test]
fn learning_does_not_depend_on_order_or_chance() {
    for algorithm in ALGORITHMS {
        let backwards = VocabularyTraining::new(algorithm, 150).learn(TEXTS.iter().rev()).unwrap();
        for _ in 0..3 {
            assert_eq!(learn(algorithm).signature(), backwards.signature(), "{algorithm:?}");
        }
    }
}

#[test]
fn a_saved_vocabulary_is_the_same_when_read_again() -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    for (number, subword) in LEARNED.iter().enumerate() {
        let path = folder.path().join(format!("{number}.json"));
        subword.save(&path)?;
        let row = ko_tokenize::by_name(&format!("subword:{}", path.display()))?;
        assert_eq!(row.signature(), subword.signature());
        let text = "학생들의 국밥을 칭찬했습니다 뷁";
        assert_eq!(row.tokenize(text)?, subword.tokenize(text)?);
    }
    Ok(())
}

#[test]
fn a_vocabulary_has_the_size_asked_for() {
    for algorithm in [Algorithm::Bpe, Algorithm::JamoBpe] {
        let subword =
            VocabularyTraining::new(algorithm, 120).min_frequency(1).learn(TEXTS).unwrap();
        assert_eq!(subword.vocabulary_size(), 120, "{algorithm:?}");
    }
    assert!(LEARNED.iter().all(|subword| subword.vocabulary_size() <= 150));
}

#[test]
fn mistakes_are_named() {
    let none = VocabularyTraining::new(Algorithm::Bpe, 100).learn([" ", "\t"]);
    assert!(matches!(none, Err(Error::Subword(SubwordError::NoText))));
    let small = VocabularyTraining::new(Algorithm::Unigram, 3).learn(["가나다"]);
    assert!(
        matches!(small, Err(Error::Subword(SubwordError::TooSmall { asked: 3, least: 5 }))),
        "{small:?}"
    );

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.json");
    let error = |path: &std::path::Path| {
        let error = ko_tokenize::by_name(&format!("subword:{}", path.display())).unwrap_err();
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        format!("{error}: {}", cause.unwrap_or_default())
    };
    assert!(error(&path).contains("broken.json"));
    fs::write(&path, "{}").unwrap();
    assert!(error(&path).contains("broken.json is not a usable vocabulary"));
    assert!(ko_tokenize::by_name("subword").unwrap_err().to_string().contains("subword:FILE"));

    let dropout = r#"{"version": "1.0", "added_tokens": [], "model": {"type": "BPE", "dropout": 0.1,
        "vocab": {"가": 0}, "merges": []}}"#;
    let error = Subword::from_bytes("dropout", dropout.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("dropout"), "{error}");
}

#[test]
fn a_long_line_is_cut() -> Result<()> {
    for subword in LEARNED.iter() {
        let text = "가나다 국밥을".repeat(20_000);
        assert_eq!(rebuilt(&subword.tokenize(&text)?), text.replace(' ', ""));
    }
    Ok(())
}

/// The text's characters without white space.
fn rebuilt(units: &[Token<'_>]) -> String {
    let joined: String = texts(units).concat().chars().filter(|c| *c != '▁').collect();
    ko_tokenize::Normalization::default().apply(&joined).into_owned()
}

proptest! {
    #[test]
    fn pieces_rebuild_the_text(text in "[가-힣ㄱ-ㅣa-zA-Z0-9 \t\u{3000}.,!?漢字😀]{0,30}") {
        for subword in LEARNED.iter() {
            let units = subword.tokenize(&text).unwrap();
            let expected: String = text.chars().filter(|c| !c.is_whitespace()).collect();
            prop_assert_eq!(rebuilt(&units), expected);
            for unit in &units {
                prop_assert!(text.get(unit.span()).is_some(), "{:?} is no piece of the text", unit);
            }
        }
    }

    #[test]
    fn no_text_is_too_odd(text in any::<String>()) {
        for subword in LEARNED.iter() {
            subword.tokenize(&text).unwrap();
        }
    }
}
