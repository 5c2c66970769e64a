//! `modules.json` of a sentence-transformers folder: what follows what, and where each part lies.

use super::config::Settings;
use crate::error::{Error, Result};
use ko_eval_io::files::within;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The parts of a sentence embedder, each with the folder of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Modules {
    pub(crate) transformer: PathBuf,
    pub(crate) pooling: PathBuf,
    pub(crate) dense: Vec<PathBuf>,
    pub(crate) normalize: Option<PathBuf>,
}

impl Modules {
    /// The folders of all parts.
    pub(crate) fn into_folders(self) -> impl Iterator<Item = PathBuf> {
        let after = self.dense.into_iter().chain(self.normalize);
        [self.transformer, self.pooling].into_iter().chain(after)
    }
}

/// What a module does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Transformer,
    Pooling,
    Dense,
    Normalize,
}

/// The types' full names, as each release of sentence-transformers wrote them. A type of the same last name in another package is another
/// module: PyLate's `Dense` projects every token.
const TYPES: [(&str, Kind); 9] = [
    ("sentence_transformers.models.Transformer", Kind::Transformer),
    ("sentence_transformers.base.modules.transformer.Transformer", Kind::Transformer),
    ("sentence_transformers.models.Pooling", Kind::Pooling),
    ("sentence_transformers.sentence_transformer.modules.pooling.Pooling", Kind::Pooling),
    ("sentence_transformers.models.Dense", Kind::Dense),
    ("sentence_transformers.base.modules.dense.Dense", Kind::Dense),
    ("sentence_transformers.models.Normalize", Kind::Normalize),
    ("sentence_transformers.sentence_transformer.modules.normalize.Normalize", Kind::Normalize),
    ("sentence_transformers.base.modules.normalize.Normalize", Kind::Normalize),
];

/// The file's name.
pub(crate) const NAME: &str = "modules.json";

/// The modules of a folder.
pub(crate) fn read(folder: &Path) -> Result<Modules> {
    of(folder, &Settings::open(folder, NAME)?)
}

/// What such a file says. A model that was fetched must not reach for other files of this machine: every path lies in its folder.
pub(crate) fn of(folder: &Path, file: &Settings) -> Result<Modules> {
    let bad = |reason: String| Error::bad(file.path(), reason);
    let list = file.json().as_array().ok_or_else(|| bad("expected a list of modules".into()))?;
    let module = |module: &Value| {
        let field = |name: &str| module.get(name).and_then(Value::as_str).unwrap_or_default();
        let path = within(folder, field("path"))
            .ok_or_else(|| bad(format!("`{}` is no folder in this one", field("path"))))?;
        let name = field("type");
        let (_, kind) = TYPES.iter().find(|(known, _)| *known == name).ok_or_else(|| {
            let known = "Transformer, Pooling, Dense and Normalize of sentence_transformers";
            bad(format!("unknown module `{name}`; known: {known}"))
        })?;
        Ok((*kind, path))
    };
    let all = list.iter().map(module).collect::<Result<Vec<_>>>()?;
    in_order(&all).ok_or_else(|| {
        let found: Vec<String> = all.iter().map(|(kind, _)| format!("{kind:?}")).collect();
        let expected = "expected Transformer, Pooling, any number of Dense, and perhaps Normalize";
        bad(format!("{expected}, in this order; found {}", found.join(", ")))
    })
}

