//! What a recipe works with.

use crate::{Limits, Package, Result, archive};
use ko_eval_io::Progress;
use std::{error::Error, path::Path};

/// Converts MeCab's compiled dictionary in the first folder to the form that the morpheme scheme loads, in the second, which
/// is not there yet; the text is the release's version. `ko_tokenize::morpheme::dictionary::build` does it.
pub type Convert<'c> =
    dyn Fn(&Path, &Path, &str) -> std::result::Result<(), Box<dyn Error + Send + Sync>> + Sync + 'c;

/// What a recipe's `make` works with.
pub(crate) struct Work<'w> {
    /// Where the packages' files lie, verified.
    pub(crate) downloads: &'w Path,
    /// The folder to make; it is not there yet.
    pub(crate) folder: &'w Path,
    pub(crate) limits: Limits,
    pub(crate) progress: &'w dyn Progress,
    pub(crate) convert: &'w Convert<'w>,
}

impl Work<'_> {
    /// Unpacks the files of a package that `place` gives a path under the folder; at least one must be there.
    pub(crate) fn unpack(
        &self,
        package: &Package,
        place: impl Fn(&str) -> Option<String>,
    ) -> Result<()> {
        self.unpack_into(self.folder, package, place)
    }

    /// The same into another folder.
    pub(crate) fn unpack_into(
        &self,
        folder: &Path,
        package: &Package,
        place: impl Fn(&str) -> Option<String>,
    ) -> Result<()> {
        let archive = package.path(self.downloads);
        archive::unpack(&archive, package.form(), folder, self.limits, self.progress, place)
    }
}
