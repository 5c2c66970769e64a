//! Equal to MeCab-ko, with the left-space penalty and without it; restored forms; the user's words.

use ko_eval_core::{Signed, Tokenizer};
use ko_tokenize::{
    Level, Leveled, Morpheme, MorphemeAnalyzer, Normalization, Tag,
    morpheme::{MecabForm, MecabKo, SpacePenalty, UserDictionary, mecab_ko::MecabKoBuilder},
};
use proptest::prelude::*;
use std::sync::{Arc, LazyLock};

static MECAB: LazyLock<MecabKo> = LazyLock::new(|| build(MecabKo::builder()));

fn build(builder: MecabKoBuilder) -> MecabKo {
    builder
        .build()
        .unwrap_or_else(|error| panic!("{error}; `ko-eval setup dictionary` provides it"))
}

fn written(morphemes: &[Morpheme<'_>]) -> Vec<String> {
    morphemes.iter().map(|m| format!("{}/{}", m.form, m.tag)).collect()
}

fn analysis(mecab: &MecabKo, text: &str) -> Vec<String> {
    written(&mecab.analyze(text).unwrap())
}

#[test]
fn equals_mecab_ko() {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("../golden/mecab_ko.json")).unwrap();
    let raw = MecabKo::builder()
        .dictionary(MECAB.dictionary().clone())
        .normalization(Normalization::NONE);
    let on = build(raw.clone());
    let off = build(raw.penalty(SpacePenalty::Off));
    for case in golden["cases"].as_array().unwrap() {
        let text = case["text"].as_str().unwrap();
        let list =
            |key: &str| case.get(key).map(|list| serde_json::from_value(list.clone()).unwrap());
        let with: Vec<String> = list("analysis").unwrap();
        assert_eq!(analysis(&on, text), with, "{text:?}");
        assert_eq!(
            analysis(&off, text),
            list("without_penalty").unwrap_or(with),
            "{text:?} without penalty"
        );
    }
}

#[test]
fn restores_morphemes_and_lemmas() {
    let of = |form| build(MecabKo::builder().dictionary(MECAB.dictionary().clone()).form(form));
    let text = "밥을 했다.";
    assert_eq!(
        analysis(&of(MecabForm::Morpheme), text),
        ["밥/NNG", "을/JKO", "하/VV", "았/EP", "다/EF", "./SF"]
    );
    assert_eq!(
        analysis(&of(MecabForm::Lemma), text),
        ["밥/NNG", "을/JKO", "하다/VV", "았/EP", "다/EF", "./SF"]
    );
    let restored = of(MecabForm::Morpheme);
    let units = restored.tokenize(text).unwrap();
    assert_eq!((units[2].as_str(), &text[units[2].span()]), ("하", "했"));
}

#[test]
fn keeps_the_tags_that_are_wanted() {
    let builder = MecabKo::builder().dictionary(MECAB.dictionary().clone());
    let nouns = build(builder.tags([Tag::Vv, Tag::Nng]));
    assert_eq!(analysis(&nouns, "밥을 했다."), ["밥/NNG", "했/VV+EP"]);
    assert_eq!(nouns.signature().to_string(), "mecab-ko@2.1.1|penalty:on|tags:NNG+VV|norm:nfc");
}

#[test]
fn a_users_word_joins() {
    let words =
        UserDictionary::new().with("코이벌", Tag::Nnp, -2000).with("새 단어", Tag::Nng, -2000);
    let mecab = build(MecabKo::builder().dictionary(MECAB.dictionary().clone()).user(words));
    assert_eq!(analysis(&mecab, "코이벌을 쓴다"), ["코이벌/NNP", "을/JKO", "쓴다/VV+EC"]);
    assert_eq!(analysis(&mecab, "새 단어는")[0], "새 단어/NNG");
    assert!(mecab.signature().get("user").is_some_and(|sum| sum.len() == 8));
}

#[test]
fn decomposed_text_equals_its_composed_twin() {
    let nfd = "\u{1107}\u{1161}\u{11b8}을";
    let units = MECAB.tokenize(nfd).unwrap();
    assert_eq!((units[0].as_str(), units[0].span()), ("밥", 0..9));
    assert_eq!(MECAB.analyze(nfd).unwrap()[1].span, 9..12);
}

#[test]
fn the_rows_of_the_registry_build() {
    let signature = |spec: &str| ko_tokenize::by_name(spec).map(|t| t.signature().to_string());
    assert_eq!(signature("mecab").unwrap(), "mecab-ko@2.1.1|penalty:on|norm:nfc");
    assert_eq!(
        signature("mecab:penalty=off,form=lemma,tags=VV").unwrap(),
        "mecab-ko@2.1.1|penalty:off|form:lemma|tags:VV|norm:nfc"
    );
    assert!(signature("mecab:tags=NOUN").unwrap_err().to_string().contains("NOUN"));
    let missing = signature("mecab:dic=no/such/folder").unwrap_err().to_string();
    assert!(
        missing.contains("no/such/folder") && missing.contains("ko-eval setup dictionary"),
        "{missing}"
    );
}

#[test]
fn long_lines_and_odd_bytes_are_cut_whole() {
    for piece in ["가", "ㅋ", "a", "漢", "😀", " ", "밥을 먹었다. ", "\0", "\u{200b}", "ᄒᆞᆫ"]
    {
        let text = piece.repeat(100_000 / piece.chars().count());
        assert_eq!(rebuilt(&text), without_space(&text), "{piece:?}");
    }
    assert_eq!(rebuilt(&format!("가{}나", " ".repeat(70_000))), "가나");
    assert_eq!(rebuilt("가\0나"), "가\0나");
}

#[test]
fn words_are_counted_as_grammarians_do() {
    let cut = |spec: &str| {
        let units = ko_tokenize::by_name(spec).unwrap();
        let units = units.tokenize("나는 새 책을 사랑했다.").unwrap();
        units.iter().map(|u| u.as_str()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(cut("mecab:level=particle"), "나 는 새 책 을 사랑했다 .");
    assert_eq!(cut("mecab:level=ending"), "나 는 새 책 을 사랑했 다 .");
    assert_eq!(cut("mecab:form=morpheme,level=ending"), "나 는 새 책 을 사랑하 았 다 .");
    assert_eq!(cut("mecab:level=morpheme"), cut("mecab"));
    let wrong = ko_tokenize::by_name("mecab:level=word").map(drop).unwrap_err().to_string();
    assert!(wrong.contains("one of morpheme, ending, particle"), "{wrong}");
}

fn rebuilt(text: &str) -> String {
    without_space(&MECAB.tokenize(text).unwrap().iter().map(|u| u.as_str()).collect::<String>())
}

fn without_space(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

proptest! {
    #[test]
    fn surfaces_rebuild_the_text(text in "\\PC{0,40}|[가-힣ㄱ-ㅣa-z0-9 .,\t\n\u{3000}漢字😀\u{200b}\u{1100}-\u{11ff}]{0,60}") {
        let normal = Normalization::default().apply(&text).into_owned();
        prop_assert_eq!(rebuilt(&text), without_space(&normal));
        for level in [Level::Particle, Level::Ending] {
            let units = Leveled::new(Arc::new(MECAB.clone()), level).tokenize(&text).unwrap();
            let units: String = units.iter().map(|u| u.as_str()).collect();
            prop_assert_eq!(without_space(&units), without_space(&normal));
        }
        let mut at = 0;
        for unit in MECAB.tokenize(&text).unwrap() {
            prop_assert!(unit.span().start >= at && unit.span().end <= text.len());
            at = unit.span().start;
        }
    }
}
