//! -아요 and -어요 that fused with their stem: 가요, 마셔요, 추워요.
//!
//! 워요 is of 배우다 or of 춥다, 빠요 of 빠다 or of 바쁘다: only a dictionary knows. So the stem is what the analyzer restored, and it is believed where the
//! stem and its ending fuse to the very word that the sentence has. MeCab-ko restores nothing where it takes 커 or 지켜 for a stem, so a stem that looks
//! like what is fused must be one that cannot be.

use super::{
    BIEUP, FINALS, NIEUN, RIEUL, has_ending, jong,
    predicate::{Predicate, is, predicate},
    with_jong,
};
use ko_tokenize::{Morpheme, Tag};

/// Last syllables of stems that other endings sound like: 간대요, 갈래요, 가재요, 가세요, 가네요, 가는데요, 갈게요.
const LIKE_ENDINGS: [char; 7] = ['대', '래', '재', '세', '네', '데', '게'];

/// 펴요 is of 펴다 or of 피다; 매우다 is hardly ever anything but a 맵다 that was not known.
const OF_TWO: [&str; 3] = ["펴", "피", "매우"];

/// Stems whose 어요 is of a stem in ㄷ as well, alone or as the end of another: 걸어요 is of 걷다, 깨달아요 of 깨닫다, 되물어요 of 되묻다.
const ALSO_DIGEUT: [char; 9] = ['걸', '들', '물', '실', '불', '길', '눌', '달', '컬'];

/// Stems that end like these and are of ㄹ alone.
const ONLY_RIEUL: [&str; 11] =
    ["만들", "흔들", "거들", "힘들", "잠들", "물들", "붙들", "줄어들", "시들", "길들", "매달"];

/// Words that MeCab-ko takes for nouns, and what is before them where they are none.
const TAKEN_FOR_NOUNS: [(&str, Tag, &str); 3] =
    [("가요", Tag::Jkb, "간다."), ("서요", Tag::Jkb, "선다."), ("매요", Tag::Jko, "맨다.")];

