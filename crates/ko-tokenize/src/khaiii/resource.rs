//! The resource folder: which files there are, and whether they fit together.

use super::{
    error::{KhaiiiError, missing},
    error_patches::ErrorPatches,
    network::{Layer, Network, RESERVED_ROWS, Weights},
    preanalysis::Preanalysis,
    restoration::Restoration,
};
use crate::{
    error::{Error, Result},
    fingerprint::fingerprint,
    shared::{self, Shared},
};
use ko_eval_core::Fingerprint;
use serde::Deserialize;
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Parts of speech: tag numbers 1 to 46, in this order.
pub(super) const TAGS: [&str; 46] = [
    "EC", "EF", "EP", "ETM", "ETN", "IC", "JC", "JKB", "JKC", "JKG", "JKO", "JKQ", "JKS", "JKV",
    "JX", "MAG", "MAJ", "MM", "NNB", "NNG", "NNP", "NP", "NR", "SE", "SF", "SH", "SL", "SN", "SO",
    "SP", "SS", "SW", "SWK", "VA", "VCN", "VCP", "VV", "VX", "XPN", "XR", "XSA", "XSN", "XSV",
    "ZN", "ZV", "ZZ",
];

/// The folder that is used when none is named: `KHAIII_RESOURCE_DIR`, else `khaiii` in [`home`](ko_eval_io::home).
pub fn folder() -> PathBuf {
    let named = env::var_os("KHAIII_RESOURCE_DIR").filter(|folder| !folder.is_empty());
    named.map_or_else(|| ko_eval_io::home().join("khaiii"), PathBuf::from)
}

/// A loaded resource folder, to be shared.
pub struct Resource {
    pub(super) network: Network,
    pub(super) preanalysis: Preanalysis,
    pub(super) patches: ErrorPatches,
    pub(super) restoration: Restoration,
    checksum: String,
}

/// The resources in use, by folder and fingerprint.
static LOADED: Shared<(PathBuf, String), Resource> = Shared::new();

/// The files of a folder, in order.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for file in fs::read_dir(folder)? {
        let file = file?;
        if file.path().is_file() {
            names.push(file.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// What `config.json` says.
#[derive(Deserialize)]
struct Config {
    vocab_size: usize,
    embed_dim: usize,
    window: usize,
    hidden_dim: usize,
    class_num: usize,
    conv_kernels: Vec<usize>,
}

impl Resource {
    /// Reads a folder as Khaiii's build installs it, or shares what is in use already: a folder is loaded once per process
    /// as long as its files stay the same.
    ///
    /// # Errors
    /// A file that is missing, is not as long as the settings say, or holds what cannot be; the error names it.
    pub fn load(folder: &Path) -> Result<Arc<Self>> {
        if !folder.is_dir() {
            return Err(missing(folder));
        }
        let files = names(folder).map_err(Error::io(folder))?;
        let version = fingerprint(folder, &files)?;
        LOADED.get((shared::canonical(folder), version), || {
            Self::read(folder, &|path| fs::read(path))
        })
    }

    /// From files that lie in memory, by their names: for tests of thousands of damaged ones.
    ///
    /// # Errors
    /// Those of [`Resource::load`].
    #[doc(hidden)]
    pub fn from_memory(file: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Self> {
        let read = |path: &Path| path.to_str().and_then(file).ok_or(io::ErrorKind::NotFound.into());
        Self::read(Path::new(""), &read)
    }

    fn read(folder: &Path, read: &dyn Fn(&Path) -> io::Result<Vec<u8>>) -> Result<Self> {
        let mut files = Files { folder, read, checksum: Fingerprint::new() };
        let config = files.config()?;
        let network = Network::new(files.weights(&config)?);
        let restoration = Restoration::read(
            &files.read("restore.key")?,
            &files.read("restore.val")?,
            files.read("restore.one")?,
        )?;
        let classes = restoration.classes();
        if config.class_num >= classes {
            return Err(KhaiiiError::Setting {
                path: folder.join("config.json"),
                name: "class_num",
                value: config.class_num,
                expected: format!("at most {}, as restore.one has them", classes - 1),
            }
            .into());
        }
        let preanalysis =
            Preanalysis::read(&files.read("preanal.tri")?, &files.read("preanal.val")?, classes)?;
        let patches = ErrorPatches::read(
            &files.read("errpatch.tri")?,
            &files.read("errpatch.len")?,
            &files.read("errpatch.val")?,
            classes,
        )?;
        let checksum = files.checksum.digits(12);
        Ok(Self { network, preanalysis, patches, restoration, checksum })
    }

    /// The first twelve digits of the SHA-256 of all files: models and dictionaries have no version inside.
    pub fn checksum(&self) -> &str {
        &self.checksum
    }
}

impl std::fmt::Debug for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Resource").field("checksum", &self.checksum).finish_non_exhaustive()
    }
}

/// The bytes of a file, and its path for errors.
pub(super) struct File {
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
}

impl File {
    /// Its bytes in pieces of one size.
    pub(super) fn entries<const N: usize>(&self) -> Result<&[[u8; N]], KhaiiiError> {
        let (entries, rest) = self.bytes.as_chunks();
        if rest.is_empty() { Ok(entries) } else { Err(self.size(format!("a multiple of {N}"))) }
    }

    /// That it is not as long as it should be.
    pub(super) fn size(&self, expected: String) -> KhaiiiError {
        KhaiiiError::Size { path: self.path.clone(), found: self.bytes.len(), expected }
    }

    /// That an entry cannot be.
    pub(super) fn damaged(&self, at: usize, reason: impl Into<String>) -> KhaiiiError {
        KhaiiiError::Damaged { path: self.path.clone(), at, reason: reason.into() }
    }

    /// As many entries of four bytes as are expected.
    fn words(&self, expected: usize) -> Result<&[[u8; 4]], KhaiiiError> {
        match self.entries()? {
            words if words.len() == expected => Ok(words),
            _ => Err(self.size((4 * expected).to_string())),
        }
    }

    /// As many numbers as are expected.
    fn floats(&self, expected: usize) -> Result<Vec<f32>, KhaiiiError> {
        self.finite(self.words(expected)?, 0)
    }

    /// `rows` code points, then a row of `width` numbers for each.
    fn keyed_floats(&self, rows: usize, width: usize) -> Result<(Vec<u32>, Vec<f32>), KhaiiiError> {
        let (keys, numbers) = self.words(rows * (width + 1))?.split_at(rows);
        let keys = keys.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        Ok((keys, self.finite(numbers, rows)?))
    }

    /// Numbers that must be finite; `at` is the number of the first entry.
    fn finite(&self, words: &[[u8; 4]], at: usize) -> Result<Vec<f32>, KhaiiiError> {
        let numbers: Vec<_> = words.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        match numbers.iter().position(|number| !number.is_finite()) {
            Some(bad) => Err(self.damaged(at + bad, "not a finite number")),
            None => Ok(numbers),
        }
    }
}

/// Reads files, and adds them to the checksum.
struct Files<'f> {
    folder: &'f Path,
    read: &'f dyn Fn(&Path) -> io::Result<Vec<u8>>,
    checksum: Fingerprint,
}

