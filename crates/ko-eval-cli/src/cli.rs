//! What can be asked of the command.

#[cfg(feature = "sql")]
use crate::commands::sql;
use crate::commands::{
    bertscore, classify, commongen, compare, demo, dictionary, embed, explain, generate, history,
    kosmic, merge, meta, probe, score, setup, subword, tag, tokenize, tone, train,
};
use crate::{
    destinations,
    lang::{self, Lang},
    output,
};
use clap::{
    Arg, ArgAction, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
    builder::EnumValueParser,
};
use clap_complete::Shell;
use ko_eval::{bridge::Program, tokenize::morpheme::dictionary::set_provider};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::OnceLock,
};

/// How good is this Korean text?
#[derive(Debug, Parser)]
#[command(name = "ko-eval", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show on bundled samples what there is: units, scores, comparisons, honorifics, re-ranking, a probe, a report
    Demo(demo::Args),
    /// Score hypotheses against references
    Score(score::Args),
    /// Compare systems with paired significance tests
    Compare(compare::Args),
    /// Show the scores of runs that `compare --save` kept, and whether the last one dropped
    History(history::Args),
    /// Tell why a segment has its scores: what met what, and the formula that makes each score
    Explain(explain::Args),
    /// Cut text into units, a line at a time
    Tokenize(tokenize::Args),
    /// Learn a subword vocabulary, cut text by it, put it together again
    #[command(subcommand)]
    Subword(subword::Command),
    /// Tell speech level and honorifics of texts, and where the tone slips
    Tone(tone::Args),
    /// Find out which metric agrees with people, on which unit
    Meta(meta::Args),
    /// Korean CommonGen: build the data set, generate, re-rank candidates, score systems
    #[command(subcommand)]
    Commongen(commongen::Command),
    /// What does a sentence embedding know about Korean?
    #[command(subcommand)]
    Probe(probe::Command),
    /// Find the layer of a model whose BERTScore agrees best with people, or its baseline (to score: `score -m
    /// bertscore:MODEL`)
    Bertscore(bertscore::Args),
    /// Tune KOSMIC's weights, judge it as its paper does (to score: `score -m kosmic:sts=A,fic=B,csl=C`)
    Kosmic(kosmic::Args),
    /// A vector per text
    Embed(embed::Args),
    /// Find named entities in texts by a model, or tell how well it finds them
    Tag(tag::Args),
    /// Label texts by a model, or tell how well it labels them
    Classify(classify::Args),
    /// Write texts by a model or by a program of your own: candidates with scores for each prompt
    Generate(generate::Args),
    /// Summarize documents by a model or by a program of your own
    Summarize(generate::SummarizeArgs),
    /// Train the models of KOSMIC and RDASS, sentence embedders, generators, taggers and classifiers
    #[command(subcommand)]
    Train(train::Command),
    /// Merge the statistics of shards into scores
    Merge(merge::Args),
    /// Ask Parquet, CSV and JSON lines in SQL, with every metric as a function
    #[cfg(feature = "sql")]
    Sql(sql::Args),
    /// List the metrics, their parameters and the implementations they equal
    Metrics(Listing),
    /// List the units and their parameters, or the tags of those that tag
    Units {
        /// The tag sets of all analyzers instead, side by side
        #[arg(long)]
        tags: bool,
        #[command(flatten)]
        listing: Listing,
    },
    /// Fetch, verify and install what is too large for the command: dictionaries, analyzers, libtorch, a model
    Setup(setup::Args),
    /// Convert a dictionary to the form that the unit `mecab` reads
    #[command(subcommand)]
    Dictionary(dictionary::Command),
    /// Tell what is installed, where, and how to get what is missing
    Doctor(Listing),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write a page per command to a folder
    Man {
        /// Folder to write the pages to, as `ko-eval.1`, `ko-eval-score.1` …
        folder: Option<PathBuf>,
    },
}

