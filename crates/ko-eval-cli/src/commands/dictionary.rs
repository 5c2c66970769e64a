//! `ko-eval dictionary`: MeCab's compiled dictionary, in the form that the library reads.

use crate::output;
use anyhow::Result;
use clap::Subcommand;
use ko_eval::tokenize::morpheme::dictionary::{self, MECAB_KO_DIC};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Convert MeCab's compiled dictionary
    Build(BuildArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct BuildArgs {
    /// The folder with sys.dic, unk.dic, matrix.bin, char.bin and dicrc
    folder: PathBuf,
    /// What the dictionary is called; it stands in signatures unless it is mecab-ko-dic
    #[arg(long, default_value = MECAB_KO_DIC.name)]
    name: String,
    /// Its version, which stands in signatures
    #[arg(long, value_name = "VERSION", default_value = MECAB_KO_DIC.version)]
    release: String,
    /// The folder to write [default: its place in ko-eval's folder, where the unit `mecab` looks for
    /// mecab-ko-dic 2.1.1 and `ko-mecab` for 1.0.0]
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub(crate) fn run(command: &Command) -> Result<()> {
    let Command::Build(args) = command;
    let default = || dictionary::folder(&args.name, &args.release);
    let target = args.output.clone().unwrap_or_else(default);
    let manifest = dictionary::build(&args.folder, &target, &args.name, &args.release)?;
    output::print(
        format!(
            "{} {}, {} words, is in {}\n",
            manifest.name(),
            manifest.version(),
            manifest.entries(),
            target.display()
        )
        .as_bytes(),
    )
}
