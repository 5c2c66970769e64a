//! `ko-eval train`

#[cfg(feature = "torch")]
pub(crate) mod recipe;

use crate::{cli::Format, models};
use anyhow::Result;
use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Train KOSMIC's cross-encoder for semantic similarity, on a table like KorSTS with the columns score (0 to 5),
    /// sentence1 and sentence2
    Sts(WithDev),
    /// Train KOSMIC's formality classifier, on a table with the columns sentence and formality (formal or informal)
    Fic(WithDev),
    /// Train KOSMIC's tone embedder, on a table with the columns sentence1, sentence2, formality1 and formality2
    Csl(Csl),
    /// Train a sentence embedder, first step: on a table like KorNLI with the columns sentence1, sentence2 and gold_label
    SbertNli(Common),
    /// Train a sentence embedder, second step: on a table like KorSTS
    SbertSts(WithDev),
    /// Train RDASS's embedder, on JSON lines with the keys document, references and summary
    Rdass(Rdass),
}

/// What every training takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Common {
    /// Folder of the pre-trained model to start from
    #[arg(long, value_name = "FOLDER")]
    backbone: PathBuf,
    /// Training data
    #[arg(long, value_name = "FILE")]
    train: PathBuf,
    /// Folder to write the model to, with `training.json` and a log in JSON lines
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    #[command(flatten)]
    settings: Settings,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A training that can be watched.
#[derive(Debug, clap::Args)]
pub(crate) struct WithDev {
    #[command(flatten)]
    common: Common,
    /// Development data, on which the best weights are selected; without it, the last weights are kept
    #[arg(long, value_name = "FILE")]
    dev: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Csl {
    #[command(flatten)]
    watched: WithDev,
    /// Margin: pairs of equal tone are pushed above this cosine similarity
    #[arg(long, value_name = "X", default_value_t = 0.9)]
    margin: f64,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Rdass {
    #[command(flatten)]
    common: Common,
    /// Margin: how much closer than the wrong ones the right reference and document should be
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    margin: f64,
}

/// The trainer's settings; those that are not given are the library's defaults.
#[derive(Debug, clap::Args)]
struct Settings {
    /// Number of passes over the training data [default: 1]
    #[arg(long, value_name = "N")]
    epochs: Option<usize>,
    /// Number of examples per batch [default: 16]
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
    /// Number of batches whose gradients are accumulated before a step [default: 1]
    #[arg(long, value_name = "N")]
    accumulate: Option<usize>,
    /// Peak learning rate [default: 5e-5]
    #[arg(long, value_name = "X")]
    learning_rate: Option<f64>,
    /// Fraction of steps over which the learning rate warms up [default: 0.1]
    #[arg(long, value_name = "X")]
    warm_up: Option<f64>,
    /// Decoupled weight decay [default: 0.01]
    #[arg(long, value_name = "X")]
    weight_decay: Option<f64>,
    /// Maximum norm to which gradients are clipped [default: 1]
    #[arg(long, value_name = "X")]
    clip: Option<f64>,
    /// Random seed, for the order of examples, dropout and the initial weights of a new head [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Maximum number of tokens per example; longer ones are truncated [default: 128]
    #[arg(long, value_name = "N")]
    longest: Option<usize>,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Number of evaluations on the development data per epoch [default: 1]
    #[arg(long, value_name = "N")]
    evaluations: Option<usize>,
    /// Stop after this many consecutive evaluations without improvement [default: never]
    #[arg(long, value_name = "N")]
    patience: Option<usize>,
    /// Log file, with a JSON line per step and per evaluation [default: log.jsonl in the output folder]
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Folder for checkpoints, from which an interrupted training resumes; removed at the end
    /// [default: OUTPUT.checkpoint]
    #[arg(long, value_name = "FOLDER")]
    checkpoint: Option<PathBuf>,
    /// Number of steps between checkpoints
    #[arg(long, value_name = "N", default_value_t = 100)]
    checkpoint_every: usize,
}

pub(crate) fn run(command: &Command) -> Result<()> {
    models::train(command)
}
