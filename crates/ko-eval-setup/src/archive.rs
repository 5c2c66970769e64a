//! Taking single files out of wheels and source archives; nothing in them is ever run.
//!
//! An archive is refused as a whole if any of its members has a name that leads out of the folder (absolute, `..`, a
//! backslash), is a link to something outside, comes twice, or is larger than the recipe's [`Limits`].

use crate::{Error, Limits, Result};
use flate2::read::GzDecoder;
use ko_eval_io::Progress;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufReader, Read},
    path::{Component, Path, PathBuf},
};

const MEGABYTE: u64 = 1_000_000;

/// How an archive is written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    Zip,
    TarGz,
}

/// Unpacks the files that `place` gives a path under `into`; at least one must be there.
pub(crate) fn unpack(
    archive: &Path,
    form: Form,
    into: &Path,
    limits: Limits,
    progress: &dyn Progress,
    place: impl Fn(&str) -> Option<String>,
) -> Result<()> {
    let file = File::open(archive).map_err(Error::io(archive))?;
    let length = file.metadata().map_err(Error::io(archive))?.len();
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    progress.begin(&format!("unpacking {name} (MB)"), Some(length / MEGABYTE));
    let mut writer = Writer { archive, into, limits, files: 0, bytes: 0 };
    match form {
        Form::Zip => unzip(file, &mut writer, progress, place)?,
        Form::TarGz => untar(Counted::new(file, progress), &mut writer, place)?,
    }
    match writer.files {
        0 => Err(Error::archive(archive, &"holds nothing of what was looked for")),
        _ => Ok(()),
    }
}

fn unzip(
    file: File,
    writer: &mut Writer<'_>,
    progress: &dyn Progress,
    place: impl Fn(&str) -> Option<String>,
) -> Result<()> {
    let archive = writer.archive;
    let bad = |error: zip::result::ZipError| Error::archive(archive, &error);
    let mut zip = zip::ZipArchive::new(BufReader::new(file)).map_err(bad)?;
    let mut passed = Megabytes::default();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).map_err(bad)?;
        let name = entry.name().map_err(bad)?.into_owned();
        writer.check_name(&name)?;
        let compressed = entry.compressed_size();
        if entry.is_symlink() {
            let mut target = Vec::new();
            // No path is that long.
            entry.by_ref().take(1 << 16).read_to_end(&mut target).map_err(Error::io(archive))?;
            let target = String::from_utf8_lossy(&target).into_owned();
            writer.check_link(&name, Path::new(&name).parent(), &target)?;
        } else if entry.is_file()
            && let Some(place) = place(&name)
        {
            writer.write(&mut entry, &name, &place)?;
        }
        progress.advance(passed.add(compressed));
    }
    Ok(())
}

fn untar(
    file: impl Read,
    writer: &mut Writer<'_>,
    place: impl Fn(&str) -> Option<String>,
) -> Result<()> {
    let archive = writer.archive;
    let bad = |error: io::Error| Error::archive(archive, &error);
    // What is passed over is unpacked too, so the limit holds for the stream.
    let most = writer.limits.megabytes * MEGABYTE;
    let stream = Limited { inner: GzDecoder::new(BufReader::new(file)), left: most };
    let mut tar = tar::Archive::new(stream);
    for entry in tar.entries().map_err(bad)? {
        let mut entry = entry.map_err(bad)?;
        let name = entry.path().map_err(bad)?.to_string_lossy().into_owned();
        writer.check_name(&name)?;
        let kind = entry.header().entry_type();
        if kind.is_symlink() || kind.is_hard_link() {
            let target = entry.link_name().map_err(bad)?.unwrap_or_default();
            // A hard link is named from the archive's root.
            let from = Path::new(&name).parent().filter(|_| kind.is_symlink());
            writer.check_link(&name, from, &target.to_string_lossy())?;
        } else if kind.is_file()
            && let Some(place) = place(&name)
        {
            writer.write(&mut entry, &name, &place)?;
        }
    }
    Ok(())
}

