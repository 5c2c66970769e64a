//! `ko-eval train`

#[cfg(feature = "torch")]
pub(crate) mod recipe;

use crate::{cli::Format, models};
use anyhow::Result;
use clap::Subcommand;
use ko_eval::{
    Spec,
    neural::{Device, Precision},
};
use std::{path::PathBuf, time::Duration};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Train KOSMIC's cross-encoder for semantic similarity, on a table like KorSTS with the columns score (0 to 5),
    /// sentence1 and sentence2, or on KLUE's JSON
    Sts(WithDev),
    /// Make one model of several cross-encoders that were trained by different seeds: its score is the mean of theirs
    Join(Join),
    /// Train KOSMIC's formality classifier, on a table with the columns sentence and formality (formal or informal)
    Fic(WithDev),
    /// Train KOSMIC's tone embedder, on a table with the columns sentence1, sentence2, formality1 and formality2
    Csl(Csl),
    /// Train a sentence embedder, first step: on a table like KorNLI with the columns sentence1, sentence2 and gold_label, or
    /// on KLUE's JSON
    SbertNli(Common),
    /// Train a sentence embedder, second step: on a table like KorSTS, or on KLUE's JSON
    SbertSts(WithDev),
    /// Train a sentence embedder in stages, each by a loss and a file of its own: `--stage ranking:nli.tsv,batch=64 --stage cosent:sts.tsv`
    Sbert(Sbert),
    /// Train RDASS's embedder, on JSON lines with the keys document, references and summary
    Rdass(Rdass),
    /// Train a tagger of tokens, on characters with tags as KLUE-NER has them
    Tagger(WithDev),
    /// Train a classifier of texts, on a table with a column of texts and one of labels, or several
    Classifier(Classifier),
    /// Train a generator, on tables with the columns source and target, or on data sets of CommonGen
    Generator(Generator),
    /// Train a summarizer as BERTSUMABS: an encoder below a new decoder, each with an optimizer of its own; on tables with the columns source
    /// (the document) and target (the summary)
    Summarizer(Summarizer),
    /// Train a summarizer and a sentence embedder together (RDASS's FWA step), on tables with the columns source (the document) and target
    /// (the reference summary); writes OUTPUT/summarizer and OUTPUT/embedder
    Fwa(Fwa),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ko-eval train sts --backbone ko-sbert --train sts-train.tsv --seed 1 -o sts/seed-1
  ko-eval train sts --backbone ko-sbert --train sts-train.tsv --seed 2 -o sts/seed-2
  ko-eval train join -o sts seed-1 seed-2")]
pub(crate) struct Join {
    /// Folder in which the models lie
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    /// Names of their folders within it
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
}

/// What every training on one file takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Common {
    #[command(flatten)]
    base: Base,
    /// Training data
    #[arg(long, value_name = "FILE")]
    train: PathBuf,
}

