//! What holds for every scheme that needs nothing installed: nothing is lost, whatever the text.

use ko_eval_core::{Error, Pieces, Tokenizer, Vocabulary};
use ko_eval_testing::cases;
use ko_tokenize::{Character, Jamo, Normalization, TOKENIZERS, Word, by_name, character, jamo};
use proptest::prelude::*;

fn without_space(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn joined(scheme: &dyn Tokenizer, text: &str) -> String {
    scheme.tokenize(text).unwrap().iter().map(|unit| unit.as_str()).collect()
}

/// The letters of the text's syllables, everything else as it is.
fn letters(text: &str) -> String {
    let written = |letter| match letter {
        jamo::Letter::Other(c) => c.to_string(),
        letter => jamo::Writing::Compatibility.write(letter).to_owned(),
    };
    jamo::letters(&without_space(text)).map(written).collect()
}

/// Each unit stands at its span, and spans come in order.
fn check(text: &str) {
    let normal = Normalization::default().apply(text).into_owned();
    assert_eq!(joined(&Word::new(), text), without_space(&normal));
    assert_eq!(joined(&Character::new(), text), without_space(&normal));
    let clusters = Character::new().by(character::By::GraphemeCluster);
    assert_eq!(without_space(&joined(&clusters, text)), without_space(&normal));
    assert_eq!(joined(&Jamo::new(), text), letters(&normal));
    for scheme in [&Word::new() as &dyn Tokenizer, &Character::new(), &clusters, &Jamo::new()] {
        let mut at = 0;
        for unit in scheme.tokenize(text).unwrap() {
            assert!(unit.span().start >= at && text.get(unit.span()).is_some(), "{unit:?}");
            at = unit.span().start;
        }
    }
    // The spans of the letters lead back to the syllables.
    let mut spans: Vec<_> = Jamo::new().tokenize(text).unwrap().iter().map(|u| u.span()).collect();
    spans.dedup();
    let pieces: String = spans.into_iter().map(|span| &text[span]).collect();
    assert_eq!(without_space(&Normalization::default().apply(&pieces)), without_space(&normal));
}

#[test]
fn odd_texts() {
    for text in [
        "",
        " \t\n\u{3000}",
        "大韓民國 만세",
        "GPT-4 모델",
        "3월 15일",
        "😀 👨‍👩‍👧 🇰🇷",
        "ㅋㅋㅋ ㅠㅠ",
        "나랏말ᄊᆞ미 듕귁에",
        "ᄒᆞᆫ글",
        "가\u{200b}나\u{200d}다\u{feff}",
        "\0가\0",
        "\u{1112}\u{1161}\u{11ab}글 e\u{301}",
    ] {
        check(text);
    }
}

#[test]
fn long_lines() {
    let characters = cases(10_000, 100_000);
    for piece in [
        "가",
        "각 ",
        "ㅋ",
        "a",
        "漢",
        "😀",
        "\u{1112}\u{1161}\u{11ab}",
        "\u{301}",
        "\u{200b}",
        "\0",
    ] {
        check(&piece.repeat(characters / piece.chars().count()));
    }
}

#[test]
fn every_row_builds_or_says_what_it_lacks() {
    for row in TOKENIZERS {
        if let Err(error) = by_name(row.name) {
            let asks = row.argument.is_some_and(|a| error.to_string().contains(a.name));
            assert!(asks || matches!(error, Error::Missing { .. }), "{}: {error}", row.name);
        }
    }
}

/// What is cut into pieces, or numbered, are the same units.
fn check_pieces(text: &str) {
    let schemes = [
        "word",
        "none",
        "char",
        "char:space=keep",
        "char:by=grapheme",
        "jamo",
        "jamo:form=conjoining",
        "jamo:form=positional",
        "jamo:form=split",
    ];
    let mut pieces = Pieces::new();
    let mut vocabulary = Vocabulary::new();
    for name in schemes {
        let scheme = by_name(name).unwrap();
        pieces.clear();
        // Twice, because units are added to others.
        scheme.cut(text, &mut pieces).unwrap();
        scheme.cut(text, &mut pieces).unwrap();
        let units = scheme.tokenize(text).unwrap();
        let expected = units.iter().chain(&units).map(|unit| unit.as_str());
        let found: Vec<String> = pieces.iter().map(|piece| piece.as_str().to_owned()).collect();
        assert!(
            expected.clone().eq(found.iter().map(String::as_str)),
            "{name}: {found:?} of {text:?}"
        );
        vocabulary.clear();
        scheme.number(text, &mut vocabulary).unwrap();
        scheme.number(text, &mut vocabulary).unwrap();
        let mut known = Vec::new();
        let numbers = expected.map(|unit| {
            known.iter().position(|&other| other == unit).unwrap_or_else(|| {
                known.push(unit);
                known.len() - 1
            }) as u32
        });
        assert!(numbers.eq(vocabulary.numbers().iter().copied()), "{name}: {text:?}");
        assert_eq!(vocabulary.kinds(), known.len());
    }
}

proptest! {
    #[test]
    fn pieces_are_the_units(text in "\\PC{0,30}|[가-힣ㄱ-ㅣa-z \t\u{3000}漢字😀\u{200b}\u{301}\u{1100}-\u{11ff}]{0,200}|[넓값가 ]{0,9}") {
        check_pieces(&text);
    }

    #[test]
    fn nothing_is_lost(text in "\\PC{0,30}|[가-힣ㄱ-ㅣa-z \t\u{3000}漢字😀\u{200b}\u{301}\u{1100}-\u{11ff}]{0,40}") {
        check(&text);
    }
}

#[test]
fn every_analyzer_has_levels() {
    for row in TOKENIZERS {
        let has_levels = row.params.iter().any(|param| param.name == "level");
        assert_eq!(has_levels, row.is_analyzer(), "{}", row.name);
    }
}
