//! How a loaded model runs.

use crate::LongText;
use crate::error::{Error, Result};

/// Threads, batches and the policy for long texts; the same for every model.
///
/// ```
/// use ko_neural::{Inference, LongText};
///
/// let inference = Inference::new().long_text(LongText::Truncate).threads(2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inference {
    pub(crate) threads: usize,
    pub(crate) batch_tokens: usize,
    pub(crate) long_text: LongText,
}

impl Inference {
    /// All cores, batches of 512 tokens, an error for a text longer than the model.
    pub fn new() -> Self {
        Self {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            batch_tokens: 512,
            long_text: LongText::Error,
        }
    }

    /// How many batches run at a time; each takes one core.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// The most tokens of a batch: more memory, hardly more speed.
    #[must_use]
    pub fn batch_tokens(self, batch_tokens: usize) -> Self {
        Self { batch_tokens, ..self }
    }

    /// What happens to a text that is longer than the model reads.
    #[must_use]
    pub fn long_text(self, long_text: LongText) -> Self {
        Self { long_text, ..self }
    }

    pub(crate) fn check(&self) -> Result<()> {
        for (name, value) in [("threads", self.threads), ("batch tokens", self.batch_tokens)] {
            if value == 0 {
                return Err(Error::setting(name, value, "at least 1"));
            }
        }
        Ok(())
    }
}

impl Default for Inference {
    fn default() -> Self {
        Self::new()
    }
}
