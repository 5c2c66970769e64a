//! -아요 and -어요 that fused with their stem: 가요, 마셔요, 추워요.
//!
//! 워요 is of 배우다 or of 춥다, 빠요 of 빠다 or of 바쁘다: only a dictionary knows. So the stem is what the analyzer restored, and it is believed where the
//! stem and its ending fuse to the very word that the sentence has.

use super::{BIEUP, FINALS, NIEUN, Predicate, RIEUL, jong, predicate, with_jong};
use ko_tokenize::{Morpheme, Tag};

/// Last syllables of stems that other endings sound like: 간대요, 갈래요, 가재요, 가세요, 가네요, 가는데요, 갈게요.
const LIKE_ENDINGS: [char; 7] = ['대', '래', '재', '세', '네', '데', '게'];

/// 펴요 is of 펴다 or of 피다.
const OF_TWO: [char; 1] = ['펴'];

/// The plain form of a text that ends so, if its stem is known and is the only one.
pub(super) fn plain(morphemes: &[Morpheme<'_>], body: &str) -> Option<String> {
    let (spoken, stem) = stem(morphemes)?;
    let (head, word) = body.split_at_checked(stem.span.start)?;
    let fused = word.strip_suffix('요')?;
    let last = stem.form.chars().last()?;
    let is_of_two = |fused: char| LIKE_ENDINGS.contains(&fused) || OF_TWO.contains(&fused);
    if fused.chars().last().is_none_or(is_of_two) || is_request(spoken, stem) {
        return None;
    }
    if !fusions(&stem.form).iter().any(|known| known == fused) {
        return None;
    }
    let form = &stem.form;
    Some(match (predicate(spoken, body)?, jong(last)?) {
        (Predicate::Verb, 0) => {
            format!("{head}{}{}다.", form.strip_suffix(last)?, with_jong(last, NIEUN)?)
        }
        (Predicate::Verb, _) => format!("{head}{form}는다."),
        (Predicate::Adjective, _) => format!("{head}{form}다."),
        (Predicate::Copula, _) => return None,
    })
}

/// The last word as it is restored: all morphemes without a 요 apart, and among them the stem.
fn stem<'m, 't>(morphemes: &'m [Morpheme<'t>]) -> Option<(&'m [Morpheme<'t>], &'m Morpheme<'t>)> {
    let spoken = match morphemes {
        [.., last] if is_ending(last, &["아요", "어요"]) => morphemes,
        // 배워 and 요.
        [spoken @ .., yo] if yo.form == "요" => {
            spoken.last().filter(|last| is_ending(last, &["아", "어"]))?;
            spoken
        }
        _ => return None,
    };
    let [.., stem, _] = spoken else { return None };
    let mut tags = stem.tags();
    let is_stem = matches!(tags.next(), Some(Tag::Vv | Tag::Va | Tag::Vx | Tag::Xsv | Tag::Xsa));
    (is_stem && tags.next().is_none()).then_some((spoken, stem))
}

fn is_ending(morpheme: &Morpheme<'_>, forms: &[&str]) -> bool {
    forms.contains(&morpheme.form.as_ref())
        && morpheme.tags().all(|tag| matches!(tag, Tag::Ef | Tag::Ec))
}