/// Writes members into a folder, and refuses what does not belong there.
struct Writer<'w> {
    archive: &'w Path,
    into: &'w Path,
    limits: Limits,
    files: u64,
    bytes: u64,
}

impl Writer<'_> {
    fn refuse(&self, reason: &str) -> Error {
        Error::archive(self.archive, &reason)
    }

    fn check_name(&self, name: &str) -> Result<()> {
        match depth(Path::new(name), 0) {
            Some(_) if !name.contains(['\\', '\0']) => Ok(()),
            _ => Err(self.refuse(&format!("`{name}` leads out of the folder"))),
        }
    }

    /// A link is never made, but one that leads out tells that the archive is not what it says.
    fn check_link(&self, name: &str, from: Option<&Path>, target: &str) -> Result<()> {
        let start = from.and_then(|folder| depth(folder, 0)).unwrap_or(0);
        match depth(Path::new(target), start) {
            Some(_) => Ok(()),
            None => {
                Err(self.refuse(&format!("the link `{name}` leads out of the folder: {target}")))
            }
        }
    }

    fn write(&mut self, content: &mut impl Read, name: &str, place: &str) -> Result<()> {
        let path = self.inside(place)?;
        self.files += 1;
        if self.files > self.limits.files {
            return Err(self.refuse(&format!("holds more than {} files", self.limits.files)));
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(Error::io(folder))?;
        }
        // A member that comes twice would replace what was checked.
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
            .map_err(Error::io(&path))?;
        let (one, all) = (self.limits.file_megabytes, self.limits.megabytes);
        let most = (one * MEGABYTE).min((all * MEGABYTE).saturating_sub(self.bytes));
        // One byte more shows that there is more; what a member says about its own size counts for nothing.
        let copied = io::copy(&mut content.take(most + 1), &mut file)
            .map_err(|error| self.refuse(&format!("`{name}`: {error}")))?;
        self.bytes += copied;
        if copied > most {
            return Err(self.refuse(&format!(
                "`{name}` is too large: a file may have {one} MB, all together {all} MB"
            )));
        }
        Ok(())
    }

    /// A path that cannot leave the folder, whatever a recipe makes of an archive's name.
    fn inside(&self, place: &str) -> Result<PathBuf> {
        let path = Path::new(place);
        if path.components().any(|part| !matches!(part, Component::Normal(_))) {
            return Err(self.refuse(&format!("`{place}` leads out of the folder")));
        }
        Ok(self.into.join(path))
    }
}

/// How deep a relative path ends below the folder that it starts `from` folders below; none if it leaves it on the way.
fn depth(path: &Path, from: usize) -> Option<usize> {
    path.components().try_fold(from, |depth, part| match part {
        Component::Normal(_) => Some(depth + 1),
        Component::CurDir => Some(depth),
        Component::ParentDir => depth.checked_sub(1),
        Component::RootDir | Component::Prefix(_) => None,
    })
}

/// Bytes added up, told in whole megabytes.
#[derive(Default)]
struct Megabytes {
    bytes: u64,
}

impl Megabytes {
    /// How many more megabytes are full.
    fn add(&mut self, bytes: u64) -> u64 {
        let before = self.bytes / MEGABYTE;
        self.bytes = self.bytes.saturating_add(bytes);
        self.bytes / MEGABYTE - before
    }
}

/// Tells how much of a file has been read.
struct Counted<'p> {
    file: File,
    read: Megabytes,
    progress: &'p dyn Progress,
}

impl<'p> Counted<'p> {
    fn new(file: File, progress: &'p dyn Progress) -> Self {
        Self { file, read: Megabytes::default(), progress }
    }
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        match self.read.add(read as u64) {
            0 => {}
            megabytes => self.progress.advance(megabytes),
        }
        Ok(read)
    }
}

/// A stream that ends in an error where it goes on for too long.
struct Limited<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => return Err(io::Error::other("unpacks to more than the limit")),
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests;
