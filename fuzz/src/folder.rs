//! A folder for readers that open files by their path.

use std::{fs, path::PathBuf};

/// A folder of this process. A fuzzer ends without a farewell, so the folder is left to whoever made the one above it: `cargo xtask
/// fuzz` gives a `TMPDIR` of its own and takes it away.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder.
    pub fn new() -> Self {
        let path = std::env::temp_dir().join(format!("ko-eval-fuzz-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for temporary files");
        Self(path)
    }

    /// A file with this content.
    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).expect("room for a small file");
        path
    }

    /// The folder.
    pub fn path(&self) -> &std::path::Path {
        &self.0
    }
}

impl Default for Folder {
    fn default() -> Self {
        Self::new()
    }
}
