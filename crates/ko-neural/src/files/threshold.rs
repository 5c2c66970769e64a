//! `threshold.json` beside a classifier: what it decides by.

use super::config::Settings;
use crate::error::{Error, Result};
use ko_eval_io::files::write_atomically;
use ko_eval_model::{LabelSet, Threshold};
use std::path::Path;

const NAME: &str = "threshold.json";

/// A folder's threshold, if it has one.
pub(crate) fn read(folder: &Path, sets: &[LabelSet]) -> Result<Option<Threshold>> {
    let file = match Settings::open(folder, NAME) {
        Err(Error::MissingFile { .. }) => return Ok(None),
        file => file?,
    };
    let found: Threshold = serde_json::from_value(file.json().clone())
        .map_err(|e| Error::bad(file.path(), e.to_string()))?;
    if !(0.0..=1.0).contains(&found.probability) {
        let reason = format!("{}: expected a number from 0 to 1", found.probability);
        return Err(file.bad(&["probability"], reason));
    }
    if let Some(name) = &found.set
        && !sets.iter().any(|set| set.name == *name)
    {
        let names: Vec<String> = sets.iter().map(|set| format!("`{}`", set.name)).collect();
        let reason =
            format!("`{name}` is no set of labels of the model: it has {}", names.join(", "));
        return Err(file.bad(&["set"], reason));
    }
    match sets.iter().any(|set| found.is_for(set)) {
        true => Ok(Some(found)),
        false => {
            let whose = found.set.as_ref().map_or("the model".into(), |name| format!("`{name}`"));
            Err(file.bad(&["harmless"], format!("`{}` is no label of {whose}", found.harmless)))
        }
    }
}

/// Keeps a threshold with its model.
pub(crate) fn write(folder: &Path, threshold: &Threshold) -> Result<()> {
    let path = folder.join(NAME);
    let text =
        serde_json::to_vec_pretty(threshold).map_err(|e| Error::bad(&path, e.to_string()))?;
    Ok(write_atomically(&path, &text)?)
}

/// A model that was trained anew has none.
pub(crate) fn remove(folder: &Path) -> Result<()> {
    let path = folder.join(NAME);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io(path, error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_comes_back_or_says_what_is_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let set = |name: &str, labels: [&str; 2]| LabelSet {
            name: name.into(),
            labels: labels.map(str::to_owned).to_vec(),
        };
        let sets = [set("hate", ["none", "hate"]), set("tone", ["polite", "rude"])];
        assert_eq!(read(folder.path(), &sets).unwrap(), None);
        for set in [None, Some("hate".to_owned())] {
            let threshold = Threshold { set, harmless: "none".into(), probability: 0.15 };
            write(folder.path(), &threshold).unwrap();
            assert_eq!(read(folder.path(), &sets).unwrap(), Some(threshold));
        }
        for (text, part) in [
            (
                r#"{"set": "bias", "harmless": "none", "probability": 0.5}"#,
                "`set`: `bias` is no set of labels of the model: it has `hate`, `tone`",
            ),
            (
                r#"{"set": "tone", "harmless": "none", "probability": 0.5}"#,
                "`harmless`: `none` is no label of `tone`",
            ),
            (r#"{"harmless": "none", "probability": 15}"#, "`probability`: 15: expected a number"),
            (r#"{"harmless": "clean", "probability": 0.5}"#, "`clean` is no label of the model"),
            (r#"{"probability": 0.5}"#, "missing field `harmless`"),
        ] {
            std::fs::write(folder.path().join(NAME), text).unwrap();
            let error = read(folder.path(), &sets).unwrap_err().to_string();
            assert!(error.contains(part) && error.contains(NAME), "{error}");
        }
        remove(folder.path()).unwrap();
        remove(folder.path()).unwrap();
        assert_eq!(read(folder.path(), &sets).unwrap(), None);
    }
}
