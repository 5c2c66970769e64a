//! The parts of `cargo xtask` that need the library: building dictionaries, the checks.
//!
//! A package of its own, so that `cargo xtask` compiles in seconds and not with all of this.

mod reproduce;

use anyhow::{Context, Result};
use clap::Parser;
use std::{path::PathBuf, process::ExitCode};

#[derive(Parser)]
enum Task {
    /// Convert MeCab's compiled dictionary to the form that the library loads
    Dictionary { source: PathBuf, target: PathBuf, version: String },
    /// Compare with the public references
    Reproduce {
        /// Only what needs no training
        #[arg(long)]
        quick: bool,
        /// Only this check; may be given several times
        #[arg(long, value_name = "CHECK")]
        only: Vec<String>,
    },
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

fn run() -> Result<()> {
    match Task::parse() {
        Task::Dictionary { source, target, version } => {
            let name = ko_tokenize::morpheme::dictionary::MECAB_KO_DIC.name;
            ko_tokenize::morpheme::dictionary::build(&source, &target, name, &version)
                .with_context(|| format!("converting the dictionary in {}", source.display()))?;
            Ok(())
        }
        Task::Reproduce { quick, only } => reproduce::run(quick, &only),
    }
}
