//! `cargo xtask …`: everything a developer runs that is not plain cargo.
//!
//! Set-up is the crate `ko-eval-setup`; what converts dictionaries is in `xtask/engine`, what compares with references in `reproduce`, both started from here.

mod docs;
mod doctor;
mod features;
mod fuzz;
mod packed;
mod setup;
mod skipped;
mod tasks;
mod users;

use anyhow::Result;
use clap::{Parser, Subcommand};
use ko_eval_setup::Licence;
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Set-up, demo, tests and reproduction of ko-eval")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Fetch and install what is too large for the repository
    Setup {
        /// What to install; `cargo xtask doctor` lists all there is
        #[arg(default_value = "dictionary", value_name = "WHAT")]
        parts: Vec<String>,
        /// Fetch `konlpy` too, whose programs are under the GPL-3
        #[arg(long)]
        accept_gpl: bool,
    },
    /// Tell the story of `ko-eval demo`, with the dictionary
    Demo,
    /// Install what the tests need, then run all of them, doctests included
    Test {
        /// Passed on to `cargo test`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Lint every package alone without features, with its default ones and with each of the others; test it without and with
    /// the default ones
    Features {
        /// Only lint: the tests of each package alone compile most of the workspace once more
        #[arg(long)]
        lint_only: bool,
    },
    /// Play the users: package every crate, use each alone as its README says, install the command in an empty home and type what
    /// the READMEs say
    Users,
    /// Lint the workspace with all features
    Lint,
    /// Write the documentation, and see on its pages that every public type may cross threads, and that metrics and tokenizers
    /// have examples
    Docs,
    /// Run the fuzz targets, two at a time, with the compiler at hand
    Fuzz {
        /// Only these targets
        #[arg(value_name = "TARGET")]
        targets: Vec<String>,
        /// How many inputs each, the same ones every time; 0 only builds the targets
        #[arg(long, value_name = "N", default_value_t = 100_000)]
        runs: u64,
        /// How many minutes each instead, going on where the last search ended; 0.5 is half a minute
        #[arg(long, value_name = "N", conflicts_with = "runs")]
        minutes: Option<f64>,
    },
    /// Compare with the public references on all data at hand
    Reproduce {
        /// Only what takes minutes: everything that needs no training
        #[arg(long)]
        quick: bool,
        /// Only this check of those that train no model; may be given several times. Those that train models:
        /// `cargo run --release -p reproduce --features torch -- NAME`
        #[arg(long, value_name = "CHECK")]
        only: Vec<String>,
        /// Also compile Kiwi, if it is not installed, and compare with it
        #[arg(long)]
        kiwi: bool,
    },
    /// Say what is installed, where, and how to get what is missing
    Doctor,
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
    match Arguments::parse().task {
        Task::Setup { parts, accept_gpl } => {
            let accepted: &[_] = if accept_gpl { &[Licence::Gpl3] } else { &[] };
            parts.iter().try_for_each(|part| setup::install(part, accepted))
        }
        Task::Demo => tasks::demo(),
        Task::Test { arguments } => tasks::test(&arguments),
        Task::Features { lint_only } => tasks::features(lint_only),
        Task::Users => tasks::users(),
        Task::Lint => tasks::lint(),
        Task::Docs => tasks::docs(),
        Task::Fuzz { targets, runs, minutes } => {
            let limit = minutes.map_or(fuzz::Limit::Runs(runs), fuzz::Limit::Minutes);
            tasks::fuzz(limit, &targets)
        }
        Task::Reproduce { quick, only, kiwi } => tasks::reproduce(quick, &only, kiwi),
        Task::Doctor => {
            print!("{}", doctor::report());
            Ok(())
        }
    }
}
