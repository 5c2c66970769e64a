//! Runs in a folder, a file each: a line with the checksum of the next, and the run.

use super::{Run, RunName};
use crate::{Error, Result};
use ko_eval_core::Fingerprint;
use ko_eval_io::files::write_atomically;
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// What the files' names end in.
const ENDING: &str = "run.jsonl";
/// The form of the file.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Head {
    #[serde(rename = "ko-eval-run")]
    version: u32,
    sha256: String,
}

/// The runs of a folder, by date and then by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    runs: Vec<Run>,
}

impl History {
    /// Keeps a run in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// [`Error::RunExists`], or a file that cannot be written.
    pub fn save(folder: &Path, run: &Run) -> Result<PathBuf> {
        let path = path_of(folder, &run.name);
        if path.exists() {
            return Err(Error::RunExists { path });
        }
        let json = |e| ko_eval_core::Error::source("writing a run", e);
        let body = serde_json::to_string(run).map_err(json)?;
        let sha256 = Fingerprint::new().bytes(body.as_bytes()).hex();
        let head = serde_json::to_string(&Head { version: VERSION, sha256 }).map_err(json)?;
        write_atomically(&path, format!("{head}\n{body}\n").as_bytes())?;
        Ok(path)
    }

    /// Whether a run of this name can be kept in a folder.
    ///
    /// # Errors
    /// [`Error::RunExists`].
    pub fn check_new(folder: &Path, name: &RunName) -> Result<()> {
        match path_of(folder, name) {
            path if path.exists() => Err(Error::RunExists { path }),
            _ => Ok(()),
        }
    }

    /// Reads all runs of a folder.
    ///
    /// # Errors
    /// A folder or a file that cannot be read, [`Error::BadRun`] if a file is no run or was changed.
    pub fn open(folder: &Path) -> Result<Self> {
        let io = |e| Error::from(ko_eval_core::Error::io(folder, e));
        let mut runs = Vec::new();
        for entry in fs::read_dir(folder).map_err(io)? {
            let path = entry.map_err(io)?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            // Drafts of files that are being written are hidden.
            if name.ends_with(&format!(".{ENDING}")) && !name.starts_with('.') {
                runs.push(read(&path)?);
            }
        }
        runs.sort_by(|a, b| (&a.date, &a.name).cmp(&(&b.date, &b.name)));
        Ok(Self { runs })
    }

    /// The runs, the earliest first.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }
}

fn path_of(folder: &Path, name: &RunName) -> PathBuf {
    folder.join(format!("{name}.{ENDING}"))
}

fn read(path: &Path) -> Result<Run> {
    let bad = |reason: String| Error::BadRun { path: path.to_owned(), reason };
    let text = fs::read_to_string(path).map_err(|e| ko_eval_core::Error::io(path, e))?;
    let (head, body) = text
        .split_once('\n')
        .ok_or_else(|| bad("it is no run of `ko-eval compare --save`".into()))?;
    let head: Head = serde_json::from_str(head).map_err(|e| bad(format!("it is no run: {e}")))?;
    if head.version != VERSION {
        return Err(bad(format!("it has version {}, and this reads {VERSION}", head.version)));
    }
    let body = body.strip_suffix('\n').unwrap_or(body);
    if Fingerprint::new().bytes(body.as_bytes()).hex() != head.sha256 {
        return Err(bad("its checksum is wrong: it was changed, or is not whole".into()));
    }
    let run: Run = serde_json::from_str(body).map_err(|e| bad(format!("it is no run: {e}")))?;
    if path.file_name().and_then(|n| n.to_str()) != Some(&format!("{}.{ENDING}", run.name)) {
        return Err(bad(format!("it holds the run `{}`", run.name)));
    }
    let scores = run.systems.iter().flat_map(|system| &system.scores);
    match scores.map(|score| score.statistics.segments.len()).find(|n| *n != run.segments.len()) {
        Some(n) => {
            Err(bad(format!("it has {} segments, but statistics of {n}", run.segments.len())))
        }
        None => Ok(run),
    }
}
