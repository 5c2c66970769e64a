//! lindera's own form of a dictionary, in a folder beside ours.

use super::definitions;
use crate::{
    error::{Error, Result},
    morpheme::{DictionaryError, dictionary::Source},
};
use ko_eval_core::Fingerprint;
use lindera_dictionary::{builder::DictionaryBuilder, dictionary::Dictionary as Tables};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The checksums of its files, as `sha256sum` writes them.
const CHECKSUMS: &str = "SHA256SUMS";

fn folder_in(dictionary: &Path) -> PathBuf {
    dictionary.join("lindera")
}

/// Whether a dictionary has lindera's form.
pub(in crate::morpheme) fn is_built(dictionary: &Path) -> bool {
    folder_in(dictionary).join(CHECKSUMS).exists()
}

/// Has lindera write its form of a dictionary into that dictionary's folder.
pub(in crate::morpheme) fn build(
    source: &Source,
    name: &str,
    dictionary: &Path,
    work: &Path,
) -> Result<()> {
    let (texts, built) = (work.join("definitions"), folder_in(dictionary));
    fs::create_dir(&texts).map_err(Error::io(&texts))?;
    definitions::write_all(source, &texts)?;
    DictionaryBuilder::new(definitions::metadata(name, source))
        .build_dictionary(&texts, &built)
        .map_err(|error| DictionaryError::lindera(&built, &error))?;
    let path = built.join(CHECKSUMS);
    fs::write(&path, checksums(&built)?).map_err(Error::io(path))
}

/// Verifies and reads it. What is done to the files afterwards changes nothing.
pub(super) fn load(dictionary: &Path) -> Result<Tables> {
    let folder = folder_in(dictionary);
    let path = folder.join(CHECKSUMS);
    let Ok(expected) = fs::read_to_string(&path) else {
        let what = format!("lindera's form of the dictionary {}", dictionary.display());
        let how_to_get_it = format!(
            "remove {}, then run `ko-eval setup dictionary` of a command installed with \
             `--features lindera`",
            dictionary.display()
        );
        return Err(Error::Missing { what, how_to_get_it });
    };
    if checksums(&folder)? != expected {
        let reason = "the checksums of the files beside it are others".into();
        return Err(DictionaryError::Damaged { path, reason }.into());
    }
    Tables::load_from_path_with_options(&folder, false)
        .map_err(|error| DictionaryError::lindera(&folder, &error).into())
}

/// The checksum and the name of each file, in the order of the names.
fn checksums(folder: &Path) -> Result<String> {
    let mut lines = Vec::new();
    for file in fs::read_dir(folder).map_err(Error::io(folder))? {
        let path = file.map_err(Error::io(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name != CHECKSUMS {
            let bytes = fs::read(&path).map_err(Error::io(&path))?;
            lines.push((name, Fingerprint::new().bytes(&bytes).hex()));
        }
    }
    lines.sort_unstable();
    Ok(lines.iter().map(|(name, checksum)| format!("{checksum}  {name}\n")).collect())
}
