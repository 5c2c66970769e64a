//! What a classifier decides by, chosen by texts that it did not learn from.

use crate::{
    Classifier, Inference, LongText,
    error::{Error, Result},
    files::threshold,
    read::LabelledText,
};
use ko_eval_model::{LabelSet, TextClassifier, Threshold};
use std::path::Path;

/// Thresholds are tried in steps of one part of so many.
const STEPS: u32 = 20;

/// Which texts a threshold should tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThresholdBy<'a> {
    /// The set of labels that is looked at: `hate`.
    pub set: &'a str,
    /// Its harmless label: `none`.
    pub harmless: &'a str,
}

impl ThresholdBy<'_> {
    /// Whether a threshold can be chosen by these texts, which is known before a model has learned the sets.
    ///
    /// # Errors
    /// A set or a label that is not among the sets, or texts that are all harmless or all not.
    pub fn check(self, sets: &[LabelSet], texts: &[LabelledText]) -> Result<()> {
        self.told(sets, texts).map(drop)
    }

    fn told(self, sets: &[LabelSet], texts: &[LabelledText]) -> Result<Told> {
        let unknown =
            |name, value: &str, expected| Error::setting(name, format!("`{value}`"), expected);
        let (set, labels) = (0..)
            .zip(sets)
            .find(|(_, set)| set.name == self.set)
            .ok_or_else(|| unknown("set of labels", self.set, "one of the model's"))?;
        let label = labels.labels.iter().position(|label| label == self.harmless);
        let label =
            label.ok_or_else(|| unknown("harmless label", self.harmless, "one of its set"))?;
        let harm = |text: &LabelledText| {
            let own = text.labels.get(set).filter(|_| text.labels.len() == sets.len());
            own.map(|own| own != self.harmless).ok_or_else(|| {
                Error::setting("labels of a text", text.labels.len(), "one for each set")
            })
        };
        let harm: Vec<bool> = texts.iter().map(harm).collect::<Result<_>>()?;
        let harmful = harm.iter().filter(|harm| **harm).count();
        if harmful == 0 || harmful == harm.len() {
            let value = format!("{harmful} of {}", harm.len());
            return Err(Error::setting("texts that are not harmless", value, "some, but not all"));
        }
        Ok(Told { set, label, harm })
    }
}

/// What a threshold tells apart.
struct Told {
    /// The place of the set.
    set: usize,
    /// The place of its harmless label.
    label: usize,
    /// Of every text, whether it is not harmless.
    harm: Vec<bool>,
}

/// Chooses the probability from which a text is not harmless, by the best F1 of the texts that are not, and keeps it with the model as
/// `threshold.json`: [`Classifier`] decides this set by it from then on, and no other. Where most of what was learned is harmless, one half is too much to
/// ask for.
///
/// Tried are .05, .10 … .95; of equally good ones the nearest to one half is taken. Texts that are too long are cut off, as in training.
///
/// # Errors
/// What is wrong with the folder, a set or a label that the model does not have, texts that are all harmless or all not, or a file that cannot be
/// written.
pub fn choose_threshold(
    folder: impl AsRef<Path>,
    by: ThresholdBy<'_>,
    texts: &[LabelledText],
    inference: &Inference,
) -> Result<Threshold> {
    let folder = folder.as_ref();
    let model = Classifier::open(folder, &inference.clone().long_text(LongText::Truncate))?;
    let Told { set, label, harm } = by.told(model.label_sets(), texts)?;
    let texts: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
    let probability = |sets: &Vec<Vec<f64>>| {
        1.0 - sets.get(set).and_then(|own| own.get(label)).copied().unwrap_or(1.0)
    };
    let likely: Vec<f64> = model.classify(&texts)?.iter().map(probability).collect();
    let chosen = Threshold {
        // The only set of a model has no name.
        set: Some(by.set).filter(|name| !name.is_empty()).map(str::to_owned),
        harmless: by.harmless.into(),
        probability: best(&likely, &harm),
    };
    threshold::write(folder, &chosen)?;
    Ok(chosen)
}

/// The threshold of the best F1.
fn best(likely: &[f64], there: &[bool]) -> f64 {
    let f1 = |threshold: f64| {
        let found = || likely.iter().map(|p| *p >= threshold);
        let both = found().zip(there).filter(|(found, there)| *found && **there).count();
        let sum = found().chain(there.iter().copied()).filter(|yes| *yes).count();
        2.0 * both as f64 / sum.max(1) as f64
    };
    let mut best = (0.0, 0.5);
    let mut steps: Vec<u32> = (1..STEPS).collect();
    steps.sort_by_key(|step| step.abs_diff(STEPS / 2));
    for threshold in steps.into_iter().map(|step| f64::from(step) / f64::from(STEPS)) {
        let f1 = f1(threshold);
        if f1 > best.0 {
            best = (f1, threshold);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_f1_decides() {
        let likely = [0.02, 0.12, 0.17, 0.3, 0.04];
        assert_eq!(best(&likely, &[false, false, true, true, false]), 0.15);
        assert_eq!(best(&likely, &[false, true, true, true, false]), 0.1);
        // Half of what is found may be wrong where nothing better is to be had.
        assert_eq!(best(&likely, &[false, true, false, false, false]), 0.1);
        // Nothing that is there is ever found.
        assert_eq!(best(&[0.01, 0.99], &[true, false]), 0.5);
    }
}
