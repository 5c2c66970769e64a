//! Final endings: which speech level and which mood each one marks, and whether it must close a sentence.
//!
//! Levels follow the dictionary of the National Institute of Korean Language, which states for every
//! final ending to whom it is said ("하오할 자리에 쓰여 …"). An ending listed there at two levels stands
//! here with the one that today's speakers mean (-네, -나, -ㄴ가: 해체 in talk, 하게체 in older prose), and the
//! other as its second reading.

use crate::{
    Mood, SpeechLevel,
    morph::{Morph, compatibility_jamo},
};
use Force::{Always, Either, Final, Hanging};
use Mood::{Declarative, Exclamative, Imperative, Interrogative, Propositive};
use SpeechLevel::{Hae, Haera, Haeyo, Hage, Hao, Hapsyo};
use smol_str::SmolStr;
use std::{collections::HashMap, sync::LazyLock};

/// How surely an ending closes a sentence, the surest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Force {
    /// It connects, and closes only what is left hanging: 바빠서. 먹는데. 간다고.
    Hanging,
    /// It closes or connects; what follows decides: 알아, 가니, 하자.
    Either,
    /// It closes wherever it stands: 가냐, 좋네, 왔구나.
    Final,
    /// The same, and its letters tell it without a tag: 합니다, 인가요.
    Always,
}

/// What an ending says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ending {
    /// As grammars write it: `ㅂ니다`.
    pub(crate) text: &'static str,
    pub(crate) level: SpeechLevel,
    /// The other level that the ending can be of.
    pub(crate) also: Option<SpeechLevel>,
    /// `None` where intonation decides: 먹어. 먹어? 먹어!
    pub(crate) mood: Option<Mood>,
    pub(crate) force: Force,
}

