//! Where a model runs, and in which numbers. Known whether models are compiled in or not, because metrics over models always
//! stand in the table.
//!
//! ```
//! use ko_neural::{Device, Precision};
//!
//! assert_eq!("cuda:1".parse::<Device>()?, Device::Cuda(1));
//! assert_eq!("cuda".parse::<Device>()?.to_string(), "cuda:0");
//! assert!("gpu".parse::<Device>().is_err());
//! assert_eq!("bf16".parse::<Precision>()?, Precision::Bf16);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use ko_eval_core::{
    Error, Param, Result,
    setting::{Choice, Opens, Preset, Setting, Values},
};
use serde::Serialize;
use std::{fmt, str::FromStr};

/// Where a model's numbers lie and its products are made.
///
/// No signature names it: what differs between devices is the order in which sums are made, and with it the last bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Device {
    /// The first CUDA device, else Apple's graphics, else the processor.
    #[default]
    Auto,
    /// The processor.
    Cpu,
    /// A CUDA device by its number.
    Cuda(usize),
    /// Apple's graphics.
    Mps,
}

impl Device {
    /// The setting, for rows of metrics over models.
    pub const SETTING: DeviceSetting = DeviceSetting;
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(number) => write!(f, "cuda:{number}"),
            Self::Mps => f.write_str("mps"),
        }
    }
}

impl FromStr for Device {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::SETTING.parse("models", text)
    }
}

/// The setting `device`.
#[derive(Debug, Clone, Copy)]
pub struct DeviceSetting;

impl DeviceSetting {
    /// The declaration, for a row's table.
    pub const fn param(&self) -> Param {
        Param {
            name: "device",
            default: Preset::Text("auto"),
            values: Values::Text("auto, cpu, cuda, cuda:N or mps"),
            help: "where the model runs",
            opens: Opens::Nothing,
            lifts_range: false,
        }
    }
}

impl Setting for DeviceSetting {
    type Value = Device;

    fn described(&self) -> Param {
        self.param()
    }

    fn default_value(&self) -> Device {
        Device::Auto
    }

    fn parse(&self, owner: &str, text: &str) -> Result<Device> {
        let device = match text {
            "auto" => Some(Device::Auto),
            "cpu" => Some(Device::Cpu),
            "cuda" => Some(Device::Cuda(0)),
            "mps" => Some(Device::Mps),
            _ => text.strip_prefix("cuda:").and_then(|n| n.parse().ok()).map(Device::Cuda),
        };
        let param = self.param();
        device.ok_or_else(|| Error::invalid(owner, param.name, text, param.expected()))
    }
}

/// The numbers that a model's products are made in; sums, norms and what comes out are single-precision always.
///
/// It decides the last digits of every score, so signatures name it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// Single precision.
    #[default]
    F32,
    /// `bfloat16`: the range of single precision with 8 bits of a number. On a processor by oneDNN, which is fast where there
    /// is AVX512-BF16 or AMX.
    Bf16,
    /// Half precision: 11 bits of a number, but none above 65,504. For graphics cards.
    F16,
}

impl Precision {
    /// The setting, for rows of metrics over models.
    pub const SETTING: Choice<Self> = Choice::new(
        "precision",
        &[("f32", Self::F32), ("bf16", Self::Bf16), ("f16", Self::F16)],
        "the numbers that products are made in",
    );

    /// The word for signatures and command lines.
    pub fn name(self) -> &'static str {
        Self::SETTING.word(&self)
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Precision {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::SETTING.parse("models", text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_and_others_are_refused() {
        for device in [Device::Auto, Device::Cpu, Device::Cuda(0), Device::Cuda(12), Device::Mps] {
            assert_eq!(device.to_string().parse::<Device>().unwrap(), device);
        }
        for text in ["", "CPU", "cuda:", "cuda:-1", "cuda:a", "cuda 1", "vulkan"] {
            let error = text.parse::<Device>().unwrap_err().to_string();
            assert!(error.contains("auto, cpu, cuda, cuda:N or mps"), "{error}");
        }
        for precision in [Precision::F32, Precision::Bf16, Precision::F16] {
            assert_eq!(precision.to_string().parse::<Precision>().unwrap(), precision);
        }
        assert!("f64".parse::<Precision>().is_err());
    }
}
