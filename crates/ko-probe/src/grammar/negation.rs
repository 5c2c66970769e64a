//! Negation of the main clause.

use super::{Answer, morph::Morph, predicate::Predicate};
use ko_tokenize::Tag;
use serde::Serialize;

/// Whether the main clause is negated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Polarity {
    /// 간다.
    Affirmative,
    /// 안 간다, 가지 않는다, 갈 수 없다, 모른다.
    Negative,
}

/// Stems that negate.
const NEGATIVE: &[&str] = &["않", "못하", "아니", "없", "모르"];

pub(super) fn judge(morphs: &[Morph], predicate: &Predicate) -> Answer<Polarity> {
    let complex = predicate.morphs(morphs);
    let before = morphs.get(..predicate.span.start).and_then(<[_]>::last);
    let found: Vec<_> = before
        .filter(|m| is_adverb(m))
        .into_iter()
        .chain(complex.iter().filter(|m| negates(m)))
        .collect();
    match found.is_empty() {
        false => Answer::new(Polarity::Negative, found),
        true => Answer::new(Polarity::Affirmative, complex),
    }
}

fn is_adverb(morph: &Morph) -> bool {
    morph.is_any(&[Tag::Mag]) && matches!(morph.text.as_str(), "안" | "못" | "아니")
}

fn negates(morph: &Morph) -> bool {
    is_adverb(morph)
        || morph.has_stem(NEGATIVE)
        || (morph.is_any(&[Tag::Vx]) && morph.has_stem(&["말"]))
        // 재미없다, 상관없다: adjectives made with 없다.
        || (morph.is_any(&[Tag::Va]) && !morph.is_fused() && morph.text.ends_with('없'))
}
