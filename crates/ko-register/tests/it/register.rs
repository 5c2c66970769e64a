//! Texts as people write them, without a dictionary; sentences of our own.

use ko_eval_core::Signed;
use ko_register::{
    Act, Endings, Honorific, Marker, Mood, Polarity, Register, RegisterAnalyzer, SpeechLevel, Tense,
};
use ko_tokenize::{MorphemeAnalyzer, Normalization};
use proptest::prelude::*;

fn register(text: &str) -> Register {
    RegisterAnalyzer::without_dictionary().analyze(text).unwrap()
}

fn level(text: &str) -> Option<SpeechLevel> {
    register(text).level
}

#[test]
fn one_sentence_through_six_levels() {
    use SpeechLevel::*;
    let cases = [
        ("지금 비가 옵니다.", Hapsyo),
        ("지금 비가 와요.", Haeyo),
        ("지금 비가 오오.", Hao),
        ("지금 비가 온다네.", Hage),
        ("지금 비가 온다.", Haera),
        ("지금 비가 와.", Hae),
        ("이리 앉으십시오", Hapsyo),
        ("이리 앉으세요", Haeyo),
        ("이리 앉으시오", Hao),
        ("이리 앉아라", Haera),
        ("이리 앉아", Hae),
    ];
    for (text, expected) in cases {
        assert_eq!(level(text), Some(expected), "{text}");
    }
}

