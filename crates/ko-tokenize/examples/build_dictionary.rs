//! Builds a dictionary by hand: `build_dictionary FOLDER`, or `build_dictionary FOLDER TARGET NAME VERSION`.
//!
//! FOLDER holds MeCab's compiled dictionary; mecab-ko-dic 2.1.1 goes where the morpheme scheme looks for it.

use ko_tokenize::morpheme::dictionary::{MECAB_KO_DIC as RELEASE, build};
use std::{env, error::Error, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (folder, target, name, version) = match *arguments {
        [folder] => (folder, RELEASE.folder(), RELEASE.name, RELEASE.version),
        [folder, target, name, version] => (folder, target.into(), name, version),
        _ => return Err("usage: build_dictionary FOLDER [TARGET NAME VERSION]".into()),
    };
    let manifest = build(Path::new(folder), &target, name, version)?;
    println!("{}: {} words, SHA-256 {}", target.display(), manifest.entries(), manifest.sha256());
    Ok(())
}
