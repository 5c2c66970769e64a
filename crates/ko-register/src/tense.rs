//! Tense: past where the main predicate holds 았, 었 or 였, in whatever contraction.

use crate::{Answer, morph::Morph};
use ko_tokenize::Tag;
use serde::Serialize;

/// When it happens, as far as Korean marks it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tense {
    /// 갔다, 갔을 것이다.
    Past,
    /// 간다, 가겠다, 갈 것이다.
    NonPast,
}

pub(crate) fn judge(predicate: &[Morph]) -> Answer<Tense> {
    let past: Vec<_> = predicate.iter().filter(|morph| is_past(morph)).collect();
    match past.is_empty() {
        false => Answer::new(Tense::Past, past),
        true => Answer::new(Tense::NonPast, predicate),
    }
}

/// A pre-final ending closed by ㅆ that is not 겠: 았, 었, 였, 했, 셨, 갔 …
pub(crate) fn is_past(morph: &Morph) -> bool {
    const FINALS: u32 = 28;
    const SSANG_SIOS: u32 = 20;
    let closed = |c: char| match c {
        'ㅆ' => true,
        // 겠 is the future; 있 can only be a stem inside a fused surface.
        '겠' | '있' => false,
        '가'..='힣' => (c as u32 - '가' as u32) % FINALS == SSANG_SIOS,
        _ => false,
    };
    morph.is_any(&[Tag::Ep]) && morph.text.chars().any(closed)
}
