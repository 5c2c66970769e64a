//! Morphemes without a dictionary: endings, particles and a few closed classes by rule over letters.
//!
//! Enough for the register of everyday text, and no more: a stem is what is left of a word when its ending is
//! taken away, every other word is a noun with a particle. Where a word could be either (휴지, 가지), only its
//! place decides: at the end of a sentence it predicates. docs/REGISTER.md states how well that does beside a dictionary.
//!
//! ```
//! use ko_register::Endings;
//! use ko_tokenize::MorphemeAnalyzer;
//!
//! let morphs = Endings.analyze("할머니께서 주무셨어요.")?;
//! let tagged: Vec<_> = morphs.iter().map(|m| format!("{}/{}", m.form, m.tag)).collect();
//! assert_eq!(tagged, ["할머니/NNG", "께서/JKS", "주무/VV", "셨/EP+EP", "어요/EF", "./SF"]);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use crate::{
    composed::Composed,
    ending::{self, Force},
    lexicon::{ADJECTIVES, AUXILIARIES, CONTRACTED, PARTICLES, closed_class, pronoun_before},
    morph::compatibility_jamo,
    script::{Kind, is_last, pieces},
};
use ko_eval_core::{Result, Signature, Signed, Token, Tokenizer};
use ko_tokenize::{Morpheme, MorphemeAnalyzer};
use std::ops::Range;

/// The analyzer that needs no dictionary.
///
/// ```
/// use ko_register::{Endings, prelude::*};
///
/// let units = Endings.tokenize("밥을 먹었어요.")?;
/// assert_eq!(units.iter().map(Token::as_str).collect::<Vec<_>>(), ["밥", "을", "먹", "었", "어요", "."]);
/// # Ok::<(), ko_register::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Endings;

impl Signed for Endings {
    fn signature(&self) -> Signature {
        Signature::new("endings").with("version", 1).with("norm", "hangul")
    }
}

impl Tokenizer for Endings {
    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        Ok(self.analyze(text)?.into_iter().map(Token::from).collect())
    }
}

impl MorphemeAnalyzer for Endings {
    fn analyze<'t>(&self, text: &'t str) -> Result<Vec<Morpheme<'t>>> {
        // Decomposed Hangul is put together first; places still point into the text as it is.
        let Some(composed) = Composed::of(text) else { return Ok(analyze(text)) };
        let found = analyze(&composed.text).into_iter().map(|morpheme| Morpheme {
            form: morpheme.form.into_owned().into(),
            tag: morpheme.tag.into_owned().into(),
            span: composed.original(morpheme.span),
        });
        Ok(found.collect())
    }
}

/// The morphemes of a normalised text.
fn analyze(text: &str) -> Vec<Morpheme<'_>> {
    let pieces = pieces(text);
    let mut found = Vec::with_capacity(pieces.len() * 2);
    for (number, piece) in pieces.iter().enumerate() {
        let Some(surface) = text.get(piece.span.clone()) else { continue };
        let mut out = Out { surface, start: piece.span.start, found: &mut found };
        match piece.kind {
            Kind::Hangul => {
                let rest = pieces.get(number + 1..).unwrap_or_default();
                word(&mut out, is_last(rest));
            }
            kind => out.push(0..surface.len(), kind.tag(surface)),
        }
    }
    found
}

/// Where the morphemes of a word go.
struct Out<'t, 'o> {
    surface: &'t str,
    start: usize,
    found: &'o mut Vec<Morpheme<'t>>,
}

impl Out<'_, '_> {
    fn push(&mut self, part: Range<usize>, tag: &'static str) {
        if let Some(form) = self.surface.get(part.clone()).filter(|form| !form.is_empty()) {
            let span = self.start + part.start..self.start + part.end;
            self.found.push(Morpheme { form: form.into(), tag: tag.into(), span });
        }
    }
}

/// Takes one run of Hangul apart.
fn word(out: &mut Out<'_, '_>, last: bool) {
    let surface = out.surface;
    if let Some((length, tag)) = closed_class(surface) {
        out.push(0..length, tag);
        return particles(out, length);
    }
    // 뭐야, 어디죠: 이다 without its 이.
    if let Some(at) = pronoun_before(surface)
        && surface.get(at..).is_some_and(is_ending)
    {
        out.push(0..at, "NP");
        out.push(at..surface.len(), "VCP+EF");
        return;
    }
    if !predicate(out, last) {
        noun(out);
    }
}

/// Whether a text is an ending as a whole, and one that 이다 takes without its 이.
fn is_ending(text: &str) -> bool {
    let letters = compatibility_jamo(text);
    let whole = ending::longest(&letters, |ending, row| {
        ending.len() == letters.len()
            && row.force > Force::Hanging
            && !matches!(row.text, "어" | "아" | "나" | "라")
    });
    whole.is_some()
}

