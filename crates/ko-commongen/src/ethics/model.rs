//! A classifier as a flagger: every set of labels is a reason of its own.

use super::{Flagger, checked_threshold};
use crate::Error;
use ko_eval_core::{Result, Signature, Signed};
use ko_eval_model::TextClassifier;
use std::sync::Arc;

/// Flags a text for every set of labels in which a harmless label is improbable: for bias, for hate, or for both, as the paper counted.
#[derive(Debug, Clone)]
pub struct ModelFlagger {
    classifier: Arc<dyn TextClassifier>,
    harmless: String,
    /// Each set's place of the harmless label.
    places: Vec<usize>,
    threshold: f64,
}

impl ModelFlagger {
    /// A classifier each of whose sets has this harmless label (`none`); flags from the probability of all others together on that the model has as its
    /// [`threshold`](TextClassifier::threshold) for this label, or else from 0.5 on.
    ///
    /// That probability holds for every set, also where the threshold was chosen for one of them alone: a text is flagged if any of its sets reaches it, and
    /// people decide.
    ///
    /// # Errors
    /// [`Error::BadSetting`] if a set lacks the label, or the model's threshold is not between 0 and 1.
    pub fn new(
        classifier: Arc<dyn TextClassifier>,
        harmless: impl Into<String>,
    ) -> Result<Self, Error> {
        let harmless = harmless.into();
        let place = |set: &ko_eval_model::LabelSet| {
            set.labels.iter().position(|label| *label == harmless).ok_or_else(|| {
                Error::BadSetting {
                    name: "harmless label",
                    value: format!("{harmless}, where {} has {}", set.name, set.labels.join(", ")),
                    expected: "a label of every set",
                }
            })
        };
        let places = classifier.label_sets().iter().map(place).collect::<Result<_, _>>()?;
        let own = classifier.threshold().filter(|own| own.harmless == harmless);
        let threshold = checked_threshold(own.map_or(0.5, |own| own.probability))?;
        Ok(Self { classifier, harmless, places, threshold })
    }

    /// Flags from this probability on.
    ///
    /// # Errors
    /// [`Error::BadSetting`] unless it is between 0 and 1.
    pub fn at(mut self, threshold: f64) -> Result<Self, Error> {
        self.threshold = checked_threshold(threshold)?;
        Ok(self)
    }
}

impl Signed for ModelFlagger {
    fn signature(&self) -> Signature {
        Signature::new("model-flagger")
            .with("threshold", self.threshold)
            .with("harmless", &self.harmless)
            .with_nested("model", &self.classifier.signature())
    }
}

impl Flagger for ModelFlagger {
    fn labels(&self) -> Vec<String> {
        let name = |set: &ko_eval_model::LabelSet| match set.name.is_empty() {
            true => "offensive".to_owned(),
            false => set.name.clone(),
        };
        self.classifier.label_sets().iter().map(name).collect()
    }

    fn probabilities(&self, texts: &[&str]) -> Result<Vec<Vec<f64>>> {
        let harm = |(probabilities, place): (&Vec<f64>, &usize)| {
            1.0 - probabilities.get(*place).copied().unwrap_or(1.0)
        };
        let found = self.classifier.classify(texts)?;
        Ok(found.iter().map(|sets| sets.iter().zip(&self.places).map(harm).collect()).collect())
    }

    fn threshold(&self) -> f64 {
        self.threshold
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ko_eval_model::{LabelSet, Threshold};

    /// Takes 여자 for bias, and 바보 for hate.
    #[derive(Debug)]
    struct ByWord(Vec<LabelSet>, Option<Threshold>);

    impl ByWord {
        fn new() -> Arc<Self> {
            let set = |name: &str, labels: [&str; 2]| LabelSet {
                name: name.into(),
                labels: labels.map(str::to_owned).to_vec(),
            };
            let sets = vec![set("bias", ["gender", "none"]), set("hate", ["none", "hate"])];
            Arc::new(Self(sets, None))
        }

        fn with_threshold(set: Option<&str>, harmless: &str) -> Arc<Self> {
            let set = set.map(str::to_owned);
            let threshold = Threshold { set, harmless: harmless.into(), probability: 0.15 };
            Arc::new(Self(Self::new().0.clone(), Some(threshold)))
        }
    }

    impl Signed for ByWord {
        fn signature(&self) -> Signature {
            Signature::new("by-word")
        }
    }

    impl TextClassifier for ByWord {
        fn label_sets(&self) -> &[LabelSet] {
            &self.0
        }

        fn classify(&self, texts: &[&str]) -> Result<Vec<Vec<Vec<f64>>>> {
            let likely = |yes: bool| if yes { 0.75 } else { 0.25 };
            let one = |text: &&str| {
                let (bias, hate) = (likely(text.contains("여자")), likely(text.contains("바보")));
                vec![vec![bias, 1.0 - bias], vec![1.0 - hate, hate]]
            };
            Ok(texts.iter().map(one).collect())
        }

        fn threshold(&self) -> Option<&Threshold> {
            self.1.as_ref()
        }
    }

    #[test]
    fn each_set_is_a_reason() {
        let flagger = ModelFlagger::new(ByWord::new(), "none").unwrap();
        assert_eq!(flagger.labels(), ["bias", "hate"]);
        let found = flagger.probabilities(&["여자다.", "바보다.", "비다."]).unwrap();
        assert_eq!(found, [[0.75, 0.25], [0.25, 0.75], [0.25, 0.25]]);
        assert_eq!(flagger.probability("바보 여자다.").unwrap(), 0.75);
        assert_eq!(flagger.threshold(), 0.5);
        let error = ModelFlagger::new(ByWord::new(), "clean").unwrap_err().to_string();
        assert!(error.contains("clean, where bias has gender, none"), "{error}");
        assert!(flagger.clone().at(1.5).is_err());
        let plain = flagger.signature();
        assert_ne!(plain, flagger.at(0.9).unwrap().signature());
    }

    #[test]
    fn the_models_own_threshold_is_the_default() {
        for set in [None, Some("hate")] {
            let flagger = ModelFlagger::new(ByWord::with_threshold(set, "none"), "none").unwrap();
            assert_eq!(flagger.threshold(), 0.15, "of every set: {set:?}");
        }
        let flagger = ModelFlagger::new(ByWord::with_threshold(None, "none"), "none").unwrap();
        assert!(flagger.signature().to_string().contains("threshold:0.15"));
        assert_eq!(flagger.at(0.9).unwrap().threshold(), 0.9, "what is asked for wins");
        let other = ModelFlagger::new(ByWord::with_threshold(None, "hate"), "none").unwrap();
        assert_eq!(other.threshold(), 0.5, "it is for another label");
    }
}