/// The plain form of a text that ends so, if its stem is known and is the only one.
pub(super) fn plain(morphemes: &[Morpheme<'_>], body: &str) -> Option<String> {
    if let Some(verb) = taken_for_a_noun(morphemes, body) {
        return Some(verb);
    }
    let (spoken, before, stem) = stem(morphemes)?;
    let (head, word) = body.split_at_checked(stem.span.start)?;
    let fused = word.strip_suffix('요')?;
    let form = stem.form.as_ref();
    let (last, kind) = (form.chars().last()?, predicate(spoken)?);
    // Nothing that ends so is a verb.
    let kind = if form.ends_with(['쁘', '프']) { Predicate::Adjective } else { kind };
    let is_known = fusions(form).iter().any(|known| known == fused)
        && (form != fused || is_own(form, kind))
        && !OF_TWO.contains(&form)
        && !fused.ends_with(LIKE_ENDINGS)
        && !is_request(before, stem);
    if !is_known {
        return None;
    }
    Some(match (kind, jong(last)?) {
        (Predicate::Verb, 0) => {
            format!("{head}{}{}다.", form.strip_suffix(last)?, with_jong(last, NIEUN)?)
        }
        (Predicate::Verb, _) => format!("{head}{form}는다."),
        (Predicate::Adjective, _) => format!("{head}{form}다."),
        (Predicate::Copula, _) => return None,
    })
}

/// The plain form of a verb whose stem in ㄹ or in a vowel stands whole before 아요 or 어요: 살아요, 쉬어요. None where a stem in ㄷ or ㅅ has the same.
pub(super) fn whole(morphemes: &[Morpheme<'_>], stem_and_all: &str) -> Option<String> {
    let [.., stem, _] = morphemes else { return None };
    let form = stem.form.as_ref();
    let last = form.chars().last()?;
    let is_only = match jong(last)? {
        RIEUL => ONLY_RIEUL.contains(&form) || !form.ends_with(ALSO_DIGEUT),
        0 => matches!(vowel(last), Some(WI | OE | UI)),
        _ => false,
    };
    // 가지 말아요 asks.
    let is_verb = is(stem, Tag::Vv) && is_only && stem_and_all.ends_with(form);
    let before = stem_and_all.strip_suffix(last).filter(|_| is_verb)?;
    Some(format!("{before}{}다.", with_jong(last, NIEUN)?))
}

/// 학교에 가요 is no song.
fn taken_for_a_noun(morphemes: &[Morpheme<'_>], body: &str) -> Option<String> {
    let [.., before, noun] = morphemes else { return None };
    let head = body.get(..noun.span.start)?;
    let known = TAKEN_FOR_NOUNS.iter().find(|(word, tag, _)| {
        noun.form == *word && is(noun, Tag::Nng) && is(before, *tag) && head.ends_with(' ')
    });
    known.map(|(_, _, plain)| format!("{head}{plain}"))
}

/// All morphemes without a 요 of its own, those before the stem, and the stem.
type Spoken<'m, 't> = (&'m [Morpheme<'t>], &'m [Morpheme<'t>], &'m Morpheme<'t>);

/// The stem below -아요 or -어요 at the end.
fn stem<'m, 't>(morphemes: &'m [Morpheme<'t>]) -> Option<Spoken<'m, 't>> {
    let (spoken, rest) = match morphemes {
        [rest @ .., last] if is_ending(last, &["아요", "어요", "ㅏ요", "ㅓ요"]) => {
            (morphemes, rest)
        }
        // 배워 and 요: 배우, 어, 요.
        [spoken @ .., yo] if yo.form == "요" => match spoken {
            [rest @ .., last] if is_ending(last, &["아", "어"]) => (spoken, rest),
            // 만나 and 요, in which 아 is not to be seen.
            rest if has_ending(yo) => (morphemes, rest),
            _ => return None,
        },
        _ => return None,
    };
    let (stem, before) = rest.split_last()?;
    let mut tags = stem.tags();
    let is_stem = matches!(tags.next(), Some(Tag::Vv | Tag::Va | Tag::Vx | Tag::Xsv | Tag::Xsa));
    (is_stem && tags.next().is_none()).then_some((spoken, before, stem))
}

fn is_ending(morpheme: &Morpheme<'_>, forms: &[&str]) -> bool {
    forms.contains(&morpheme.form.as_ref())
        && morpheme.tags().all(|tag| matches!(tag, Tag::Ef | Tag::Ec))
}

