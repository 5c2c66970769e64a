//! mecab-ko-dic 2.1.1, the default dictionary of the morpheme scheme (Apache-2.0).

use super::Recipe;
use crate::{
    archive,
    doctor::Part,
    package::{Kind, Package},
    setup, tasks,
};
use anyhow::Result;
use std::path::Path;

/// What the morpheme scheme loads.
pub(super) const FILES: &[&str] = &["ko-eval.json"];

pub(super) const RECIPE: Recipe = Recipe {
    part: Part {
        name: "dictionary",
        summary: "mecab-ko-dic 2.1.1, the dictionary of the morpheme scheme",
        folder: "mecab-ko-dic-2.1.1",
        files: FILES,
    },
    packages: &[Package {
        name: "python-mecab-ko-dic",
        version: "2.1.1.post2",
        file: "python_mecab_ko_dic-2.1.1.post2-py3-none-any.whl",
        sha256: "ef8f4e80c8976f1340a7264abb0c96f384fe059fd897584aeba0151753c6ae9b",
        megabytes: 33,
        kind: Kind::Wheel(&[]),
    }],
    only_on: None,
    licence: None,
    check: || Ok(()),
    revision: 1,
    make: |files, folder| {
        let [wheel] = files else { unreachable!("one package, one file") };
        convert("2.1.1", folder, |source| {
            archive::unzip(wheel, source, |name| compiled(name, "mecab_ko_dic/dictionary"))
        })
    },
};

/// The path of one of the files of MeCab's compiled dictionary, if the archive's entry is one.
pub(super) fn compiled(entry: &str, folder: &str) -> Option<String> {
    let (before, name) = entry.rsplit_once('/')?;
    let needed = ["sys.dic", "unk.dic", "matrix.bin", "char.bin", "dicrc"].contains(&name);
    (needed && before.ends_with(folder)).then(|| name.to_owned())
}

/// Unpacks MeCab's compiled dictionary beside the folder, and has the library convert it into the folder.
pub(super) fn convert(
    version: &str,
    folder: &Path,
    unpack: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
    let source = folder.with_added_extension("source");
    setup::remove(&source)?;
    unpack(&source)?;
    tasks::build_dictionary(&source, folder, version)?;
    setup::remove(&source)
}
