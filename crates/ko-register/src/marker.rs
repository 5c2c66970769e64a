//! Words that show the register besides the final ending: -시-, humble and honorific words, pronouns, answers.

use crate::{
    eojeol::of_word,
    honorific::{self, honours_object, honours_subject, is_humble},
    morph::Morph,
};
use ko_tokenize::Tag;
use serde::Serialize;
use std::ops::Range;

/// What a word shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Marker {
    /// The ending that closes the sentence, or 요 after any other: 갔어요, 갔는데요, 간다.
    Ending,
    /// Somebody is raised: 가시는, 어머니께서, 진지, 드려서, 저희.
    Raising,
    /// A word said only to equals and below: 너, 나, 응, 야.
    Familiar,
}

/// Words for "you" that raise.
const RAISED: &[&str] = &["당신", "귀하", "그대", "댁", "선생", "어르신", "여러분", "그쪽"];
/// Words for "I" and "you" among equals.
const FAMILIAR: &[&str] =
    &["나", "내", "난", "날", "내게", "너", "네", "니", "넌", "널", "네게", "너희", "너네", "자네"];
/// Answers and calls that raise, and that do not.
const POLITE_ANSWERS: &[&str] = &["네", "예", "넵", "넹", "아니요", "아뇨", "저기요", "여보세요"];
const FAMILIAR_ANSWERS: &[&str] = &["응", "어", "그래", "아니", "안녕", "야", "얘", "ㅇㅇ"];

/// What a word shows by itself, its place in the sentence aside.
pub(crate) fn of(morphs: &[Morph], word: &Range<usize>) -> Option<Marker> {
    let own = morphs.get(word.clone())?;
    let polite_ending = || of_word(morphs, word.clone()).and_then(|closing| closing.ending);
    let pronoun = |words: &[&str]| {
        own.first()
            .is_some_and(|first| first.is_any(&[Tag::Np]) && words.contains(&first.text.as_str()))
    };
    if honorific::words(own).any(|morph| honours_subject(morph) || honours_object(morph))
        || own.first().is_some_and(is_humble)
        || pronoun(RAISED)
        || own.first().is_some_and(|first| first.text == "님")
        || is_answer(own, POLITE_ANSWERS)
    {
        return Some(Marker::Raising);
    }
    if pronoun(FAMILIAR) || is_answer(own, FAMILIAR_ANSWERS) {
        return Some(Marker::Familiar);
    }
    let last = own.last()?;
    let fragment = last.text == "요" && own.len() > 1 && last.is_any(&[Tag::Jx, Tag::Ef, Tag::Ic]);
    // Most words need no closer look.
    let may =
        last.text.ends_with(['요', '죠', '다', '까', '오', '쇼', '용', '욤', '당', '만', '서']);
    (fragment || may && polite_ending().is_some_and(|ending| ending.level.is_polite()))
        .then_some(Marker::Ending)
}

fn is_answer(own: &[Morph], words: &[&str]) -> bool {
    matches!(own, [only] if only.is_any(&[Tag::Ic]) && words.contains(&only.text.as_str()))
}