/// 읽어 줘요 and 먹어 봐요 ask somebody as often as they tell, and 오나 봐요 guesses.
fn is_request(before: &[Morpheme<'_>], stem: &Morpheme<'_>) -> bool {
    match stem.form.as_ref() {
        "보" | "주" => is(stem, Tag::Vx) || before.last().is_some_and(has_ending),
        form => form.ends_with('주'),
    }
}

/// Whether a stem that looks like what is fused can be nothing else: 만나, 비싸 and 켜, but neither 커 (크다) nor 따라 (따르다) nor 지켜 (지키다).
fn is_own(stem: &str, kind: Predicate) -> bool {
    let mut syllables = stem.chars().rev();
    let (Some(last), before) = (syllables.next(), syllables.next()) else { return false };
    match vowel(last) {
        // 빨개 is of 빨갛다.
        Some(AE | E) => kind == Predicate::Verb,
        // Only behind 아 or 오 does a stem in 으 end so: 바빠, 담가.
        Some(A) => match (last, before) {
            (_, None) | ('나' | '사' | '자' | '차', _) => true,
            ('가', Some(before)) => !matches!(before, '담' | '잠'),
            ('라', _) => matches!(stem, "자라" | "모자라" | "바라" | "놀라"),
            (_, Some(before)) => !matches!(vowel(before), Some(A | O)),
        },
        Some(EO) => matches!(last, '서' | '너'),
        Some(YEO) => stem == "켜",
        _ => false,
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
        (Some(0), Some(A)) if last == '하' => one(Some('해')),
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
const WI: u32 = 16;
const EU: u32 = 18;
const UI: u32 = 19;
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
        ("써요", "를:를/JKO 써요:쓰/VV|어요/EF", Some("쓴다.")),
        ("커요", "커요:크/VA|어요/EF", Some("크다.")),
        ("바빠요", "바빠요:바쁘/VA|아요/EF", Some("바쁘다.")),
        ("비싸요", "비싸요:비싸/VA|아요/EF", Some("비싸다.")),
        ("추워요", "추워요:춥/VA|어요/EF", Some("춥다.")),
        ("구워요", "구워요:굽/VV|어요/EF", Some("굽는다.")),
        ("도와요", "도와요:돕/VV|아요/EF", Some("돕는다.")),
        ("불러요", "를:를/JKO 불러요:부르/VV|어요/EF", Some("부른다.")),
        ("몰라요", "몰라요:모르/VV|아요/EF", Some("모른다.")),
        ("따라요", "따라요:따르/VV|아요/EF", Some("따른다.")),
        ("빨라요", "빨라요:빠르/VA|아요/EF", Some("빠르다.")),
        ("흐려요", "흐려요:흐리/VA|어요/EF", Some("흐리다.")),
        ("만나요", "만나:만나/VV 요:요/EC", Some("만난다.")),
        ("나가요", "나가:나가/VV 요:요/EC", Some("나간다.")),
        ("건너요", "건너:건너/VV 요:요/EC", Some("건넌다.")),
        ("켜요", "켜:켜/VV 요:요/EC", Some("켠다.")),
        ("보내요", "보내:보내/VV 요:요/EC", Some("보낸다.")),
        ("비싸요", "비싸:비싸/VA 요:요/EC", Some("비싸다.")),
        ("채워요", "채워:채우/VV 요:요/EC", Some("채운다.")),
        ("던져요", "던져요:던지/VV|ㅓ요/EF", Some("던진다.")),
        ("바빠요", "바빠요:바쁘/VV|ㅏ요/EF", Some("바쁘다.")),
        ("해요", "해요:하/VV|아요/EC", Some("한다.")),
        // What is fused and was not restored, and verbs that may be adjectives.
        ("커요", "커:커/VV 요:요/EC", None),
        ("따라요", "따라:따라/VV 요:요/EC", None),
        ("담가요", "담가:담가/VV 요:요/EC", None),
        ("지켜요", "지켜:지켜/VV 요:요/EC", None),
        ("그려요", "그려:그려/VV 요:요/EC", None),
        ("가까워요", "가까워:가까워/VV 요:요/EC", None),
        ("빨개요", "빨개:빨개/VA 요:요/EC", None),
        ("매워요", "매워:매우/VV|어/EC 요:요/JX", None),
        ("배불러요", "배:배/NNG 불러요:부르/VV|어요/EF", None),
        ("짜요", "짜:짜/VV 요:요/EC", None),
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
        ("써요", "써요:서/VV|어요/EF", None),
        ("추워요", "추워요:추/VV|어요/EF", None),
        ("가요", "가요:가요/VV+EF", None),
        ("가요", "가요:가요/NNG", None),
        ("가요", "의:의/JKG 가요:가요/NNG", None),
        ("가요", "에:에/JKB 가요:가요/NNG", Some("간다.")),
        ("요", "요:요/JX", None),
    ];

    fn unified(word: &str, surfaces: &'static str) -> Option<String> {
        let body = format!("나를 {word}");
        let mut end = body.len() - word.len();
        let mut morphemes = Vec::new();
        for surface in surfaces.split(' ') {
            let (surface, behind) = surface.split_once(':').unwrap();
            // A particle belongs to the word before.
            let span = match behind.contains("/J") && behind != "요/JX" {
                true => 3..6,
                false => end..end + surface.len(),
            };
            end = end.max(span.end);
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
            let expected = expected.map(|plain| format!("나를 {plain}"));
            assert_eq!(unified(word, pieces), expected, "{word}: {pieces}");
        }
    }
}
