//! KOSMIC: the similarity of two Korean sentences that sees honorifics.
//!
//! `KOSMIC = λ₁·STS + λ₂·FIC + λ₃·CSL`, each part 0 to 5, λ on the simplex. STS is alike in meaning, FIC alike
//! in the classifier's idea of formality, CSL alike in tone by angle: `CSL(a, b) = 5·max(cos, 0)`.
//! The ablations KOSMIC-FIC (λ₃ = 0) and KOSMIC-CSL (λ₂ = 0) are [`Weights`] of their own ([`Weights::ablated`]).
//!
//! The parts come from any three [`PairScorer`]s; with the feature `torch` from `Sts`, `Fic` and [`Csl`] over an
//! `Embedder`. KOSMIC is a pair scorer itself, and so a metric through [`ko_eval_core::PairMetric`]; the row `kosmic` builds
//! that.
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

mod protocol;

pub use protocol::{
    Agreement, Evaluated, FORMALITY_THRESHOLD, FormalityAgreement, ParaphraseRow,
    compare_paraphrases, evaluate,
};

use crate::{agreement::pearson, vector::cosine};
use ko_eval_core::{Error, PairScore, PairScorer, Result, SentenceEmbedder, Signature, Signed};
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

    /// The same without the part that an ablation leaves out, the others in the same proportion.
    ///
    /// ```
    /// use ko_neural::kosmic::{Ablation, Weights};
    ///
    /// let fic = Weights::new(0.5, 0.25, 0.25)?.ablated(Ablation::Fic)?;
    /// assert_eq!(fic.as_array().map(|weight| (weight * 3.0).round()), [2.0, 1.0, 0.0]);
    /// # Ok::<(), ko_eval_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// When no other part has weight.
    pub fn ablated(self, to: Ablation) -> Result<Self> {
        let [sts, fic, csl] = match to {
            Ablation::Whole => return Ok(self),
            Ablation::Fic => [self.sts, self.fic, 0.0],
            Ablation::Csl => [self.sts, 0.0, self.csl],
        };
        let sum = sts + fic + csl;
        Self::new(sts / sum, fic / sum, csl / sum)
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

impl Ablation {
    /// All of them, as the paper's tables name and order them.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Fic, "KOSMIC-FIC"), (Self::Csl, "KOSMIC-CSL"), (Self::Whole, "KOSMIC")];
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

    fn part_names(&self) -> &'static [&'static str] {
        &["sts", "fic", "csl"]
    }

    fn score_parts(&self, pairs: &[(&str, &str)]) -> Result<Vec<PairScore>> {
        let parts = |KosmicScore { parts, value }| PairScore {
            value,
            parts: vec![parts.sts, parts.fic, parts.csl],
        };
        Ok(self.score(pairs)?.into_iter().map(parts).collect())
    }
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
}