/// What every training takes.
#[derive(Debug, clap::Args)]
pub(crate) struct Base {
    /// Folder of the pre-trained model to start from
    #[arg(long, value_name = "FOLDER", value_parser = models::folder())]
    backbone: PathBuf,
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
pub(crate) struct Sbert {
    #[command(flatten)]
    base: Base,
    /// A stage, as LOSS:FILE[+FILE…][,epochs=N][,batch=N][,learning-rate=X][,dropout=X]; repeatable, in order. On inference labels (a table like
    /// KorNLI, or KLUE's JSON): ranking, softmax; on texts and their paraphrases (a table with the columns anchor, positive and perhaps negative,
    /// or paraKQC, or StyleKQC): ranking; on similarity scores (a table like KorSTS, or KLUE's JSON): cosent, cosine; on plain text, one per line:
    /// simcse
    #[arg(long = "stage", value_name = "SPEC", required = true)]
    stages: Vec<Spec>,
    /// Development data with similarity scores, on which the best weights of every stage are selected
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
#[command(after_help = "\
Examples:
  ko-eval train classifier --backbone albert-kor-base --train train.tsv --dev dev.tsv --text comments --label bias --label hate --threshold-by hate -o hate-speech
  ko-eval train classifier --backbone albert-kor-base --train train.tsv --text comments --label hate --harmless-text captions.txt -o hate-speech
  echo '좋은 글이네요' | ko-eval classify --model hate-speech")]
#[command(group = clap::ArgGroup::new("of_harmless").args(["threshold_by", "harmless_text"]).multiple(true))]
pub(crate) struct Classifier {
    #[command(flatten)]
    watched: WithDev,
    /// Column of the texts
    #[arg(long, value_name = "NAME", default_value = "sentence")]
    text: String,
    /// Column of the labels of a set, of which every text has one; repeatable
    #[arg(long = "label", value_name = "NAME", default_value = "label")]
    labels: Vec<String>,
    /// Also choose the probability from which a text is not harmless, by the F1 of this column on the development data; kept in
    /// the folder, where `classify` and `commongen build` find it [default: a text has its likeliest labels]
    #[arg(long, value_name = "NAME", requires = "dev")]
    threshold_by: Option<String>,
    /// Plain text to learn from as well, one harmless text per line, which has the label of --harmless in every set: fewer false alarms on
    /// what is no comment; repeatable
    #[arg(long, value_name = "FILE")]
    harmless_text: Vec<PathBuf>,
    /// Label of a harmless text, for --threshold-by and --harmless-text
    #[arg(long, value_name = "LABEL", default_value = "none", requires = "of_harmless")]
    harmless: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Rdass {
    #[command(flatten)]
    common: Common,
    /// Margin: how much closer than the wrong ones the right reference and document should be
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    margin: f64,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Generator {
    /// Folder to start from: a model that writes
    #[arg(long, value_name = "FOLDER", required_unless_present = "new", value_parser = models::folder())]
    backbone: Option<PathBuf>,
    /// Take only the configuration and the tokenizer of the folder; the weights start at random
    #[arg(long)]
    from_configuration: bool,
    /// Take the folder for an encoder, and put a new decoder of this many layers on it
    #[arg(long, value_name = "N", conflicts_with = "from_configuration")]
    decoder_layers: Option<usize>,
    /// Length of the new decoder's vectors, a multiple of 64 [default: the encoder's]
    #[arg(long, value_name = "N", requires = "decoder_layers")]
    decoder_width: Option<usize>,
    /// Start from nothing: a BART of ten million parameters (small) or as large as KoBART (base), or what a config.json describes; the
    /// vocabulary is learned from the training data
    #[arg(long, value_name = "small|base|FILE", conflicts_with_all = ["backbone", "from_configuration", "decoder_layers"])]
    new: Option<String>,
    /// Maximum number of pieces of the vocabulary that --new learns
    #[arg(long, value_name = "N", default_value_t = 8_000, requires = "new")]
    vocabulary: usize,
    /// Training data: a .tsv file with the columns source and target, or a data set of CommonGen in either published format;
    /// repeatable, and learned in this order
    #[arg(long, value_name = "FILE", required = true)]
    train: Vec<PathBuf>,
    /// Development data, on which the best weights are selected; without it, the last weights are kept
    #[arg(long, value_name = "FILE")]
    dev: Option<PathBuf>,
    /// Maximum number of tokens of a source that an encoder reads
    #[arg(long, value_name = "N", default_value_t = 64)]
    longest_source: usize,
    /// Maximum number of tokens of a target below an encoder
    #[arg(long, value_name = "N", default_value_t = 256)]
    longest_target: usize,
    /// Maximum number of tokens of source and target together, for a model without an encoder
    #[arg(long, value_name = "N", default_value_t = 128)]
    longest_block: usize,
    /// Text before every source, saved with the model, as T5 wants it [default: as the folder's configuration says]
    #[arg(long, value_name = "TEXT")]
    prefix: Option<String>,
    /// Token that every target begins with below an encoder, saved with the model, for example ko_KR for mBART-50 [default: as the folder says]
    #[arg(long, value_name = "TOKEN")]
    first_token: Option<String>,
    /// Source, with {} where it stands; a model without an encoder may take "{} ="
    #[arg(long, value_name = "TEXT", default_value = "{}")]
    template: String,
    /// What stands between two concepts of a data set of CommonGen, and between words that --restoring leaves
    #[arg(long, value_name = "TEXT", default_value = "#")]
    between: String,
    /// Learn to restore the targets from the beginnings of some of their words, in any order, instead of from the sources: a first stage
    /// for a model that starts at random
    #[arg(long)]
    restoring: bool,
    /// See the examples in another order in each epoch, instead of the order given
    #[arg(long)]
    shuffled: bool,
    /// Number of steps over which the learning rate warms up
    #[arg(long, value_name = "N", default_value_t = 400)]
    warm_up_steps: usize,
    /// Folder to write the model to, with `training.json` and a log in JSON lines
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    #[command(flatten)]
    settings: Settings,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Summarizer {
    #[command(flatten)]
    watched: WithDev,
    /// Number of layers of the new decoder
    #[arg(long, value_name = "N", default_value_t = 6)]
    decoder_layers: usize,
    /// Length of the new decoder's vectors, a multiple of 64 [default: the encoder's]
    #[arg(long, value_name = "N")]
    decoder_width: Option<usize>,
    /// Factor of the encoder's learning rate, X * min(step^-0.5, step * warm-up^-1.5)
    #[arg(long, value_name = "X", default_value_t = 2e-3)]
    encoder_learning_rate: f64,
    /// Number of steps over which the encoder's learning rate warms up
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    encoder_warm_up_steps: usize,
    /// Factor of the decoder's learning rate
    #[arg(long, value_name = "X", default_value_t = 0.1)]
    decoder_learning_rate: f64,
    /// Number of steps over which the decoder's learning rate warms up
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    decoder_warm_up_steps: usize,
    #[command(flatten)]
    lengths: SummaryLengths,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Fwa {
    /// Folder of the sentence embedder to start from; --backbone is the summarizer, and both have the same tokens
    #[arg(long, value_name = "FOLDER", value_parser = models::folder())]
    embedder: PathBuf,
    #[command(flatten)]
    common: Common,
    /// Margin: how much closer than the wrong ones the right reference and document should be
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    margin: f64,
    #[command(flatten)]
    lengths: SummaryLengths,
}

/// How much of a document is read, and how long its summary may be.
#[derive(Debug, clap::Args)]
struct SummaryLengths {
    /// Maximum number of tokens of a document; longer ones are truncated
    #[arg(long, value_name = "N", default_value_t = 512)]
    longest_document: usize,
    /// Maximum number of tokens of a summary
    #[arg(long, value_name = "N", default_value_t = 150)]
    longest_summary: usize,
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
    /// Fraction of an encoder's numbers that are dropped at random in every step [default: as the backbone's configuration says]
    #[arg(long, value_name = "X")]
    dropout: Option<f64>,
    /// Fraction of the steps, the last ones, whose weights are averaged: the mean is scored and kept [default: none]
    #[arg(long, value_name = "X")]
    average: Option<f64>,
    /// Maximum number of tokens per example; longer ones are truncated [default: 128]
    #[arg(long, value_name = "N")]
    longest: Option<usize>,
    /// Where to train: auto, cpu, cuda, cuda:N or mps [default: auto]
    #[arg(long, value_name = "DEVICE")]
    device: Option<Device>,
    /// The numbers that products are made in: f32, or bf16 for mixed precision [default: f32]
    #[arg(long, value_name = "KIND")]
    precision: Option<Precision>,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Number of evaluations on the development data per epoch [default: 1]
    #[arg(long, value_name = "N")]
    evaluations: Option<usize>,
    /// Number of minutes after which the training stops with what it has learned, all stages together; of a training in stages that ends in an
    /// earlier one, start the command again to go on [default: no limit]
    #[arg(long = "minutes", value_name = "N", value_parser = minutes)]
    time_limit: Option<Duration>,
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

fn minutes(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().map(|minutes| 60.0 * minutes).map_err(|e| e.to_string())?;
    Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())
}

pub(crate) fn run(command: &Command) -> Result<()> {
    models::train(command)
}
