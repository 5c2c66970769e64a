//! Where data is, and what checks share.

use crate::prelude::*;
use clap::Args;
use serde::de::DeserializeOwned;
use std::env;

/// Where data is, and how models run.
#[derive(Args)]
pub(crate) struct Context {
    #[arg(skip = env::var_os("KO_EVAL_DATA").map_or("../shared/data".into(), PathBuf::from))]
    data: PathBuf,
    #[cfg(feature = "torch")]
    #[command(flatten)]
    pub(crate) models: crate::trained::Models,
}

impl Context {
    /// Returns the path of a file or a folder of the data.
    pub(crate) fn data(&self, file: &str) -> PathBuf {
        self.data.join(file)
    }

    /// Returns the lines of a file of the data.
    pub(crate) fn lines(&self, file: &str) -> Result<Vec<String>> {
        Ok(read(&self.data(file))?.lines().map(str::to_owned).collect())
    }

    /// Returns the files of the data that a pattern names.
    pub(crate) fn files(&self, pattern: &str) -> Result<Vec<PathBuf>> {
        files(&self.data(pattern))
    }

    /// Returns a specification with the folders that `DATA` and `HOME` stand for.
    pub(crate) fn filled_in(&self, spec: &str) -> String {
        let with_data = spec.replace("DATA", &self.data.display().to_string());
        with_data.replace("HOME", &home().display().to_string())
    }
}

pub(crate) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// Returns the files of a folder whose names match, `*` at most once, in the order of their names.
pub(crate) fn files(pattern: &Path) -> Result<Vec<PathBuf>> {
    let place = || pattern.display().to_string();
    let name = pattern.file_name().unwrap_or_default().to_string_lossy();
    let (start, end) = name.split_once('*').unwrap_or((&name, ""));
    let entries = fs::read_dir(pattern.with_file_name("")).with_context(place)?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(start) && name.ends_with(end)
    });
    ensure!(!files.is_empty(), "{}: no such file", place());
    files.sort();
    Ok(files)
}

/// Returns a file's name without its extension.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads a value per line.
pub(crate) fn json_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    Ok(ko_eval::read::jsonl(path)?.collect::<ko_eval::Result<_>>()?)
}

/// Returns the chance that a positive scores above a negative; ties count half.
pub(crate) fn auc(scores: impl IntoIterator<Item = (f64, bool)>) -> f64 {
    let mut scores: Vec<_> = scores.into_iter().collect();
    scores.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut positives, mut negatives, mut wins) = (0.0, 0.0, 0.0);
    for tied in scores.chunk_by(|a, b| a.0 == b.0) {
        let alike = tied.iter().filter(|(_, positive)| *positive).count() as f64;
        let others = tied.len() as f64 - alike;
        wins += alike * (negatives + others / 2.0);
        positives += alike;
        negatives += others;
    }
    if positives == 0.0 || negatives == 0.0 { 0.5 } else { wins / (positives * negatives) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_counts_ties_half() {
        assert_eq!(auc([(1.0, false), (2.0, true)]), 1.0);
        assert_eq!(auc([(1.0, false), (1.0, true)]), 0.5);
        assert_eq!(auc([(3.0, false), (2.0, true), (1.0, false)]), 0.5);
    }
}
