//! KOSMIC by grammar: a similarity that sees honorifics, without a model.
//!
//! KOSMIC is `λ₁·STS + λ₂·FIC + λ₃·CSL`, each part 0 to 5. The trained one takes its parts from three networks; here STS is
//! any metric with a scale, and the other two are read off the endings:
//!
//! - `STS = 5 · score` on the metric's own scale from worst to best, held within 0 to 5;
//! - `FIC = 5` where both texts raise the listener or neither does, `0` where one does, `2.5` where one shows nothing;
//! - `CSL = 5 ·` [`closeness`](crate::SpeechLevel::closeness) of the levels, `5` where neither has one, `0` where one has.
//!
//! It signs itself `kosmic-grammar`: its numbers are on the scale of the trained KOSMIC and not comparable with it.
//!
//! ```
//! use ko_eval_core::{Recorded, Signature};
//! use ko_eval_model::PairScorer;
//! use ko_register::{RegisterAnalyzer, metrics::GrammarKosmic};
//! # use ko_eval_core::{Result, Signed};
//! # #[derive(Debug)] struct Equal;
//! # impl Signed for Equal { fn signature(&self) -> Signature { Signature::new("equal") } }
//! # impl PairScorer for Equal {
//! #     fn score_pairs(&self, pairs: &[(&str, &str)]) -> Result<Vec<f64>> { Ok(vec![5.0; pairs.len()]) }
//! # }
//! use std::sync::Arc;
//!
//! // With a likeness in meaning of 5, only the tone differs.
//! let kosmic = GrammarKosmic::new(Arc::new(Equal), RegisterAnalyzer::without_dictionary());
//! let scores = kosmic.score_pairs(&[("비가 와요.", "비가 오네요."), ("비가 와요.", "비가 와.")])?;
//! assert_eq!(scores[0], 5.0);
//! assert!(scores[1] < 4.0);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use super::sign;
use crate::{Register, RegisterAnalyzer};
use ko_eval_core::{Direction, Error, Result, Scorer, Segment, Signature, Signed, par_map};
use ko_eval_model::{PairScore, PairScorer};
use std::sync::Arc;

/// KOSMIC with STS by any likeness of 0 to 5, FIC and CSL by grammar. A metric through
/// [`PairMetric`](ko_eval_model::PairMetric).
///
/// ```
/// use ko_eval_model::PairScorer;
/// use ko_register::{ko_eval_core::Result, prelude::*};
/// use std::sync::Arc;
///
/// /// The share of letters in common, as a likeness of 0 to 5.
/// #[derive(Debug)]
/// struct SameLetters;
///
/// impl Signed for SameLetters {
///     fn signature(&self) -> Signature {
///         Signature::new("same-letters")
///     }
/// }
///
/// impl PairScorer for SameLetters {
///     fn score_pairs(&self, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
///         let alike = |a: &str, b: &str| {
///             let common = a.chars().filter(|&letter| b.contains(letter)).count();
///             5.0 * common as f64 / a.chars().count().max(1) as f64
///         };
///         Ok(pairs.iter().map(|(a, b)| alike(a, b)).collect())
///     }
/// }
///
/// let kosmic = GrammarKosmic::new(Arc::new(SameLetters), RegisterAnalyzer::without_dictionary());
/// assert_eq!(kosmic.score_pairs(&[("비가 와요.", "비가 와요.")])?, [5.0]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct GrammarKosmic {
    sts: Arc<dyn PairScorer>,
    analyzer: RegisterAnalyzer,
    weights: [f64; 3],
}

/// λ₁, λ₂, λ₃ where nothing else is said: the trained KOSMIC's.
const WEIGHTS: [f64; 3] = [0.5, 0.25, 0.25];

impl GrammarKosmic {
    /// Meaning by this scorer; λ = ½, ¼, ¼.
    pub fn new(sts: Arc<dyn PairScorer>, analyzer: RegisterAnalyzer) -> Self {
        Self { sts, analyzer, weights: WEIGHTS }
    }

