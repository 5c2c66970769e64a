//! One file per subcommand.

pub(crate) mod bertscore;
pub(crate) mod classify;
pub(crate) mod commongen;
pub(crate) mod compare;
pub(crate) mod demo;
pub(crate) mod dictionary;
mod doctor;
pub(crate) mod embed;
pub(crate) mod explain;
pub(crate) mod generate;
pub(crate) mod history;
pub(crate) mod kosmic;
mod listing;
mod man;
pub(crate) mod merge;
pub(crate) mod meta;
pub(crate) mod probe;
pub(crate) mod score;
pub(crate) mod setup;
#[cfg(feature = "sql")]
pub(crate) mod sql;
pub(crate) mod subword;
pub(crate) mod tag;
mod tags;
pub(crate) mod tokenize;
pub(crate) mod tone;
pub(crate) mod train;
pub(crate) mod unused;
mod wanted;

use crate::{
    cli::{self, Cli, Command},
    output,
};
use anyhow::Result;

pub(crate) fn run(cli: Cli) -> Result<()> {
    match cli.command {
        Command::Score(args) => score::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::History(args) => history::run(&args),
        Command::Tokenize(args) => tokenize::run(&args),
        Command::Subword(command) => subword::run(&command),
        Command::Tone(args) => tone::run(&args),
        Command::Commongen(command) => commongen::run(&command),
        Command::Probe(command) => probe::run(&command),
        Command::Bertscore(args) => bertscore::run(&args),
        Command::Kosmic(args) => kosmic::run(&args),
        Command::Embed(args) => embed::run(&args),
        Command::Tag(args) => tag::run(&args),
        Command::Classify(args) => classify::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Summarize(args) => generate::summarize(&args),
        Command::Train(command) => train::run(&command),
        Command::Merge(args) => merge::run(&args),
        #[cfg(feature = "sql")]
        Command::Sql(args) => sql::run(&args),
        Command::Meta(args) => meta::run(&args),
        Command::Metrics(args) => listing::metrics(args.format),
        Command::Units { tags: true, listing } => tags::run(listing.format),
        Command::Units { tags: false, listing } => listing::units(listing.format),
        Command::Demo(args) => demo::run(&args),
        Command::Setup(args) => setup::run(&args),
        Command::Dictionary(command) => dictionary::run(&command),
        Command::Doctor(args) => doctor::run(args.format),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut cli::command(), "ko-eval", &mut script);
            output::print(&script)
        }
        Command::Man { folder } => man::run(folder.as_deref()),
    }
}