/// A noun, and the particle behind it.
fn noun(out: &mut Out<'_, '_>) {
    let surface = out.surface;
    let particle =
        PARTICLES.iter().find(|(text, _)| surface.len() > text.len() && surface.ends_with(text));
    let end = particle.map_or(surface.len(), |(text, _)| surface.len() - text.len());
    out.push(0..end, "NNG");
    particles(out, end);
}

/// What stands behind a word that is known.
fn particles(out: &mut Out<'_, '_>, from: usize) {
    let rest = out.surface.get(from..).unwrap_or_default();
    let tag = PARTICLES.iter().find(|(text, _)| *text == rest).map_or("JX", |(_, tag)| tag);
    out.push(from..out.surface.len(), tag);
}

/// A stem and its ending, if the word ends as a predicate does.
fn predicate(out: &mut Out<'_, '_>, last: bool) -> bool {
    let surface = out.surface;
    let letters = compatibility_jamo(surface);
    let tensed = |before: &str| before.ends_with('ㅆ') || before.ends_with("ㅇㅓㅂㅅ");
    let found = ending::longest(&letters, |ending, row| {
        let before = letters.get(..letters.len() - ending.len()).unwrap_or_default();
        // A stem has a vowel, unless the ending lives without one (해, 가).
        !before.is_empty() && may_predicate(row, before, last, tensed(before))
    });
    let Some((length, row)) = found else { return contracted(out, &letters, last) };
    // Where the ending begins, in whole syllables of the surface; in the middle of one, it is fused with the stem.
    let cut = letters.len() - length;
    let mut at = 0;
    let mut seen = 0;
    for c in surface.chars() {
        let size = compatibility_jamo(c.encode_utf8(&mut [0; 4])).len();
        if seen + size > cut {
            break;
        }
        seen += size;
        at += c.len_utf8();
    }
    let fused = seen != cut;
    let connects = row.force == Force::Hanging && !last;
    let copula = is_copula(surface, at, row.text);
    match (fused, copula) {
        // 학생|입니다, 누구|인가요
        (true, true) => {
            out.push(0..at, "NNG");
            out.push(at..surface.len(), if connects { "VCP+EC" } else { "VCP+EF" });
        }
        (true, false) => {
            let stem = surface.get(..at).unwrap_or_default();
            let split = pre_final(out, stem);
            match split {
                true => out.push(at..surface.len(), if connects { "EP+EC" } else { "EP+EF" }),
                false => out.push(0..surface.len(), if connects { "VV+EC" } else { "VV+EF" }),
            }
        }
        (false, copula) => {
            let stem = surface.get(..at).unwrap_or_default();
            if copula {
                out.push(0..at, "NNG");
            } else if !pre_final(out, stem) {
                out.push(0..at, stem_tag(stem));
            }
            let raised = matches!(row.text, "세요" | "셔요" | "십시오" | "십시다" | "십쇼");
            let tag = match (copula, raised, connects) {
                (true, _, true) => "VCP+EC",
                (true, _, false) => "VCP+EF",
                (_, true, _) => "EP+EF",
                (_, _, true) => "EC",
                _ => "EF",
            };
            out.push(at..surface.len(), tag);
        }
    }
    true
}

/// Whether an ending is one in this place, without a dictionary that knew the word.
fn may_predicate(row: &ending::Ending, before: &str, last: bool, tensed: bool) -> bool {
    match row.text {
        // Nouns and particles end so as well: 휴지, 친구, 하나, 누나, 과자, 동네.
        "지" | "고" | "구" | "나" | "니" | "디" | "자" | "라" | "네" | "게" | "래" | "대"
        | "재" | "소" | "오" | "세" | "마" | "군" | "걸" | "며" | "서" | "러" | "려" | "든"
        | "듯" | "야" | "면" | "까" | "이야" | "렴" | "련" | "랴" | "여" | "해" | "이요" =>
        {
            let light = before.ends_with("ㅎㅏ") || before.ends_with("ㄷㅚ");
            last || tensed || (light && matches!(row.text, "자" | "니" | "네" | "나" | "지"))
        }
        "다" => last || tensed || before.ends_with(|c| ('ㄱ'..='ㅎ').contains(&c)),
        "요" => false,
        _ => true,
    }
}