/// 읽어 줘요 and 먹어 봐요 ask somebody as often as they tell, and 오나 봐요 guesses.
fn is_request(spoken: &[Morpheme<'_>], stem: &Morpheme<'_>) -> bool {
    let before = spoken.iter().rev().nth(2);
    let is_ending = |tag| matches!(tag, Tag::Ec | Tag::Ef);
    let follows = || before.is_some_and(|before| before.tags().any(is_ending));
    match stem.form.as_ref() {
        "보" | "주" => follows() || stem.tags().any(|tag| tag == Tag::Vx),
        form => form.ends_with('주'),
    }
}

/// What a stem and -아 or -어 fuse to.
fn fusions(stem: &str) -> Vec<String> {
    let Some(last) = stem.chars().last() else { return Vec::new() };
    let before = stem.strip_suffix(last).unwrap_or_default();
    let one = |fused: Option<char>| -> Vec<String> {
        fused.map(|c| format!("{before}{c}")).into_iter().collect()
    };
    match (jong(last), vowel(last)) {
        (Some(0), Some(A | AE | EO | E | YEO)) => vec![stem.to_owned()],
        (Some(0), Some(O)) => one(with_vowel(last, WA)),
        (Some(0), Some(U)) => one(with_vowel(last, WO)),
        (Some(0), Some(I)) => one(with_vowel(last, YEO)),
        (Some(0), Some(OE)) => one(with_vowel(last, WAE)),
        (Some(0), Some(EU)) => {
            let bright = before.chars().last().and_then(vowel).is_some_and(|v| v == A || v == O);
            let fused = with_vowel(last, if bright { A } else { EO });
            // 따르다 has 따라, 부르다 has 불러.
            let doubled = before.chars().last().filter(|c| last == '르' && jong(*c) == Some(0));
            let doubled = doubled.zip(fused).and_then(|(c, fused)| {
                let head = before.strip_suffix(c)?;
                Some(format!("{head}{}{fused}", with_jong(c, RIEUL)?))
            });
            one(fused).into_iter().chain(doubled).collect()
        }
        (Some(BIEUP), _) => {
            let fused = if matches!(stem, "돕" | "곱") { '와' } else { '워' };
            let open = with_jong(last, 0);
            open.map(|open| format!("{before}{open}{fused}")).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

const A: u32 = 0;
const AE: u32 = 1;
const EO: u32 = 4;
const E: u32 = 5;
const YEO: u32 = 6;
const O: u32 = 8;
const WA: u32 = 9;
const WAE: u32 = 10;
const OE: u32 = 11;
const U: u32 = 13;
const WO: u32 = 14;
const EU: u32 = 18;
const I: u32 = 20;
/// Vowels of a syllable.
const VOWELS: u32 = 21;

/// The number of a syllable's vowel.
fn vowel(c: char) -> Option<u32> {
    jong(c).map(|_| (c as u32 - '가' as u32) / FINALS % VOWELS)
}

/// An open syllable with another vowel.
fn with_vowel(c: char, other: u32) -> Option<char> {
    char::from_u32(with_jong(c, 0)? as u32 - vowel(c)? * FINALS + other * FINALS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last word, its surfaces with the morphemes that stand behind them, and what it becomes.
    const WORDS: &[(&str, &str, Option<&str>)] = &[
        ("가요", "가요:가/VV|아요/EF", Some("간다.")),
        ("만나요", "만나요:만나/VV|아요/EF", Some("만난다.")),
        ("서요", "서요:서/VV|어요/EF", Some("선다.")),
        ("와요", "와요:오/VV|아요/EF", Some("온다.")),
        ("봐요", "봐요:보/VV|아요/EF", Some("본다.")),
        ("바라봐요", "바라봐요:바라보/VV|아요/EF", Some("바라본다.")),
        ("줘요", "줘요:주/VV|어요/EF", Some("준다.")),
        ("배워요", "배워:배우/VV|어/EC 요:요/JX", Some("배운다.")),
        ("마셔요", "마셔요:마시/VV|어요/EF", Some("마신다.")),
        ("예뻐져요", "예뻐:예쁘/VA|어/EC 져요:지/VX|어요/EF", Some("예뻐진다.")),
        ("켜요", "켜요:켜/VV|어요/EF", Some("켠다.")),
        ("내요", "내요:내/VV|어요/EF", Some("낸다.")),
        ("메요", "메요:메/VV|어요/EF", Some("멘다.")),
        ("돼요", "돼요:되/VV|어요/EF", Some("된다.")),
        ("사용돼요", "사용:사용/NNG 돼요:되/XSV|어요/EF", Some("사용된다.")),
        ("써요", "써요:쓰/VV|어요/EF", Some("쓴다.")),
        ("커요", "커요:크/VA|어요/EF", Some("크다.")),
        ("바빠요", "바빠요:바쁘/VA|아요/EF", Some("바쁘다.")),
        ("비싸요", "비싸요:비싸/VA|아요/EF", Some("비싸다.")),
        ("추워요", "추워요:춥/VA|어요/EF", Some("춥다.")),
        ("구워요", "구워요:굽/VV|어요/EF", Some("굽는다.")),
        ("도와요", "도와요:돕/VV|아요/EF", Some("돕는다.")),
        ("불러요", "불러요:부르/VV|어요/EF", Some("부른다.")),
        ("몰라요", "몰라요:모르/VV|아요/EF", Some("모른다.")),
        ("따라요", "따라요:따르/VV|아요/EF", Some("따른다.")),
        ("빨라요", "빨라요:빠르/VA|아요/EF", Some("빠르다.")),
        ("흐려요", "흐려요:흐리/VA|어요/EF", Some("흐리다.")),
        // What another stem or another ending may be, and what asks.
        ("펴요", "펴요:펴/VV|어요/EF", None),
        ("대요", "대요:대/VV|어요/EF", None),
        ("온대요", "온대요:오/VV|ㄴ대요/EF", None),
        ("가세요", "가:가/VV 세요:시/EP|어요/EF", None),
        ("가셔요", "가:가/VV 셔요:시/EP|어요/EF", None),
        ("알려줘요", "알려:알리/VV|어/EC 줘요:주/VX|어요/EF", None),
        ("도와줘요", "도와줘요:도와주/VV|어요/EF", None),
        ("오나봐요", "오:오/VV 나:나/EC 봐요:보/VV|아요/EF", None),
        ("마요", "마요:말/VX|아요/EF", None),
        // What is said of the word does not fit it, or nothing is restored.
        ("불러요", "불러요:불르/VV|어요/EF", None),
        ("추워요", "추워요:추/VV|어요/EF", None),
        ("가요", "가요:가요/VV+EF", None),
        ("가요", "가요:가요/NNG", None),
        ("요", "요:요/JX", None),
    ];

    fn unified(word: &str, surfaces: &'static str) -> Option<String> {
        let body = format!("나도 {word}");
        let mut end = body.len() - word.len();
        let mut morphemes = Vec::new();
        for surface in surfaces.split(' ') {
            let (surface, behind) = surface.split_once(':').unwrap();
            let span = end..end + surface.len();
            end = span.end;
            for morpheme in behind.split('|') {
                let (form, tag) = morpheme.rsplit_once('/').unwrap();
                morphemes.push(Morpheme { form: form.into(), tag: tag.into(), span: span.clone() });
            }
        }
        plain(&morphemes, &body)
    }

    #[test]
    fn every_fusion_and_what_may_be_two() {
        for (word, pieces, expected) in WORDS {
            let expected = expected.map(|plain| format!("나도 {plain}"));
            assert_eq!(unified(word, pieces), expected, "{word}: {pieces}");
        }
    }
}
