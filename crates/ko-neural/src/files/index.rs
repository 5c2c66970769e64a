//! The index of weights in several files: `model.safetensors.index.json`, `pytorch_model.bin.index.json`.

use super::checked;
use crate::error::{Error, Result};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    path::{Component, Path, PathBuf},
};

#[derive(Deserialize)]
struct Index {
    /// The file of every tensor.
    weight_map: BTreeMap<String, String>,
}

/// Every file that the index names, with the tensors that it should hold.
pub(crate) fn read(folder: &Path, index: &Path) -> Result<BTreeMap<PathBuf, Vec<String>>> {
    let bytes = checked::read(index)?;
    let map: Index =
        serde_json::from_slice(&bytes).map_err(|e| Error::bad(index, e.to_string()))?;
    let mut files: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    for (tensor, file) in map.weight_map {
        let mut parts = Path::new(&file).components();
        // A model that was fetched must not reach for other files of this machine.
        if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
            return Err(Error::bad(index, format!("`{file}` is no file of this folder")));
        }
        let path = folder.join(&file);
        if !path.is_file() {
            let index = index.file_name().unwrap_or_default().to_string_lossy();
            let expected = format!("{file}, where {index} says that `{tensor}` is");
            return Err(Error::MissingFile { folder: folder.into(), expected });
        }
        files.entry(path).or_default().push(tensor);
    }
    Ok(files)
}
