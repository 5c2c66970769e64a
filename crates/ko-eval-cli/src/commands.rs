//! One file per subcommand.

pub(crate) mod compare;
mod doctor;
mod listing;
pub(crate) mod merge;
pub(crate) mod meta;
pub(crate) mod score;
pub(crate) mod tokenize;

use crate::{
    cli::{Cli, Command},
    output,
};
use anyhow::Result;
use clap::CommandFactory;

pub(crate) fn run(cli: Cli) -> Result<()> {
    match cli.command {
        Command::Score(args) => score::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Tokenize(args) => tokenize::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Meta(args) => meta::run(&args),
        Command::Metrics(args) => listing::metrics(args.format),
        Command::Units(args) => listing::units(args.format),
        Command::Doctor(args) => doctor::run(args.format),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "ko-eval", &mut script);
            output::print(&script)
        }
        Command::Man => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            output::print(&page)
        }
    }
}
