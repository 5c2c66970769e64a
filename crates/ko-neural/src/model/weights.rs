//! The numbers of a model folder: `model.safetensors`, or `pytorch_model.bin` read as data; whole, or in the shards
//! that an index names.

use crate::{
    error::{Error, Result},
    files::{
        index,
        raw::{self, Raw},
    },
};
use ko_eval_core::files::write_atomically;
use safetensors::Dtype;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use tch::Tensor;

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
        let raw = raw::read(&path)?.into_iter().map(|(name, raw)| (modern(name), raw)).collect();
        let (prefix, shards) = (String::new(), BTreeMap::new());
        Ok(Self { path, prefix, raw, shards, taken: BTreeMap::new() })
    }

    /// The files of an index; each must hold what the index says.
    fn read_shards(folder: &Path, index: PathBuf) -> Result<Self> {
        let (mut raw, mut shards) = (BTreeMap::new(), BTreeMap::new());
        for (path, names) in index::read(folder, &index)? {
            let mut found = raw::read(&path)?;
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
