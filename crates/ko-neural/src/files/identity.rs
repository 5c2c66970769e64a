//! Which model it is: its folder's name, and a fingerprint of what its folder holds.

use crate::error::Result;
use ko_eval_core::{Fingerprint, Signature};
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// What decides a model's numbers: weights, configuration, tokenizer.
const DECIDING: [&str; 5] = ["safetensors", "bin", "json", "txt", "model"];

/// What only tells how a model, or something that is kept beside it, came to be. It holds the seconds that a training took, which differ
/// between two that end with the same weights.
const TELLING: [&str; 3] = ["training.json", "stage.json", "bertscore-baselines.json"];

/// A model's name, and a digest of the files that decide its numbers: a folder that was trained again keeps its name, but
/// not its digest, and so no cached vector and no shard of the old model passes for one of the new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    name: String,
    digest: String,
}

impl Identity {
    /// Of the model in `folder`, whose parts lie in it and in `parts`.
    pub(crate) fn of(folder: &Path, parts: &[PathBuf]) -> Result<Self> {
        let canonical = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.into());
        let name = canonical.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut folders = vec![folder];
        folders.extend(parts.iter().map(PathBuf::as_path).filter(|part| *part != folder));
        let mut fingerprint = Fingerprint::new();
        for folder in folders {
            for path in deciding_files(folder)? {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                fingerprint = fingerprint.text(&name).file(&path)?;
            }
        }
        Ok(Self { name, digest: fingerprint.short() })
    }

    /// What its files are, whatever the folder is called.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }

    /// A signature under the model's name.
    pub(crate) fn signature(&self) -> Signature {
        Signature::new(&self.name).with("digest", &self.digest)
    }

    /// Names the model in the signature of something else.
    pub(crate) fn sign(&self, signature: Signature) -> Signature {
        signature.with("model", &self.name).with("digest", &self.digest)
    }
}

/// The files of one folder, in the order of their names.
fn deciding_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let io = |e| ko_eval_core::Error::io(folder, e);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if path.is_file() && decides(&path) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// By its name alone.
fn decides(path: &Path) -> bool {
    let is_among = |part: Option<&OsStr>, names: &[&str]| {
        part.and_then(OsStr::to_str).is_some_and(|part| names.contains(&part))
    };
    is_among(path.extension(), &DECIDING) && !is_among(path.file_name(), &TELLING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_model_in_a_folder_of_the_same_name_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("model");
        std::fs::create_dir(&model).unwrap();
        let write = |name: &str, text: &str| std::fs::write(model.join(name), text).unwrap();
        write("config.json", "{}");
        write("model.safetensors", "1");
        let one = Identity::of(&model, &[]).unwrap();
        write("README.md", "what a README says decides nothing");
        assert_eq!(Identity::of(&model, &[]).unwrap(), one);
        write("model.safetensors", "2");
        let other = Identity::of(&model, &[]).unwrap();
        assert_eq!(one.name, other.name);
        assert_ne!(one.signature(), other.signature());
        write("model.safetensors", "1");
        write("vocab.txt", "가");
        assert_ne!(Identity::of(&model, &[]).unwrap(), one, "the tokenizer decides, too");
    }

    #[test]
    fn how_a_model_came_to_be_does_not_say_which_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let (model, pooling) = (folder.path().join("model"), folder.path().join("model/1_Pooling"));
        std::fs::create_dir_all(&pooling).unwrap();
        let parts = [pooling.clone()];
        let with = |place: &Path, name: &str, text: &str| {
            std::fs::write(place.join(name), text).unwrap();
            Identity::of(&model, &parts).unwrap()
        };
        let untold = with(&model, "model.safetensors", "1");
        assert_eq!(with(&model, "training.json", r#"{"seconds": 1.5}"#), untold);
        assert_eq!(with(&model, "training.json", r#"{"seconds": 2.5}"#), untold);
        assert_eq!(with(&model, "stage.json", r#"{"backbone": "1"}"#), untold);
        assert_eq!(with(&model, "bertscore-baselines.json", r#"{"seed": 1}"#), untold);
        assert_eq!(with(&model, "log.jsonl", r#"{"step": 1}"#), untold);
        let mut all = vec![untold];
        for (place, name) in [
            (&model, "head.json"),
            (&model, "threshold.json"),
            (&model, "modules.json"),
            (&pooling, "config.json"),
        ] {
            for text in ["{}", r#"{"probability": 0.5}"#] {
                let found = with(place, name, text);
                assert!(!all.contains(&found), "{name} decides");
                all.push(found);
            }
        }
    }
}
