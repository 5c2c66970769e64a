//! KOSMIC: the similarity of two Korean sentences that sees honorifics.
//!
//! `KOSMIC = λ₁·STS + λ₂·FIC + λ₃·CSL`, each part 0 to 5, λ on the simplex. STS is alike in meaning, FIC alike
//! in the classifier's idea of formality, CSL alike in tone by angle: `CSL(a, b) = 5·max(cos, 0)`.
//! The ablations KOSMIC-FIC (λ₃ = 0) and KOSMIC-CSL (λ₂ = 0) are [`Weights`] of their own.
//!
//! The parts come from any three [`PairScorer`]s; with the feature `torch` from `Sts`, `Fic` and [`Csl`] over an
//! `Embedder`.
//!
//! ```
//! use ko_neural::kosmic::{Parts, Weights};
//!
//! // The same meaning, another tone: STS alone does not see it.
//! let parts = Parts { sts: 4.6, fic: 0.4, csl: 0.2 };
//! assert_eq!(Weights::new(1.0, 0.0, 0.0)?.combine(parts), 4.6);
//! assert!(Weights::new(0.6, 0.2, 0.2)?.combine(parts) < 3.0);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use crate::{
    agreement::{kendall, pearson},
    vector::cosine,
};
use ko_eval_core::{Error, PairScorer, Result, SentenceEmbedder, Signature, Signed};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The three similarities of a pair, 0 to 5 each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Parts {
    /// Of meaning.
    pub sts: f64,
    /// Of formality.
    pub fic: f64,
    /// Of tone.
    pub csl: f64,
}

/// λ₁, λ₂, λ₃: none negative, 1 together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    sts: f64,
    fic: f64,
    csl: f64,
}

impl Weights {
    /// Checks the simplex.
    ///
    /// # Errors
    /// When one is negative or their sum is not 1.
    pub fn new(sts: f64, fic: f64, csl: f64) -> Result<Self> {
        let positive = [sts, fic, csl].iter().all(|weight| *weight >= 0.0);
        if !positive || (sts + fic + csl - 1.0).abs() > 1e-9 {
            let value = format!("{sts}, {fic}, {csl}");
            let expected = "three numbers of at least 0 that sum to 1";
            return Err(Error::invalid("kosmic", "weights", value, expected));
        }
        Ok(Self { sts, fic, csl })
    }

    /// λ₁, λ₂, λ₃.
    pub fn as_array(self) -> [f64; 3] {
        [self.sts, self.fic, self.csl]
    }

    /// The weighted sum.
    pub fn combine(self, parts: Parts) -> f64 {
        self.sts * parts.sts + self.fic * parts.fic + self.csl * parts.csl
    }

    /// The weights on a grid of 1/`steps` whose sums correlate best with human scores (Pearson); of
    /// equally good ones, the one with the greatest λ₁, then λ₂.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], or when no weights give sums that vary.
    pub fn tune(parts: &[Parts], human: &[f64], steps: usize, of: Ablation) -> Result<Tuned> {
        check_lengths(parts.len(), human.len())?;
        let share = |count: usize| count as f64 / steps.max(1) as f64;
        let mut best: Option<Tuned> = None;
        for sts in (0..=steps.max(1)).rev() {
            for fic in (0..=steps.max(1) - sts).rev() {
                let csl = steps.max(1) - sts - fic;
                if of == Ablation::Fic && csl > 0 || of == Ablation::Csl && fic > 0 {
                    continue;
                }
                let weights = Self { sts: share(sts), fic: share(fic), csl: share(csl) };
                let sums: Vec<f64> = parts.iter().map(|&p| weights.combine(p)).collect();
                let Some(pearson) = pearson(&sums, human) else { continue };
                if best.is_none_or(|best| pearson > best.pearson) {
                    best = Some(Tuned { weights, pearson });
                }
            }
        }
        best.ok_or_else(|| {
            Error::invalid("kosmic", "human scores", human.len(), "scores and parts that vary")
        })
    }
}

/// Which parts may have weight.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Ablation {
    /// All three.
    #[default]
    Whole,
    /// KOSMIC-FIC: λ₃ = 0.
    Fic,
    /// KOSMIC-CSL: λ₂ = 0.
    Csl,
}

/// What a search over weights found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tuned {
    /// The best weights.
    pub weights: Weights,
    /// Their Pearson correlation with the human scores.
    pub pearson: f64,
}

