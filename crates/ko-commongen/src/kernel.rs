//! The published measures of one sentence against one reference, as the published numbers were made.
//!
//! Tokens are MeCab-ko surfaces. Where a rule looks odd, the oddity is in the published numbers.
//!
//! | column | what it is |
//! |---|---|
//! | "BLEU 3", "BLEU 4" | no BLEU: the clipped n-gram precision pₙ alone |
//! | ROUGE-2 | bigrams glued without a separator; their list ends before the first token that *equals* the last; matches not clipped |
//! | ROUGE-L | longest common subsequence |
//! | METEOR | see [`Evaluator`](crate::Evaluator) |
//! | Coverage | the share of the concepts' surfaces found in the sentence |
//!
//! Both ROUGE are F = (1 + β²) P R / (R + β² P) with β = 1.2.
//!
//! | edge case | value |
//! |---|---|
//! | fewer than n tokens in the hypothesis | pₙ = 0 |
//! | no bigram on either side | ROUGE-2 = 0 |
//! | nothing in common, or an empty side | ROUGE = 0 |
//! | a bigram more often in the reference than in the hypothesis | ROUGE-2 may exceed 1 |
//! | no surface in the concepts but `#` | Coverage = 0 |

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// The weight of recall in both ROUGE.
const BETA: f64 = 1.2;

/// How many n-grams of a hypothesis the reference has too, and how many there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Matches {
    /// Found in the reference, each at most as often as there.
    pub found: u64,
    /// All of the hypothesis.
    pub total: u64,
}

impl Matches {
    /// The clipped n-gram precision; 0 where there are no n-grams.
    pub fn precision(self) -> f64 {
        ratio(self.found as f64, self.total as f64)
    }

    /// Both counts added up.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { found: self.found + other.found, total: self.total + other.total }
    }
}

/// The n-grams of the hypothesis found in the reference. `n` is at least 1.
pub fn matches<T: AsRef<str>>(n: usize, hypothesis: &[T], reference: &[T]) -> Matches {
    let n = n.max(1);
    let mut left: FxHashMap<Vec<&str>, u64> = FxHashMap::default();
    for gram in reference.windows(n) {
        *left.entry(gram.iter().map(AsRef::as_ref).collect()).or_default() += 1;
    }
    let mut found = 0;
    for gram in hypothesis.windows(n) {
        let gram: Vec<&str> = gram.iter().map(AsRef::as_ref).collect();
        if let Some(count) = left.get_mut(&gram).filter(|count| **count > 0) {
            *count -= 1;
            found += 1;
        }
    }
    Matches { found, total: hypothesis.windows(n).len() as u64 }
}

/// ROUGE-2 as published.
pub fn rouge2<T: AsRef<str>>(hypothesis: &[T], reference: &[T]) -> f64 {
    let (hypothesis, reference) = (glued_bigrams(hypothesis), glued_bigrams(reference));
    let known: FxHashSet<&str> = hypothesis.iter().map(String::as_str).collect();
    let found = reference.iter().filter(|bigram| known.contains(bigram.as_str())).count();
    f_measure(found, hypothesis.len(), reference.len())
}

fn glued_bigrams<T: AsRef<str>>(tokens: &[T]) -> Vec<String> {
    let last = tokens.last().map(AsRef::as_ref);
    tokens
        .windows(2)
        .map_while(|pair| match pair {
            [one, two] if Some(one.as_ref()) != last => {
                Some(format!("{}{}", one.as_ref(), two.as_ref()))
            }
            _ => None,
        })
        .collect()
}

/// ROUGE-L as published.
pub fn rouge_l<T: AsRef<str>>(hypothesis: &[T], reference: &[T]) -> f64 {
    f_measure(lcs(hypothesis, reference), hypothesis.len(), reference.len())
}

/// The length of the longest common subsequence.
fn lcs<T: AsRef<str>>(a: &[T], b: &[T]) -> usize {
    let mut row = vec![0usize; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        let mut left = 0;
        for (cell, y) in row.iter_mut().skip(1).zip(b) {
            let above = *cell;
            *cell = if x.as_ref() == y.as_ref() { diagonal + 1 } else { above.max(left) };
            (diagonal, left) = (above, *cell);
        }
    }
    row.last().copied().unwrap_or_default()
}

