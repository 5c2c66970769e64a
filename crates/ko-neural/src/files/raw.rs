//! The tensors of one file of weights: `*.safetensors`, or a pickle read as data.

use super::{checked, pickle};
use crate::error::{Error, Result};
use safetensors::{Dtype, SafeTensors};
use std::{collections::BTreeMap, path::Path, sync::Arc};

/// A tensor as it lies in a file, its numbers widened or narrowed to `f32`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Raw {
    pub(crate) shape: Vec<usize>,
    /// Shared by tensors that are the same.
    pub(crate) data: Arc<Vec<f32>>,
}

/// A kind of floating-point number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Element {
    F16,
    Bf16,
    F32,
    F64,
}

impl Element {
    /// By PyTorch's name of a storage; `None` for integers.
    pub(crate) fn from_storage(kind: &str) -> Option<Self> {
        match kind {
            "torch.HalfStorage" => Some(Self::F16),
            "torch.BFloat16Storage" => Some(Self::Bf16),
            "torch.FloatStorage" => Some(Self::F32),
            "torch.DoubleStorage" => Some(Self::F64),
            _ => None,
        }
    }

    fn from_dtype(dtype: Dtype) -> Option<Self> {
        match dtype {
            Dtype::F16 => Some(Self::F16),
            Dtype::BF16 => Some(Self::Bf16),
            Dtype::F32 => Some(Self::F32),
            Dtype::F64 => Some(Self::F64),
            _ => None,
        }
    }

    /// Bytes of one number.
    pub(crate) fn width(self) -> usize {
        match self {
            Self::F16 | Self::Bf16 => 2,
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Little-endian numbers; bytes that do not fill a last one are left out.
    pub(crate) fn decode(self, bytes: &[u8]) -> Vec<f32> {
        match self {
            Self::F16 => bytes.as_chunks().0.iter().map(|b| half(u16::from_le_bytes(*b))).collect(),
            Self::Bf16 => {
                let wide = |b: &[u8; 2]| f32::from_bits(u32::from(u16::from_le_bytes(*b)) << 16);
                bytes.as_chunks().0.iter().map(wide).collect()
            }
            Self::F32 => bytes.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect(),
            Self::F64 => {
                bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b) as f32).collect()
            }
        }
    }
}

/// IEEE 754 half precision.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f32::from(bits & 0x3ff) / 1024.0;
    match exponent {
        0 => sign * fraction * 2f32.powi(-14),
        31 if fraction == 0.0 => sign * f32::INFINITY,
        31 => f32::NAN,
        _ => sign * (1.0 + fraction) * 2f32.powi(exponent - 15),
    }
}

/// Every tensor of floating-point numbers in a file, by the file's own names.
pub(crate) fn read(path: &Path) -> Result<BTreeMap<String, Raw>> {
    parse(path, &checked::read(path)?)
}

/// The same of the bytes of a file; its ending says what they are.
pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<BTreeMap<String, Raw>> {
    if path.extension().is_none_or(|end| end != "safetensors") {
        return pickle::read(path, bytes);
    }
    let file = SafeTensors::deserialize(bytes).map_err(|e| Error::bad(path, e.to_string()))?;
    let tensors = file.iter().filter_map(|(name, view)| {
        let data = Element::from_dtype(view.dtype())?.decode(view.data());
        Some((name.to_owned(), Raw { shape: view.shape().to_vec(), data: Arc::new(data) }))
    });
    Ok(tensors.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_numbers_widen() {
        for (bits, value) in [
            (0x3c00u16, 1.0f32),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0x7bff, 65504.0),
            (0xfc00, f32::NEG_INFINITY),
        ] {
            assert_eq!(Element::F16.decode(&bits.to_le_bytes()), [value]);
        }
        assert!(half(0x7e00).is_nan());
        assert_eq!(Element::Bf16.decode(&0x4049u16.to_le_bytes()), [3.140_625]);
        assert_eq!(Element::F64.decode(&0.5f64.to_le_bytes()), [0.5]);
    }
}
