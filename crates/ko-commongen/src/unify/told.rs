//! -지요, -죠, -네요, -군요 and -는군요: a stem stands whole before them, but for a ㄹ that falls before ㄴ.

use super::{
    NIEUN, RIEUL, SSANG_SIOT, ends_in_syllable, has_ending, jong,
    predicate::{Predicate, is, predicate},
    with_jong,
};
use ko_tokenize::{Morpheme, Tag};

const ENDINGS: [&str; 5] = ["는군요", "군요", "지요", "죠", "네요"];

/// The plain form of a text that ends so; 온다네요 and 오더군요 end otherwise.
pub(super) fn plain(morphemes: &[Morpheme<'_>], body: &str) -> Option<String> {
    let [.., stem, last] = morphemes else { return None };
    let ending = ENDINGS.into_iter().find(|ending| *ending == last.form && has_ending(last))?;
    let whole = body.strip_suffix(ending).filter(|whole| ends_in_syllable(whole))?;
    let syllable = whole.chars().last()?;
    let plain = Some(format!("{whole}다."));
    if jong(syllable)? == SSANG_SIOT {
        return plain;
    }
    match predicate(morphemes)? {
        Predicate::Verb if matches!(jong(syllable)?, 0 | RIEUL) => {
            let before = whole.strip_suffix(syllable)?;
            Some(format!("{before}{}다.", with_jong(syllable, NIEUN)?))
        }
        Predicate::Verb => Some(format!("{whole}는다.")),
        // 머네요 is of 멀다.
        Predicate::Adjective => plain.filter(|_| stem.form.ends_with(syllable)),
        // 머네요 is no 이네요 either.
        Predicate::Copula => {
            plain.filter(|_| is(stem, Tag::Vcp) && body.get(stem.span.clone()) == Some("이"))
        }
    }
}
