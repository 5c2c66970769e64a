//! `ko-eval train`

#[cfg(feature = "torch")]
pub(crate) mod recipe;

use crate::{cli::Format, models};
use anyhow::Result;
use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// KOSMIC's similarity of meaning: a cross-encoder on a table as KorSTS's, with the columns score
    /// (0 to 5), sentence1, sentence2
    Sts(WithDev),
    /// KOSMIC's classifier of formality, on a table with the columns sentence and formality (formal or
    /// informal)
    Fic(WithDev),
    /// KOSMIC's embedder of tone, on a table with the columns sentence1, sentence2, formality1,
    /// formality2
    Csl(Csl),
    /// A sentence embedder, first step: on a table as KorNLI's, with the columns sentence1, sentence2,
    /// gold_label
    SbertNli(Common),
    /// A sentence embedder, second step: on a table as KorSTS's
    SbertSts(WithDev),
    /// RDASS's embedder, on JSON lines with document, references, summary
    Rdass(Rdass),
}

/// What every training takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Common {
    /// The folder of the model to start from
    #[arg(long, value_name = "FOLDER")]
    backbone: PathBuf,
    /// The examples
    #[arg(long, value_name = "FILE")]
    train: PathBuf,
    /// Where the model goes, with `training.json` and a log in JSON lines
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    #[command(flatten)]
    settings: Settings,
    /// How the outcome is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A training that can be watched.
#[derive(Debug, clap::Args)]
pub(crate) struct WithDev {
    #[command(flatten)]
    common: Common,
    /// Examples to choose the best weights by; without them the last weights are kept
    #[arg(long, value_name = "FILE")]
    dev: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Csl {
    #[command(flatten)]
    watched: WithDev,
    /// Equal tone is pushed above this cosine
    #[arg(long, value_name = "X", default_value_t = 0.9)]
    margin: f64,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Rdass {
    #[command(flatten)]
    common: Common,
    /// How much nearer the right reference and document must be than wrong ones
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    margin: f64,
}

/// The trainer's settings; those that are not given are the library's defaults.
#[derive(Debug, clap::Args)]
struct Settings {
    /// How often every example is seen [default: 1]
    #[arg(long, value_name = "N")]
    epochs: Option<usize>,
    /// Examples per batch [default: 16]
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
    /// Batches whose gradients are added up before a step [default: 1]
    #[arg(long, value_name = "N")]
    accumulate: Option<usize>,
    /// The highest learning rate [default: 5e-5]
    #[arg(long, value_name = "X")]
    learning_rate: Option<f64>,
    /// The share of steps over which the learning rate rises [default: 0.1]
    #[arg(long, value_name = "X")]
    warm_up: Option<f64>,
    /// Decoupled weight decay [default: 0.01]
    #[arg(long, value_name = "X")]
    weight_decay: Option<f64>,
    /// The greatest norm of all gradients together [default: 1]
    #[arg(long, value_name = "X")]
    clip: Option<f64>,
    /// Of the order of examples, of dropout and of a new head [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The most tokens of an example; the rest is cut off [default: 128]
    #[arg(long, value_name = "N")]
    longest: Option<usize>,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// How often per epoch the development set is scored [default: 1]
    #[arg(long, value_name = "N")]
    evaluations: Option<usize>,
    /// Stop after so many evaluations in a row without a better score [default: never]
    #[arg(long, value_name = "N")]
    patience: Option<usize>,
    /// The log, a JSON line per step and per evaluation [default: log.jsonl in the output folder]
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Where the state is kept, so that a training that was stopped goes on where it was; taken away
    /// at the end [default: OUTPUT.checkpoint]
    #[arg(long, value_name = "FOLDER")]
    checkpoint: Option<PathBuf>,
    /// Steps between two states
    #[arg(long, value_name = "N", default_value_t = 100)]
    checkpoint_every: usize,
}

pub(crate) fn run(command: &Command) -> Result<()> {
    models::train(command)
}
