//! The numbers of a model folder: `model.safetensors`, or `pytorch_model.bin` read as data; whole, or in the shards
//! that an index names.

use super::{pickle, shards};
use crate::error::{Error, Result};
use ko_eval_core::files::write_atomically;
use safetensors::{Dtype, SafeTensors};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use tch::Tensor;

/// A tensor as it lies in a file, its numbers widened or narrowed to `f32`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Raw {
    pub(crate) shape: Vec<usize>,
    pub(crate) data: Vec<f32>,
}

/// A kind of floating-point number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// Tensors by the names of their file; a network takes what it needs, checked.
#[derive(Debug)]
pub(crate) struct Tensors {
    /// The only file, or the index of several.
    path: PathBuf,
    /// Before every name, as in `bert.embeddings…`; empty for a bare encoder's file.
    prefix: String,
    raw: BTreeMap<String, Raw>,
    /// The file of every tensor that does not lie in `path` itself.
    shards: BTreeMap<String, PathBuf>,
    taken: BTreeMap<String, Tensor>,
}

impl Tensors {
    /// The weights of a model folder.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        for name in ["model.safetensors", "pytorch_model.bin"] {
            let path = folder.join(name);
            if path.is_file() {
                return Self::read(path);
            }
            let index = folder.join(format!("{name}.index.json"));
            if index.is_file() {
                return Self::read_shards(folder, index);
            }
        }
        let expected = "model.safetensors or pytorch_model.bin, nor an index of their shards";
        Err(Error::MissingFile { folder: folder.into(), expected: expected.into() })
    }

    /// One file, by its ending.
    pub(crate) fn read(path: PathBuf) -> Result<Self> {
        let raw = tensors(&path)?.into_iter().map(|(name, raw)| (modern(name), raw)).collect();
        let (prefix, shards) = (String::new(), BTreeMap::new());
        Ok(Self { path, prefix, raw, shards, taken: BTreeMap::new() })
    }

    /// The files of an index; each must hold what the index says.
    fn read_shards(folder: &Path, index: PathBuf) -> Result<Self> {
        let (mut raw, mut shards) = (BTreeMap::new(), BTreeMap::new());
        for (path, names) in shards::read(folder, &index)? {
            let mut found = tensors(&path)?;
            for name in names {
                // Integers, such as a buffer of positions, are no weights.
                if let Some(tensor) = found.remove(&name) {
                    shards.insert(modern(name.clone()), path.clone());
                    raw.insert(modern(name), tensor);
                }
            }
        }
        Ok(Self { path: index, prefix: String::new(), raw, shards, taken: BTreeMap::new() })
    }

    /// Tensors of a network that exists, to build its twin over the same numbers.
    pub(crate) fn shared(parameters: &BTreeMap<String, Tensor>) -> Self {
        let share = |(name, tensor): (&String, &Tensor)| (name.clone(), tensor.shallow_clone());
        let taken = parameters.iter().map(share).collect();
        let (raw, shards) = (BTreeMap::new(), BTreeMap::new());
        Self { path: PathBuf::new(), prefix: String::new(), raw, shards, taken }
    }

    /// Chooses the first prefix under which `probe` exists; none of them leaves the bare names.
    pub(crate) fn under(mut self, prefixes: &[&str], probe: &str) -> Self {
        let found = prefixes.iter().find(|p| self.raw.contains_key(&format!("{p}{probe}")));
        self.prefix = found.copied().unwrap_or_default().to_owned();
        self
    }

    /// A tensor of the expected shape, all finite; the second request shares the first's numbers.
    pub(crate) fn take(&mut self, name: &str, expected: &[i64]) -> Result<Tensor> {
        if let Some(tensor) = self.taken.get(name) {
            return Ok(tensor.shallow_clone());
        }
        let full = format!("{}{name}", self.prefix);
        let raw = self.raw.remove(&full).ok_or_else(|| Error::MissingTensor {
            path: self.path.clone(),
            tensor: full.clone(),
            expected: expected.to_vec(),
        })?;
        let path = || self.shards.get(&full).unwrap_or(&self.path).clone();
        let found: Vec<i64> =
            raw.shape.iter().map(|&size| i64::try_from(size).unwrap_or(i64::MAX)).collect();
        if found != expected {
            let (path, expected) = (path(), expected.to_vec());
            return Err(Error::WrongShape { path, tensor: full, expected, found });
        }
        if let Some(&value) = raw.data.iter().find(|value| !value.is_finite()) {
            return Err(Error::NotFinite { path: path(), tensor: full, value });
        }
        let tensor = Tensor::f_from_slice(&raw.data)?.f_reshape(expected)?;
        self.taken.insert(name.to_owned(), tensor.shallow_clone());
        Ok(tensor)
    }

    /// What was taken, by bare name: the network's parameters.
    pub(crate) fn into_parameters(self) -> BTreeMap<String, Tensor> {
        self.taken
    }
}

/// Every tensor of floating-point numbers in a file, by the file's own names.
fn tensors(path: &Path) -> Result<BTreeMap<String, Raw>> {
    let bytes = std::fs::read(path).map_err(|e| Error::io(path, e))?;
    if path.extension().is_none_or(|end| end != "safetensors") {
        return pickle::read(path, &bytes);
    }
    let file = SafeTensors::deserialize(&bytes).map_err(|e| Error::bad(path, e.to_string()))?;
    let tensors = file.iter().filter_map(|(name, view)| {
        let data = Element::from_dtype(view.dtype())?.decode(view.data());
        Some((name.to_owned(), Raw { shape: view.shape().to_vec(), data }))
    });
    Ok(tensors.collect())
}

/// TensorFlow's names of a norm's tensors live on in old files.
fn modern(name: String) -> String {
    match (name.strip_suffix(".gamma"), name.strip_suffix(".beta")) {
        (Some(stem), _) => format!("{stem}.weight"),
        (None, Some(stem)) => format!("{stem}.bias"),
        (None, None) => name,
    }
}

/// Writes tensors as safetensors, whole or not at all.
pub(crate) fn save<'t>(
    path: &Path,
    tensors: impl IntoIterator<Item = (String, &'t Tensor)>,
) -> Result<()> {
    let mut buffers = Vec::new();
    for (name, tensor) in tensors {
        let mut data = vec![0f32; tensor.numel()];
        tensor.f_detach()?.f_contiguous()?.f_copy_data(&mut data, tensor.numel())?;
        let bytes: Vec<u8> = data.iter().flat_map(|value| value.to_le_bytes()).collect();
        let shape: Vec<usize> =
            tensor.size().iter().map(|&size| usize::try_from(size).unwrap_or(0)).collect();
        buffers.push((name, shape, bytes));
    }
    let fail = |e: safetensors::SafeTensorError| Error::bad(path, e.to_string());
    let mut views = Vec::with_capacity(buffers.len());
    for (name, shape, bytes) in &buffers {
        let view = safetensors::tensor::TensorView::new(Dtype::F32, shape.clone(), bytes);
        views.push((name.as_str(), view.map_err(fail)?));
    }
    let bytes = safetensors::serialize(views, None).map_err(fail)?;
    Ok(write_atomically(path, &bytes)?)
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
