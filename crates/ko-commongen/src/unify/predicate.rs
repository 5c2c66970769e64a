//! What a sentence's last predicate is: a verb takes ㄴ다 or 는다, an adjective 다.

use super::has_ending;
use ko_tokenize::{Morpheme, Tag};

/// What a predicate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Predicate {
    Verb,
    Adjective,
    Copula,
}

/// Verbs that are adjectives as well, which analyzers mix up: only with an object before them they are surely verbs.
const ALSO_ADJECTIVES: [&str; 16] = [
    "쓰", "짜", "싸", "차", "크", "달", "부르", "고르", "이르", "바르", "무르", "누르", "흐리",
    "어리", "거치", "밝",
];

/// The same, of which the adjective is no likelier than the verb even where an analyzer says so: 병이 낫습니다, 버스가 늦습니다.
const AS_OFTEN_VERBS: [&str; 4] = ["낫", "늦", "굳", "맞"];

/// Adjectives in 하다 that MeCab-ko takes for verbs, by what is before 하다.
const TAKEN_FOR_VERBS: &str = "중요 부족 편리 단순 이상 다정 부지런 급 귀 독 선 과 동일 일정 유리 유능 유용 무용 \
    유익 유해 부적합 부당 불명확 선명 불행 신중 영원 우연 처절 가혹 얌전 비굴 남루 통쾌 미안 긴박 \
    유관 특이 독특 고유 유사 평등 불평등 투명 규칙 밀접 현명 박식 진실 조숙 퉁명 우수 열등 분주 \
    악독 신성 심원 괴상 과도 치열 지대 저조 유효 부실 조신 각별 특수 무성의";

/// Nouns whose 하다 is a verb and an adjective.
const OF_BOTH: [&str; 9] = ["감사", "만족", "건조", "무리", "성숙", "부정", "긍정", "사치", "황폐"];

/// What the predicate is that a sentence ends in.
pub(super) fn predicate(morphemes: &[Morpheme<'_>]) -> Option<Predicate> {
    // 예쁜 웃음 ends in none.
    morphemes.last().filter(|last| has_ending(last))?;
    last_of(morphemes)
}

/// The morphemes before the last predicate, and the predicate.
pub(super) fn split<'m, 't>(
    morphemes: &'m [Morpheme<'t>],
) -> Option<(&'m [Morpheme<'t>], &'m Morpheme<'t>, Tag)> {
    let at = morphemes.iter().rposition(|morpheme| tag(morpheme).is_some())?;
    let (before, rest) = morphemes.split_at_checked(at)?;
    let predicate = rest.first()?;
    Some((before, predicate, tag(predicate)?))
}

fn last_of(morphemes: &[Morpheme<'_>]) -> Option<Predicate> {
    let (before, predicate, tag) = split(morphemes)?;
    if is_as_before(before, predicate, tag) {
        return Some(match last_of(before)? {
            Predicate::Verb => Predicate::Verb,
            Predicate::Adjective | Predicate::Copula => Predicate::Adjective,
        });
    }
    let form = predicate.form.as_ref();
    let unless_object = |otherwise| match has_object(before) {
        true => Some(Predicate::Verb),
        false => otherwise,
    };
    match tag {
        Tag::Vcp => Some(Predicate::Copula),
        Tag::Vcn => Some(Predicate::Adjective),
        Tag::Xsv | Tag::Xsa if form.starts_with(['하', '해', '합', '함']) => {
            let (noun, before) = before.split_last()?;
            let noun = noun.form.as_ref();
            if OF_BOTH.contains(&noun) {
                return has_object(before).then_some(Predicate::Verb);
            }
            let is_adjective =
                tag == Tag::Xsa || TAKEN_FOR_VERBS.split(' ').any(|adjective| adjective == noun);
            Some(if is_adjective { Predicate::Adjective } else { Predicate::Verb })
        }
        Tag::Vv | Tag::Va | Tag::Vx if matches!(form, "있" | "없") => Some(Predicate::Adjective),
        Tag::Vv | Tag::Va if AS_OFTEN_VERBS.contains(&form) => unless_object(None),
        Tag::Vv if ALSO_ADJECTIVES.contains(&form) => unless_object(None),
        Tag::Va if ALSO_ADJECTIVES.contains(&form) => unless_object(Some(Predicate::Adjective)),
        // 가득합니다 and 뾰족합니다 are of adjectives, 흔들흔들합니다 is of a verb.
        Tag::Vv if form.starts_with('하') && is_of_adverb(before, predicate) => None,
        Tag::Vx if form.starts_with('싶') || is_guess(before, form) => Some(Predicate::Adjective),
        // 믿음직합니다.
        Tag::Vx if before.last().is_some_and(|ending| ending.form == "음직") => {
            Some(Predicate::Adjective)
        }
        Tag::Va | Tag::Xsa => Some(Predicate::Adjective),
        _ => Some(Predicate::Verb),
    }
}

/// The tag that makes a morpheme a predicate.
fn tag(morpheme: &Morpheme<'_>) -> Option<Tag> {
    morpheme.tags().find(|tag| {
        matches!(tag, Tag::Vv | Tag::Va | Tag::Vx | Tag::Vcp | Tag::Vcn | Tag::Xsv | Tag::Xsa)
    })
}

pub(super) fn is(morpheme: &Morpheme<'_>, tag: Tag) -> bool {
    morpheme.tags().eq([tag])
}

/// An object, and nothing but adverbs between it and what comes.
fn has_object(before: &[Morpheme<'_>]) -> bool {
    before.iter().rfind(|morpheme| !is(morpheme, Tag::Mag)).is_some_and(|last| is(last, Tag::Jko))
}

/// Whether a predicate is what the one before it is: 먹지 않습니다, 예쁘기도 합니다.
fn is_as_before(before: &[Morpheme<'_>], predicate: &Morpheme<'_>, tag: Tag) -> bool {
    let form = predicate.form.as_ref();
    match tag {
        Tag::Vx if form.starts_with('않') => true,
        Tag::Vx if form.starts_with('못') => {
            let ending = before.iter().rfind(|morpheme| !is(morpheme, Tag::Jx));
            ending.is_some_and(|ending| ending.form == "지")
        }
        Tag::Vv | Tag::Vx if form.starts_with(['하', '해', '합', '함']) => match before {
            [.., noun, particle] => {
                noun.form == "기" && is(noun, Tag::Etn) && is(particle, Tag::Jx)
            }
            _ => false,
        },
        _ => false,
    }
}

/// 오나 봅니다, 아픈가 봅니다 and 갈까 봅니다.
fn is_guess(before: &[Morpheme<'_>], form: &str) -> bool {
    let Some(ending) = before.last().filter(|last| has_ending(last)) else { return false };
    let ending = ending.form.as_ref();
    form.starts_with(['보', '봅'])
        && (ending.ends_with(['나', '까']) || ending.ends_with('가') && !ending.ends_with("다가"))
}

/// 하다 that is one word with an adverb, but 안하다, 잘하다, and 못하다 where nothing is compared: 이보다 못합니다 is of an adjective.
fn is_of_adverb(before: &[Morpheme<'_>], predicate: &Morpheme<'_>) -> bool {
    let Some((adverb, before)) = before.split_last() else { return false };
    let is_verb = match adverb.form.as_ref() {
        "안" | "잘" => true,
        "못" => before.last().is_none_or(|last| last.form != "보다"),
        _ => false,
    };
    is(adverb, Tag::Mag) && adverb.span.end == predicate.span.start && !is_verb
}