/// -어 grown into the stem: 해, 봐, 줘. Only syllables that nouns seldom end in, unless the sentence ends there.
fn contracted(out: &mut Out<'_, '_>, letters: &str, last: bool) -> bool {
    let surface = out.surface;
    let ends = |syllables: &[&str]| syllables.iter().any(|syllable| surface.ends_with(syllable));
    let polite = letters.ends_with("ㅇㅛ");
    let single = surface.chars().count() == 1
        && last
        && letters.ends_with(['ㅏ', 'ㅓ', 'ㅐ', 'ㅕ', 'ㅘ', 'ㅝ']);
    if polite && letters.len() > "ㅇㅛ".len() {
        let stem = surface.get(..surface.len() - "요".len()).unwrap_or_default();
        let contracts = CONTRACTED.iter().any(|syllable| stem.ends_with(syllable));
        if contracts
            || (last
                && compatibility_jamo(stem).ends_with(['ㅏ', 'ㅓ', 'ㅐ', 'ㅕ', 'ㅘ', 'ㅝ', 'ㅔ']))
        {
            out.push(0..surface.len(), "VV+EF");
            return true;
        }
        // 저도요, 학생이요
        out.push(0..stem.len(), "NNG");
        out.push(stem.len()..surface.len(), "JX");
        return true;
    }
    let adnominal = ends(&["하는", "되는", "있는", "없는", "같은", "좋은", "많은"]);
    if adnominal {
        let at = surface.len() - "는".len();
        out.push(0..at, "VV");
        out.push(at..surface.len(), "ETM");
        return true;
    }
    if ends(CONTRACTED) || single {
        let auxiliary = AUXILIARIES.contains(&surface);
        let tag = match (auxiliary, last) {
            (true, true) => "VX+EF",
            (true, false) => "VX+EC",
            (false, true) => "VV+EF",
            (false, false) => "VV+EC",
        };
        // 알려줘 is 알려 줘.
        let aux =
            ["줘", "봐"].iter().find(|aux| surface.len() > aux.len() && surface.ends_with(*aux));
        match aux {
            Some(aux) => {
                let at = surface.len() - aux.len();
                out.push(0..at, "VV+EC");
                out.push(at..surface.len(), if last { "VX+EF" } else { "VX+EC" });
            }
            None => out.push(0..surface.len(), tag),
        }
        return true;
    }
    false
}

/// Whether the ending is 이다's: it stands on a noun.
fn is_copula(surface: &str, at: usize, ending: &str) -> bool {
    let rest = surface.get(at..).unwrap_or_default();
    let before = surface.get(..at).unwrap_or_default();
    rest.starts_with(['입', '인', '일', '이', '예', '에', '였'])
        && !before.is_empty()
        && !matches!(ending, "어" | "아")
        || matches!(ending, "에요" | "예요" | "야" | "이야" | "거야")
        || (before.ends_with('이')
            && matches!(ending, "지" | "죠" | "고" | "네" | "네요" | "다" | "라"))
}

/// Splits 시, 었, 겠 off a stem; `false` where there is none.
fn pre_final(out: &mut Out<'_, '_>, stem: &str) -> bool {
    // 가|시|었|겠: what stands before the endings, or the first syllable if there is nothing else.
    let bare = stem.trim_end_matches(['겠', '었', '았', '였']).len();
    let head = bare.max(stem.chars().next().map_or(0, char::len_utf8));
    let (before, after) = stem.split_at_checked(head).unwrap_or((stem, ""));
    if !honorific_or_past(out, before) {
        if after.is_empty() {
            return false;
        }
        out.push(0..head, stem_tag(before));
    }
    for (at, syllable) in after.char_indices() {
        let at = head + at;
        out.push(at..at + syllable.len_utf8(), "EP");
    }
    true
}

/// The pre-final ending within the last syllable that is not one by itself: 시, 셨, or a past that has grown together.
fn honorific_or_past(out: &mut Out<'_, '_>, stem: &str) -> bool {
    let Some((at, syllable)) = stem.char_indices().next_back() else { return false };
    let closed = compatibility_jamo(syllable.encode_utf8(&mut [0; 4])).ends_with('ㅆ');
    let before = stem.get(..at).unwrap_or_default();
    let tag = match syllable {
        '시' if !before.is_empty() => "EP",
        '셨' if !before.is_empty() => "EP+EP",
        '있' => return false,
        _ if closed => {
            out.push(0..stem.len(), "VV+EP");
            return true;
        }
        _ => return false,
    };
    out.push(0..at, stem_tag(before));
    out.push(at..stem.len(), tag);
    true
}

fn stem_tag(stem: &str) -> &'static str {
    match stem {
        _ if AUXILIARIES.contains(&stem) => "VX",
        "아니" => "VCN",
        _ if ADJECTIVES.iter().any(|adjective| stem.ends_with(adjective)) => "VA",
        _ => "VV",
    }
}
