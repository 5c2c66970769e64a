//! Where a sentence closes: the eojeols whose ending ends one, also without a full stop.
//!
//! An ending that can only be final closes wherever it stands (어느 쪽입니까 왼쪽과 오른쪽 중에). One that connects as
//! well needs a predicate to connect to: where none follows, it closes too (기억나 지난봄에 심은 나무). What comes
//! behind the last closing eojeol is a postposed part of its sentence.

use crate::{
    ending::{self, Ending, Force},
    eojeol::{VOWELS, is_noun, of_word},
    mood::question_word,
    morph::Morph,
};
use ko_tokenize::Tag;
use std::ops::Range;

/// An eojeol that can close a sentence.
#[derive(Debug, Clone)]
pub(crate) struct Closing {
    /// The morphemes of the eojeol, marks at its edges excluded.
    pub(crate) word: Range<usize>,
    /// The place of the final ending (a fused surface, perhaps).
    pub(crate) at: usize,
    /// `None` where a nominal form closes: 좋음.
    pub(crate) ending: Option<Ending>,
    pub(crate) force: Force,
    /// Whether the ending could as well have gone on: the speaker broke off, or put the rest first.
    pub(crate) open: bool,
}

/// The eojeols between marks: ranges of morphemes, without marks at their edges.
pub(crate) fn words(morphs: &[Morph]) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, morph) in morphs.iter().enumerate() {
        if morph.is_mark() {
            continue;
        }
        let same = |word: &&mut Range<usize>| {
            word.end == at
                && morphs.get(word.start).is_some_and(|first| first.eojeol == morph.eojeol)
        };
        match words.last_mut().filter(same) {
            Some(word) => word.end = at + 1,
            None => words.push(at..at + 1),
        }
    }
    words
}

/// The eojeols that close a sentence each, in order.
pub(crate) fn closings(morphs: &[Morph]) -> Vec<Closing> {
    let words = words(morphs);
    let Some(last) = words.len().checked_sub(1) else { return Vec::new() };
    let mut closers = Vec::new();
    // The last of the eojeols that may close if nothing behind them does.
    let mut doubtful = None;
    let mut hanging = None;
    for (number, word) in words.iter().enumerate() {
        let previous = number.checked_sub(1).and_then(|previous| words.get(previous));
        let Some(mut found) =
            knowing(morphs, word, previous).or_else(|| of_word(morphs, word.clone()))
        else {
            continue;
        };
        let next = words.get(number + 1).and_then(|next| morphs.get(next.clone()));
        if next.is_some_and(|next| goes_on(&found, morphs, next)) {
            continue;
        }
        match found.force {
            Force::Always | Force::Final => {}
            Force::Either if number == last => {}
            Force::Either => {
                found.open = true;
                doubtful = Some(found);
                continue;
            }
            Force::Hanging => {
                found.open = true;
                let pauses = found.ending.is_some_and(|ending| ending.text.ends_with('데'));
                if number == last || pauses {
                    hanging = Some(found);
                }
                continue;
            }
        }
        closers.push(found);
        doubtful = None;
    }
    // 안 함, 좋음: at the end a noun of a predicate closes, and nothing before it has to.
    let nominal = hanging.as_ref().is_some_and(|found| {
        found.ending.is_none()
            && morphs.get(found.at).is_some_and(|last| last.letters().ends_with('ㅁ'))
    });
    closers.extend(doubtful.filter(|_| !nominal));
    if closers.is_empty() {
        closers.extend(hanging.or_else(|| untagged(morphs, &words)));
    }
    closers
}

/// An indirect question wants a verb of knowing: in 어디인지 아니, 아니 is 알+니 whatever the tag says.
fn knowing(
    morphs: &[Morph],
    word: &Range<usize>,
    previous: Option<&Range<usize>>,
) -> Option<Closing> {
    let own = morphs.get(word.clone())?;
    let [only] = own else { return None };
    let asked = previous.and_then(|previous| of_word(morphs, previous.clone()))?.ending?;
    let asks = asked.force == Force::Hanging && asked.text.ends_with('지');
    let ending = ending::named("니").filter(|_| asks && only.text == "아니")?;
    let (word, at) = (word.clone(), word.start);
    Some(Closing { word, at, ending: Some(ending), force: Force::Final, open: false })
}

