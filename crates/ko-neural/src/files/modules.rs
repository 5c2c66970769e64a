//! `modules.json` of a sentence-transformers folder: what follows what, and where each part lies.

use super::config::Settings;
use crate::error::{Error, Result};
use ko_eval_core::files::within;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What a module does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Transformer,
    Pooling,
    Dense,
    Normalize,
}

const KINDS: [(&str, Kind); 4] = [
    ("Transformer", Kind::Transformer),
    ("Pooling", Kind::Pooling),
    ("Dense", Kind::Dense),
    ("Normalize", Kind::Normalize),
];

/// The file's name.
pub(crate) const NAME: &str = "modules.json";

/// The modules of a folder, in order, each with the folder of its files.
pub(crate) fn read(folder: &Path) -> Result<Vec<(Kind, PathBuf)>> {
    of(folder, &Settings::open(folder, NAME)?)
}

/// What such a file says. A model that was fetched must not reach for other files of this machine: every path lies in its folder.
pub(crate) fn of(folder: &Path, file: &Settings) -> Result<Vec<(Kind, PathBuf)>> {
    let bad = |reason: String| Error::bad(file.path(), reason);
    let list = file.json().as_array().ok_or_else(|| bad("expected a list of modules".into()))?;
    let module = |module: &Value| {
        let field = |name: &str| module.get(name).and_then(Value::as_str).unwrap_or_default();
        let path = within(folder, field("path"))
            .ok_or_else(|| bad(format!("`{}` is no folder in this one", field("path"))))?;
        let name = field("type").rsplit('.').next().unwrap_or_default();
        let known = || KINDS.map(|(name, _)| name).join(", ");
        let (_, kind) = KINDS
            .iter()
            .find(|(kind, _)| *kind == name)
            .ok_or_else(|| bad(format!("unknown module `{name}`; known: {}", known())))?;
        Ok((*kind, path))
    };
    list.iter().map(module).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_lie_in_their_folder() {
        let folder = Path::new("모델");
        let read = |path: &str, kind: &str| {
            let json =
                format!(r#"[{{"path": "{path}", "type": "sentence_transformers.models.{kind}"}}]"#);
            of(folder, &Settings::parse(folder.join(NAME), json.as_bytes())?)
        };
        assert_eq!(
            read("1_Pooling", "Pooling").unwrap(),
            [(Kind::Pooling, folder.join("1_Pooling"))]
        );
        assert_eq!(read("", "Transformer").unwrap()[0].0, Kind::Transformer);
        for path in ["/etc", "..", "1_Pooling/../../other", "../model"] {
            let error = read(path, "Dense").unwrap_err().to_string();
            assert!(error.contains(&format!("`{path}` is no folder in this one")), "{error}");
        }
        assert!(read("", "LSTM").unwrap_err().to_string().contains("known: Transformer, Pooling"));
        let none = Settings::parse(NAME.into(), b"{}").unwrap();
        assert!(of(folder, &none).unwrap_err().to_string().contains("expected a list"));
    }
}
