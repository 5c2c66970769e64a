//! Several methods side by side: weightings of the same parts against people, and paraphrases against their sources.
//!
//! This is how KOSMIC's paper judges a similarity of sentences. [`evaluate`] gives its Table 1: Pearson's r and Kendall's
//! τ-b with human scores, and how well a score above a threshold tells that a pair is alike (of one tone); where nobody gave scores,
//! [`decide`] gives the second half of it.
//! [`compare_paraphrases`] gives its Table 2: the mean score, and the mean of each of its parts, of several methods'
//! paraphrases. Any [`PairScorer`] can be judged.
//!
//! ```
//! use ko_meta_eval::methods::evaluate;
//!
//! // Meaning and tone vary independently; people looked at both.
//! let parts = [[5.0, 5.0], [5.0, 0.0], [1.0, 5.0], [1.0, 0.0]];
//! let (people, one_tone) = ([5.0, 3.0, 3.0, 1.0], [true, false, true, false]);
//! let methods = [("meaning", [1.0, 0.0]), ("both", [0.5, 0.5])];
//! let rows = evaluate(&parts, &people, &one_tone, 2.5, &methods)?;
//! assert_eq!(rows[0].decision.accuracy, 0.5);
//! assert!(rows[1].pearson > rows[0].pearson);
//! # Ok::<(), ko_meta_eval::Error>(())
//! ```

use crate::{
    Correlation, Result,
    classification::{Decision, above_threshold},
    correlation,
    error::{at_least, same_length},
    selection::weighted_sum,
};
use ko_eval_model::{PairScore, PairScorer};
use serde::Serialize;

/// A weighting of parts in the eyes of people.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvaluatedMethod {
    /// The method's name.
    pub method: String,
    /// The weights of the parts.
    pub weights: Vec<f64>,
    /// Pearson's r with people's scores; none where one side does not vary.
    pub pearson: Option<f64>,
    /// Kendall's τ-b with people's scores; none as for Pearson's r.
    pub kendall: Option<f64>,
    /// Yes above the threshold, against people's yes and no.
    #[serde(flatten)]
    pub decision: Decision,
}

/// Several methods, each a weighting of the same parts, against people's scores and against what people say is alike.
///
/// # Errors
/// No item, or not a score and an answer for each.
pub fn evaluate<const N: usize>(
    parts: &[[f64; N]],
    human: &[f64],
    alike: &[bool],
    threshold: f64,
    methods: &[(&str, [f64; N])],
) -> Result<Vec<EvaluatedMethod>> {
    same_length(("the list of parts", parts.len()), ("the human scores", human.len()))?;
    let row = |(method, weights): &(&str, [f64; N])| {
        let scores = sums(parts, weights);
        Ok(EvaluatedMethod {
            method: (*method).to_owned(),
            weights: weights.to_vec(),
            pearson: correlation::value(Correlation::Pearson, &scores, human)?,
            kendall: correlation::value(Correlation::KendallTauB, &scores, human)?,
            decision: above_threshold(&scores, alike, threshold)?,
        })
    };
    methods.iter().map(row).collect()
}

/// What a weighting of parts takes for alike.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecidedMethod {
    /// The method's name.
    pub method: String,
    /// The weights of the parts.
    pub weights: Vec<f64>,
    /// Yes above the threshold, against people's yes and no.
    #[serde(flatten)]
    pub decision: Decision,
}

/// As [`evaluate`], of what people say is alike alone: for data without scores.
///
/// # Errors
/// No item, or not an answer for each.
pub fn decide<const N: usize>(
    parts: &[[f64; N]],
    alike: &[bool],
    threshold: f64,
    methods: &[(&str, [f64; N])],
) -> Result<Vec<DecidedMethod>> {
    let row = |(method, weights): &(&str, [f64; N])| {
        let scores = sums(parts, weights);
        let decision = above_threshold(&scores, alike, threshold)?;
        Ok(DecidedMethod { method: (*method).to_owned(), weights: weights.to_vec(), decision })
    };
    methods.iter().map(row).collect()
}

/// Every item's score.
fn sums<const N: usize>(parts: &[[f64; N]], weights: &[f64; N]) -> Vec<f64> {
    parts.iter().map(|parts| weighted_sum(parts, weights)).collect()
}

/// How a method's paraphrases score against their sources.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParaphrasedBy {
    /// The method's name.
    pub method: String,
    /// The mean score.
    pub score: f64,
    /// The mean of each part, in the order of [`PairScorer::part_names`].
    pub parts: Vec<f64>,
}

