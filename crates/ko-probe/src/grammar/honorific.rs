//! Honorification: who is raised, wherever in the sentence.

use super::{Answer, morph::Morph};
use ko_tokenize::Tag;
use serde::Serialize;

/// Whether somebody is honoured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Honorific {
    /// 선생님께서 오신다.
    Honoured,
    /// 친구가 온다.
    Plain,
}

/// Predicates that honour whoever does it.
const SUBJECT_STEMS: &[&str] = &["계시", "주무시", "잡수", "잡숫", "드시", "편찮", "돌아가시"];

/// Predicates that honour whoever receives it, or is met, asked, accompanied.
const OBJECT_STEMS: &[&str] = &["드리", "모시", "뵙", "뵈", "여쭈", "여쭙", "아뢰"];

/// Nouns that only belong to somebody honoured.
const NOUNS: &[&str] = &["연세", "성함", "생신", "병환", "함자"];

pub(super) fn subject(morphs: &[Morph]) -> Answer<Honorific> {
    judge(morphs, |morph| {
        is_si(morph)
            || (morph.text == "께서" && morph.is_any(&[Tag::Jks, Tag::Jkb, Tag::Jx]))
            || morph.has_stem(SUBJECT_STEMS)
            || (morph.is_any(&[Tag::Nng]) && NOUNS.contains(&morph.text.as_str()))
    })
}

pub(super) fn object(morphs: &[Morph]) -> Answer<Honorific> {
    judge(morphs, |morph| {
        (morph.text == "께" && morph.is_any(&[Tag::Jkb])) || morph.has_stem(OBJECT_STEMS)
    })
}

fn judge(morphs: &[Morph], honours: impl Fn(&Morph) -> bool) -> Answer<Honorific> {
    let found: Vec<_> = morphs.iter().filter(|morph| honours(morph)).collect();
    match found.is_empty() {
        false => Answer::new(Honorific::Honoured, found),
        true => Answer::new(Honorific::Plain, []),
    }
}

/// -시-, -으시-, and endings that hold it (세요, 십시오).
pub(super) fn is_si(morph: &Morph) -> bool {
    const ENDINGS: &[&str] = &["세요", "셔요", "으세요", "십시오", "으십시오", "십시다"];
    let syllable = |c: char| matches!(c, '시' | '셔' | '셨' | '세' | '신' | '실' | '십' | '심');
    let ending = morph.is_any(&[Tag::Ef, Tag::Ec]) && ENDINGS.contains(&morph.text.as_str());
    // A stem may have a 시 of its own. 사셨/VV+EP+EP is 사+시+었, but 마셨/VV+EP is 마시+었: 셨 is 시 only
    // if there is a tag for it besides the past tense's.
    let tags = morph.tags.iter().filter(|tag| **tag == Tag::Ep).count();
    let past = usize::from(morph.is_predicate() && morph.text.contains('셨'));
    ending || (tags > past && morph.text.chars().any(syllable))
}