/// `CSL(a, b) = 5·max(cos, 0)` over any embedder.
#[derive(Debug, Clone)]
pub struct Csl {
    embedder: Arc<dyn SentenceEmbedder>,
}

impl Csl {
    /// Over an embedder trained for tone.
    pub fn new(embedder: Arc<dyn SentenceEmbedder>) -> Self {
        Self { embedder }
    }
}

impl Signed for Csl {
    fn signature(&self) -> Signature {
        Signature::new("CSL").with_nested("embedder", &self.embedder.signature())
    }
}

impl PairScorer for Csl {
    fn score_pairs(&self, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
        let texts: Vec<&str> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        let vectors = self.embedder.embed(&texts)?;
        let rows: Vec<&[f32]> = vectors.rows().collect();
        let csl = |&[a, b]: &[&[f32]; 2]| 5.0 * f64::from(cosine(a, b)).max(0.0);
        Ok(rows.as_chunks().0.iter().map(csl).collect())
    }
}

/// A pair's parts and their weighted sum.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct KosmicScore {
    /// The three similarities.
    pub parts: Parts,
    /// λ₁·STS + λ₂·FIC + λ₃·CSL.
    pub value: f64,
}

/// The metric.
#[derive(Debug, Clone)]
pub struct Kosmic {
    sts: Arc<dyn PairScorer>,
    fic: Arc<dyn PairScorer>,
    csl: Arc<dyn PairScorer>,
    weights: Weights,
}

impl Kosmic {
    /// Three scorers of 0 to 5, and their weights.
    pub fn new(
        sts: Arc<dyn PairScorer>,
        fic: Arc<dyn PairScorer>,
        csl: Arc<dyn PairScorer>,
        weights: Weights,
    ) -> Self {
        Self { sts, fic, csl, weights }
    }

    /// Every pair's parts and sum.
    ///
    /// # Errors
    /// As the scorers'.
    pub fn score(&self, pairs: &[(&str, &str)]) -> Result<Vec<KosmicScore>> {
        let sts = self.sts.score_pairs(pairs)?;
        let fic = self.fic.score_pairs(pairs)?;
        let csl = self.csl.score_pairs(pairs)?;
        let parts = sts.into_iter().zip(fic).zip(csl);
        Ok(parts
            .map(|((sts, fic), csl)| {
                let parts = Parts { sts, fic, csl };
                KosmicScore { parts, value: self.weights.combine(parts) }
            })
            .collect())
    }
}

impl Signed for Kosmic {
    fn signature(&self) -> Signature {
        let [sts, fic, csl] = self.weights.as_array();
        Signature::new("KOSMIC")
            .with_nested("sts", &self.sts.signature())
            .with_nested("fic", &self.fic.signature())
            .with_nested("csl", &self.csl.signature())
            .with("weights", format!("{sts},{fic},{csl}"))
            .with("version", env!("CARGO_PKG_VERSION"))
    }
}

impl PairScorer for Kosmic {
    fn score_pairs(&self, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
        Ok(self.score(pairs)?.into_iter().map(|score| score.value).collect())
    }
}

/// A method's row of the paper's Table 1: agreement with human scores.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Agreement {
    /// Pearson's r; `None` where one side does not vary.
    pub pearson: Option<f64>,
    /// Kendall's τ-b.
    pub kendall: Option<f64>,
}

impl Agreement {
    /// Of one method's scores with people's.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`].
    pub fn of(scores: &[f64], human: &[f64]) -> Result<Self> {
        check_lengths(scores.len(), human.len())?;
        Ok(Self { pearson: pearson(scores, human), kendall: kendall(scores, human) })
    }
}

/// The paper's formality protocol: does a score above 2.5 say that both sentences have one tone?
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct FormalityAgreement {
    /// The share of right answers.
    pub accuracy: f64,
    /// Of the pairs said to be of one tone, how many are.
    pub precision: f64,
    /// Of the pairs of one tone, how many are said to be.
    pub recall: f64,
    /// 2PR / (P + R).
    pub f1: f64,
}

/// Half of the scale.
pub const FORMALITY_THRESHOLD: f64 = 2.5;

