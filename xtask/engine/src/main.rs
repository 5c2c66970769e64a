//! The parts of `cargo xtask` that need the library: building dictionaries.
//!
//! A package of its own, so that `cargo xtask` compiles in seconds and not with all of this.

use anyhow::{Context, Result};
use clap::Parser;
use ko_tokenize::morpheme::dictionary;
use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

#[derive(Parser)]
enum Task {
    /// Convert MeCab's compiled dictionary to the form that the library loads
    Dictionary { source: PathBuf, target: PathBuf, version: String },
    /// Pack a converted dictionary for the crate that carries it
    Pack { folder: PathBuf, target: PathBuf },
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The causes in order, one a line.
            error.chain().for_each(|cause| eprintln!("error: {cause}"));
            ExitCode::FAILURE
        }
    }
}

/// The best that zstd has to offer without asking more of whoever unpacks.
const LEVEL: i32 = 19;

fn pack(folder: &Path, target: &Path) -> Result<()> {
    let file = folder.join(dictionary::FILE);
    let bytes = fs::read(&file).with_context(|| file.display().to_string())?;
    let compress = |column: &[u8]| zstd::bulk::compress(column, LEVEL).unwrap_or_default();
    let packed = dictionary::pack(&bytes, compress)?;
    ko_tokenize::ko_eval_core::files::write_atomically(target, &packed)?;
    eprintln!("{} bytes packed into {}: {}", bytes.len(), packed.len(), target.display());
    Ok(())
}

fn run() -> Result<()> {
    match Task::parse() {
        Task::Dictionary { source, target, version } => {
            let name = dictionary::MECAB_KO_DIC.name;
            dictionary::build(&source, &target, name, &version)
                .with_context(|| format!("converting the dictionary in {}", source.display()))?;
            Ok(())
        }
        Task::Pack { folder, target } => pack(&folder, &target),
    }
}
