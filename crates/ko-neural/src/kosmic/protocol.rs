//! How KOSMIC is judged: against people's scores, against tones, and on several methods' paraphrases.

use super::{Kosmic, KosmicScore, Parts, Weights, check_lengths};
use crate::agreement::{kendall, pearson};
use ko_eval_core::{Error, Result};
use serde::Serialize;

/// Agreement with human scores.
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

/// A method's row of the paper's Table 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluated {
    /// The method's name.
    pub method: String,
    /// The weights of the three parts.
    pub weights: [f64; 3],
    /// With people's scores.
    #[serde(flatten)]
    pub agreement: Agreement,
    /// With people's tones.
    #[serde(flatten)]
    pub formality: FormalityAgreement,
}

/// Several methods, each a weighting of the same parts, against people's scores and tones.
///
/// # Errors
/// [`Error::LengthMismatch`] if there is not a score and a tone per pair.
pub fn evaluate(
    parts: &[Parts],
    human: &[f64],
    same_tone: &[bool],
    methods: &[(&str, Weights)],
) -> Result<Vec<Evaluated>> {
    let row = |&(method, weights): &(&str, Weights)| {
        let scores: Vec<f64> = parts.iter().map(|&part| weights.combine(part)).collect();
        Ok(Evaluated {
            method: method.to_owned(),
            weights: weights.as_array(),
            agreement: Agreement::of(&scores, human)?,
            formality: FormalityAgreement::of(&scores, same_tone)?,
        })
    };
    methods.iter().map(row).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kosmic::Ablation;

    #[test]
    fn formality_by_hand() {
        let agreement =
            FormalityAgreement::of(&[4.0, 4.0, 1.0, 1.0], &[true, false, true, false]).unwrap();
        assert_eq!((agreement.accuracy, agreement.precision), (0.5, 0.5));
        assert_eq!((agreement.recall, agreement.f1), (0.5, 0.5));
        assert_eq!(FormalityAgreement::of(&[], &[]).unwrap(), FormalityAgreement::default());
    }

    #[test]
    fn methods_see_what_their_parts_see() {
        // Meaning and tone vary independently; people looked at both.
        let parts = [(5.0, 5.0), (5.0, 0.0), (1.0, 5.0), (1.0, 0.0)].map(|(sts, tone)| Parts {
            sts,
            fic: tone,
            csl: tone,
        });
        let same = [true, false, true, false];
        let human = [5.0, 3.0, 3.0, 1.0];
        let whole = Weights::new(0.5, 0.3, 0.2).unwrap();
        let sts = Weights::new(1.0, 0.0, 0.0).unwrap();
        let fic = whole.ablated(Ablation::Fic).unwrap();
        let methods = [("STS", sts), ("KOSMIC-FIC", fic), ("KOSMIC", whole)];
        let rows = evaluate(&parts, &human, &same, &methods).unwrap();
        assert_eq!(rows[0].formality.accuracy, 0.5);
        assert!(rows[2].agreement.pearson > rows[0].agreement.pearson);
        let [meaning, formality, tone] = rows[1].weights;
        assert!((meaning - 0.625).abs() + (formality - 0.375).abs() + tone < 1e-12);
        assert!(sts.ablated(Ablation::Csl).is_ok());
        assert!(Weights::new(0.0, 0.0, 1.0).unwrap().ablated(Ablation::Fic).is_err());
        assert!(evaluate(&parts, &human[1..], &same, &methods).is_err());
    }
}