/// Several methods' paraphrases of the same sources, `(name, paraphrases)`, by any scorer of pairs.
///
/// # Errors
/// No source, a method that has not one paraphrase per source, or as the scorer's.
pub fn compare_paraphrases(
    scorer: &dyn PairScorer,
    sources: &[&str],
    methods: &[(&str, Vec<&str>)],
) -> Result<Vec<ParaphrasedBy>> {
    at_least("sources", sources.len(), 1)?;
    let row = |(method, paraphrases): &(&str, Vec<&str>)| {
        same_length(("the list of sources", sources.len()), (method, paraphrases.len()))?;
        let pairs: Vec<(&str, &str)> =
            sources.iter().copied().zip(paraphrases.iter().copied()).collect();
        let scores = scorer.score_parts(&pairs)?;
        let mean = |of: &dyn Fn(&PairScore) -> f64| {
            scores.iter().map(of).sum::<f64>() / scores.len() as f64
        };
        let part = |number: usize| mean(&|score| score.parts.get(number).copied().unwrap_or(0.0));
        Ok(ParaphrasedBy {
            method: (*method).to_owned(),
            score: mean(&|score| score.value),
            parts: (0..scorer.part_names().len()).map(part).collect(),
        })
    };
    methods.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ko_eval_core::{Signature, Signed};

    #[test]
    fn methods_see_what_their_parts_see() {
        let parts = [[5.0, 5.0], [5.0, 0.0], [1.0, 5.0], [1.0, 0.0]];
        let (human, alike) = ([5.0, 3.0, 3.0, 1.0], [true, false, true, false]);
        let methods = [("meaning", [1.0, 0.0]), ("both", [0.5, 0.5])];
        let rows = evaluate(&parts, &human, &alike, 2.5, &methods).unwrap();
        let first = &rows[0].decision;
        assert_eq!((first.accuracy, first.precision, first.recall, first.f1), (0.5, 0.5, 0.5, 0.5));
        assert!(rows[1].pearson.unwrap() > 0.99 && rows[1].pearson > rows[0].pearson);
        // The second pair scores exactly the threshold, which is not above it: all four are told right.
        assert_eq!(rows[1].decision.accuracy, 1.0);
        let decided = decide(&parts, &alike, 2.5, &methods).unwrap();
        for (decided, evaluated) in decided.iter().zip(&rows) {
            assert_eq!(decided.decision, evaluated.decision);
        }
        assert!(decide(&parts, &alike[1..], 2.5, &methods).is_err());
        let level = evaluate(&[[2.5]], &[1.0], &[true], 2.5, &[("one", [1.0])]).unwrap();
        assert_eq!((level[0].decision.recall, level[0].pearson), (0.0, None));
        assert!(evaluate(&parts, &human[1..], &alike, 2.5, &methods).is_err());
        assert!(evaluate(&parts, &human, &alike[1..], 2.5, &methods).is_err());
    }

    /// The share of the first text's letters that the second has; and whether both are of one length.
    #[derive(Debug)]
    struct Overlap;

    impl Signed for Overlap {
        fn signature(&self) -> Signature {
            Signature::new("overlap")
        }
    }

    impl PairScorer for Overlap {
        fn score_pairs(&self, pairs: &[(&str, &str)]) -> ko_eval_core::Result<Vec<f64>> {
            Ok(self.score_parts(pairs)?.into_iter().map(|score| score.value).collect())
        }

        fn part_names(&self) -> &'static [&'static str] {
            &["letters", "length"]
        }

        fn score_parts(&self, pairs: &[(&str, &str)]) -> ko_eval_core::Result<Vec<PairScore>> {
            let score = |&(a, b): &(&str, &str)| {
                let common = a.chars().filter(|&c| b.contains(c)).count();
                let letters = common as f64 / a.chars().count().max(1) as f64;
                let length = f64::from(u8::from(a.len() == b.len()));
                PairScore::new((letters + length) / 2.0, vec![letters, length])
            };
            Ok(pairs.iter().map(score).collect())
        }
    }

    #[test]
    fn a_copy_is_the_best_paraphrase() {
        let sources = ["비가 온다", "밥을 먹었다"];
        let methods = [("copy", sources.to_vec()), ("other", vec!["눈이 온다", "책을 읽었다"])];
        let rows = compare_paraphrases(&Overlap, &sources, &methods).unwrap();
        assert_eq!((rows[0].score, rows[0].parts.as_slice()), (1.0, &[1.0, 1.0][..]));
        assert!(rows[1].score < 1.0 && rows[1].parts[1] == 1.0);
        assert!(compare_paraphrases(&Overlap, &sources, &[("short", vec!["비"])]).is_err());
        assert!(compare_paraphrases(&Overlap, &[], &[]).is_err());
    }
}
