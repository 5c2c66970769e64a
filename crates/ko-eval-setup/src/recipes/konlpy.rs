//! Komoran, Okt, Hannanum and Kkma, analyzers in Java (GPL-3), as KoNLPy 0.6.0 carries them.

use crate::{Kind, Licence, Limits, Package, Part, Recipe};

const WHEEL: Package = Package {
    name: "konlpy",
    version: "0.6.0",
    file: "konlpy-0.6.0-py2.py3-none-any.whl",
    sha256: "0b7928059e20eb1c72f6fe65a3d12c104fae9e68173904e16beef869cf0ea590",
    megabytes: 20,
    kind: Kind::Wheel(&[]),
};

pub(crate) const RECIPE: Recipe = Recipe {
    part: Part {
        name: "konlpy",
        summary: "Komoran, Okt, Hannanum and Kkma (GPL-3); they need a Java runtime (Debian: default-jre-headless)",
        folder: "konlpy-0.6.0",
        files: &[
            "LICENSE",
            "java/aho-corasick.jar",
            "java/bin/kr/lucypark/jhannanum/comm/HannanumInterface.class",
            "java/bin/kr/lucypark/kkma/KkmaInterface.class",
            "java/bin/kr/lucypark/okt/OktInterface.class",
            "java/conf/plugin/MajorPlugin/PosTagger/HmmPosTagger.json",
            "java/data/kE/dic_system.txt",
            "java/data/models/observation.model",
            "java/data/stat/PWT.pos",
            "java/jhannanum-0.8.4.jar",
            "java/kkma-2.0.jar",
            "java/komoran-3.0.jar",
            "java/open-korean-text-2.1.0.jar",
            "java/scala-library-2.12.3.jar",
            "java/shineware-common-1.0.jar",
            "java/shineware-ds-1.0.jar",
            "java/snakeyaml-1.12.jar",
            "java/twitter-text-1.14.7.jar",
        ],
    },
    packages: &[WHEEL],
    only_on: None,
    licence: Some(Licence::Gpl3),
    limits: Limits { files: 500, file_megabytes: 50, megabytes: 100 },
    check: || Ok(()),
    revision: 1,
    make: |work| {
        work.unpack(&WHEEL, |name| match name {
            "konlpy-0.6.0.dist-info/LICENSE" => Some("LICENSE".into()),
            // The tree as it is: Hannanum looks for its data beside `bin`.
            _ => name.strip_prefix("konlpy/").filter(|n| n.starts_with("java/")).map(str::to_owned),
        })
    },
};
