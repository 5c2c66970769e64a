//! Negation of the main clause.

use crate::{Answer, morph::Morph, predicate::Predicate};
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

pub(crate) fn judge(morphs: &[Morph], predicate: &Predicate) -> Answer<Polarity> {
    let complex = predicate.morphs(morphs);
    let before = morphs.get(..predicate.span.start).and_then(<[_]>::last);
    let mut found: Vec<_> = before.filter(|morph| is_adverb(morph)).into_iter().collect();
    let mut last = before;
    for morph in complex {
        // 울고 말았다 is no prohibition: -고 말다 tells that it came to that.
        let completed = last.is_some_and(|last| matches!(last.text.as_str(), "고" | "고야"));
        if negates(morph) || (is_prohibition(morph) && !completed) {
            found.push(morph);
        }
        last = Some(morph);
    }
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
        // 재미없다, 상관없다: adjectives made with 없다.
        || (morph.is_any(&[Tag::Va]) && !morph.is_fused() && morph.text.ends_with('없'))
}

fn is_prohibition(morph: &Morph) -> bool {
    morph.is_any(&[Tag::Vx]) && morph.has_stem(&["말"])
}
