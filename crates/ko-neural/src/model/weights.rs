//! The numbers of a model folder: `model.safetensors`, or `pytorch_model.bin` read as data; whole, or in the shards
//! that an index names.

use super::{
    packed::pack,
    place::{Place, numbers},
};
use crate::{
    error::{Error, Result},
    files::{
        index,
        raw::{self, Raw},
    },
};
use ko_eval_core::Fingerprint;
use ko_eval_io::files::write_atomically;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use safetensors::Dtype;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use tch::{Kind, Tensor};

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
    place: Place,
    random: Option<Random>,
}

/// What numbers that no file holds follow from.
#[derive(Debug, Clone, Copy)]
struct Random {
    seed: u64,
    /// Names that begin so must be in the file all the same.
    but: Option<&'static str>,
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
        let (taken, place) = (BTreeMap::new(), Place::cpu());
        Ok(Self { path, prefix, raw, shards, taken, place, random: None })
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
        let (taken, place) = (BTreeMap::new(), Place::cpu());
        let prefix = String::new();
        Ok(Self { path: index, prefix, raw, shards, taken, place, random: None })
    }

    /// Tensors of a network that exists, to build its twin over the same numbers.
    pub(crate) fn shared(parameters: &BTreeMap<String, Tensor>, place: Place) -> Self {
        let share = |(name, tensor): (&String, &Tensor)| (name.clone(), tensor.shallow_clone());
        let taken = parameters.iter().map(share).collect();
        let (raw, shards) = (BTreeMap::new(), BTreeMap::new());
        let (path, prefix) = (PathBuf::new(), String::new());
        Self { path, prefix, raw, shards, taken, place, random: None }
    }

    /// The same, to be put somewhere else than where the processor has them.
    pub(crate) fn at(self, place: Place) -> Self {
        Self { place, ..self }
    }

    pub(crate) fn place(&self) -> Place {
        self.place
    }

    /// No file: small random numbers, the same for the same seed, as transformers begin with.
    pub(crate) fn random(seed: u64) -> Self {
        let (raw, shards, taken) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (path, prefix) = (PathBuf::new(), String::new());
        let random = Some(Random { seed, but: None });
        Self { path, prefix, raw, shards, taken, place: Place::cpu(), random }
    }

    /// An encoder's tensors as a larger model calls them: under another prefix than their own. What does not stand under their own is no part of
    /// the encoder, and stays behind.
    pub(crate) fn renamed(self, prefix: &str) -> Self {
        let rename = |name: &str| {
            let bare = name.strip_prefix(self.prefix.as_str())?;
            Some(format!("{prefix}{bare}"))
        };
        let raw = self.raw.into_iter().filter_map(|(name, raw)| Some((rename(&name)?, raw)));
        let shards = self.shards.into_iter().filter_map(|(name, at)| Some((rename(&name)?, at)));
        let (raw, shards) = (raw.collect(), shards.collect());
        Self { prefix: String::new(), raw, shards, ..self }
    }

    /// The same, but what is not there is random.
    pub(crate) fn or_random(self, seed: u64) -> Self {
        Self { random: Some(Random { seed, but: None }), ..self }
    }

    /// The same, but what is not there is random unless its name begins with `but`.
    pub(crate) fn or_random_beside(self, seed: u64, but: &'static str) -> Self {
        Self { random: Some(Random { seed, but: Some(but) }), ..self }
    }

    /// Whether a tensor that is not there would be random.
    pub(crate) fn invents(&self, name: &str) -> bool {
        let full = format!("{}{name}", self.prefix);
        self.random.is_some_and(|random| random.but.is_none_or(|but| !full.starts_with(but)))
    }

    /// Whether there is such a tensor.
    pub(crate) fn holds(&self, name: &str) -> bool {
        self.taken.contains_key(name) || self.raw.contains_key(&format!("{}{name}", self.prefix))
    }

    /// What stands under a prefix, for a part of the model that knows its names without it.
    pub(crate) fn part(&mut self, prefix: &str) -> Self {
        let full = format!("{}{prefix}", self.prefix);
        let (part, raw) = std::mem::take(&mut self.raw)
            .into_iter()
            .partition(|(name, _)| name.starts_with(&full));
        self.raw = raw;
        let mut taken = BTreeMap::new();
        self.taken.retain(|name, tensor| match name.strip_prefix(prefix) {
            Some(bare) => {
                taken.insert(bare.to_owned(), tensor.shallow_clone());
                false
            }
            None => true,
        });
        let (path, shards) = (self.path.clone(), self.shards.clone());
        let (place, random) = (self.place, self.random);
        Self { path, prefix: full, raw: part, shards, taken, place, random }
    }

    /// What is before every name.
    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The tensors of some layers, by their full names in the file, as tensors of their own under other names.
    pub(crate) fn apart(&mut self, layers: &[(String, String)]) -> Self {
        let renamed = |full: &str| {
            layers.iter().find_map(|(from, to)| {
                let rest = full.strip_prefix(from.as_str()).filter(|r| r.starts_with('.'))?;
                Some(format!("{to}{rest}"))
            })
        };
        let (mut own, mut others) = (BTreeMap::new(), BTreeMap::new());
        for (name, tensor) in std::mem::take(&mut self.raw) {
            match renamed(&name) {
                Some(name) => own.insert(name, tensor),
                None => others.insert(name, tensor),
            };
        }
        self.raw = others;
        let (path, prefix, taken) = (self.path.clone(), String::new(), BTreeMap::new());
        let (shards, place) = (BTreeMap::new(), self.place);
        Self { path, prefix, raw: own, shards, taken, place, random: None }
    }

    /// Puts in a tensor that another part owns.
    pub(crate) fn lend(&mut self, name: &str, tensor: &Tensor) {
        self.taken.insert(name.to_owned(), tensor.shallow_clone());
    }

    /// Chooses the first prefix under which `probe` exists; none of them leaves the bare names.
    pub(crate) fn under(mut self, prefixes: &[&str], probe: &str) -> Self {
        let found = prefixes.iter().find(|p| self.raw.contains_key(&format!("{p}{probe}")));
        self.prefix = found.copied().unwrap_or_default().to_owned();
        self
    }

    /// A tensor of the expected shape, all finite, in single precision; the second request shares the first's numbers.
    pub(crate) fn take(&mut self, name: &str, expected: &[i64]) -> Result<Tensor> {
        self.take_as(name, expected, Kind::Float)
    }

    /// The same of what stands in a product, in the numbers that are kept for products.
    pub(crate) fn take_factor(&mut self, name: &str, expected: &[i64]) -> Result<Tensor> {
        self.take_as(name, expected, self.place.matrices())
    }

    /// The same of a matrix with a row per output: laid out for products where nothing is learned.
    pub(crate) fn take_matrix(&mut self, name: &str, expected: &[i64]) -> Result<Tensor> {
        let known = self.taken.contains_key(name);
        let matrix = self.take_factor(name, expected)?;
        if known || !self.place.packs() {
            return Ok(matrix);
        }
        let packed = pack(&matrix)?;
        self.taken.insert(name.to_owned(), packed.shallow_clone());
        Ok(packed)
    }

    fn take_as(&mut self, name: &str, expected: &[i64], kind: Kind) -> Result<Tensor> {
        if let Some(tensor) = self.taken.get(name) {
            return Ok(tensor.shallow_clone());
        }
        let full = format!("{}{name}", self.prefix);
        if let Some(Random { seed, .. }) = self.random.filter(|_| self.invents(name))
            && !self.raw.contains_key(&full)
        {
            let tensor = self.place.tensor(&random(&full, expected, seed))?.f_reshape(expected)?;
            self.taken.insert(name.to_owned(), tensor.shallow_clone());
            return Ok(tensor);
        }
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
        let tensor = self.place.tensor(&raw.data)?.f_reshape(expected)?.f_to_kind(kind)?;
        self.taken.insert(name.to_owned(), tensor.shallow_clone());
        Ok(tensor)
    }

    /// What was taken, by bare name: the network's parameters.
    pub(crate) fn into_parameters(self) -> BTreeMap<String, Tensor> {
        self.taken
    }
}

/// Numbers to begin with: norms change nothing, biases are 0, matrices are normal with standard deviation 0.02. Each tensor's follow from
/// its name, so no other tensor changes them.
fn random(name: &str, shape: &[i64], seed: u64) -> Vec<f32> {
    let count = usize::try_from(shape.iter().product::<i64>()).unwrap_or(0);
    match shape {
        [_] => vec![if name.ends_with(".weight") { 1.0 } else { 0.0 }; count],
        _ => {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let digest = Fingerprint::new().text(name).hex();
            rng.set_stream(digest.get(..16).map_or(0, |d| u64::from_str_radix(d, 16).unwrap_or(0)));
            let mut unit = || (rng.next_u32() >> 8) as f32 / (1 << 24) as f32;
            // Box and Muller's way from even to normal; the logarithm is never of 0.
            let mut normal = || {
                let (radius, angle) = ((-2.0 * (1.0 - unit()).ln()).sqrt(), unit());
                0.02 * radius * (std::f32::consts::TAU * angle).cos()
            };
            (0..count).map(|_| normal()).collect()
        }
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
        let bytes: Vec<u8> =
            numbers(tensor)?.iter().flat_map(|value| value.to_le_bytes()).collect();
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
