//! SentencePiece models, against what the package itself wrote, and against files that are none.

use ko_eval_core::{Pieces, Result, Signed, Tokenizer};
use ko_eval_testing::cases;
use ko_tokenize::{
    sentencepiece::{SentencePiece, SentencePieceError},
    subword::Unknown,
};
use proptest::prelude::*;
use serde_json::{Value, json};

macro_rules! model {
    ($name:literal) => {
        ($name, include_bytes!(concat!("../golden/sentencepiece/", $name, ".model")))
    };
}

const MODELS: &[(&str, &[u8])] = &[
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
];

fn open(name: &str) -> SentencePiece {
    let (name, bytes) = MODELS.iter().find(|(model, _)| *model == name).unwrap();
    SentencePiece::from_bytes(name, bytes).unwrap()
}

#[test]
fn pieces_numbers_places_and_texts_are_the_packages() -> Result<()> {
    let golden: Value = serde_json::from_str(include_str!("../golden/sentencepiece.json")).unwrap();
    let cases = golden["cases"].as_array().unwrap();
    assert!(MODELS.iter().all(|(name, _)| cases.iter().any(|case| case["model"] == *name)));
    for case in cases {
        let (model, text) = (open(case["model"].as_str().unwrap()), case["text"].as_str().unwrap());
        let units = model.tokenize(text)?;
        let ids = model.encode(text)?;
        let found = json!({
            "model": case["model"],
            "text": text,
            "pieces": units.iter().map(|unit| unit.as_str()).collect::<Vec<_>>(),
            "ids": ids,
            "spans": units.iter().map(|unit| [unit.span().start, unit.span().end]).collect::<Vec<_>>(),
            "decoded": model.decode(&ids)?,
        });
        assert_eq!(found, *case);

        let mut pieces = Pieces::new();
        model.cut(text, &mut pieces)?;
        let cut: Value = pieces.iter().map(|piece| piece.as_str().to_owned()).collect();
        assert_eq!(cut, case["pieces"]);
    }
    Ok(())
}

#[test]
fn unknown_text_is_one_unit_if_asked() -> Result<()> {
    let model = open("unigram").unknown(Unknown::Token);
    let units = model.tokenize("뷁 국밥을")?;
    assert!(units.iter().any(|unit| unit.as_str() == "<unk>"), "{units:?}");
    assert_eq!(model.piece(model.unknown_id()), Some("<unk>"));
    let text = model.signature().to_string();
    assert!(text.starts_with("subword@") && text.contains("|model:unigram|vocab:"), "{text}");
    assert!(text.ends_with("|unknown:token|norm:none"), "{text}");
    Ok(())
}

#[test]
fn a_model_is_a_row() -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ko.model");
    std::fs::write(&path, MODELS[0].1).unwrap();
    let row = ko_tokenize::by_name(&format!("subword:{}", path.display()))?;
    assert_eq!(row.signature(), open("unigram").signature());
    let spm = ko_tokenize::by_name(&format!("spm:{}", path.display()))?;
    assert!(spm.signature().to_string().starts_with("spm@"));
    // sacreBLEU joins pieces with spaces and splits the line again.
    let units = spm.tokenize("뷁\u{a0}뷁 국밥 ")?;
    assert!(units.iter().all(|unit| !unit.as_str().contains('\u{a0}')), "{units:?}");
    Ok(())
}

#[test]
fn a_number_without_a_piece_is_named() {
    let error = open("bpe").decode(&[3, 99_999]).unwrap_err();
    assert!(matches!(error, SentencePieceError::NoSuchPiece { id: 99_999, .. }), "{error}");
}

#[test]
fn what_is_no_model_is_refused() {
    let read = |bytes: &[u8]| SentencePiece::from_bytes("some.model", bytes).unwrap_err();
    for bytes in
        [&b""[..], b"{}", b"hello, world", &[0; 64], "국밥".as_bytes(), b"\x89PNG\r\n\x1a\n"]
    {
        let error = read(bytes);
        assert!(matches!(error, SentencePieceError::Foreign { .. }), "{bytes:?}: {error}");
        assert!(error.to_string().contains("some.model"));
    }
    for (name, bytes) in MODELS {
        for end in (0..bytes.len()).step_by(cases(29, 1)) {
            let part = SentencePiece::from_bytes(name, &bytes[..end]);
            assert!(
                part.is_err(),
                "{name} is read though cut after {end} of {} bytes",
                bytes.len()
            );
        }
    }
    let missing = SentencePiece::from_file("no such.model");
    assert!(matches!(missing, Err(ko_tokenize::Error::Io { .. })), "{missing:?}");
}

