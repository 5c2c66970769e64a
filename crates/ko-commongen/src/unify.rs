//! One ending for all sentences: polite, nominal and unfinished statements become plain ones in 다., where a rule can tell how.
//!
//! | ends in | becomes | as in |
//! |---|---|---|
//! | 다 without a full stop | 다. | 비가 온다 → 비가 온다. |
//! | -습니다, -어요, -음 after a past or 있, 없 | 다. | 먹었습니다 → 먹었다. 있어요 → 있다. 왔음 → 왔다. |
//! | -습니다, -어요, -음 after another verb that ends in a consonant, but not in ㄹ | 는다. | 먹습니다 → 먹는다. |
//! | -아요, -어요 after a verb in ㄹ, ㅟ, ㅢ or ㅚ | ㄴ다. | 살아요 → 산다. 쉬어요 → 쉰다. |
//! | the same after an adjective that ends in a consonant | 다. | 좋습니다 → 좋다. 길어요 → 길다. |
//! | -ㅂ니다 of a verb | ㄴ다. | 갑니다 → 간다. 삽니다 → 산다. |
//! | -ㅂ니다 of an adjective | 다. | 예쁩니다 → 예쁘다. 깁니다 → 길다. |
//! | -입니다, -이에요, -예요, -임 of the copula; 아니에요 | 이다. or 아니다. | 학생입니다 → 학생이다. |
//! | the same of 거 | 거다. | 갈 거예요 → 갈 거다. |
//! | -답니다, -랍니다, which tell what is said | 다. | 간답니다 → 간다. 학생이랍니다 → 학생이다. |
//! | -지요, -죠, -네요, -군요, -는군요 | as the stem | 먹네요 → 먹는다. 예쁘지요 → 예쁘다. |
//! | 해요, 함 | 한다. or 하다. | 운동함 → 운동한다. 건강해요 → 건강하다. |
//! | -아요, -어요 of a verb, fused with its stem | ㄴ다. or 는다. | 가요 → 간다. 마셔요 → 마신다. 불러요 → 부른다. 구워요 → 굽는다. |
//! | the same of an adjective | 다. | 바빠요 → 바쁘다. 추워요 → 춥다. |
//!
//! Verb or adjective is what the analyzer says of the last predicate; 않다, 못하다 and 기도 하다 are what the predicate before them is, 있다 and the 보다 of
//! 오나 봅니다 are adjectives. What is fused needs an analyzer that restores
//! stems, as `mecab:form=morpheme` does: 워요 is of 배우다 or of 춥다. A question or an exclamation is no statement, and what no row covers stays as it is:
//! [`Clean`](crate::Clean) drops it. That is so of
//!
//! - words of two stems: 걸어요 of 걸다 or 걷다, 깁니다 of 길다 or 기다, 지어요 of 짓다 beside 피어요 of 피다, 펴요 of 펴다 or 피다, and 커요, 따라요 or 지켜요
//!   where the analyzer restores nothing;
//! - verbs that are adjectives as well, without an object before them: 짜요, 써요, 부릅니다, 늦습니다, 감사합니다;
//! - what MeCab-ko does not know, so that the stem it restores is not the word's: 어립니다;
//! - stems that sound like other endings: 대요 (간대요), 래요, 재요, 세요, 네요, 데요, 게요;
//! - what asks for something as often as it tells: 가세요, 가셔요, 읽어 줘요, 먹어 봐요; and 오나 봐요, which guesses;
//! - stems in ㅎ (빨개요, 그래요, 놔요), and all other endings (멋지네, 먹잖아요, 온다네요).
//!
//! ```no_run
//! use ko_commongen::{Unify, ko_tokenize::analyzer_by_name};
//!
//! let unify = Unify::new(analyzer_by_name("mecab:penalty=off,form=morpheme")?);
//! assert_eq!(unify.unified("아이가 공을 던집니다.")?.as_deref(), Some("아이가 공을 던진다."));
//! assert_eq!(unify.unified("아이가 우유를 마셔요.")?.as_deref(), Some("아이가 우유를 마신다."));
//! assert_eq!(unify.unified("아이가 공을 던진다.")?, None);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

mod contracted;
mod formal;
mod predicate;
mod told;

use crate::pipeline::{Draft, Stage, Verdict};
use ko_eval_core::{Result, Signature, Signed};
use ko_tokenize::{Morpheme, MorphemeAnalyzer, Tag};
use predicate::{Predicate, predicate};
use std::sync::Arc;

