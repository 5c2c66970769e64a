//! Honorification: who is raised, wherever in the sentence.

use crate::{Answer, morph::Morph};
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

/// Words for "I" and "we" that lower the speaker, with the particles that grow onto them.
const HUMBLE: &[&str] = &["저", "제", "저희", "전", "절", "저흰", "제게", "소인", "소생"];

/// Nouns that only belong to somebody honoured.
const NOUNS: &[&str] = &["연세", "성함", "생신", "병환", "함자", "진지", "말씀", "춘추"];

pub(crate) fn subject(morphs: &[Morph]) -> Answer<Honorific> {
    judge(morphs, honours_subject)
}

pub(crate) fn object(morphs: &[Morph]) -> Answer<Honorific> {
    judge(morphs, honours_object)
}

/// -시-, 께서, 계시다, 연세.
pub(crate) fn honours_subject(morph: &Morph) -> bool {
    is_si(morph)
        || (morph.text == "께서" && morph.is_any(&[Tag::Jks, Tag::Jkb, Tag::Jx]))
        || morph.has_stem(SUBJECT_STEMS)
        // One's own words are 말씀 as well, lowered: 제가 말씀드리겠습니다.
        || (is_noun(morph) && morph.text != "말씀")
}

/// 연세, 진지, 말씀: nouns that belong to somebody honoured.
pub(crate) fn is_noun(morph: &Morph) -> bool {
    morph.is_any(&[Tag::Nng]) && NOUNS.contains(&morph.text.as_str())
}

/// 저, 저희: the speaker is lowered.
pub(crate) fn is_humble(morph: &Morph) -> bool {
    morph.is_any(&[Tag::Np]) && HUMBLE.contains(&morph.text.as_str())
}

/// 께, 드리다, 뵙다.
pub(crate) fn honours_object(morph: &Morph) -> bool {
    (morph.text == "께" && morph.is_any(&[Tag::Jkb])) || morph.has_stem(OBJECT_STEMS)
}

/// The morphemes that can honour: 진지 is a meal, but not in 진지하다, to be serious.
pub(crate) fn words(morphs: &[Morph]) -> impl Iterator<Item = &Morph> {
    let is_root = |at: usize, morph: &Morph| {
        morph.text == "진지"
            && morphs.get(at + 1).is_some_and(|next| {
                next.eojeol == morph.eojeol
                    && (next.is_any(&[Tag::Xsa, Tag::Xsv]) || next.text.starts_with('하'))
            })
    };
    morphs
        .iter()
        .enumerate()
        .filter(move |(at, morph)| !is_root(*at, morph))
        .map(|(_, morph)| morph)
}

fn judge(morphs: &[Morph], honours: impl Fn(&Morph) -> bool) -> Answer<Honorific> {
    let found: Vec<_> = words(morphs).filter(|morph| honours(morph)).collect();
    match found.is_empty() {
        false => Answer::new(Honorific::Honoured, found),
        true => Answer::new(Honorific::Plain, []),
    }
}

/// -시-, -으시-, and endings that hold it (세요, 십시오).
pub(crate) fn is_si(morph: &Morph) -> bool {
    const ENDINGS: &[&str] = &["세요", "셔요", "으세요", "십시오", "으십시오", "십시다"];
    let syllable = |c: char| matches!(c, '시' | '셔' | '셨' | '세' | '신' | '실' | '십' | '심');
    let ending = morph.is_any(&[Tag::Ef, Tag::Ec]) && ENDINGS.contains(&morph.text.as_str());
    // A stem may have a 시 of its own. 사셨/VV+EP+EP is 사+시+었, but 마셨/VV+EP is 마시+었: 셨 is 시 only
    // if there is a tag for it besides the past tense's.
    let tags = morph.tags().iter().filter(|tag| **tag == Tag::Ep).count();
    let past = usize::from(morph.is_predicate() && morph.text.contains('셨'));
    ending || (tags > past && morph.text.chars().any(syllable))
}
