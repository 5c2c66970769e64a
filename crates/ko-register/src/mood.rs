//! Mood: what a sentence does.

use crate::{
    Answer, SpeechLevel, ending::Ending, honorific::is_si, morph::Morph, predicate::Predicate,
    tense::is_past,
};
use ko_tokenize::Tag;
use serde::Serialize;

/// Sentence types of Korean grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mood {
    /// 비가 온다.
    Declarative,
    /// 비가 오니?
    Interrogative,
    /// 우산을 가져가라.
    Imperative,
    /// 집에 가자.
    Propositive,
    /// 비가 오는구나!
    Exclamative,
}

/// Words that ask; with 나, 든 or 도 behind them they do not (누구나, 아무도).
const QUESTION_WORDS: &[&str] = &[
    "누구",
    "누가",
    "뭐",
    "무엇",
    "뭘",
    "어디",
    "언제",
    "왜",
    "어떻게",
    "얼마",
    "얼마나",
    "몇",
    "며칠",
    "어느",
    "무슨",
    "웬",
    "어떤",
    "어때",
    "어떠",
    "어떻",
    "뭔지",
    "뭔가",
    "어딨",
    "누굴",
];

/// 부탁해 줘, 먹어 봐, 가지 마: auxiliaries that turn -어 into a request, as they are written there.
const REQUESTS: &[&str] =
    &["ㅈㅝ", "ㅂㅘ", "ㅂㅏ", "ㅁㅏ", "ㅈㅜㅇㅓ", "ㅂㅗㅇㅏ", "ㅁㅏㄹㅇㅏ", "ㄷㅝ"];

/// Adverbs that make a request of a verb without a subject.
const URGING: &[&str] = &["제발", "어서", "얼른", "빨리", "부디", "당장", "좀"];

/// Verbs that tell how things are, not what is done: in -어 they state.
const STATIVE: &[&str] = &[
    "있",
    "없",
    "같",
    "되",
    "지",
    "나",
    "싶",
    "않",
    "못하",
    "모르",
    "알",
    "들",
    "좋아하",
    "사랑하",
    "생각하",
    "원하",
    "바라",
    "보이",
    "맞",
    "틀리",
    "걸리",
    "남",
    "생기",
    "아니",
    "늦",
];

/// A mood, and whether only intonation could tell for sure.
pub(crate) struct Judged {
    pub(crate) mood: Answer<Mood>,
    pub(crate) by_intonation: bool,
}

pub(crate) fn judge(morphs: &[Morph], predicate: &Predicate, ending: Option<Ending>) -> Judged {
    let decisive = morphs.get(predicate.ending..predicate.span.end).unwrap_or_default();
    let marks = morphs.get(predicate.span.end..).unwrap_or_default();
    let asks = marks.iter().any(|mark| mark.text.contains(['?', '？']));
    let stated = marks.iter().any(|mark| mark.text.contains(['.', '!', '。']));
    let sure = |mood, evidence: &[Morph]| Judged {
        mood: Answer::new(mood, evidence),
        by_intonation: false,
    };
    let mood = match ending {
        Some(ending) if ending.text == "라" => Some(mood_of_ra(morphs, predicate)),
        // -니 and -나 connect as well as ask: what is left open does not ask without a question mark.
        Some(Ending { text: "니" | "나", .. }) if !asks && predicate.open => None,
        Some(Ending { text: "ㄹ래" | "을래", .. }) if !stated => Some(wish(morphs, predicate)),
        Some(ending) => ending.mood,
        None => None,
    };
    match mood {
        Some(mood @ (Mood::Imperative | Mood::Propositive)) => return sure(mood, decisive),
        _ if asks => return sure(Mood::Interrogative, decisive),
        Some(mood) => return sure(mood, decisive),
        None => {}
    }
    if !stated && let Some(word) = question_word(morphs) {
        let mood = Answer::new(Mood::Interrogative, [word].into_iter().chain(decisive));
        return Judged { mood, by_intonation: false };
    }
    let Some((ending, stem)) = ending.zip(predicate.stem(morphs)) else {
        return sure(Mood::Declarative, decisive);
    };
    let whole = morphs.get(predicate.span.clone()).unwrap_or_default();
    match request(morphs, predicate, ending, stem, stated) {
        Some(Request::Marked) => sure(Mood::Imperative, whole),
        Some(Request::Likely) => Judged { by_intonation: true, ..sure(Mood::Imperative, whole) },
        None => Judged { by_intonation: !stated, ..sure(Mood::Declarative, decisive) },
    }
}

