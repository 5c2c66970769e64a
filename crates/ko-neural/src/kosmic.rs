//! KOSMIC: the similarity of two Korean sentences that sees honorifics.
//!
//! `KOSMIC = λ₁·STS + λ₂·FIC + λ₃·CSL`, each part 0 to 5, λ on the simplex. STS is alike in meaning, FIC alike
//! in the classifier's idea of formality, CSL alike in tone by angle: `CSL(a, b) = 5·max(cos, 0)`.
//! The ablations KOSMIC-FIC (λ₃ = 0) and KOSMIC-CSL (λ₂ = 0) are [`KosmicWeights`] of their own ([`KosmicWeights::ablated`]).
//!
//! The parts come from any three [`PairScorer`]s; with the feature `torch` from `Sts`, `Fic` and [`Csl`] over an
//! `Embedder`. KOSMIC is a pair scorer itself, and so a metric through [`ko_eval_model::PairMetric`]; the row `kosmic` builds
//! that. How well weights agree with people, and which agree best, is `ko-meta-eval`'s to say (`selection::tune`,
//! `methods::evaluate`).
//!
//! ```
//! use ko_neural::kosmic::{Parts, KosmicWeights};
//!
//! // The same meaning, another tone: STS alone does not see it.
//! let parts = Parts { sts: 4.6, fic: 0.4, csl: 0.2 };
//! assert_eq!(KosmicWeights::new(1.0, 0.0, 0.0)?.combine(parts), 4.6);
//! assert!(KosmicWeights::new(0.6, 0.2, 0.2)?.combine(parts) < 3.0);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use crate::{received, vector::cosine};
use ko_eval_core::{Error, Result, Signature, Signed};
use ko_eval_model::{PairScore, PairScorer, SentenceEmbedder};
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

impl Parts {
    /// STS, FIC, CSL.
    pub fn as_array(self) -> [f64; 3] {
        [self.sts, self.fic, self.csl]
    }
}

/// Half of the scale: the paper takes two sentences for being of one tone where they score above it.
pub const SAME_TONE_ABOVE: f64 = 2.5;

/// λ₁, λ₂, λ₃: none negative, 1 together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts")]
pub struct KosmicWeights {
    sts: f64,
    fic: f64,
    csl: f64,
}

/// What a file says is held to the simplex as well.
impl TryFrom<Parts> for KosmicWeights {
    type Error = Error;

    fn try_from(Parts { sts, fic, csl }: Parts) -> Result<Self> {
        Self::new(sts, fic, csl)
    }
}

impl KosmicWeights {
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
    /// use ko_neural::kosmic::{Ablation, KosmicWeights};
    ///
    /// let fic = KosmicWeights::new(0.5, 0.25, 0.25)?.ablated(Ablation::Fic)?;
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
        if sum <= 0.0 {
            let [sts, fic, csl] = self.as_array();
            let value = format!("{sts}, {fic}, {csl}");
            let expected =
                format!("weight on another part than the one that {} leaves out", to.name());
            return Err(Error::invalid("kosmic", "weights", value, expected));
        }
        Self::new(sts / sum, fic / sum, csl / sum)
    }

    /// The weighted sum.
    pub fn combine(self, parts: Parts) -> f64 {
        self.sts * parts.sts + self.fic * parts.fic + self.csl * parts.csl
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

    /// Its name there.
    pub fn name(self) -> &'static str {
        let [fic, csl, whole] = Self::ALL.map(|(_, name)| name);
        match self {
            Self::Fic => fic,
            Self::Csl => csl,
            Self::Whole => whole,
        }
    }

    /// Whether STS, FIC and CSL may have weight.
    pub fn allowed(self) -> [bool; 3] {
        [true, self != Self::Csl, self != Self::Fic]
    }
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
        let vectors = received::embeddings("CSL", &*self.embedder, &texts)?;
        let rows: Vec<&[f32]> = vectors.rows().collect();
        let csl = |&[a, b]: &[&[f32]; 2]| 5.0 * f64::from(cosine(a, b)).max(0.0);
        Ok(rows.as_chunks().0.iter().map(csl).collect())
    }
}