/// Makes endings one, before [`Clean`](crate::Clean) looks at them.
#[derive(Debug, Clone)]
pub struct Unify {
    analyzer: Arc<dyn MorphemeAnalyzer>,
}

impl Unify {
    /// By MeCab-ko without its left-space penalty, as concepts are taken, and with restored stems; by an analyzer of surfaces alone, what is fused stays as it is.
    pub fn new(analyzer: Arc<dyn MorphemeAnalyzer>) -> Self {
        Self { analyzer }
    }

    /// The sentence with a plain ending, or `None` where it has one or no rule knows how.
    ///
    /// # Errors
    /// When the sentence cannot be analysed.
    pub fn unified(&self, text: &str) -> Result<Option<String>> {
        let text = text.trim();
        let body = text.strip_suffix('.').unwrap_or(text).trim_end();
        if body.ends_with(['.', '…']) {
            return Ok(None);
        }
        let Some((stem, cut)) = Cut::of(body) else {
            if body.ends_with('요') || body.ends_with('죠') {
                let morphemes = self.analyzer.analyze(body)?;
                return Ok(told::plain(&morphemes, body)
                    .or_else(|| copula(&morphemes, body))
                    .or_else(|| contracted::plain(&morphemes, body)));
            }
            // What is plain lacks at most its full stop.
            let is_plain = !text.ends_with('.') && ends_in_da(body) && self.ends(body)?;
            return Ok(is_plain.then(|| format!("{body}.")));
        };
        // A tense, 있다 and 없다 need no analyzer.
        if let Some(last) = stem.chars().last().filter(|_| matches!(cut, Cut::After(_)))
            && (jong(last) == Some(SSANG_SIOT) || last == '없')
        {
            return Ok(Some(format!("{stem}다.")));
        }
        let morphemes = self.analyzer.analyze(body)?;
        Ok(plain(stem, cut, &morphemes, body))
    }

    /// Whether a text has an ending: 온다, and not 바다.
    fn ends(&self, body: &str) -> Result<bool> {
        Ok(self.analyzer.analyze(body)?.last().is_some_and(has_ending))
    }
}

/// How an ending lies on its stem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// 습니다, 어요, 음: after it.
    After(&'static str),
    /// ㅂ니다: within its last syllable.
    Within,
    /// 해요, 함: of 하다.
    Do,
    /// 이에요, 예요, 임: of the copula.
    Be,
}

impl Cut {
    /// The stem of a text's last word, and how the ending lies on it.
    fn of(body: &str) -> Option<(&str, Self)> {
        let before = |ending: &str| body.strip_suffix(ending).filter(|stem| ends_in_syllable(stem));
        for ending in ["습니다", "어요", "아요", "음"] {
            if body.ends_with(ending) {
                return before(ending).map(|stem| (stem, Self::After(ending)));
            }
        }
        if let Some(stem) = body.strip_suffix("니다") {
            let bieup = stem.chars().last().and_then(jong) == Some(BIEUP);
            return bieup.then_some((stem, Self::Within));
        }
        for (ending, cut) in [("해요", Self::Do), ("함", Self::Do), ("임", Self::Be)] {
            if body.ends_with(ending) {
                return before(ending).map(|stem| (stem, cut));
            }
        }
        BE.iter().find_map(|ending| before(ending)).map(|stem| (stem, Self::Be))
    }
}

