//! What a sentence wants of its listener, whatever its form.
//!
//! 창문 좀 닫아 줄래 has the form of a question and is a request; 몇 시인지 알려줘 has that of a command and asks for knowledge.

use crate::{Mood, morph::Morph, predicate::Predicate};
use ko_tokenize::Tag;
use serde::Serialize;

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Act {
    /// Nothing but to listen.
    Statement,
    /// To tell something.
    Question,
    /// To do something, or to do it together.
    Command,
}

/// What one asks another to do in order to know something.
const TELLING: &[&str] = &[
    "알려",
    "알리",
    "말하",
    "말해",
    "말씀",
    "가르쳐",
    "가르치",
    "보여",
    "확인",
    "검색",
    "체크",
    "조사",
    "파악",
    "찾",
    "설명",
    "답",
    "읽",
    "궁금",
    "알아보",
    "알아봐",
    "조회",
];

/// What makes a question a request: 해 줄래, 해 줄 수 있니, 해 주겠니, 해 줄까.
const GIVING: &[&str] = &["ㅈㅜㄹ", "ㅈㅜㅅㅣ", "ㅈㅜㄱㅔㅆ", "ㄷㅡㄹㅣ"];

pub(crate) fn judge(morphs: &[Morph], predicate: &Predicate, mood: Mood) -> Act {
    // The telling may stand an eojeol before the giving: 확인 좀 해 줘.
    let before = morphs.get(..predicate.span.start).unwrap_or_default();
    let cut =
        before.iter().rposition(|morph| morph.is_any(&[Tag::Jko, Tag::Jks, Tag::Ec, Tag::Etm]));
    let near = morphs.get(cut.map_or(0, |at| at + 1)..predicate.span.end).unwrap_or_default();
    let complex = predicate.morphs(morphs);
    let letters: String = complex.iter().map(Morph::letters).collect();
    let tells = near.iter().any(|morph| TELLING.iter().any(|word| morph.text.starts_with(word)));
    let asked = mood == Mood::Interrogative && GIVING.iter().any(|giving| letters.contains(giving));
    let wished = mood == Mood::Declarative
        && near
            .iter()
            .any(|morph| matches!(morph.text.as_str(), "부탁" | "바라" | "바랍니다" | "바래"));
    let wondered =
        mood == Mood::Declarative && near.iter().any(|morph| morph.text.starts_with("궁금"));
    match mood {
        _ if wondered => Act::Question,
        Mood::Imperative | Mood::Propositive if tells => Act::Question,
        Mood::Imperative | Mood::Propositive => Act::Command,
        _ if (asked || wished) && tells => Act::Question,
        _ if asked || wished => Act::Command,
        Mood::Interrogative => Act::Question,
        Mood::Declarative | Mood::Exclamative => Act::Statement,
    }
}