/// A pair's parts and their weighted sum.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct KosmicScore {
    /// The three similarities.
    pub parts: Parts,
    /// λ₁·STS + λ₂·FIC + λ₃·CSL.
    pub value: f64,
}

/// The metric.
///
/// ```no_run
/// # #[cfg(feature = "torch")] {
/// use ko_neural::prelude::*;
/// use std::sync::Arc;
///
/// let inference = Inference::new();
/// let kosmic = Kosmic::new(
///     Arc::new(Sts::open("sts", &inference)?),
///     Arc::new(Fic::open("fic", &inference)?),
///     Arc::new(Csl::new(Arc::new(Embedder::open("csl", &inference)?))),
///     KosmicWeights::new(0.5, 0.25, 0.25)?,
/// );
/// let metric = PairMetric::new(Arc::new(kosmic));
/// let score = metric.segment_score(&Segment::new("밥 먹었어?", ["진지 드셨어요?"])?)?;
/// println!("{score:.2}");
/// # }
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Kosmic {
    sts: Arc<dyn PairScorer>,
    fic: Arc<dyn PairScorer>,
    csl: Arc<dyn PairScorer>,
    weights: KosmicWeights,
}

impl Kosmic {
    /// Three scorers of 0 to 5, and their weights.
    pub fn new(
        sts: Arc<dyn PairScorer>,
        fic: Arc<dyn PairScorer>,
        csl: Arc<dyn PairScorer>,
        weights: KosmicWeights,
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

    fn part_weights(&self) -> Option<Vec<f64>> {
        let KosmicWeights { sts, fic, csl } = self.weights;
        Some(vec![sts, fic, csl])
    }

    fn score_parts(&self, pairs: &[(&str, &str)]) -> Result<Vec<PairScore>> {
        let parts = |KosmicScore { parts, value }| PairScore::new(value, parts.as_array().to_vec());
        Ok(self.score(pairs)?.into_iter().map(parts).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_stay_on_the_simplex() {
        assert!(KosmicWeights::new(0.5, 0.6, -0.1).is_err());
        assert!(KosmicWeights::new(0.5, 0.6, 0.1).is_err());
        assert!(KosmicWeights::new(f64::NAN, 0.5, 0.5).is_err());
        let read = |text: &str| serde_json::from_str::<KosmicWeights>(text);
        assert!(read(r#"{"sts": 5, "fic": -3, "csl": -1}"#).is_err());
        let half = read(r#"{"sts": 0.5, "fic": 0.25, "csl": 0.25}"#).unwrap();
        assert_eq!(half, KosmicWeights::new(0.5, 0.25, 0.25).unwrap());
    }

    #[test]
    fn an_ablation_needs_another_part_with_weight() {
        let sts = KosmicWeights::new(1.0, 0.0, 0.0).unwrap();
        assert_eq!(sts.ablated(Ablation::Csl).unwrap(), sts);
        for (weights, ablation) in
            [([0.0, 0.0, 1.0], Ablation::Fic), ([0.0, 1.0, 0.0], Ablation::Csl)]
        {
            let [sts, fic, csl] = weights;
            let only = KosmicWeights::new(sts, fic, csl).unwrap();
            let error = only.ablated(ablation).unwrap_err().to_string();
            assert!(error.contains(ablation.name()) && !error.contains("NaN"), "{error}");
            assert_eq!(only.ablated(Ablation::Whole).unwrap(), only);
        }
        for (ablation, _) in Ablation::ALL {
            let allowed = ablation.allowed();
            let weights = KosmicWeights::new(0.5, 0.25, 0.25).unwrap().ablated(ablation).unwrap();
            assert_eq!(weights.as_array().map(|weight| weight > 0.0), allowed);
        }
    }
}
