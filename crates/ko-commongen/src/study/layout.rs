//! What lies in a folder of Korean CommonGen.

use super::TestSet;
use crate::{BadLines, Draft, Item, Source, human::HumanScores, item::read_rows, read_items};
use ko_eval_core::{Error, Result};
use rustc_hash::FxHashMap;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A system's outputs: one file, or one per seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SystemFiles {
    pub(crate) name: String,
    pub(crate) runs: Vec<PathBuf>,
}

/// Every system of a folder, in the order of their names: `NAME.txt`, or the folder `NAME` with a file per seed.
pub(crate) fn systems(folder: &Path) -> Result<Vec<SystemFiles>> {
    let mut systems = Vec::new();
    for path in sorted(folder)? {
        let name =
            |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            let mut runs = sorted(&path)?;
            runs.retain(|run| is_text(run));
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if runs.is_empty() {
                return Err(Error::Missing {
                    what: format!("an output of {name} in {}", path.display()),
                    how_to_get_it: "put its sentences there, a file per seed, as SEED.txt".into(),
                });
            }
            systems.push(SystemFiles { name, runs });
        } else if is_text(&path) {
            systems.push(SystemFiles { name: name(&path), runs: vec![path] });
        }
    }
    match systems.is_empty() {
        true => Err(Error::Missing {
            what: format!("a system in {}", folder.display()),
            how_to_get_it: "put its sentences there as NAME.txt".into(),
        }),
        false => Ok(systems),
    }
}

/// What people said of a system, if anything.
pub(crate) fn ratings(folder: &Path, system: &str, set: TestSet) -> Result<Option<HumanScores>> {
    let folder = ratings_folder(folder, system);
    let ending = format!("_{set}.txt");
    let rated = folder.is_dir()
        && sorted(&folder)?.iter().any(|path| path.to_string_lossy().ends_with(&ending));
    rated.then(|| HumanScores::read(&folder, set.as_str())).transpose()
}

/// Where the ratings of a system lie: its name in lower case, with `-` for `_`.
pub(crate) fn ratings_folder(folder: &Path, system: &str) -> PathBuf {
    folder.join("human").join(system.to_lowercase().replace('_', "-"))
}

/// A file of items, and where its sentences come from as far as its name tells.
#[derive(Debug)]
pub(super) struct DataFile {
    pub(super) name: String,
    pub(super) items: Vec<Item>,
    /// Of a training file.
    pub(super) source: Option<Source>,
}

impl DataFile {
    pub(super) fn is_training(&self) -> bool {
        self.name.contains("train")
    }
}

/// The files of `dataset/`. The two published training files have each other's name: `image_caption_train` holds dialogue summaries.
pub(super) fn data(folder: &Path) -> Result<Vec<DataFile>> {
    let mut files = Vec::new();
    for path in sorted(&folder.join("dataset"))? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_items = path.extension().is_some_and(|ending| ending == "jsonl");
        // What a build leaves beside its sets is no set.
        if !is_items || ["sentences", "selected", "kept"].contains(&name.as_str()) {
            continue;
        }
        let source = match name.as_str() {
            "image_caption_train" => Some(Source::Dialogue),
            "dialogue_summary_train" => Some(Source::Caption),
            _ => None,
        };
        let items = read_items(&path, BadLines::Refuse)?.into_values();
        files.push(DataFile { name, items, source });
    }
    Ok(files)
}

/// Where sentences come from, as a build noted in `dataset/kept.jsonl`.
pub(super) fn origins(folder: &Path) -> Result<FxHashMap<String, Source>> {
    let path = folder.join("dataset/kept.jsonl");
    if !path.exists() {
        return Ok(FxHashMap::default());
    }
    let drafts = read_rows(&path, BadLines::Refuse, |line| {
        serde_json::from_str::<Draft>(line).map_err(|error| error.to_string())
    })?;
    Ok(drafts.into_values().into_iter().map(|draft| (draft.text, draft.source)).collect())
}

fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "txt")
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| Error::io(folder, error))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort_unstable();
    Ok(paths)
}