/// The one order that an embedder can run.
fn in_order(all: &[(Kind, PathBuf)]) -> Option<Modules> {
    let [(Kind::Transformer, transformer), (Kind::Pooling, pooling), rest @ ..] = all else {
        return None;
    };
    let (dense, normalize) = match rest {
        [dense @ .., (Kind::Normalize, path)] => (dense, Some(path.clone())),
        dense => (dense, None),
    };
    let dense = dense.iter().map(|(kind, path)| (*kind == Kind::Dense).then(|| path.clone()));
    Some(Modules {
        transformer: transformer.clone(),
        pooling: pooling.clone(),
        dense: dense.collect::<Option<_>>()?,
        normalize,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a file of these paths and types says.
    fn modules(parts: &[(&str, &str)]) -> Result<Modules> {
        let parts =
            parts.iter().map(|(path, kind)| serde_json::json!({"path": path, "type": kind}));
        let json = Value::from_iter(parts).to_string();
        let folder = Path::new("모델");
        of(folder, &Settings::parse(folder.join(NAME), json.as_bytes())?)
    }

    /// The same with the types of a package.
    fn of_package(package: &str, kinds: &[&str]) -> Result<Modules> {
        let kinds: Vec<String> = kinds.iter().map(|kind| format!("{package}.{kind}")).collect();
        modules(&kinds.iter().map(|kind| ("", kind.as_str())).collect::<Vec<_>>())
    }

    const OLD: &str = "sentence_transformers.models";

    #[test]
    fn modules_lie_in_their_folder() {
        let kind = |name: &str| format!("{OLD}.{name}");
        let (transformer, pooling) = (kind("Transformer"), kind("Pooling"));
        let read = |path: &str| modules(&[("", &transformer), (path, &pooling)]);
        let found = read("1_Pooling").unwrap();
        assert_eq!(found.transformer, Path::new("모델").join(""));
        assert_eq!(found.pooling, Path::new("모델/1_Pooling"));
        for path in ["/etc", "..", "1_Pooling/../../other", "../model"] {
            let error = read(path).unwrap_err().to_string();
            assert!(error.contains(&format!("`{path}` is no folder in this one")), "{error}");
        }
        let none = Settings::parse(NAME.into(), b"{}").unwrap();
        let error = of(Path::new("모델"), &none).unwrap_err().to_string();
        assert!(error.contains("expected a list"), "{error}");
    }

    #[test]
    fn every_release_has_its_names() {
        let (base, own) = (
            "sentence_transformers.base.modules",
            "sentence_transformers.sentence_transformer.modules",
        );
        for (transformer, pooling, dense, normalize) in [
            (
                format!("{OLD}.Transformer"),
                format!("{OLD}.Pooling"),
                format!("{OLD}.Dense"),
                format!("{OLD}.Normalize"),
            ),
            (
                format!("{base}.transformer.Transformer"),
                format!("{own}.pooling.Pooling"),
                format!("{base}.dense.Dense"),
                format!("{own}.normalize.Normalize"),
            ),
            (
                format!("{base}.transformer.Transformer"),
                format!("{own}.pooling.Pooling"),
                format!("{base}.dense.Dense"),
                format!("{base}.normalize.Normalize"),
            ),
        ] {
            let all = [("", &*transformer), ("1", &*pooling), ("2", &*dense), ("3", &*normalize)];
            let found = modules(&all).unwrap();
            assert_eq!(found.dense, [Path::new("모델/2")]);
            assert_eq!(found.normalize.as_deref(), Some(Path::new("모델/3")));
        }
    }

    #[test]
    fn another_order_is_another_model() {
        for kinds in [
            &["Transformer", "Pooling"][..],
            &["Transformer", "Pooling", "Normalize"],
            &["Transformer", "Pooling", "Dense", "Dense", "Normalize"],
        ] {
            assert!(of_package(OLD, kinds).is_ok(), "{kinds:?}");
        }
        for kinds in [
            &[][..],
            &["Transformer"],
            &["Transformer", "Dense"],
            &["Pooling", "Transformer"],
            &["Transformer", "Dense", "Pooling"],
            &["Transformer", "Pooling", "Pooling"],
            &["Transformer", "Pooling", "Normalize", "Dense"],
            &["Transformer", "Pooling", "Normalize", "Normalize"],
        ] {
            let error = of_package(OLD, kinds).unwrap_err().to_string();
            assert!(error.contains(NAME), "{error}");
            assert!(error.ends_with(&format!("found {}", kinds.join(", "))), "{error}");
        }
    }

    #[test]
    fn modules_of_other_packages_are_others() {
        for kind in ["pylate.models.Dense.Dense", "custom_st.Transformer", "Pooling", ""] {
            let error = modules(&[("", kind)]).unwrap_err().to_string();
            assert!(error.contains(&format!("unknown module `{kind}`; known: Trans")), "{error}");
            assert!(error.contains(NAME), "{error}");
        }
    }
}