/// (endings, level, second level, mood, force). The longest that fits wins.
type Row = (&'static str, SpeechLevel, Option<SpeechLevel>, Option<Mood>, Force);

const ROWS: &[Row] = &[
    // 하십시오체, and how it is typed in chats
    (
        "ㅂ니다 습니다 ㅂ니다만 습니다만 습니당 ㅂ니당 슴다 슴니다 읍니다",
        Hapsyo,
        None,
        Some(Declarative),
        Always,
    ),
    ("ㅂ니까 습니까 슴까 읍니까", Hapsyo, None, Some(Interrogative), Always),
    ("십시오 ㅂ시오 십시요 십쇼 ㅂ쇼", Hapsyo, None, Some(Imperative), Always),
    ("십시다", Hapsyo, None, Some(Propositive), Always),
    ("나이다 더이다 사옵니다 옵니다", Hapsyo, None, Some(Declarative), Final),
    ("나이까", Hapsyo, None, Some(Interrogative), Final),
    ("소서", Hapsyo, None, Some(Imperative), Final),
    // 해요체: what is not here is an ending of 해체 with 요.
    ("요", Haeyo, None, None, Final),
    (
        "죠 야죠 어요 아요 여요 해요 세요 셔요 에요 예요 이요 지요 네요 군요 데요 래요 대요 게요 께요 걸요 거든요 잖아요 더라고요 더라구요",
        Haeyo,
        None,
        None,
        Always,
    ),
    ("ㄴ가요 나요 까요 던가요 은가요 는가요", Haeyo, None, Some(Interrogative), Always),
    // 하오체
    ("오", Hao, None, None, Either),
    ("소", Hao, None, None, Final),
    ("시오", Hao, None, Some(Imperative), Final),
    ("ㅂ시다 읍시다", Hao, None, Some(Propositive), Always),
    ("ㅂ디다 습디다", Hao, None, Some(Declarative), Always),
    ("ㅂ디까 습디까", Hao, None, Some(Interrogative), Always),
    ("올시다 외다 리다", Hao, None, Some(Declarative), Final),
    ("구려", Hao, None, Some(Exclamative), Final),
    // 하게체
    ("게나", Hage, None, Some(Imperative), Final),
    ("게", Hage, None, Some(Imperative), Hanging),
    ("세 세나", Hage, None, Some(Propositive), Final),
    ("ㄹ세 로세 ㅁ세 음세", Hage, None, Some(Declarative), Final),
    ("다네 라네", Hage, Some(Hae), Some(Declarative), Final),
    // 해라체
    ("다", Haera, None, Some(Declarative), Either),
    ("ㄴ다 는다 는당 ㄴ당", Haera, None, Some(Declarative), Final),
    ("라", Haera, None, None, Either), // 이라 states, 가라 commands
    ("아라 어라 여라 해라 거라 너라", Haera, None, Some(Imperative), Final),
    ("으라", Haera, None, Some(Imperative), Either),
    ("리라 니라 노라 더라", Haera, None, Some(Declarative), Final),
    ("렴 려무나 려므나", Haera, None, Some(Imperative), Final),
    ("련", Haera, None, Some(Interrogative), Final),
    ("자", Haera, None, Some(Propositive), Either),
    ("자꾸나 자구나", Haera, None, Some(Propositive), Final),
    ("마", Haera, None, Some(Declarative), Either),
    ("냐 느냐 으냐", Haera, None, Some(Interrogative), Final),
    ("니 디", Haera, None, Some(Interrogative), Either),
    ("랴", Haera, None, Some(Interrogative), Final),
    ("구나 는구나 로구나", Haera, None, Some(Exclamative), Final),
    ("도다 로다", Haera, None, Some(Exclamative), Final),
    // 해체
    ("어 아 여 해", Hae, None, None, Either),
    ("야", Hae, None, None, Either),
    ("이야 거야 꺼야", Hae, None, None, Final),
    ("지", Hae, None, None, Either),
    ("는지 ㄴ지 은지 ㄹ지 을지 던지", Hae, None, Some(Interrogative), Hanging),
    ("네", Hae, Some(Hage), Some(Declarative), Final),
    ("나", Hae, Some(Hage), Some(Interrogative), Either),
    ("ㄴ가 는가 은가 던가", Hae, Some(Hage), Some(Interrogative), Final),
    ("까 ㄹ까 을까", Hae, None, Some(Interrogative), Final),
    ("ㄹ게 을게 ㄹ께 을께", Hae, None, Some(Declarative), Final),
    ("ㄹ래 을래", Hae, None, None, Final),
    ("ㄹ걸 을걸 걸", Hae, None, Some(Declarative), Final),
    ("ㄴ데 는데 은데 던데", Hae, None, None, Hanging),
    ("거든 거덩", Hae, None, Some(Declarative), Either),
    ("군", Hae, None, Some(Exclamative), Final),
    ("구만 구먼", Hae, Some(Hage), Some(Exclamative), Final),
    ("대 냬 재 ㄴ대 는대", Hae, None, None, Final),
    ("래", Hae, None, None, Final),
    (
        "다고 라고 자고 냐고 다구 라구 고 구 려고 려구 ㄹ려고 ㄴ다고 는다고 ㄴ다구 는다구 으라고 느냐고",
        Hae,
        None,
        None,
        Hanging,
    ),
    ("더라고 더라구", Hae, None, Some(Declarative), Final),
    (
        "다며 라며 다면서 라면서 ㄴ다며 ㄴ다면서 는다며 는다면서",
        Hae,
        None,
        Some(Interrogative),
        Hanging,
    ),
    ("니까 니깐 ㄴ다니까 다니까 라니까", Hae, None, Some(Declarative), Hanging),
    ("야지", Hae, None, None, Final),
    ("지마", Hae, None, Some(Imperative), Always),
    ("잖아 잔아", Hae, None, Some(Declarative), Final),
    ("다니 라니 ㄴ다니 는다니", Hae, None, Some(Exclamative), Hanging),
    // What only connects: a sentence that breaks off after it is 해체.
    (
        "ㅏ서 ㅓ서 ㅐ서 ㅕ서 ㅘ서 ㅝ서 ㅙ서 서 고서 면 으면 려면 며 면서 도록 지만 므로 러 다가 든지 거나 \
         자마자 길래 느라 느라고 어야 아야 여야 ㅐ야 ㅘ야 ㅝ야 ㅕ야 어도 아도 여도 ㅐ도 듯 듯이 던지 든 다면 라면 자면 ㄴ다면 는다면 려 ㄴ들 \
         더니 는지라 건만 을수록 ㄹ수록 다시피",
        Hae,
        None,
        None,
        Hanging,
    ),
];

/// How 요 is typed in chats.
const POLITE_PARTICLE: &[&str] = &["용", "욤", "염", "여", "유"];

/// An ending with its letters.
type Spelled = (SmolStr, Ending);

/// The endings by the two letters they end in (see [`tail`]), longest first.
static BY_TAIL: LazyLock<Vec<Vec<Spelled>>> = LazyLock::new(|| {
    let mut table: Vec<Vec<Spelled>> = vec![Vec::new(); LETTERS * LETTERS];
    let mut add = |letters: SmolStr, ending: Ending| {
        let place = tail(letters.chars().rev()).and_then(|tail| table.get_mut(tail));
        place.into_iter().for_each(|endings| endings.push((letters.clone(), ending)));
    };
    for &(texts, level, also, mood, force) in ROWS {
        for text in texts.split_whitespace() {
            let ending = Ending { text, level, also, mood, force };
            add(compatibility_jamo(text), ending);
            // 해용, 할까욤: only where the letters cannot be a noun's.
            let plain = text.strip_suffix('요').filter(|plain| !plain.is_empty() && *plain != "이");
            for end in
                plain.iter().flat_map(|plain| ["용", "욤"].map(|end| format!("{plain}{end}")))
            {
                add(compatibility_jamo(&end), ending);
            }
        }
    }
    for endings in &mut table {
        endings.sort_by_key(|(letters, _)| std::cmp::Reverse(letters.len()));
    }
    table
});

/// The endings by their texts.
static BY_TEXT: LazyLock<HashMap<&str, Ending>> = LazyLock::new(|| {
    let mut table = HashMap::new();
    for (_, ending) in BY_TAIL.iter().flatten() {
        table.entry(ending.text).or_insert(*ending);
    }
    table
});

/// Compatibility jamo of today's Korean, from ㄱ to ㅣ.
const LETTERS: usize = 'ㅣ' as usize - 'ㄱ' as usize + 1;

/// One number for the last two letters, the last one coming first. No ending has fewer.
fn tail(mut backwards: impl Iterator<Item = char>) -> Option<usize> {
    let mut next = || match backwards.next()? {
        letter @ 'ㄱ'..='ㅣ' => Some(letter as usize - 'ㄱ' as usize),
        _ => None,
    };
    let last = next()?;
    Some(next()? * LETTERS + last)
}

/// Whether the letters of these morphemes may end in an ending that needs no tag to be told.
pub(crate) fn may_be_sure(word: &[Morph]) -> bool {
    let backwards = word.iter().rev().flat_map(|morph| morph.letters().chars().rev());
    let endings = tail(backwards).and_then(|tail| BY_TAIL.get(tail));
    endings.is_some_and(|endings| endings.iter().any(|(_, row)| row.force == Always))
}

/// The longest ending that these letters end in and that passes the test.
pub(crate) fn longest(
    letters: &str,
    mut fits: impl FnMut(&str, &Ending) -> bool,
) -> Option<(usize, Ending)> {
    let endings = BY_TAIL.get(tail(letters.chars().rev())?)?;
    let found = endings
        .iter()
        .find(|(ending, row)| letters.ends_with(ending.as_str()) && fits(ending, row))?;
    Some((found.0.len(), found.1))
}

/// The row of an ending by its text.
pub(crate) fn named(text: &str) -> Option<Ending> {
    BY_TEXT.get(text).copied()
}

/// Whether a morpheme is 요, or how it is typed in chats.
pub(crate) fn is_polite_particle(text: &str) -> bool {
    text == "요" || POLITE_PARTICLE.contains(&text)
}

/// Whether an ending can grow into the syllable before it: it starts with a lone consonant or a vowel, or
/// it follows a contracted vowel (해요, 하세요, 해야지).
pub(crate) fn contracts(letters: &str) -> bool {
    let mut chars = letters.chars();
    let (first, second) = (chars.next(), chars.next());
    let consonant = |c: char| ('ㄱ'..='ㅎ').contains(&c);
    let (first, second) = (first.is_some_and(consonant), second.is_some_and(consonant));
    !first || second || ["ㅇㅛ", "ㅅㅔㅇㅛ", "ㅅㅕㅇㅛ", "ㅇㅑㅈㅣ", "ㅇㅑㅈㅛ"].contains(&letters)
}