/// The last eojeol of a stretch in which nothing closes, although a predicate is called for: analyzers take 개야,
/// 파니 and 가요 for nouns. A question word, or a subject or object without a predicate, calls for one.
fn untagged(morphs: &[Morph], words: &[Range<usize>]) -> Option<Closing> {
    let (word, before) = words.split_last()?;
    let own = morphs.get(word.clone())?;
    let (last, inside) = own.split_last()?;
    let earlier = morphs.get(..word.start)?;
    let asks = question_word(earlier).is_some() || question_word(inside).is_some();
    let previous = before.last().and_then(|previous| morphs.get(previous.end.checked_sub(1)?));
    let argument =
        previous.is_some_and(|previous| previous.is_any(&[Tag::Jks, Tag::Jko, Tag::Jkb]));
    let letters = last.letters();
    let text =
        if letters.ends_with("ㅇㅑ") && last.is_any(&[Tag::Jx, Tag::Jkv]) && !before.is_empty() {
            "야"
        } else if !is_noun(last) {
            return None;
        } else if asks {
            ending::longest(letters, |_, row| {
                matches!(row.text, "야" | "지" | "니" | "냐" | "까" | "나" | "죠")
            })?
            .1
            .text
        } else if !argument || !inside.is_empty() {
            return None;
        } else if letters.ends_with("ㅏㅇㅛ")
            || letters.ends_with("ㅓㅇㅛ")
            || letters.ends_with("ㅐㅇㅛ")
        {
            "요"
        } else if (last.text.chars().count() == 1 && letters.ends_with(VOWELS))
            || letters.ends_with("ㅎㅐ")
        {
            "어"
        } else {
            return None;
        };
    let ending = ending::named(text)?;
    let at = word.end.checked_sub(1)?;
    Some(Closing { word: word.clone(), at, ending: Some(ending), force: ending.force, open: false })
}

/// Whether the next eojeol shows that an ending does not close.
fn goes_on(closing: &Closing, morphs: &[Morph], next: &[Morph]) -> bool {
    let (Some(ending), Some(first)) = (closing.ending, next.first()) else { return false };
    // 가자 라고, 간다 고: what was said is quoted.
    if first.is_any(&[Tag::Jkq])
        || matches!(first.text.as_str(), "라고" | "라는" | "라며" | "이라고")
    {
        return true;
    }
    let leans = |stems: &[&str]| first.is_predicate() && first.has_stem(stems);
    match ending.text {
        "지" => {
            leans(&["않", "못하", "말", "모르", "싶", "아니하"])
                || matches!(first.text.as_str(), "못" | "마" | "말" | "않" | "안")
        }
        // 갈까 하다, 가나 보다, 그렇다 치고
        "까" | "ㄹ까" | "을까" | "나" | "ㄴ가" | "는가" | "은가" | "던가" | "다" | "ㄴ다"
        | "는다" | "자" | "라" | "냐" => {
            leans(&["싶", "보", "하", "말", "치"]) || first.text == "말"
        }
        "어" | "아" | "여" | "해" if closing.force < Force::Final => {
            next.iter().any(Morph::is_predicate)
                || is_postposition(morphs.get(closing.word.clone()).unwrap_or_default())
        }
        _ => false,
    }
}

/// 에 대해, 를 위해: verbs that have become postpositions.
fn is_postposition(word: &[Morph]) -> bool {
    word.len() == 1
        && word.iter().any(|morph| {
            matches!(
                morph.text.as_str(),
                "대해" | "위해" | "통해" | "의해" | "관해" | "인해" | "비해" | "따라" | "향해"
            )
        })
}
