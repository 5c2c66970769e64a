//! `ensemble.json`: a folder whose models answer together, each in a folder of its own within.

use super::config::Settings;
use crate::error::{Error, Result};
use ko_eval_io::files::{within, write_atomically};
use serde_json::Value;
use std::path::{Path, PathBuf};

const NAME: &str = "ensemble.json";

/// The folders of a folder's models; none of one that is a model itself.
pub(crate) fn read(folder: &Path) -> Result<Option<Vec<PathBuf>>> {
    let file = match Settings::open(folder, NAME) {
        Err(Error::MissingFile { .. }) => return Ok(None),
        file => file?,
    };
    let bad = |reason: &str| file.bad(&["models"], reason);
    let listed = file.get(&["models"]).and_then(Value::as_array);
    let listed = listed.filter(|models| !models.is_empty());
    let listed = listed.ok_or_else(|| bad("expected a list of folders"))?;
    let model = |name: &Value| {
        let name = name.as_str().filter(|name| !name.is_empty());
        let path = name.and_then(|name| within(folder, name));
        path.ok_or_else(|| bad("expected folders within this one"))
    };
    listed.iter().map(model).collect::<Result<_>>().map(Some)
}

/// Makes one of the models in these folders within `folder`.
pub(crate) fn write(folder: &Path, names: &[String]) -> Result<()> {
    let path = folder.join(NAME);
    let stays = |name: &String| !name.is_empty() && within(folder, name).is_some();
    if names.is_empty() || !names.iter().all(stays) {
        return Err(Error::bad(&path, "expected the names of folders within this one"));
    }
    let text = format!("{:#}\n", serde_json::json!({ "models": names }));
    Ok(write_atomically(&path, text.as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_lie_within_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        assert_eq!(read(folder).unwrap(), None);
        write(folder, &["seed-1".into(), "seed-2".into()]).unwrap();
        let found = read(folder).unwrap().unwrap();
        assert_eq!(found, [folder.join("seed-1"), folder.join("seed-2")]);
        for models in ["[]", "\"seed-1\"", "[\"../elsewhere\"]", "[\"/etc\"]", "[\"\"]", "[3]"] {
            std::fs::write(folder.join(NAME), format!("{{\"models\": {models}}}")).unwrap();
            let error = read(folder).unwrap_err().to_string();
            assert!(error.contains("ensemble.json") && error.contains("models"), "{error}");
        }
        let kept = std::fs::read(folder.join(NAME)).unwrap();
        for names in [&["../seed-1".to_owned()][..], &[String::new()], &[]] {
            assert!(write(folder, names).is_err());
        }
        assert_eq!(std::fs::read(folder.join(NAME)).unwrap(), kept, "nothing is written");
    }
}
