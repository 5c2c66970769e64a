//! -ㅂ니다 within the last syllable of a stem, and what only looks like it: hearsay in -답니다 and -랍니다.

use super::{
    BIEUP, NIEUN, RIEUL, ends_in_syllable, has_ending, jong,
    predicate::{Predicate, is, predicate, split},
    with_jong,
};
use ko_tokenize::{Morpheme, Tag};

/// Adjectives whose ㄹ falls before ㅂ니다, where nothing is restored; the other stems end in the vowel that is left.
const L_ADJECTIVES: [&str; 13] = [
    "길", "멀", "달", "가늘", "거칠", "힘들", "둥글", "어질", "낯설", "잘", "모질", "드물", "서툴",
];

/// Words that MeCab-ko does not know, and that are of verbs only.
const VERBS: [&str; 6] = ["웁니다", "압니다", "엽니다", "놉니다", "뭅니다", "풉니다"];

/// The plain form of a text that ends in 니다 after a syllable in ㅂ.
pub(super) fn plain(morphemes: &[Morpheme<'_>], body: &str) -> Option<String> {
    let stem = body.strip_suffix("니다")?;
    let last = stem.chars().last().filter(|c| jong(*c) == Some(BIEUP))?;
    let before = stem.strip_suffix(last)?;
    let (word_start, word) = last_word(body);
    let verb = || Some(format!("{before}{}다.", with_jong(last, NIEUN)?));
    if is_surely_verb(morphemes, word_start, word, last) {
        return verb();
    }
    if let Some(told) = hearsay(morphemes, body) {
        return Some(told);
    }
    let kind = predicate(morphemes)?;
    let ending = morphemes.last()?;
    // Nothing is restored: 갑니다 is one morpheme.
    if ending.tags().count() > 1 {
        let open = with_jong(last, 0)?;
        return match kind {
            Predicate::Verb => verb(),
            Predicate::Copula => Some(format!("{before}{open}다.")),
            Predicate::Adjective => {
                let full = format!("{before}{}", with_jong(last, RIEUL)?);
                let falls = L_ADJECTIVES.contains(&last_word(&full).1);
                let stem = if falls { full } else { format!("{before}{open}") };
                Some(format!("{stem}다."))
            }
        };
    }
    if !is_bare(ending) {
        return None;
    }
    let [.., stem, _] = morphemes else { return None };
    if kind == Predicate::Copula && last != '입' && is(stem, Tag::Vcp) {
        return is_a_thing(morphemes, last).then(|| format!("{before}거다."));
    }
    // What is restored must be what the word has.
    let restored = stem.form.chars().last()?;
    let fits = matches!(jong(restored)?, 0 | RIEUL) && with_jong(restored, BIEUP)? == last;
    match kind {
        _ if !fits => None,
        Predicate::Verb => verb(),
        Predicate::Adjective | Predicate::Copula => Some(format!("{before}{restored}다.")),
    }
}

/// The last word, and where it begins.
fn last_word(text: &str) -> (usize, &str) {
    let word = text.rsplit(char::is_whitespace).next().unwrap_or(text);
    (text.len() - word.len(), word)
}

/// What stands behind an object is a verb, whatever its stem is: 리본을 답니다 is of 달다. But 밥을 먹잡니다 is hearsay, and 이를 위함입니다 the copula.
fn is_surely_verb(morphemes: &[Morpheme<'_>], start: usize, word: &str, last: char) -> bool {
    let before = morphemes.iter().rfind(|morpheme| morpheme.span.end <= start);
    let has_object = before.is_some_and(|before| is(before, Tag::Jko));
    let is_one_syllable = word.chars().count() == "갑니다".chars().count();
    let is_clear = is_one_syllable || !matches!(last, '답' | '랍' | '잡' | '냡' | '입');
    VERBS.contains(&word) || has_object && is_clear
}

/// 예쁘답니다, 간답니다 and 학생이랍니다 tell what somebody says: 예쁘다, 간다, 학생이다.
fn hearsay(morphemes: &[Morpheme<'_>], body: &str) -> Option<String> {
    let [rest @ .., before, ending] = morphemes else { return None };
    let form = Some(ending.form.as_ref()).filter(|_| has_ending(ending))?;
    let end = ["답니다", "랍니다"].into_iter().find(|end| form.ends_with(end))?;
    let told = body.strip_suffix(end).filter(|told| ends_in_syllable(told))?;
    let is_statement = match form {
        "답니다" => match is(before, Tag::Ep) {
            true => {
                told.ends_with('겠')
                    || told.chars().last().and_then(jong) == Some(super::SSANG_SIOT)
            }
            false => !is(before, Tag::Vcp) && predicate(morphemes) == Some(Predicate::Adjective),
        },
        "랍니다" => {
            is(before, Tag::Vcn)
                || is(before, Tag::Vcp) && rest.last().is_some_and(|noun| !has_ending(noun))
        }
        // ㄴ답니다 and 는답니다, with which the word has its plain ending.
        _ => told.ends_with('는') || told.chars().last().and_then(jong) == Some(NIEUN),
    };
    is_statement.then(|| format!("{told}다."))
}

/// ㅂ니다 as it is restored.
fn is_bare(ending: &Morpheme<'_>) -> bool {
    let mut bieup = ending.form.strip_suffix("니다").unwrap_or_default().chars();
    has_ending(ending) && bieup.next().is_some_and(|c| jong(c).is_none()) && bieup.next().is_none()
}

/// 갈 겁니다 and 제 겁니다 are 것입니다, but 벽에 겁니다 is 걸다.
fn is_a_thing(morphemes: &[Morpheme<'_>], last: char) -> bool {
    let modified = |before: &Morpheme<'_>| {
        before.tags().any(|tag| matches!(tag, Tag::Etm | Tag::Mm | Tag::Jkg | Tag::Np))
    };
    match split(morphemes) {
        Some(([.., before, thing], _, _)) => {
            last == '겁' && is(thing, Tag::Nnb) && thing.form == "것" && modified(before)
        }
        _ => false,
    }
}
