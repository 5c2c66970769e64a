//! How far a training is, as its checkpoint says: `checkpoint.json`, which points to the tensors of one step and to the best so far, with
//! their checksums.

use crate::error::{Error, Result};
use ko_eval_core::Fingerprint;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How far a training is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Position {
    pub(crate) step: usize,
    pub(crate) best: Option<f64>,
    pub(crate) without_gain: usize,
    pub(crate) stopped: bool,
    /// The losses of the last steps, oldest first.
    recent: Vec<f64>,
}

impl Position {
    const RECENT: usize = 50;

    pub(crate) fn advance(&mut self, loss: f64) {
        self.step += 1;
        if self.recent.len() == Self::RECENT {
            self.recent.remove(0);
        }
        self.recent.push(loss);
    }

    pub(crate) fn recent_loss(&self) -> f64 {
        self.recent.iter().sum::<f64>() / self.recent.len().max(1) as f64
    }
}

/// A file of tensors beside the checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stored {
    pub(crate) file: String,
    sha256: String,
}

impl Stored {
    /// A file that was written just now.
    pub(crate) fn of(folder: &Path, file: String) -> Result<Self> {
        let sha256 = Fingerprint::new().file(&folder.join(&file))?.hex();
        Ok(Self { file, sha256 })
    }

    /// The path of the file, which is what it was when it was written.
    pub(crate) fn verified(&self, folder: &Path) -> Result<PathBuf> {
        let path = folder.join(&self.file);
        let found = Fingerprint::new().file(&path)?.hex();
        if found == self.sha256 {
            return Ok(path);
        }
        let (stated_in, expected) = (folder.join(Head::NAME), self.sha256.clone());
        Err(Error::Checksum { path, stated_in, expected, found })
    }
}

/// The position and what it belongs to.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head {
    pub(crate) position: Position,
    pub(crate) training: serde_json::Value,
    /// A checksum of the examples.
    pub(crate) examples: String,
    /// A checksum of the weights that the training began with.
    pub(crate) start: String,
    /// The weights of the step, and the optimiser's moments.
    pub(crate) state: Stored,
    /// The weights with the best score, if there was any.
    pub(crate) best: Option<Stored>,
}

impl Head {
    /// The file's name.
    pub(crate) const NAME: &str = "checkpoint.json";
    const STATE: &str = "step";
    const BEST: &str = "best";

    /// The name of the file that holds a step's tensors.
    pub(crate) fn state_file(step: usize) -> String {
        file_of(Self::STATE, step)
    }

    /// The name of the file that holds the best weights, which are those of this step.
    pub(crate) fn best_file(step: usize) -> String {
        file_of(Self::BEST, step)
    }

    /// Whether a file in a checkpoint's folder is one of tensors.
    pub(crate) fn is_stored(file: &str) -> bool {
        [Self::STATE, Self::BEST].iter().any(|what| step_of(what, file).is_some())
    }

    /// The last state of a folder, if there is one.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(Self::NAME);
        if !path.is_file() {
            return Ok(None);
        }
        let bytes = std::fs::read(&path).map_err(|e| Error::io(&path, e))?;
        Self::parse(&path, &bytes).map(Some)
    }

    /// What such a file says. It names no other files than those of its own steps: nothing else of this machine is opened because of it.
    pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Self> {
        let head: Self = serde_json::from_slice(bytes).map_err(|e| {
            Error::bad(path, format!("no checkpoint: {e}; remove its folder to start anew"))
        })?;
        let Self { position, state, best, .. } = &head;
        let step = position.step;
        if state.file != Self::state_file(step) {
            return Err(Error::bad(path, format!("step {step} does not lie in `{}`", state.file)));
        }
        match best {
            Some(best) if step_of(Self::BEST, &best.file).is_none_or(|before| before > step) => {
                let reason = format!("`{}` holds no best weights up to step {step}", best.file);
                Err(Error::bad(path, reason))
            }
            _ if position.best.is_some() != best.is_some() => {
                Err(Error::bad(path, "a best score and its weights belong together"))
            }
            _ => Ok(head),
        }
    }
}

fn file_of(what: &str, step: usize) -> String {
    format!("{what}-{step}.safetensors")
}

/// The step in the name of a file of tensors.
fn step_of(what: &str, file: &str) -> Option<usize> {
    let step = file.strip_prefix(what)?.strip_prefix('-')?.strip_suffix(".safetensors")?;
    step.parse().ok().filter(|step| file_of(what, *step) == file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(state: &str, best: &str) -> String {
        format!(
            r#"{{"position":{{"step":3,"best":0.5,"without_gain":0,"stopped":false,"recent":[0.5]}},"training":{{}},"examples":"1","start":"2",
                "state":{{"file":"{state}","sha256":"3"}},"best":{{"file":"{best}","sha256":"4"}}}}"#
        )
    }

    #[test]
    fn a_checkpoint_points_to_its_own_steps() {
        let parse = |json: String| Head::parse(Path::new(Head::NAME), json.as_bytes());
        let refused = |json: String| parse(json).unwrap_err().to_string();
        let whole = || json("step-3.safetensors", "best-2.safetensors");
        assert_eq!(parse(whole()).unwrap().position.step, 3);
        let error = refused(json("../../other.bin", "best-2.safetensors"));
        assert!(error.contains("step 3 does not lie in `../../other.bin`"), "{error}");
        for best in ["best-4.safetensors", "best-../2.safetensors", "best-02.safetensors"] {
            let error = refused(json("step-3.safetensors", best));
            assert!(error.contains("holds no best weights up to step 3"), "{error}");
        }
        let error = refused(whole().replace("\"best\":0.5", "\"best\":null"));
        assert!(error.contains("belong together"), "{error}");
        let error = refused(whole().replace("examples", "example"));
        assert!(error.contains("start anew"), "{error}");
    }

    #[test]
    fn a_file_that_was_changed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("step-1.safetensors");
        std::fs::write(&path, "abc").unwrap();
        let stored = Stored::of(folder.path(), "step-1.safetensors".into()).unwrap();
        assert_eq!(stored.verified(folder.path()).unwrap(), path);
        std::fs::write(&path, "abd").unwrap();
        let error = stored.verified(folder.path()).unwrap_err();
        assert!(matches!(&error, Error::Checksum { .. }), "{error}");
        assert!(error.to_string().contains(Head::NAME), "{error}");
    }
}