fn f_measure(common: usize, hypothesis: usize, reference: usize) -> f64 {
    let precision = ratio(common as f64, hypothesis as f64);
    let recall = ratio(common as f64, reference as f64);
    let beta2 = BETA * BETA;
    ratio((1.0 + beta2) * precision * recall, recall + beta2 * precision)
}

/// The share of the concepts' surfaces, `#` aside, that the hypothesis has.
pub fn coverage<T: AsRef<str>>(concepts: &[T], hypothesis: &[T]) -> f64 {
    let wanted: FxHashSet<&str> =
        concepts.iter().map(AsRef::as_ref).filter(|surface| *surface != "#").collect();
    let there: FxHashSet<&str> = hypothesis.iter().map(AsRef::as_ref).collect();
    ratio(wanted.intersection(&there).count() as f64, wanted.len() as f64)
}

/// Four decimals, half to even on the binary value, as Python's `round(x, 4)`.
pub(crate) fn round4(x: f64) -> f64 {
    format!("{x:.4}").parse().unwrap_or(x)
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cut(text: &str) -> Vec<&str> {
        text.split_whitespace().collect()
    }

    #[test]
    fn precision_is_clipped() {
        let (hyp, reference) = (cut("비 가 오 고 비 가 오 고"), cut("비 가 오 고 있 다"));
        assert_eq!(matches(3, &hyp, &reference), Matches { found: 2, total: 6 });
        assert_eq!(matches(4, &hyp, &reference), Matches { found: 1, total: 5 });
        assert_eq!(matches(3, &cut("비 가"), &reference).precision(), 0.0);
    }

    #[test]
    fn bigrams_end_before_a_token_equal_to_the_last() {
        assert_eq!(glued_bigrams(&cut("가 나 다 나")), ["가나"]);
        assert_eq!(glued_bigrams(&cut("가 나 다 .")), ["가나", "나다", "다."]);
        assert!(glued_bigrams(&cut("가")).is_empty());
        // Glued: 가나 + 다 is 가 + 나다.
        assert_eq!(rouge2(&cut("가나 다 끝"), &cut("가 나다 끝")), 0.5);
        // Not clipped: both 나나 of the reference count, though the hypothesis has one; so P = 3/2.
        let f = rouge2(&cut("나 나 ."), &cut("나 나 나 ."));
        assert!((f - 2.44 * 1.5 / (1.0 + 1.44 * 1.5)).abs() < 1e-12, "{f}");
    }

    #[test]
    fn rouge_l_weighs_recall() {
        // lcs 2, P = 2/4, R = 2/3
        let f = rouge_l(&cut("가 나 다 라"), &cut("가 라 마"));
        let (p, r) = (0.5, 2.0 / 3.0);
        assert!((f - 2.44 * p * r / (r + 1.44 * p)).abs() < 1e-12);
    }

    #[test]
    fn coverage_is_of_the_set_of_surfaces() {
        let concepts = cut("공 # 선수 # 공 # 차");
        assert_eq!(coverage(&concepts, &cut("선수 가 공 을 던지 ㄴ다")), 2.0 / 3.0);
        assert_eq!(coverage(&cut("#"), &cut("공")), 0.0);
        assert_eq!(coverage(&concepts, &[]), 0.0);
    }

    #[test]
    fn rounds_like_python() {
        // 0.00005 lies a little above, 0.00015 a little below the half; 0.03125 is a half exactly.
        assert_eq!(
            [0.00005, 0.00015, 0.03125, 2.0 / 3.0].map(round4),
            [0.0001, 0.0001, 0.0312, 0.6667]
        );
    }

    proptest! {
        #[test]
        fn stay_between_0_and_1(a in proptest::collection::vec("[가-다]", 0..9), b in proptest::collection::vec("[가-다]", 0..9)) {
            // ROUGE-2 is not among them: unclipped matches can exceed the hypothesis.
            for value in [rouge_l(&a, &b), coverage(&a, &b), matches(3, &a, &b).precision()] {
                prop_assert!((0.0..=1.0 + 1e-9).contains(&value), "{}", value);
            }
            prop_assert!(rouge2(&a, &b) >= 0.0);
            if a.len() > 2 {
                prop_assert!((rouge_l(&a, &a) - 1.0).abs() < 1e-12);
                prop_assert_eq!(matches(3, &a, &a).precision(), 1.0);
            }
        }
    }
}