/// The command with all that can be asked of it, in the language that was chosen.
pub(crate) fn command() -> clap::Command {
    lang::translated(in_english())
}

/// Longer lines of help are hard to read.
const WIDEST: usize = 100;

/// The same as it is written here.
pub(crate) fn in_english() -> clap::Command {
    // Read before anything is parsed, because help needs it; here it is only checked and shown.
    let language = Arg::new("lang")
        .long("lang")
        .global(true)
        .value_name("LANG")
        .value_parser(EnumValueParser::<Lang>::new())
        .help("Language of tables, notes and help [default: as LC_ALL, LC_MESSAGES or LANG say, else en]");
    let offline = Arg::new(OFFLINE).long(OFFLINE).global(true).action(ArgAction::SetTrue);
    let offline =
        offline.help("Fetch nothing: what is missing is an error [env: KO_EVAL_OFFLINE=1]");
    Cli::command().term_width(output::width().min(WIDEST)).args([language, offline])
}

const OFFLINE: &str = "offline";

static IS_OFFLINE: OnceLock<bool> = OnceLock::new();

/// Whether nothing may be fetched.
pub(crate) fn offline() -> bool {
    *IS_OFFLINE.get_or_init(|| {
        std::env::var("KO_EVAL_OFFLINE").is_ok_and(|value| !matches!(value.as_str(), "" | "0"))
    })
}

/// Chooses between fetching a dictionary at its first use and an error. `doctor` only looks.
fn choose_provider(matches: &ArgMatches, command: &Command) {
    if matches.get_flag(OFFLINE) {
        let _ = IS_OFFLINE.set(true);
    }
    if !offline() && !matches!(command, Command::Doctor(_)) {
        set_provider(setup::provide);
    }
}

/// What was asked, if nothing that is read would be overwritten.
pub(crate) fn parse() -> anyhow::Result<Cli> {
    let args: Vec<OsString> = std::env::args_os().collect();
    lang::choose(&args);
    let mut command = command();
    let matches = command.try_get_matches_from_mut(args).unwrap_or_else(|error| error.exit());
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    destinations::check(&command, &matches)?;
    choose_provider(&matches, &cli.command);
    Ok(cli)
}

/// How a result is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Table,
    /// For programs: full precision, stable keys
    Json,
    /// For spreadsheets
    Csv,
    /// The same, separated by tabs
    Tsv,
    /// A table for a document
    #[value(name = "md", alias = "markdown")]
    Markdown,
}

impl Format {
    /// What the extension of the file says; a table without one.
    pub(crate) fn of(file: Option<&Path>) -> Self {
        let extension = file.and_then(Path::extension).and_then(|extension| extension.to_str());
        extension.and_then(|name| Self::from_str(name, true).ok()).unwrap_or_default()
    }
}

/// `NAME=FILE`.
pub(crate) fn named_file(text: &str) -> Result<(String, PathBuf), String> {
    let (name, file) = text.split_once('=').ok_or("expected NAME=FILE")?;
    Ok((name.to_owned(), file.into()))
}

/// `NAME=COMMAND[,version=V]`, a version being the last of it, as metrics and units write it.
pub(crate) fn named_program(text: &str) -> Result<(String, Program), String> {
    let expected = || "expected NAME=COMMAND or NAME=COMMAND,version=V".to_owned();
    let (name, rest) = text.split_once('=').ok_or_else(expected)?;
    let (command, version) = match rest.rsplit_once(",version=") {
        Some((command, version)) => (command, Some(version.trim())),
        None => (rest, None),
    };
    let program = Program::parse(command).ok_or_else(expected)?;
    let program = match version {
        Some("") => return Err(expected()),
        Some(version) => program.version(version),
        None => program,
    };
    Ok((name.to_owned(), program))
}

/// Options of the commands that only list.
#[derive(Debug, clap::Args)]
pub(crate) struct Listing {
    /// How the list is written
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}
