//! What a dictionary says about itself.

use serde::{Deserialize, Serialize};

/// What a dictionary says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) sha256: String,
    pub(super) entries: usize,
}

impl Manifest {
    /// The dictionary's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// SHA-256 over the compiled files it was built from.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// How many words it holds.
    pub fn entries(&self) -> usize {
        self.entries
    }
}
