//! How far a training is, as its checkpoint says: `checkpoint.json`, which points to the tensors of one step.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

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

/// The position and what it belongs to.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head {
    pub(crate) position: Position,
    pub(crate) training: serde_json::Value,
    /// A number made of the examples' lengths, see `of_examples`.
    pub(crate) examples: u64,
    pub(crate) file: String,
}

impl Head {
    /// The file's name.
    pub(crate) const NAME: &str = "checkpoint.json";

    /// The name of the file that holds a step's tensors.
    pub(crate) fn file_of(position: &Position) -> String {
        format!("step-{}.safetensors", position.step)
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

    /// What such a file says. It names no other file than its step's: nothing else of this machine is opened because of it.
    pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Self> {
        let head: Self =
            serde_json::from_slice(bytes).map_err(|e| Error::bad(path, e.to_string()))?;
        if head.file != Self::file_of(&head.position) {
            let reason = format!("step {} does not lie in `{}`", head.position.step, head.file);
            return Err(Error::bad(path, reason));
        }
        Ok(head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_points_to_its_own_step() {
        let json = |file: &str| {
            format!(
                r#"{{"position":{{"step":3,"best":null,"without_gain":0,"stopped":false,"recent":[0.5]}},"training":{{}},"examples":1,"file":"{file}"}}"#
            )
        };
        let parse = |json: String| Head::parse(Path::new(Head::NAME), json.as_bytes());
        assert_eq!(parse(json("step-3.safetensors")).unwrap().position.step, 3);
        let error = parse(json("../../other.bin")).unwrap_err().to_string();
        assert!(error.contains("step 3 does not lie in `../../other.bin`"), "{error}");
        assert!(parse(json("step-3.safetensors").replace("examples", "example")).is_err());
    }
}
