//! Findings on disk: what a probe found once is not looked for again.
//!
//! A finding is a file of its own, named after all that it depends on, the vectors included. Its first line is the
//! SHA-256 of the second; a file that is not as it was written is as good as none.

use crate::{error::Result, findings::Finding};
use ko_eval_core::Fingerprint;
use ko_eval_io::files::write_atomically;
use std::{fs, path::PathBuf};

/// The file of one finding.
#[derive(Debug)]
pub(crate) struct Kept(PathBuf);

impl Kept {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// What was found, if it was kept whole.
    pub(crate) fn read(&self) -> Option<Finding> {
        let text = fs::read_to_string(&self.0).ok()?;
        let (check, body) = text.split_once('\n')?;
        (check == check_of(body)).then(|| serde_json::from_str(body).ok())?
    }

    pub(crate) fn write(&self, finding: &Finding) -> Result<()> {
        let json = |error| ko_eval_core::Error::source("keeping a finding", error);
        let body = serde_json::to_string(finding).map_err(json)?;
        Ok(write_atomically(&self.0, format!("{}\n{body}", check_of(&body)).as_bytes())?)
    }
}

fn check_of(body: &str) -> String {
    Fingerprint::new().bytes(body.as_bytes()).hex()
}