    /// Other weights: of STS, FIC and CSL.
    ///
    /// # Errors
    /// When one is negative or their sum is not 1.
    pub fn weights(self, weights: [f64; 3]) -> Result<Self> {
        let sum: f64 = weights.iter().sum();
        let negative = weights.iter().any(|weight| weight.is_nan() || *weight < 0.0);
        if negative || (sum - 1.0).abs() > 1e-9 {
            let expected = "three numbers of at least 0 that sum to 1";
            let value = format!("{weights:?}");
            return Err(Error::invalid("kosmic-grammar", "weights", value, expected));
        }
        Ok(Self { weights, ..self })
    }
}

fn fic(ours: &Register, theirs: &Register) -> f64 {
    match (ours.polite, theirs.polite) {
        (ours, theirs) if ours == theirs => 5.0,
        (Some(_), Some(_)) => 0.0,
        _ => 2.5,
    }
}

fn csl(ours: &Register, theirs: &Register) -> f64 {
    match (ours.level, theirs.level) {
        (Some(ours), Some(theirs)) => 5.0 * ours.closeness(theirs),
        (None, None) => 5.0,
        _ => 0.0,
    }
}

impl Signed for GrammarKosmic {
    fn signature(&self) -> Signature {
        let [sts, fic, csl] = self.weights;
        sign("kosmic-grammar", &self.analyzer)
            .with_nested("sts", &self.sts.signature())
            .with("fic", "grammar")
            .with("csl", "grammar")
            .with("weights", format!("{sts}/{fic}/{csl}"))
    }
}

impl PairScorer for GrammarKosmic {
    fn score_pairs(&self, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
        Ok(self.score_parts(pairs)?.into_iter().map(|score| score.value).collect())
    }

    fn part_names(&self) -> &'static [&'static str] {
        &["sts", "fic", "csl"]
    }

    fn part_weights(&self) -> Option<Vec<f64>> {
        Some(self.weights.to_vec())
    }

    fn score_parts(&self, pairs: &[(&str, &str)]) -> Result<Vec<PairScore>> {
        let meanings = self.sts.score_pairs(pairs)?;
        let tones = par_map(pairs, |(ours, theirs)| {
            let (ours, theirs) = (self.analyzer.analyze(ours)?, self.analyzer.analyze(theirs)?);
            Ok::<_, Error>((fic(&ours, &theirs), csl(&ours, &theirs)))
        })?;
        let scores = meanings.into_iter().zip(tones).map(|(sts, (fic, csl))| {
            let parts = vec![sts, fic, csl];
            let value = parts.iter().zip(self.weights).map(|(part, weight)| part * weight).sum();
            PairScore::new(value, parts)
        });
        Ok(scores.collect())
    }
}

/// A metric as a likeness of 0 to 5.
#[derive(Debug)]
pub struct LikenessBy {
    metric: Box<dyn Scorer>,
    least: f64,
    most: f64,
}

impl LikenessBy {
    /// By a metric whose scores lie between these; an error rate is turned round.
    ///
    /// # Errors
    /// When the metric has no such scale.
    pub fn new(metric: Box<dyn Scorer>, (least, most): (f64, f64)) -> Result<Self> {
        // An error rate has no end; a text with as many edits as units is as unlike as can be.
        let most = match metric.direction() {
            Direction::LowerIsBetter if most == f64::INFINITY => 100.0,
            _ => most,
        };
        if !(most - least).is_finite() || most <= least {
            let (name, expected) = (metric.signature(), "a metric whose scores have two ends");
            return Err(Error::invalid("kosmic-grammar", "sts", name.name(), expected));
        }
        Ok(Self { metric, least, most })
    }
}

impl Signed for LikenessBy {
    fn signature(&self) -> Signature {
        self.metric.signature()
    }
}

impl PairScorer for LikenessBy {
    fn score_pairs(&self, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
        par_map(pairs, |(ours, theirs)| {
            let score = self.metric.segment_score(&Segment::new(ours, [*theirs])?)?.value;
            let value = (score - self.least) / (self.most - self.least);
            let alike = match self.metric.direction() {
                Direction::HigherIsBetter => value,
                Direction::LowerIsBetter => 1.0 - value,
            };
            Ok(5.0 * alike.clamp(0.0, 1.0))
        })
    }
}