/// A field of a message: its number, and bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2, u8::try_from(bytes.len()).unwrap()], bytes].concat()
}

/// A model by hand: pieces as text and type, the trainer's and the normaliser's fields.
fn by_hand(pieces: &[(&str, u8)], trainer: &[u8], normalizer: &[u8]) -> Vec<u8> {
    let entries = pieces.iter().flat_map(|(text, role)| {
        let entry = [field(1, text.as_bytes()), vec![2 << 3 | 5, 0, 0, 0x80, 0xbf, 3 << 3, *role]];
        field(1, &entry.concat())
    });
    entries.chain(field(2, trainer)).chain(field(3, normalizer)).collect()
}

#[test]
fn contradictions_are_named() {
    const UNKNOWN: (&str, u8) = ("<unk>", 2);
    let identity = field(1, b"identity");
    let reason =
        |pieces: &[(&str, u8)], trainer: &[u8], normalizer: &[u8]| match SentencePiece::from_bytes(
            "made",
            &by_hand(pieces, trainer, normalizer),
        ) {
            Ok(model) => format!("{model:?}"),
            Err(error) => error.to_string(),
        };
    for (pieces, trainer, normalizer, expected) in [
        (&[UNKNOWN, ("가", 1)][..], &[][..], &identity[..], "subword@"),
        (&[("가", 1)], &[], &identity, "no piece for unknown text"),
        (&[UNKNOWN, ("<unk2>", 2)], &[], &identity, "two pieces for unknown text"),
        (&[UNKNOWN, ("가", 1), ("가", 1)], &[], &identity, "`가` is there twice"),
        (&[UNKNOWN, ("", 1)], &[], &identity, "piece 1 is empty"),
        (&[UNKNOWN, ("가", 9)], &[], &identity, "unknown type 9"),
        (&[UNKNOWN, ("<0x41>", 6)], &[], &identity, "`<0x41>` is a byte that has no use"),
        // Byte fallback, which is field 35, with one byte only.
        (&[UNKNOWN, ("<0x41>", 6)], &[0x98, 2, 1], &identity, "not all bytes have a piece"),
        (&[UNKNOWN], &[3 << 3, 7], &identity, "unknown type of model 7"),
        (&[UNKNOWN], &[], &field(1, b"nfkc_xyz"), "unknown normalisation rule `nfkc_xyz`"),
        (&[UNKNOWN], &[], &field(2, b"abc"), "its normalisation rule is broken"),
    ] {
        let found = reason(pieces, trainer, normalizer);
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn a_self_test_that_fails_is_told() {
    let sample = [field(1, "국밥".as_bytes()), field(2, "밥국".as_bytes())].concat();
    let bytes = [MODELS[0].1, &field(4, &field(1, &sample))].concat();
    let error = SentencePiece::from_bytes("tested", &bytes).unwrap_err().to_string();
    assert!(error.contains("self-test expects `밥국`"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(32, 256)))]

    #[test]
    fn no_text_is_too_odd(text in any::<String>(), korean in "[가-힣ㄱ-ㅣ▁ 국밥<br>\u{1100}-\u{11ff}]{0,40}") {
        for (name, bytes) in MODELS {
            let model = SentencePiece::from_bytes(name, bytes).unwrap();
            for text in [&text, &korean] {
                let units = model.tokenize(text).unwrap();
                prop_assert_eq!(units.len(), model.encode(text).unwrap().len());
                for unit in &units {
                    prop_assert!(text.get(unit.span()).is_some(), "{:?} is no piece of the text", unit);
                }
            }
        }
    }

    // A changed file is refused, or it is another model, which cuts all the same.
    #[test]
    fn changed_bytes_do_no_harm(
        number in 0..MODELS.len(),
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..8),
        text in "[가-힣▁ A①국밥을먹었다]{0,20}",
    ) {
        let (name, bytes) = MODELS[number];
        let mut bytes = bytes.to_vec();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Ok(model) = SentencePiece::from_bytes(name, &bytes) {
            let _ = model.tokenize(&text).map(|units| units.len());
            let _ = model.encode(&text).map(|ids| model.decode(&ids));
        }
    }
}