#[test]
fn a_sentence_closes_without_a_full_stop() {
    // Where does one end, where is the predicate when a noun phrase comes last?
    let cases = [
        ("어느 쪽이 더 가까운가요 시청하고 서울역 중에", 1, true),
        ("창문 좀 닫아 주세요 비가 들이치면", 1, true),
        ("빵을 살까요 떡을 살까요", 2, true),
        ("우산 챙겨줘 현관에 있는 파란 걸로", 1, false),
        ("표는 샀어요 이제 뭐 하면 되나요", 2, true),
        ("뭐가 더 싸니 사과랑 배 중에서", 1, false),
        ("밖에 나가지 마 미세먼지가 심하면", 1, false),
    ];
    for (text, sentences, polite) in cases {
        let found = register(text);
        assert_eq!(
            (found.sentences.len(), found.polite),
            (sentences, Some(polite)),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn chat_spelling() {
    let polite =
        ["지금 가고 있어용", "이거 맞나용?", "내일 오시죠", "확인했슴다", "잠깐 기다려 주십쇼"];
    let plain = [
        "비 올 거같애",
        "한번 알아봐바",
        "저게 뭐니",
        "이건 내 거지",
        "그거 어디 있는지 아니",
        "사지마",
    ];
    for (texts, expected) in [(&polite[..], true), (&plain[..], false)] {
        for text in texts {
            assert_eq!(register(text).polite, Some(expected), "{text}");
        }
    }
}

#[test]
fn a_text_without_predicate_has_no_level() {
    for text in ["", "   ", "서울의 봄", "3월 2일", "hello", "???", "ㅋㅋㅋ", "\u{0}\u{200b}"]
    {
        let found = register(text);
        assert_eq!((found.level, found.polite), (None, None), "{text:?}");
    }
}

#[test]
fn the_last_sentence_that_closes_speaks_for_the_text() {
    assert_eq!(level("어디 가요? 나는 집에 간다."), Some(SpeechLevel::Haera));
    // What breaks off says less than what closes.
    assert_eq!(level("표가 없네요. 어제 샀는데."), Some(SpeechLevel::Haeyo));
    assert_eq!(level("어제 샀는데"), Some(SpeechLevel::Hae));
    // Words tell where no ending does.
    let open = register("저희가 어제 드렸는데");
    assert_eq!((open.level, open.polite), (None, Some(true)));
}

#[test]
fn words_show_why() {
    let text = "너는 몰랐겠지만 할머니께서 어제 오셨어.";
    let found = register(text);
    let words: Vec<_> =
        found.evidence.iter().map(|word| (word.text.as_str(), word.shows)).collect();
    assert_eq!(
        words,
        [("너는", Marker::Familiar), ("할머니께서", Marker::Raising), ("오셨어", Marker::Ending)]
    );
    for word in &found.evidence {
        let covered: String = text.chars().skip(word.start).take(word.end - word.start).collect();
        assert_eq!(covered, word.text);
    }
    let [sentence] = &found.sentences[..] else { panic!("{found:?}") };
    assert_eq!(sentence.clauses.len(), 2);
    assert_eq!(sentence.clauses[0].text, "너는 몰랐겠지만");
    assert_eq!(sentence.clauses[0].grammar.speech_level, None);
    let grammar = &sentence.grammar;
    assert_eq!(grammar.subject.value, Honorific::Honoured);
    assert_eq!(grammar.tense.as_ref().unwrap().value, Tense::Past);
    assert_eq!(grammar.polarity.as_ref().unwrap().value, Polarity::Affirmative);
}

#[test]
fn moods_and_acts_without_question_marks() {
    use {Act::*, Mood::*};
    let cases = [
        ("몇 시쯤 도착해", Interrogative, Question),
        ("뚜껑을 덮어라", Imperative, Command),
        ("같이 가자", Propositive, Command),
        ("밥을 먹었다", Declarative, Statement),
        ("비가 오는구나", Exclamative, Statement),
        ("창문 좀 닫아 줄래", Interrogative, Command),
        ("버스가 언제 오는지 알려줘", Interrogative, Question),
        ("별명 좀 알려줘", Imperative, Question),
    ];
    for (text, mood, act) in cases {
        let grammar = &register(text).sentences[0].grammar;
        assert_eq!(
            (grammar.mood.as_ref().unwrap().value, grammar.act),
            (mood, Some(act)),
            "{text}"
        );
    }
}

#[test]
fn the_analyzer_without_dictionary_signs_itself() {
    assert_eq!(Endings.signature().to_string(), "endings|version:1|norm:hangul");
}

proptest! {
    /// Any Unicode: no panic, places inside the text and in order, morphemes where they say.
    #[test]
    fn any_text_is_judged(text in any::<String>()) {
        check(&text)?;
    }

    /// The same where endings, particles and marks meet by chance.
    #[test]
    fn any_mixture_is_judged(parts in prop::collection::vec(prop::sample::select(PARTS), 0..12)) {
        check(&parts.concat())?;
    }
}

const PARTS: &[&str] = &[
    "가",
    "요",
    "습니다",
    "ㅂ니다",
    "지",
    "마",
    " ",
    "  ",
    ".",
    "?",
    "…",
    "\"",
    "뭐",
    "아니",
    "는데",
    "었",
    "시",
    "께서",
    "ㅋㅋ",
    "A",
    "1",
    "\n",
    "하",
    "해",
    "줘",
    "네",
    "저희",
    "는지",
    "야",
    "죠",
    "\u{1100}\u{1161}",
    "😀",
];

fn check(text: &str) -> Result<(), TestCaseError> {
    for morpheme in Endings.analyze(text).unwrap() {
        let normal = |text| Normalization::default().apply(text).into_owned();
        prop_assert_eq!(normal(text.get(morpheme.span.clone()).unwrap()), normal(&*morpheme.form));
    }
    let found = register(text);
    let characters: Vec<char> = text.chars().collect();
    let mut end = 0;
    for sentence in &found.sentences {
        prop_assert!(
            end <= sentence.start
                && sentence.start <= sentence.end
                && sentence.end <= characters.len()
        );
        let covered: String = characters[sentence.start..sentence.end].iter().collect();
        prop_assert_eq!(&covered, &sentence.text);
        prop_assert!(
            sentence
                .clauses
                .iter()
                .all(|clause| clause.start >= sentence.start && clause.end <= sentence.end)
        );
        end = sentence.end;
    }
    for word in &found.evidence {
        let covered: String = characters[word.start..word.end].iter().collect();
        prop_assert_eq!(&covered, &word.text);
    }
    Ok(())
}

#[test]
fn endless_endings_and_decomposed_letters_are_read() {
    let analyzer = RegisterAnalyzer::without_dictionary();
    let endless = format!("가{}다", "었".repeat(200_000));
    assert_eq!(analyzer.analyze(&endless).unwrap().level, Some(SpeechLevel::Haera));
    // 와요, letter by letter.
    let decomposed = "\u{110b}\u{116a}\u{110b}\u{116d}.";
    assert_eq!(analyzer.analyze(decomposed).unwrap().level, Some(SpeechLevel::Haeyo));
}