/// The plain form of a text whose stem is without its ending.
fn plain(stem: &str, cut: Cut, morphemes: &[Morpheme<'_>], body: &str) -> Option<String> {
    match cut {
        Cut::After(ending) => {
            // 먹잖아요 does not end in 아요.
            morphemes.last().filter(|last| last.form == ending)?;
            let consonant = stem.chars().last().and_then(jong)?;
            match predicate(morphemes)? {
                _ if ending == "음" && is_modified(morphemes) => None,
                Predicate::Verb if matches!(consonant, 0 | RIEUL) => {
                    contracted::whole(morphemes, stem).filter(|_| ending != "음")
                }
                Predicate::Verb => Some(format!("{stem}는다.")),
                Predicate::Adjective if consonant != 0 => Some(format!("{stem}다.")),
                _ => None,
            }
        }
        Cut::Within => formal::plain(morphemes, body),
        Cut::Do => match predicate(morphemes)? {
            Predicate::Verb => Some(format!("{stem}한다.")),
            Predicate::Adjective => Some(format!("{stem}하다.")),
            Predicate::Copula => None,
        },
        Cut::Be => copula(morphemes, body),
    }
}

/// What the copula and 아니다 end in. 이예요 and 거에요 are often written so.
const BE: [&str; 4] = ["이에요", "이예요", "예요", "에요"];

/// What nobody states: 이름이 뭐예요 asks without a question mark. 저예요 is 나다.
const NOT_STATED: [&str; 9] = ["뭐", "무엇", "어디", "누구", "언제", "얼마", "왜", "저", "나"];

/// The plain form of 이다 and 아니다.
fn copula(morphemes: &[Morpheme<'_>], body: &str) -> Option<String> {
    morphemes.last().filter(|last| has_ending(last))?;
    let (before, predicate, tag) = predicate::split(morphemes)?;
    let (head, spoken) = body.split_at_checked(predicate.span.start)?;
    match tag {
        Tag::Vcn => ["아니에요", "아니예요"].contains(&spoken).then(|| format!("{head}아니다.")),
        Tag::Vcp if BE.contains(&spoken) || spoken == "임" => {
            let noun = before.last().filter(|noun| !has_ending(noun))?;
            match noun.form.as_ref() {
                form if NOT_STATED.contains(&form) => None,
                // 갈 거예요 is 갈 거다, as 갈 겁니다 is.
                _ if head.ends_with('거') && spoken != "임" => Some(format!("{head}다.")),
                _ if spoken == "에요" => None,
                _ => Some(format!("{head}이다.")),
            }
        }
        _ => None,
    }
}

/// 나의 믿음 and 예쁜 웃음 are nouns, whatever they were before.
fn is_modified(morphemes: &[Morpheme<'_>]) -> bool {
    predicate::split(morphemes)
        .and_then(|(before, _, _)| before.last())
        .is_some_and(|before| before.tags().any(|tag| matches!(tag, Tag::Jkg | Tag::Etm | Tag::Mm)))
}

fn has_ending(morpheme: &Morpheme<'_>) -> bool {
    morpheme.tags().any(|tag| matches!(tag, Tag::Ef | Tag::Ec | Tag::Etn))
}

impl Signed for Unify {
    fn signature(&self) -> Signature {
        Signature::new("unify").with_nested("tok", &self.analyzer.signature())
    }
}

impl Stage for Unify {
    fn apply(&self, draft: &mut Draft) -> Result<Verdict> {
        Ok(match self.unified(&draft.text)? {
            Some(text) => {
                draft.text = text;
                Verdict::Change
            }
            None => Verdict::Keep,
        })
    }
}

const NIEUN: u32 = 4;
const RIEUL: u32 = 8;
const BIEUP: u32 = 17;
const SSANG_SIOT: u32 = 20;
/// Final consonants of a syllable, none included.
const FINALS: u32 = 28;

/// The number of a syllable's final consonant; 0 is none, `None` no syllable.
fn jong(c: char) -> Option<u32> {
    ('가'..='힣').contains(&c).then(|| (c as u32 - '가' as u32) % FINALS)
}

/// A syllable with another final consonant.
fn with_jong(c: char, last: u32) -> Option<char> {
    char::from_u32(c as u32 - jong(c)? + last)
}

fn ends_in_syllable(text: &str) -> bool {
    text.chars().last().is_some_and(|c| jong(c).is_some())
}

/// Whether a text ends in a word in 다 that is more than that.
fn ends_in_da(text: &str) -> bool {
    text.strip_suffix('다').is_some_and(ends_in_syllable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ko_eval_core::{Token, Tokenizer};

    /// Knows the last morphemes of some sentences, as MeCab-ko cuts them.
    #[derive(Debug)]
    struct Known;

    const KNOWN: &[(&str, &str)] = &[
        ("비가 온다", "비/NNG 가/JKS 온다/VV+EC"),
        ("여름 바다", "여름/NNG 바다/NNG"),
        ("먹습니다", "먹/VV 습니다/EF"),
        ("좋습니다", "좋/VA 습니다/EF"),
        ("갑니다", "갑니다/VV+EF"),
        ("삽니다", "삽니다/VV+EF"),
        ("예쁩니다", "예쁩니다/VA+EF"),
        ("깁니다", "깁니다/VA+EF"),
        ("드뭅니다", "드뭅니다/VA+EF"),
        ("솜씨가 서툽니다", "솜씨/NNG 가/JKS 서툽니다/VA+EF"),
        ("학생입니다", "학생/NNG 입니다/VCP+EF"),
        ("학생이에요", "학생/NNG 이/VCP 에요/EF"),
        ("운동합니다", "운동/NNG 합니다/XSV+EF"),
        ("운동함", "운동/NNG 함/XSV+ETN"),
        ("건강해요", "건강/NNG 해요/XSA+EF"),
        ("먹지 않습니다", "먹/VV 지/EC 않/VX 습니다/EF"),
        ("좋지 않습니다", "좋/VA 지/EC 않/VX 습니다/EF"),
        ("먹고 싶습니다", "먹/VV 고/EC 싶/VX 습니다/EF"),
        ("그림임", "그림/NNG 임/VCP+ETN"),
        ("얼음", "얼음/NNG"),
        ("가요", "가요/VV+EF"),
        ("살아요", "살/VV 아요/EF"),
        ("꽃이 피어요", "꽃/NNG 이/JKS 피/VV 어요/EF"),
        ("길어요", "길/VA 어요/EF"),
        ("예쁜 웃음", "예쁜/VA+ETM 웃음/NNG"),
        ("학생인 친구 모임", "학생/NNG 인/VCP+ETM 친구/NNG 모임/NNG"),
    ];

    impl Signed for Known {
        fn signature(&self) -> Signature {
            Signature::new("known")
        }
    }

    impl Tokenizer for Known {
        fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
            Ok(self.analyze(text)?.into_iter().map(|m| Token::new(m.form, m.span)).collect())
        }
    }

    impl MorphemeAnalyzer for Known {
        fn analyze<'t>(&self, text: &'t str) -> Result<Vec<Morpheme<'t>>> {
            let (_, pieces) = KNOWN.iter().find(|(known, _)| *known == text).unwrap();
            let mut at = 0;
            let morpheme = |piece: &'static str| {
                let (form, tag) = piece.rsplit_once('/').unwrap();
                let start = at + text[at..].find(form).unwrap();
                at = start + form.len();
                Morpheme { form: form.into(), tag: tag.into(), span: start..at }
            };
            Ok(pieces.split(' ').map(morpheme).collect())
        }
    }

    #[test]
    fn every_row_of_the_table() {
        let unify = Unify::new(Arc::new(Known));
        for (text, expected) in [
            ("비가 온다", Some("비가 온다.")),
            ("밥을 먹었습니다.", Some("밥을 먹었다.")),
            ("책이 있어요.", Some("책이 있다.")),
            ("돈이 없습니다", Some("돈이 없다.")),
            ("집에 왔음.", Some("집에 왔다.")),
            ("가겠습니다.", Some("가겠다.")),
            ("먹습니다.", Some("먹는다.")),
            ("좋습니다.", Some("좋다.")),
            ("갑니다.", Some("간다.")),
            ("삽니다.", Some("산다.")),
            ("예쁩니다.", Some("예쁘다.")),
            ("깁니다.", Some("길다.")),
            ("드뭅니다.", Some("드물다.")),
            ("솜씨가 서툽니다.", Some("솜씨가 서툴다.")),
            ("학생입니다.", Some("학생이다.")),
            ("학생이에요.", Some("학생이다.")),
            ("운동합니다.", Some("운동한다.")),
            ("운동함.", Some("운동한다.")),
            ("건강해요.", Some("건강하다.")),
            ("먹지 않습니다.", Some("먹지 않는다.")),
            ("좋지 않습니다.", Some("좋지 않다.")),
            ("먹고 싶습니다.", Some("먹고 싶다.")),
            ("그림임.", Some("그림이다.")),
            ("길어요.", Some("길다.")),
            ("살아요.", Some("산다.")),
            // What has its ending, and what no rule covers.
            ("비가 온다.", None),
            ("책이 아니다.", None),
            ("얼음.", None),
            ("여름 바다", None),
            ("가요.", None),
            ("꽃이 피어요.", None),
            ("예쁜 웃음.", None),
            ("학생인 친구 모임.", None),
            ("비가 오니?", None),
            ("비가 옵니다!", None),
            ("비가 옵니다...", None),
            ("", None),
            ("다", None),
            ("아이가 공을 던지는 모습", None),
        ] {
            assert_eq!(unify.unified(text).unwrap().as_deref(), expected, "{text}");
        }
    }
}
