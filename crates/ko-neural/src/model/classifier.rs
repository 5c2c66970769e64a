//! A model folder that gives texts labels: `…ForSequenceClassification`, with one set of labels or several.

use super::{
    classification::{LabelModel, Level, softmax},
    inference::Inference,
    tokenizer::TokenIds,
};
use crate::{
    LongText,
    error::{Error, Result},
    files::{config::Settings, labels, threshold},
};
use ko_eval_core::{Signature, Signed};
use ko_eval_model::{LabelSet, TextClassifier, Threshold};
use std::path::Path;

/// A transformer that labels texts.
///
/// Reads a local Hugging Face folder of BERT, ALBERT, RoBERTa, XLM-R, ELECTRA, ModernBERT or DeBERTa. Labels `bias=none`, `bias=gender` …,
/// `hate=none`, `hate=hate` … are of two sets, of each of which a text has one. What [`choose_threshold`](crate::train::choose_threshold) kept in the
/// folder is the model's [`threshold`](TextClassifier::threshold).
///
/// ```no_run
/// use ko_eval_model::TextClassifier;
/// use ko_neural::{Classifier, Inference};
///
/// let model = Classifier::open("hate-speech", &Inference::new())?;
/// let comments = model.classify(&["좋은 글이네요"])?;
/// for (set, probabilities) in model.label_sets().iter().zip(&comments[0]) {
///     println!("{}: {:?} {probabilities:.2?}", set.name, set.labels);
/// }
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Classifier {
    model: LabelModel,
    sets: Vec<LabelSet>,
    threshold: Option<Threshold>,
}

impl Classifier {
    /// Loads a folder that [`train_classifier`](crate::train::train_classifier) wrote, or transformers.
    ///
    /// # Errors
    /// What is wrong with the folder, labels that do not exclude each other (`problem_type`), or a setting out of range: the label of a text in
    /// chunks is not defined.
    pub fn open(folder: impl AsRef<Path>, inference: &Inference) -> Result<Self> {
        let folder = folder.as_ref();
        if inference.long_text == LongText::Chunk {
            return Err(Error::setting("long text", "chunk", "error or truncate for a classifier"));
        }
        let config = Settings::open(folder, "config.json")?;
        if let Some(other) = config.text(&["problem_type"])
            && other != "single_label_classification"
        {
            let reason = format!("`{other}`: only single_label_classification is known");
            return Err(config.bad(&["problem_type"], reason));
        }
        let (model, names) = LabelModel::open(folder, Level::Text, inference)?;
        if names.len() < 2 {
            return Err(config.bad(&["id2label"], "a classifier has at least two labels"));
        }
        let sets = labels::sets(&names);
        let threshold = threshold::read(folder, &sets)?;
        Ok(Self { model, sets, threshold })
    }
}

impl Signed for Classifier {
    fn signature(&self) -> Signature {
        self.model.sign(Signature::new("classifier"))
    }
}

impl TextClassifier for Classifier {
    fn label_sets(&self) -> &[LabelSet] {
        &self.sets
    }

    fn classify(&self, texts: &[&str]) -> ko_eval_core::Result<Vec<Vec<Vec<f64>>>> {
        let runs: Vec<Vec<TokenIds>> = ko_eval_core::par_map(texts, |text| {
            self.model.tokenizer.encode(text, self.model.inference.long_text)
        })?;
        let numbers = self.model.numbers(&runs.concat())?;
        Ok(numbers.iter().map(|numbers| by_set(&self.sets, numbers)).collect())
    }

    fn threshold(&self) -> Option<&Threshold> {
        self.threshold.as_ref()
    }
}

/// The probabilities of each set's labels.
fn by_set(sets: &[LabelSet], numbers: &[f32]) -> Vec<Vec<f64>> {
    let mut rest = numbers;
    let one = |set: &LabelSet| {
        let (own, others) = rest.split_at(set.labels.len().min(rest.len()));
        rest = others;
        softmax(own)
    };
    sets.iter().map(one).collect()
}
