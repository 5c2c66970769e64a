//! Final endings: which speech level and which mood each one marks.
//!
//! Levels follow the dictionary of the National Institute of Korean Language, which states for every
//! final ending to whom it is said ("하오할 자리에 쓰여 …"). An ending listed there at two levels stands
//! here with the one that today's speakers mean (-네, -나, -ㄴ가: 해체 in talk, 하게체 in older prose), and the
//! other as its second reading.

use super::{
    Mood, SpeechLevel,
    morph::{Morph, compatibility_jamo},
};
use Mood::{Declarative, Exclamative, Imperative, Interrogative, Propositive};
use SpeechLevel::{Hae, Haera, Haeyo, Hage, Hao, Hapsyo};
use ko_tokenize::Tag;
use std::sync::LazyLock;

/// What an ending says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ending {
    /// As grammars write it: `ㅂ니다`.
    pub(super) text: &'static str,
    pub(super) level: SpeechLevel,
    /// The other level that the ending can be of.
    pub(super) also: Option<SpeechLevel>,
    /// `None` where intonation decides: 먹어. 먹어? 먹어!
    pub(super) mood: Option<Mood>,
}

/// (ending, level, second level, mood). The longest that fits wins.
type Row = (&'static str, SpeechLevel, Option<SpeechLevel>, Option<Mood>);

const ROWS: &[Row] = &[
    // 하십시오체
    ("ㅂ니다", Hapsyo, None, Some(Declarative)),
    ("습니다", Hapsyo, None, Some(Declarative)),
    ("ㅂ니다만", Hapsyo, None, Some(Declarative)),
    ("습니다만", Hapsyo, None, Some(Declarative)),
    ("ㅂ니까", Hapsyo, None, Some(Interrogative)),
    ("습니까", Hapsyo, None, Some(Interrogative)),
    ("십시오", Hapsyo, None, Some(Imperative)),
    ("ㅂ시오", Hapsyo, None, Some(Imperative)),
    ("십시요", Hapsyo, None, Some(Imperative)),
    ("십시다", Hapsyo, None, Some(Propositive)),
    ("나이다", Hapsyo, None, Some(Declarative)),
    ("나이까", Hapsyo, None, Some(Interrogative)),
    ("소서", Hapsyo, None, Some(Imperative)),
    ("더이다", Hapsyo, None, Some(Declarative)),
    // 해요체: what is not here is an ending of 해체 with 요.
    ("요", Haeyo, None, None),
    ("ㄴ가요", Haeyo, None, Some(Interrogative)),
    ("죠", Haeyo, None, None),
    ("야죠", Haeyo, None, None),
    ("어요", Haeyo, None, None),
    ("세요", Haeyo, None, None),
    ("셔요", Haeyo, None, None),
    ("에요", Haeyo, None, None),
    ("예요", Haeyo, None, None),
    // 하오체
    ("오", Hao, None, None),
    ("소", Hao, None, None),
    ("시오", Hao, None, Some(Imperative)),
    ("ㅂ시다", Hao, None, Some(Propositive)),
    ("읍시다", Hao, None, Some(Propositive)),
    ("ㅂ디다", Hao, None, Some(Declarative)),
    ("습디다", Hao, None, Some(Declarative)),
    ("ㅂ디까", Hao, None, Some(Interrogative)),
    ("습디까", Hao, None, Some(Interrogative)),
    ("올시다", Hao, None, Some(Declarative)),
    ("외다", Hao, None, Some(Declarative)),
    ("리다", Hao, None, Some(Declarative)),
    ("구려", Hao, None, Some(Exclamative)),
    // 하게체
    ("게", Hage, None, Some(Imperative)),
    ("게나", Hage, None, Some(Imperative)),
    ("세", Hage, None, Some(Propositive)),
    ("세나", Hage, None, Some(Propositive)),
    ("ㄹ세", Hage, None, Some(Declarative)),
    ("로세", Hage, None, Some(Declarative)),
    ("ㅁ세", Hage, None, Some(Declarative)),
    ("음세", Hage, None, Some(Declarative)),
    ("다네", Hage, Some(Hae), Some(Declarative)),
    ("라네", Hage, Some(Hae), Some(Declarative)),
    // 해라체
    ("다", Haera, None, Some(Declarative)),
    ("ㄴ다", Haera, None, Some(Declarative)),
    ("라", Haera, None, None), // 이라 states, 가라 commands
    ("아라", Haera, None, Some(Imperative)),
    ("어라", Haera, None, Some(Imperative)),
    ("여라", Haera, None, Some(Imperative)),
    ("거라", Haera, None, Some(Imperative)),
    ("너라", Haera, None, Some(Imperative)),
    ("으라", Haera, None, Some(Imperative)),
    ("리라", Haera, None, Some(Declarative)),
    ("니라", Haera, None, Some(Declarative)),
    ("노라", Haera, None, Some(Declarative)),
    ("더라", Haera, None, Some(Declarative)),
    ("렴", Haera, None, Some(Imperative)),
    ("려무나", Haera, None, Some(Imperative)),
    ("자", Haera, None, Some(Propositive)),
    ("자꾸나", Haera, None, Some(Propositive)),
    ("마", Haera, None, Some(Declarative)),
    ("냐", Haera, None, Some(Interrogative)),
    ("니", Haera, None, Some(Interrogative)),
    ("랴", Haera, None, Some(Interrogative)),
    ("구나", Haera, None, Some(Exclamative)),
    ("도다", Haera, None, Some(Exclamative)),
    ("로다", Haera, None, Some(Exclamative)),
    // 해체
    ("어", Hae, None, None),
    ("아", Hae, None, None),
    ("여", Hae, None, None),
    ("해", Hae, None, None),
    ("야", Hae, None, None),
    ("지", Hae, None, None),
    ("는지", Hae, None, Some(Interrogative)),
    ("ㄴ지", Hae, None, Some(Interrogative)),
    ("은지", Hae, None, Some(Interrogative)),
    ("ㄹ지", Hae, None, Some(Interrogative)),
    ("을지", Hae, None, Some(Interrogative)),
    ("네", Hae, Some(Hage), Some(Declarative)),
    ("나", Hae, Some(Hage), Some(Interrogative)),
    ("ㄴ가", Hae, Some(Hage), Some(Interrogative)),
    ("는가", Hae, Some(Hage), Some(Interrogative)),
    ("은가", Hae, Some(Hage), Some(Interrogative)),
    ("던가", Hae, Some(Hage), Some(Interrogative)),
    ("까", Hae, None, Some(Interrogative)),
    ("ㄹ까", Hae, None, Some(Interrogative)),
    ("을까", Hae, None, Some(Interrogative)),
    ("ㄹ게", Hae, None, Some(Declarative)),
    ("을게", Hae, None, Some(Declarative)),
    ("ㄹ께", Hae, None, Some(Declarative)),
    ("ㄹ래", Hae, None, None),
    ("을래", Hae, None, None),
    ("ㄹ걸", Hae, None, Some(Declarative)),
    ("을걸", Hae, None, Some(Declarative)),
    ("걸", Hae, None, Some(Declarative)),
    ("ㄴ데", Hae, None, None),
    ("는데", Hae, None, None),
    ("은데", Hae, None, None),
    ("던데", Hae, None, None),
    ("거든", Hae, None, Some(Declarative)),
    ("군", Hae, None, Some(Exclamative)),
    ("구만", Hae, Some(Hage), Some(Exclamative)),
    ("구먼", Hae, Some(Hage), Some(Exclamative)),
    ("대", Hae, None, None),
    ("래", Hae, None, None),
    ("냬", Hae, None, None),
    ("재", Hae, None, None),
    ("다고", Hae, None, None),
    ("라고", Hae, None, None),
    ("자고", Hae, None, None),
    ("냐고", Hae, None, None),
    ("다구", Hae, None, None),
    ("라구", Hae, None, None),
    ("고", Hae, None, None),
    ("구", Hae, None, None),
    ("다며", Hae, None, Some(Interrogative)),
    ("라며", Hae, None, Some(Interrogative)),
    ("다면서", Hae, None, Some(Interrogative)),
    ("라면서", Hae, None, Some(Interrogative)),
    ("니까", Hae, None, Some(Declarative)),
    ("니깐", Hae, None, Some(Declarative)),
    ("야지", Hae, None, None),
    ("려고", Hae, None, None),
    ("잖아", Hae, None, Some(Declarative)),
    ("다니", Hae, None, Some(Exclamative)),
    ("라니", Hae, None, Some(Exclamative)),
];

/// The rows with their letters, longest first.
static BY_LENGTH: LazyLock<Vec<(String, Ending)>> = LazyLock::new(|| {
    let mut endings: Vec<_> = ROWS
        .iter()
        .map(|&(text, level, also, mood)| {
            (compatibility_jamo(text), Ending { text, level, also, mood })
        })
        .collect();
    endings.sort_by_key(|(letters, _)| std::cmp::Reverse(letters.len()));
    endings
});

/// The contracted vowels in which -아/-어 hides: 가, 서, 켜, 해, 봐, 줘, 돼, 베; 야 is 이다's.
const VOWELS: &[char] = &['ㅏ', 'ㅓ', 'ㅕ', 'ㅐ', 'ㅘ', 'ㅝ', 'ㅙ', 'ㅔ', 'ㅖ', 'ㅒ', 'ㅑ'];

const CONTRACTED: Ending = Ending { text: "어", level: Hae, also: None, mood: None };

/// The ending that the last morphemes of a predicate make: endings in a row (더+라), a fused
/// surface (합니다), with the particle 요 after them.
pub(super) fn of(tail: &[Morph]) -> Option<Ending> {
    match tail {
        // 갔지+요: the level of 요, all else of 지.
        [head @ .., last] if last.is_any(&[Tag::Jx, Tag::Ic]) && last.text == "요" => {
            let plain = bare(head).unwrap_or(CONTRACTED);
            Some(Ending { level: Haeyo, also: None, ..plain })
        }
        _ => bare(tail),
    }
}

/// The polite ending that a last eojeol shows whatever its tags say: analyzers take 가요 in 어떤가요 for songs.
pub(super) fn unmistakable(eojeol: &[Morph]) -> Option<Ending> {
    let letters: String = eojeol.iter().map(Morph::letters).collect();
    let polite = |(ending, row): &&(String, Ending)| {
        is_unmistakable(ending) && row.level.is_polite() && letters.ends_with(ending.as_str())
    };
    BY_LENGTH.iter().find(polite).map(|(_, ending)| *ending)
}

fn is_unmistakable(ending: &str) -> bool {
    ending.starts_with("ㅂㄴ") || ending.starts_with("ㅂㅅ") || ending == "ㄴㄱㅏㅇㅛ"
}

fn bare(tail: &[Morph]) -> Option<Ending> {
    let last = tail.last()?;
    let stem_inside = last.is_fused() && last.is_predicate();
    // Pre-final endings belong to the row: 십시오 is 시+ㅂ시오.
    let is_ending =
        |morph: &&Morph| morph.is_any(&[Tag::Ef, Tag::Ec, Tag::Ep]) && !morph.is_predicate();
    let run = tail.iter().rev().take_while(is_ending).count();
    let eojeol = tail.iter().rev().take_while(|morph| morph.eojeol == last.eojeol).count();
    let letters_of = |last: usize| -> String {
        tail.iter().skip(tail.len() - last).map(Morph::letters).collect()
    };
    let letters = if stem_inside { last.letters().to_owned() } else { letters_of(run) };
    let eojeol = letters_of(eojeol);
    let fits = |(ending, row): &&(String, Ending)| {
        // Inside a fused surface only what contracts can be an ending: 만나 does not end in -나.
        let may = !stem_inside || contracts(ending);
        // -게 makes adverbs (크게) where it is not final.
        let adverb = row.text == "게" && !last.is_any(&[Tag::Ef]);
        (may && !adverb && letters.ends_with(ending.as_str()))
            || (is_unmistakable(ending) && eojeol.ends_with(ending.as_str()))
    };
    let found = BY_LENGTH.iter().find(fits).map(|(_, ending)| *ending);
    if let Some(found) = found.filter(|found| found.level == Haeyo) {
        // All but the level is that of what stands before 요: 나요 asks, ㄹ까요 asks.
        let before = letters.strip_suffix("ㅇㅛ").unwrap_or_default();
        let plain = BY_LENGTH.iter().find(|(ending, row)| {
            let may = !stem_inside || contracts(ending);
            row.level == Hae && may && before.ends_with(ending.as_str())
        });
        return Some(plain.map_or(found, |(_, plain)| Ending {
            level: Haeyo,
            also: None,
            ..*plain
        }));
    }
    found.or_else(|| (last.is_fused() && letters.ends_with(VOWELS)).then_some(CONTRACTED))
}

/// Whether an ending can grow into the syllable before it: it starts with a lone consonant, or
/// it follows a contracted vowel (해요, 하세요, 해야지).
fn contracts(letters: &str) -> bool {
    let mut chars = letters.chars();
    let (first, second) = (chars.next(), chars.next());
    let consonant = |c: Option<char>| c.is_some_and(|c| ('ㄱ'..='ㅎ').contains(&c));
    (consonant(first) && consonant(second))
        || ["ㅇㅛ", "ㅅㅔㅇㅛ", "ㅅㅕㅇㅛ", "ㅇㅑㅈㅣ", "ㅇㅑㅈㅛ"].contains(&letters)
}
