//! Converting MeCab's compiled dictionary.

use super::{
    context::Contexts,
    definitions,
    error::DictionaryError,
    manifest::{FORMAT, MANIFEST, Manifest},
    source::{self, Source},
};
use crate::error::{Error, Result};
use lindera_dictionary::builder::DictionaryBuilder;
use std::{collections::BTreeMap, fs, io, path::Path};

/// Converts MeCab's compiled dictionary in `source` (`sys.dic`, `unk.dic`, `matrix.bin`, `char.bin`,
/// `dicrc`) to the form that [`Dictionary::load`](super::Dictionary::load) maps, in `target`.
///
/// It is built in a temporary folder beside `target` and then renamed, so nobody ever sees half of it;
/// of two that build at once, one wins. A good dictionary of the same source in `target` is kept as it
/// is, and a folder that is no dictionary is never replaced. Takes some seconds and half a gigabyte of memory.
///
/// # Errors
/// When a file of the source is not as it should be, or the target cannot be
/// written.
pub fn build(source: &Path, target: &Path, name: &str, version: &str) -> Result<Manifest> {
    let sha256 = source::checksum(source)?;
    let is_same = |manifest: &Manifest| {
        (manifest.name.as_str(), manifest.version.as_str()) == (name, version)
            && manifest.sha256 == sha256
    };
    match Manifest::read(target) {
        Ok(manifest) if is_same(&manifest) => return Ok(manifest),
        // A folder that `build` did not write is never replaced.
        Err(error @ Error::Dictionary(DictionaryError::Foreign { .. }))
            if !target.join(MANIFEST).exists() =>
        {
            return Err(error);
        }
        _ => {}
    }
    let beside = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(beside).map_err(Error::io(beside))?;
    let work = tempfile::Builder::new()
        .prefix(".building-")
        .tempdir_in(beside)
        .map_err(Error::io(beside))?;
    let (texts, built) = (work.path().join("definitions"), work.path().join("built"));
    fs::create_dir(&texts).map_err(Error::io(&texts))?;

    let parts = Source::read(source)?;
    definitions::write_all(&parts, &texts)?;
    DictionaryBuilder::new(definitions::metadata(name, &parts))
        .build_dictionary(&texts, &built)
        .map_err(|error| DictionaryError::lindera(source, &error))?;

    let manifest = Manifest {
        format: FORMAT,
        name: name.to_owned(),
        version: version.to_owned(),
        sha256,
        entries: parts.lexicon.len(),
        files: lengths(&built)?,
        contexts: Contexts::of(&parts.lexicon),
        space_penalty: parts.space_penalty,
    };
    let json = serde_json::to_vec(&manifest).unwrap_or_default();
    fs::write(built.join(MANIFEST), json).map_err(Error::io(&built))?;
    install(&built, target, work.path())?;
    Manifest::read(target)
}

fn lengths(folder: &Path) -> Result<BTreeMap<String, u64>> {
    let mut lengths = BTreeMap::new();
    for file in fs::read_dir(folder).map_err(Error::io(folder))? {
        let file = file.map_err(Error::io(folder))?;
        let bytes = file.metadata().map_err(Error::io(file.path()))?.len();
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
            .map_err(Error::io(target))?;
    }
    match fs::rename(built, target) {
        Ok(()) => Ok(()),
        // Two built at once and the other was first: both made the same.
        Err(_) if Manifest::read(target).is_ok() => Ok(()),
        Err(error) => Err(Error::Io { path: target.to_owned(), source: error }),
    }
}
