//! Training of [`Classifier`](crate::model::Classifier): cross-entropy, the mean over the sets of labels.

use super::{
    labeller::Labeller,
    macro_f1::macro_f1,
    options::TrainingSettings,
    supervised::{Examples, Supervised},
    trainer::{self, TrainingReport},
};
use crate::{
    LongText,
    error::{Error, Result},
    files::threshold,
    model::{
        classification::{Level, greatest},
        tokenizer::TokenIds,
    },
    read::LabelledText,
};
use ko_eval_model::LabelSet;
use std::path::Path;

/// Trains a classifier on texts with a label of every set and writes it to `output`; the weights with the best macro F1 on `dev`, the mean over the
/// sets, are kept. What it decides by is [`choose_threshold`](super::choose_threshold)'s to say; until then a text has its likeliest labels.
///
/// # Errors
/// Sets of less than two labels, a label that its set does not have, what is wrong with the backbone, a loss that is not a number, or a file that
/// cannot be written.
pub fn train_classifier(
    backbone: impl AsRef<Path>,
    sets: &[LabelSet],
    train: &[LabelledText],
    dev: &[LabelledText],
    output: impl AsRef<Path>,
    training: &TrainingSettings,
) -> Result<TrainingReport> {
    check(sets)?;
    let labeller = Labeller::open(backbone.as_ref(), Level::Text, training, |_| Ok(sets.to_vec()))?;
    let labelled = |texts: &[LabelledText]| -> Result<Examples<TokenIds, Vec<i64>>> {
        let numbers: Vec<Vec<i64>> =
            texts.iter().map(|text| numbers(sets, text)).collect::<Result<_>>()?;
        let both: Vec<_> = texts.iter().zip(numbers).collect();
        let encode = |(text, _): &(&LabelledText, Vec<i64>)| {
            let mut runs = labeller.tokenizer.encode(&text.text, LongText::Truncate)?;
            runs.pop().ok_or_else(|| Error::Operation("a text without a run".into()))
        };
        Examples::encode(&both, encode, |(_, numbers)| numbers.clone())
    };
    let objective = Supervised::new(&labeller, labelled(train)?, |texts, labels| {
        let of_set =
            |place: usize| labels.iter().filter_map(|own| own.get(place)).copied().collect();
        let right: Vec<Vec<i64>> = (0..sets.len()).map(of_set).collect();
        labeller.loss(&labeller.batch(texts)?, &right)
    })
    .watched(labelled(dev)?, |texts, labels| {
        let numbers = labeller.numbers(texts)?;
        let (mut sum, mut first) = (0.0, 0);
        for (place, set) in sets.iter().enumerate() {
            let own = first..first + set.labels.len();
            let guess = |row: &Vec<f32>| greatest(row.get(own.clone()).unwrap_or_default());
            let guessed: Vec<usize> = numbers.iter().map(guess).collect();
            let right: Vec<usize> = labels
                .iter()
                .map(|labels| labels.get(place).map_or(0, |label| *label as usize))
                .collect();
            sum += macro_f1(&right, &guessed);
            first += set.labels.len();
        }
        Ok(sum / sets.len() as f64)
    });
    let report = trainer::train(&objective, training)?;
    labeller.save(output.as_ref())?;
    // One of an earlier model of the folder says nothing of this one.
    threshold::remove(output.as_ref())?;
    Ok(report)
}

fn check(sets: &[LabelSet]) -> Result<()> {
    if sets.is_empty() {
        return Err(Error::setting("label sets", 0, "at least 1"));
    }
    for set in sets {
        if set.labels.len() < 2 {
            return Err(Error::setting("labels of a set", set.labels.len(), "at least 2"));
        }
        // The saved labels are `SET=LABEL`.
        if set.name.contains('=') || (set.name.is_empty() && sets.len() > 1) {
            let expected = "a name without `=`, of each of several sets";
            return Err(Error::setting("name of a label set", format!("`{}`", set.name), expected));
        }
    }
    Ok(())
}

/// The number of each of a text's labels in its set.
fn numbers(sets: &[LabelSet], text: &LabelledText) -> Result<Vec<i64>> {
    if text.labels.len() != sets.len() {
        return Err(Error::setting("labels of a text", text.labels.len(), "one for each set"));
    }
    let number = |(set, label): (&LabelSet, &String)| {
        let place = set.labels.iter().position(|known| known == label);
        let unknown = || Error::setting("label", format!("`{label}`"), "one of its set");
        place.map(|place| place as i64).ok_or_else(unknown)
    };
    sets.iter().zip(&text.labels).map(number).collect()
}
