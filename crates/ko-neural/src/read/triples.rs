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

/// A pair of every group of sentences that mean the same: one of them, and the one half a group behind it, beginning with another place in
/// every group. Groups of fewer than two say nothing.
///
/// ```
/// use ko_neural::read::paraphrases;
///
/// let group = |texts: [&str; 4]| texts.map(str::to_owned);
/// let weather = group(["비 오나요?", "비가 오는지 알려 주세요", "비 와?", "비 오는지 알려 줘"]);
/// let pairs = paraphrases([&weather, &weather]);
/// assert_eq!((pairs[0].anchor.as_str(), pairs[0].positive.as_str()), ("비 오나요?", "비 와?"));
/// assert_eq!(pairs[1].anchor, "비가 오는지 알려 주세요");
/// ```
pub fn paraphrases<G: AsRef<[String]>>(groups: impl IntoIterator<Item = G>) -> Vec<RankedText> {
    let pair = |(turn, group): (usize, G)| {
        let group = group.as_ref();
        let count = group.len();
        let one = |place: usize| group.get(place.checked_rem(count)?).cloned();
        let (anchor, positive) = (one(turn)?, one(turn + count / 2)?);
        (count > 1).then_some(RankedText { anchor, positive, negative: None })
    };
    groups.into_iter().enumerate().filter_map(pair).collect()
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

    #[test]
    fn a_paraphrase_is_another_sentence_of_the_group() {
        let group = |name: &str, count: usize| -> Vec<String> {
            (0..count).map(|i| format!("{name} {i}")).collect()
        };
        let groups = [group("가", 10), group("나", 1), group("다", 3), group("라", 0)];
        let found = paraphrases(&groups);
        let rows: Vec<_> =
            found.iter().map(|pair| (pair.anchor.as_str(), pair.positive.as_str())).collect();
        assert_eq!(rows, [("가 0", "가 5"), ("다 2", "다 0")]);
    }
}