impl FormalityAgreement {
    /// Of scores 0 to 5 with whether each pair really is of one tone.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`].
    pub fn of(scores: &[f64], same_tone: &[bool]) -> Result<Self> {
        check_lengths(scores.len(), same_tone.len())?;
        let (mut hit, mut false_alarm, mut miss, mut right) = (0.0, 0.0, 0.0, 0.0);
        for (&score, &same) in scores.iter().zip(same_tone) {
            match (score > FORMALITY_THRESHOLD, same) {
                (true, true) => hit += 1.0,
                (true, false) => false_alarm += 1.0,
                (false, true) => miss += 1.0,
                (false, false) => right += 1.0,
            }
        }
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let (precision, recall) = (share(hit, hit + false_alarm), share(hit, hit + miss));
        Ok(Self {
            accuracy: share(hit + right, scores.len() as f64),
            precision,
            recall,
            f1: share(2.0 * precision * recall, precision + recall),
        })
    }
}

/// A method's row of the paper's Table 2: how its paraphrases score against their sources.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParaphraseRow {
    /// The method's name.
    pub method: String,
    /// Mean STS.
    pub sts: f64,
    /// Mean KOSMIC.
    pub kosmic: f64,
}

/// Several methods' paraphrases of the same sources, `(name, paraphrases)`.
///
/// # Errors
/// [`Error::LengthMismatch`] if a method has not one paraphrase per source, or as the scorers'.
pub fn compare_paraphrases(
    kosmic: &Kosmic,
    sources: &[&str],
    methods: &[(&str, Vec<&str>)],
) -> Result<Vec<ParaphraseRow>> {
    if sources.is_empty() {
        return Err(Error::EmptyCorpus);
    }
    methods
        .iter()
        .map(|(method, paraphrases)| {
            check_lengths(sources.len(), paraphrases.len())?;
            let pairs: Vec<(&str, &str)> =
                sources.iter().copied().zip(paraphrases.iter().copied()).collect();
            let scores = kosmic.score(&pairs)?;
            let mean = |of: fn(&KosmicScore) -> f64| {
                scores.iter().map(of).sum::<f64>() / scores.len() as f64
            };
            Ok(ParaphraseRow {
                method: (*method).to_owned(),
                sts: mean(|score| score.parts.sts),
                kosmic: mean(|score| score.value),
            })
        })
        .collect()
}

fn check_lengths(left_len: usize, right_len: usize) -> Result<()> {
    if left_len == right_len {
        return Ok(());
    }
    let (left, right) = ("the pairs".into(), "the scores".into());
    Err(Error::LengthMismatch { left, left_len, right, right_len })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_stay_on_the_simplex() {
        assert!(Weights::new(0.5, 0.6, -0.1).is_err());
        assert!(Weights::new(0.5, 0.6, 0.1).is_err());
        assert!(Weights::new(f64::NAN, 0.5, 0.5).is_err());
    }

    #[test]
    fn the_search_finds_the_weights_that_people_used() {
        let parts: Vec<Parts> = (0..60)
            .map(|i| Parts {
                sts: f64::from(i * 7 % 11) / 2.2,
                fic: f64::from(i * 5 % 13) / 2.6,
                csl: f64::from(i * 3 % 17) / 3.4,
            })
            .collect();
        let people = Weights::new(0.5, 0.3, 0.2).unwrap();
        let human: Vec<f64> = parts.iter().map(|&p| people.combine(p)).collect();
        let tuned = Weights::tune(&parts, &human, 10, Ablation::Whole).unwrap();
        for (found, used) in tuned.weights.as_array().iter().zip(people.as_array()) {
            assert!((found - used).abs() < 1e-12);
        }
        assert!((tuned.pearson - 1.0).abs() < 1e-12);
        let without = Weights::tune(&parts, &human, 10, Ablation::Fic).unwrap();
        assert_eq!(without.weights.as_array()[2], 0.0);
        assert!(without.pearson < tuned.pearson);
        assert!(Weights::tune(&parts, &human[1..], 10, Ablation::Whole).is_err());
        assert!(Weights::tune(&parts, &[3.0; 60], 10, Ablation::Whole).is_err());
    }

    #[test]
    fn formality_by_hand() {
        let agreement =
            FormalityAgreement::of(&[4.0, 4.0, 1.0, 1.0], &[true, false, true, false]).unwrap();
        assert_eq!((agreement.accuracy, agreement.precision), (0.5, 0.5));
        assert_eq!((agreement.recall, agreement.f1), (0.5, 0.5));
        assert_eq!(FormalityAgreement::of(&[], &[]).unwrap(), FormalityAgreement::default());
    }
}
