//! Mood: what a sentence does.

use super::{
    Answer, SpeechLevel, ending::Ending, honorific::is_si, morph::Morph, predicate::Predicate,
    tense::is_past,
};
use ko_tokenize::Tag;
use serde::Serialize;

/// Sentence types of Korean grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
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
    "몇",
    "어느",
    "무슨",
    "웬",
];

/// 부탁해 줘, 먹어 봐, 가지 마: auxiliaries that turn -어 into a request.
const REQUESTS: &[&str] = &["주", "보", "말"];

/// Adverbs that make a request of a verb without a subject.
const URGING: &[&str] = &["제발", "어서", "얼른", "빨리", "부디"];

pub(super) fn judge(
    morphs: &[Morph],
    predicate: &Predicate,
    ending: Option<Ending>,
) -> Answer<Mood> {
    let decisive = morphs.get(predicate.ending..).unwrap_or_default();
    let marks = morphs.get(predicate.span.end..).unwrap_or_default();
    let asks = marks.iter().any(|mark| mark.text.contains(['?', '？']));
    let stated = marks.iter().any(|mark| mark.text.contains(['.', '!', '。']));
    let by_ending = |mood| Answer::new(mood, decisive);
    let stem = predicate.stem(morphs);
    let mood = match ending {
        Some(ending) if ending.text == "라" => Some(mood_of_ra(morphs, predicate)),
        // -니 and -나 connect as well as ask: only a final ending asks without a question mark.
        Some(Ending { text: "니" | "나", .. }) if !asks && !is_final(morphs, predicate) => None,
        Some(ending) => ending.mood,
        None => None,
    };
    match mood {
        Some(mood @ (Mood::Imperative | Mood::Propositive)) => return by_ending(mood),
        _ if asks => return by_ending(Mood::Interrogative),
        Some(mood) => return by_ending(mood),
        None => {}
    }
    if !stated && let Some(word) = question_word(morphs) {
        return Answer::new(Mood::Interrogative, [word].into_iter().chain(decisive));
    }
    match (ending, stem) {
        (Some(ending), Some(stem)) if is_request(morphs, predicate, ending, stem) => {
            let from = morphs.get(predicate.span.start..).unwrap_or_default();
            Answer::new(Mood::Imperative, from)
        }
        _ => by_ending(Mood::Declarative),
    }
}

fn is_final(morphs: &[Morph], predicate: &Predicate) -> bool {
    morphs.get(predicate.ending).is_some_and(|morph| morph.is_any(&[Tag::Ef]))
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

fn question_word(morphs: &[Morph]) -> Option<&Morph> {
    let indefinite = |next: Option<&Morph>| {
        next.is_some_and(|next| {
            next.is_any(&[Tag::Jx])
                && matches!(next.text.as_str(), "나" | "든" | "든지" | "도" | "라도")
        })
    };
    let places = morphs.iter().enumerate();
    let mut found = places.filter(|(at, morph)| {
        QUESTION_WORDS.contains(&morph.text.as_str()) && !indefinite(morphs.get(at + 1))
    });
    found.next().map(|(_, morph)| morph)
}

/// Whether an ending whose mood intonation decides (-어, -어요, -세요) makes a request here.
fn is_request(morphs: &[Morph], predicate: &Predicate, ending: Ending, stem: &Morph) -> bool {
    let complex = predicate.morphs(morphs);
    let open = matches!(ending.level, SpeechLevel::Hae | SpeechLevel::Haeyo | SpeechLevel::Hao)
        && matches!(
            ending.text,
            "어" | "아" | "여" | "해" | "요" | "어요" | "세요" | "셔요" | "오"
        );
    let verb = stem.is_any(&[Tag::Vv, Tag::Vx, Tag::Xsv]);
    // 안녕하세요 greets, 주셨어요 tells, 가겠어요 intends.
    let greeting = complex.iter().any(|morph| morph.text == "안녕");
    let tensed = complex.iter().any(|morph| {
        is_past(morph) || (morph.is_any(&[Tag::Ep]) && morph.text.contains(['겠', '더']))
    });
    if !open || !verb || greeting || tensed {
        return false;
    }
    let clause = clause_before(morphs, predicate);
    // Whoever is told to do it is not named: a subject makes it a statement.
    let subject = clause.iter().any(|morph| morph.is_any(&[Tag::Jks]));
    let urged = clause.iter().any(|morph| URGING.contains(&morph.text.as_str()));
    let honorific = complex.iter().any(is_si);
    let asked_for = stem.has_stem(REQUESTS) && (stem.is_any(&[Tag::Vx]) || stem.has_stem(&["주"]));
    !subject && (asked_for || urged || (honorific && ending.level == SpeechLevel::Haeyo))
}

/// What stands between the last connective ending and the predicate: its own clause. -게 makes
/// adverbs, not clauses.
fn clause_before<'m>(morphs: &'m [Morph], predicate: &Predicate) -> &'m [Morph] {
    let before = morphs.get(..predicate.span.start).unwrap_or_default();
    let from = before
        .iter()
        .rposition(|morph| morph.is_any(&[Tag::Ec]) && morph.text != "게")
        .map_or(0, |at| at + 1);
    before.get(from..).unwrap_or_default()
}
