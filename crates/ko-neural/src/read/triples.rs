//! What inference labels say about likeness: a premise lies near what follows from it, and far from what it excludes.

use super::{NliLabel, NliPair};
use rustc_hash::FxHashMap;

/// A text, one that means the same, and perhaps one that does not although it looks alike (a hard negative).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankedText {
    /// The text.
    pub anchor: String,
    /// What should be nearest to it.
    pub positive: String,
    /// What should be far.
    pub negative: Option<String>,
}

/// A triple of every entailment: the premise, the hypothesis, and one of the contradictions of the same premise, in turn. A premise
/// without a contradiction has pairs only; one without an entailment says nothing. The order is that of the entailments.
///
/// ```
/// use ko_neural::read::{NliLabel, NliPair, triples};
///
/// let pair = |hypothesis: &str, label| NliPair {
///     premise: "비가 온다".into(),
///     hypothesis: hypothesis.into(),
///     label,
/// };
/// let found = triples(&[
///     pair("날씨가 궂다", NliLabel::Entailment),
///     pair("바람이 분다", NliLabel::Neutral),
///     pair("날이 맑다", NliLabel::Contradiction),
/// ]);
/// assert_eq!(found.len(), 1);
/// assert_eq!((found[0].positive.as_str(), found[0].negative.as_deref()), ("날씨가 궂다", Some("날이 맑다")));
/// ```
pub fn triples(pairs: &[NliPair]) -> Vec<RankedText> {
    let mut excluded: FxHashMap<&str, (Vec<&str>, usize)> = FxHashMap::default();
    for pair in pairs.iter().filter(|pair| pair.label == NliLabel::Contradiction) {
        excluded.entry(&pair.premise).or_default().0.push(&pair.hypothesis);
    }
    let follows = pairs.iter().filter(|pair| pair.label == NliLabel::Entailment);
    follows
        .map(|pair| {
            let negative = excluded.get_mut(pair.premise.as_str()).and_then(|(all, turn)| {
                let one = all.get(*turn % all.len().max(1)).map(|text| (*text).to_owned());
                *turn += 1;
                one
            });
            let (anchor, positive) = (pair.premise.clone(), pair.hypothesis.clone());
            RankedText { anchor, positive, negative }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradictions_take_turns_and_may_be_missing() {
        let pair = |premise: &str, hypothesis: &str, label| NliPair {
            premise: premise.into(),
            hypothesis: hypothesis.into(),
            label,
        };
        let pairs = [
            pair("가", "가1", NliLabel::Entailment),
            pair("가", "가2", NliLabel::Entailment),
            pair("가", "가3", NliLabel::Entailment),
            pair("가", "아님1", NliLabel::Contradiction),
            pair("가", "아님2", NliLabel::Contradiction),
            pair("나", "나1", NliLabel::Entailment),
            pair("다", "아님", NliLabel::Contradiction),
        ];
        let found = triples(&pairs);
        let rows: Vec<_> =
            found.iter().map(|t| (t.positive.as_str(), t.negative.as_deref())).collect();
        let expected =
            [("가1", Some("아님1")), ("가2", Some("아님2")), ("가3", Some("아님1")), ("나1", None)];
        assert_eq!(rows, expected);
    }
}