/// 갈래: a wish of the speaker's where the speaker is named, else a question.
fn wish(morphs: &[Morph], predicate: &Predicate) -> Mood {
    let speaker = clause_before(morphs, predicate).iter().any(is_speaker);
    if speaker { Mood::Declarative } else { Mood::Interrogative }
}

fn is_speaker(morph: &Morph) -> bool {
    morph.is_any(&[Tag::Np])
        && matches!(morph.text.as_str(), "나" | "내" | "난" | "저" | "제" | "전" | "우리" | "저희")
}

/// 가라 commands; 이라, 아니라, 하리라, 하더라 state.
fn mood_of_ra(morphs: &[Morph], predicate: &Predicate) -> Mood {
    let copula = predicate
        .stem(morphs)
        .is_some_and(|stem| stem.is_any(&[Tag::Vcp, Tag::Vcn, Tag::Va, Tag::Xsa]));
    let pre_final = predicate.ending.checked_sub(1).and_then(|at| morphs.get(at));
    let retrospective = pre_final.is_some_and(|m| m.is_any(&[Tag::Ep]) && m.text != "시");
    if copula || retrospective { Mood::Declarative } else { Mood::Imperative }
}

pub(crate) fn question_word(morphs: &[Morph]) -> Option<&Morph> {
    let indefinite = |next: Option<&Morph>| {
        next.is_some_and(|next| {
            next.is_any(&[Tag::Jx])
                && matches!(next.text.as_str(), "나" | "든" | "든지" | "도" | "라도")
        })
    };
    let asks = |morph: &Morph| {
        QUESTION_WORDS.contains(&morph.text.as_str())
            || (morph.is_fused() && morph.text.starts_with("어때"))
    };
    let places = morphs.iter().enumerate();
    let mut found = places.filter(|(at, morph)| asks(morph) && !indefinite(morphs.get(at + 1)));
    found.next().map(|(_, morph)| morph)
}

/// How an ending whose mood intonation decides makes a request.
enum Request {
    /// A word says so: 줘, 제발, -세요.
    Marked,
    /// Nobody is named who would do it.
    Likely,
}

/// Whether an ending whose mood intonation decides (-어, -어요, -세요) makes a request here.
fn request(
    morphs: &[Morph],
    predicate: &Predicate,
    ending: Ending,
    stem: &Morph,
    stated: bool,
) -> Option<Request> {
    let complex = predicate.morphs(morphs);
    let open = matches!(ending.level, SpeechLevel::Hae | SpeechLevel::Haeyo | SpeechLevel::Hao)
        && matches!(
            ending.text,
            "어" | "아" | "여" | "해" | "요" | "어요" | "아요" | "해요" | "세요" | "셔요" | "오"
        );
    let verb = stem.is_any(&[Tag::Vv, Tag::Vx, Tag::Xsv]);
    // 안녕하세요 greets, 주셨어요 tells, 가겠어요 intends.
    let greeting = complex.iter().any(|morph| morph.text == "안녕");
    let tensed = complex.iter().any(|morph| {
        is_past(morph) || (morph.is_any(&[Tag::Ep]) && morph.text.contains(['겠', '더']))
    });
    if !open || !verb || greeting || tensed {
        return None;
    }
    let clause = clause_before(morphs, predicate);
    // Whoever is told to do it is not named: a subject makes it a statement.
    if clause.iter().any(|morph| morph.is_any(&[Tag::Jks]) || is_speaker(morph)) {
        return None;
    }
    let letters: String = complex.iter().map(Morph::letters).collect();
    let plain = letters.strip_suffix("ㅇㅛ").unwrap_or(&letters);
    let asked_for = stem.is_any(&[Tag::Vx]) && REQUESTS.iter().any(|aux| plain.ends_with(aux))
        || stem.has_stem(&["주"]);
    let urged = clause.iter().any(|morph| URGING.contains(&morph.text.as_str()));
    let honorific = complex.iter().any(is_si) && ending.level == SpeechLevel::Haeyo;
    let stative = stem.has_stem(STATIVE);
    match asked_for || ((urged || honorific) && !stative) {
        true => Some(Request::Marked),
        false => {
            (!stated && !stative && ending.level == SpeechLevel::Hae).then_some(Request::Likely)
        }
    }
}

/// What stands between the last connective or adnominal ending and the predicate: its own clause. -게 makes
/// adverbs, not clauses.
fn clause_before<'m>(morphs: &'m [Morph], predicate: &Predicate) -> &'m [Morph] {
    let before = morphs.get(..predicate.span.start).unwrap_or_default();
    let from = before
        .iter()
        .rposition(|morph| morph.is_any(&[Tag::Ec, Tag::Etm]) && morph.text != "게")
        .map_or(0, |at| at + 1);
    before.get(from..).unwrap_or_default()
}
