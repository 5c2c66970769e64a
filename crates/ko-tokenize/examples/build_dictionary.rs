//! Builds a dictionary by hand: `build_dictionary FOLDER NAME VERSION`.
//!
//! FOLDER holds MeCab's compiled dictionary; the result goes where the morpheme scheme looks for it.

use ko_tokenize::morpheme::dictionary;
use std::{env, error::Error, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, name, version] = arguments.as_slice() else {
        return Err("usage: build_dictionary FOLDER NAME VERSION".into());
    };
    let target = ko_eval_core::home().join(format!("{name}-{version}"));
    let manifest = dictionary::build(Path::new(folder), &target, name, version)?;
    println!("{}: {} words, SHA-256 {}", target.display(), manifest.entries(), manifest.sha256());
    Ok(())
}
