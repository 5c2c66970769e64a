//! What a stage was trained by: who finds a finished one can tell whether it is the one that is asked for.

use super::{options::TrainingSettings, stage::Stage};
use crate::{
    error::Result,
    files::{identity::Identity, modules},
    read::ScoredPair,
};
use ko_eval_core::Fingerprint;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{fmt::Debug, path::Path};

/// The settings of a stage, and checksums of its backbone and of what it learns from and is judged on. Threads, the device, a time limit and
/// paths are no part of it: they may differ.
///
/// ```no_run
/// use ko_neural::{
///     read::sts_tsv,
///     train::{Stage, StageRecord, TrainingSettings},
/// };
///
/// let (train, dev) = (sts_tsv("train.tsv")?, sts_tsv("dev.tsv")?);
/// let record = |settings: &TrainingSettings| {
///     StageRecord::of("albert-kor-base", &Stage::CoSent(&train), &dev, settings)
/// };
/// let once = record(&TrainingSettings::builder().batch(16).build()?)?;
/// let now = record(&TrainingSettings::builder().batch(32).build()?)?;
/// assert_eq!(now.differences(&once), ["batch was 16, is 32"]);
/// # Ok::<(), ko_neural::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageRecord {
    backbone: String,
    examples: String,
    dev: String,
    settings: Value,
}

impl StageRecord {
    /// Of a stage that is to be trained, or was.
    ///
    /// # Errors
    /// A backbone that cannot be read.
    pub fn of(
        backbone: impl AsRef<Path>,
        stage: &Stage<'_>,
        dev: &[ScoredPair],
        training: &TrainingSettings,
    ) -> Result<Self> {
        let examples = match stage {
            Stage::Softmax(pairs) => checksum("softmax", pairs),
            Stage::Ranking(texts) => checksum("ranking", texts),
            Stage::SimCse(texts) => checksum("simcse", texts),
            Stage::Cosine(pairs) => checksum("cosine", pairs),
            Stage::CoSent(pairs) => checksum("cosent", pairs),
        };
        Ok(Self {
            backbone: of_model(backbone.as_ref())?,
            examples,
            dev: checksum("dev", dev),
            settings: serde_json::to_value(training).unwrap_or_default(),
        })
    }

    /// In what this differs from one before; empty if both are the same training.
    pub fn differences(&self, before: &Self) -> Vec<String> {
        let parts = [
            ("the backbone", &self.backbone, &before.backbone),
            ("the training data", &self.examples, &before.examples),
            ("the development data", &self.dev, &before.dev),
        ];
        let parts = parts.iter().filter(|(_, now, once)| now != once);
        let mut all: Vec<String> = parts.map(|(what, ..)| format!("{what} changed")).collect();
        let fields = |settings: &Value| settings.as_object().cloned().unwrap_or_default();
        let (now, once) = (fields(&self.settings), fields(&before.settings));
        let new = now.keys().filter(|name| !once.contains_key(*name));
        for name in once.keys().chain(new) {
            let told = |value: Option<&Value>| match value {
                None | Some(Value::Null) => "not set".to_owned(),
                Some(value) => value.to_string(),
            };
            let (is, was) = (told(now.get(name)), told(once.get(name)));
            if is != was {
                all.push(format!("{} was {was}, is {is}", name.replace('_', "-")));
            }
        }
        all
    }
}

fn checksum(what: &str, examples: &[impl Debug]) -> String {
    let add = |all: Fingerprint, example| all.text(&format!("{example:?}"));
    examples.iter().fold(Fingerprint::new().text(what), add).hex()
}

/// By the files of the folder and of its modules: a model that was moved is still the same.
fn of_model(folder: &Path) -> Result<String> {
    let mut parts = Vec::new();
    if folder.join(modules::NAME).is_file() {
        parts.extend(modules::read(folder)?.into_folders());
    }
    // Normalisation needs no file, and so perhaps has no folder.
    parts.retain(|path| path.is_dir());
    Ok(Identity::of(folder, &parts)?.digest().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn tells_what_changed() {
        let folder = tempfile::tempdir().unwrap();
        let write = |text: &str| fs::write(folder.path().join("model.safetensors"), text).unwrap();
        let record = |texts: &[&str], batch: usize, dropout: Option<f64>| {
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            let mut builder = TrainingSettings::builder().batch(batch).threads(batch);
            if let Some(share) = dropout {
                builder = builder.dropout(share);
            }
            let settings = builder.build().unwrap();
            StageRecord::of(folder.path(), &Stage::SimCse(&texts), &[], &settings).unwrap()
        };
        write("1");
        let once = record(&["비가 온다"], 2, None);
        let json = serde_json::to_string(&once).unwrap();
        let read: StageRecord = serde_json::from_str(&json).unwrap();
        assert!(record(&["비가 온다"], 2, None).differences(&read).is_empty());
        assert_eq!(
            record(&["눈이 온다"], 4, Some(0.1)).differences(&read),
            ["the training data changed", "batch was 2, is 4", "dropout was not set, is 0.1"]
        );
        write("2");
        let other = record(&["비가 온다"], 2, None);
        assert_eq!(other.differences(&read), ["the backbone changed"]);
    }
}
