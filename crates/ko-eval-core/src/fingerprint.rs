//! Checksums: what tells whether two things are the same without looking at both.

use crate::{Error, Result};
use sha2::{Digest as _, Sha256};
use std::{fmt::Write as _, fs::File, io::Read, path::Path};

/// A SHA-256 over bytes, texts and files.
///
/// ```
/// use ko_eval_core::Fingerprint;
///
/// let of = |parts: &[&str]| parts.iter().fold(Fingerprint::new(), |f, part| f.text(part)).hex();
/// assert_eq!(of(&["비가", "온다"]), of(&["비가", "온다"]));
/// assert_ne!(of(&["비가", "온다"]), of(&["비가온다"]), "where a text ends counts");
/// assert_eq!(Fingerprint::new().bytes(b"abc").hex()[..8], *"ba7816bf");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Fingerprint(Sha256);

/// Digits of a fingerprint in a signature: enough that no two models share them by chance.
const SHORT: usize = 16;

impl Fingerprint {
    /// Of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds bytes as they are.
    #[must_use]
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.update(bytes);
        self
    }

    /// Adds a text and where it ends.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        self.bytes(&(text.len() as u64).to_le_bytes()).bytes(text.as_bytes())
    }

    /// Adds a file's bytes.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read.
    pub fn file(mut self, path: &Path) -> Result<Self> {
        let mut file = File::open(path).map_err(|e| Error::io(path, e))?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            let read = file.read(&mut buffer).map_err(|e| Error::io(path, e))?;
            match buffer.get(..read) {
                None | Some([]) => return Ok(self),
                Some(bytes) => self.0.update(bytes),
            }
        }
    }

    /// All 64 hexadecimal digits.
    pub fn hex(self) -> String {
        self.digest().iter().fold(String::new(), |mut hex, byte| {
            // Writing to a text cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }

    /// The first 16 digits, for signatures.
    pub fn short(self) -> String {
        self.digits(SHORT)
    }

    /// The first so many digits.
    pub fn digits(self, count: usize) -> String {
        let mut hex = self.hex();
        hex.truncate(count);
        hex
    }

    /// All 32 bytes.
    pub fn digest(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}
