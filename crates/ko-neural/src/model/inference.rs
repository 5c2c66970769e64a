//! How a loaded model runs.

use super::place::Place;
use crate::{
    Device, LongText, Precision,
    error::{Error, Result},
};
use ko_eval_core::Signature;

/// The device, the precision, threads, batches and the policy for long texts; the same for every model.
///
/// ```
/// use ko_neural::{Device, Inference, LongText, Precision};
///
/// let inference = Inference::new().long_text(LongText::Truncate).threads(2);
/// let on_a_card = Inference::new().device(Device::Cuda(0)).precision(Precision::F16);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inference {
    pub(crate) threads: usize,
    pub(crate) batch_tokens: usize,
    pub(crate) long_text: LongText,
    pub(crate) device: Device,
    pub(crate) precision: Precision,
}

impl Inference {
    /// The best device that is there, single precision, all cores, batches of 512 tokens, an error for a text longer than the model.
    pub fn new() -> Self {
        Self {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            batch_tokens: 512,
            long_text: LongText::Error,
            device: Device::Auto,
            precision: Precision::F32,
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

    /// Where the model runs.
    #[must_use]
    pub fn device(self, device: Device) -> Self {
        Self { device, ..self }
    }

    /// The numbers that products are made in.
    #[must_use]
    pub fn precision(self, precision: Precision) -> Self {
        Self { precision, ..self }
    }

    /// Where the model runs, if all settings are in range and the device is there.
    pub(crate) fn place(&self) -> Result<Place> {
        self.check()?;
        Place::open(self.device, self.precision)
    }

    /// What of this decides a model's numbers.
    pub(crate) fn sign(&self, signature: Signature) -> Signature {
        signature.with("precision", self.precision).with("long", self.long_text.name())
    }

    fn check(&self) -> Result<()> {
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