impl Files<'_> {
    fn read(&mut self, name: &str) -> Result<File> {
        let path = self.folder.join(name);
        let bytes = (self.read)(&path).map_err(Error::io(&path))?;
        self.checksum = std::mem::take(&mut self.checksum).bytes(&bytes);
        Ok(File { path, bytes })
    }

    fn config(&mut self) -> Result<Config> {
        let file = self.read("config.json")?;
        let config: Config = serde_json::from_slice(&file.bytes)
            .map_err(|source| KhaiiiError::Config { path: file.path.clone(), source })?;
        let within =
            |name, value: usize, least: usize, most: usize| match (least..=most).contains(&value) {
                true => Ok(()),
                false => Err(KhaiiiError::Setting {
                    path: file.path.clone(),
                    name,
                    value,
                    expected: format!("{least} to {most}"),
                }),
            };
        // Bounds far beyond any model, so that no product below overflows.
        within("vocab_size", config.vocab_size, RESERVED_ROWS, 1 << 16)?;
        within("embed_dim", config.embed_dim, 1, 1 << 12)?;
        within("window", config.window, 1, 32)?;
        within("hidden_dim", config.hidden_dim, 1, 1 << 16)?;
        within("class_num", config.class_num, 1, (1 << 12) - 1)?;
        within("conv_kernels", config.conv_kernels.len(), 1, 16)?;
        for &kernel in &config.conv_kernels {
            within("conv_kernels", kernel, 1, 2 * config.window + 1)?;
        }
        Ok(config)
    }

    fn weights(&mut self, config: &Config) -> Result<Weights> {
        let (vocabulary, width) = (config.vocab_size, config.embed_dim);
        let embeddings = self.read("embed.bin")?;
        let (characters, embeddings) = embeddings.keyed_floats(vocabulary, width)?;
        let mut kernels = Vec::with_capacity(config.conv_kernels.len());
        for &kernel in &config.conv_kernels {
            kernels.push(self.layer(&format!("conv.{kernel}.fil"), kernel * width, width)?);
        }
        let features = width * config.conv_kernels.len();
        Ok(Weights {
            width,
            window: config.window,
            characters,
            embeddings,
            kernels,
            hidden: self.layer("cnv2hdn.lin", features, config.hidden_dim)?,
            tags: self.layer("hdn2tag.lin", config.hidden_dim, config.class_num)?,
        })
    }

    /// Weights, one row per output, then biases.
    fn layer(&mut self, name: &str, inputs: usize, outputs: usize) -> Result<Layer> {
        let mut weights = self.read(name)?.floats(outputs * (inputs + 1))?;
        let bias = weights.split_off(outputs * inputs);
        Ok(Layer { inputs, weights, bias })
    }
}
