//! `ko-eval generate` and `ko-eval summarize`

use super::unused::unused;
use crate::{
    corpus::texts,
    models::{self, WritingModelArgs, explained_by},
    output,
    progress::Shown,
};
use anyhow::{Result, bail};
use clap::ValueEnum;
use ko_eval::{
    Candidate, Decoding, EarlyStopping, Generator, GeneratorBridge, Prompt, Search, Signature,
    bridge::Program, files, generate::generate_kept,
};
use serde::Serialize;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) writer: WriterArgs,
    #[command(flatten)]
    pub(crate) decoding: DecodingArgs,
    #[command(flatten)]
    candidates: CandidatesArgs,
    /// Text that every answer must use; repeatable. Forms of one word are separated by `|`
    #[arg(long, value_name = "FORMS")]
    must_use: Vec<String>,
    /// What happens to a prompt that no answer with all of these texts is found for
    #[arg(long, value_enum, default_value_t, requires = "must_use")]
    unmeetable: Otherwise,
    #[command(flatten)]
    kept: KeptArgs,
    /// Output format: text prints the best candidate of each prompt, json all of them with their scores
    #[arg(long, value_enum, default_value_t)]
    format: super::tokenize::LineFormat,
    /// File with one prompt per line; `-` reads standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SummarizeArgs {
    #[command(flatten)]
    writer: WriterArgs,
    #[command(flatten)]
    decoding: DecodingArgs,
    #[command(flatten)]
    kept: KeptArgs,
    /// File with one document per line; `-` reads standard input
    #[arg(default_value = "-")]
    file: PathBuf,
}

/// Who writes.
#[derive(Debug, clap::Args)]
pub(crate) struct WriterArgs {
    /// Folder of the model
    #[arg(long, value_name = "FOLDER", required_unless_present = "program")]
    model: Option<PathBuf>,
    /// Program that writes instead of a model: it reads a prompt per line, and answers with a line per candidate and an empty line
    #[arg(long, value_name = "COMMAND", conflicts_with = "model")]
    program: Option<String>,
    #[command(flatten)]
    how: WritingModelArgs,
}

/// Where unfinished work is kept.
#[derive(Debug, clap::Args)]
pub(crate) struct KeptArgs {
    /// File to write to; an interrupted run resumes from FILE.partial [default: standard output, which is not resumed]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// How many answers a prompt has.
#[derive(Debug, clap::Args)]
pub(crate) struct CandidatesArgs {
    /// Number of candidates per prompt
    #[arg(long, value_name = "N")]
    candidates: Option<usize>,
}

impl CandidatesArgs {
    /// The same settings with as many answers as are asked for.
    pub(crate) fn over(&self, decoding: Decoding) -> Decoding {
        let candidates = self.candidates.unwrap_or(decoding.candidates);
        decoding.with_candidates(candidates)
    }
}

/// How tokens are chosen; what is not given is as the model's folder says. A program chooses by itself.
#[derive(Debug, Default, clap::Args)]
#[group(conflicts_with = "program")]
pub(crate) struct DecodingArgs {
    /// Number of beams; 1 takes the most probable token at each step
    #[arg(long, value_name = "N")]
    beams: Option<usize>,
    /// Power of the length by which beam scores are divided
    #[arg(long, value_name = "X")]
    length_penalty: Option<f64>,
    /// When a beam search ends
    #[arg(long, value_enum)]
    early_stopping: Option<Stop>,
    /// Draw tokens at random, with this seed
    #[arg(long, value_name = "SEED", conflicts_with_all = ["beams", "length_penalty", "early_stopping"])]
    sample: Option<u64>,
    /// Temperature of drawn tokens
    #[arg(long, value_name = "X", requires = "sample")]
    temperature: Option<f64>,
    /// Draw among this many of the most probable tokens; 0 draws among all
    #[arg(long, value_name = "N", requires = "sample")]
    top_k: Option<usize>,
    /// Draw among the most probable tokens that together have this probability
    #[arg(long, value_name = "P", requires = "sample")]
    top_p: Option<f64>,
    /// Minimum number of new tokens
    #[arg(long, value_name = "N")]
    min_tokens: Option<usize>,
    /// Maximum number of new tokens
    #[arg(long, value_name = "N")]
    max_tokens: Option<usize>,
    /// Length of token sequences that may not occur twice; 0 allows all
    #[arg(long, value_name = "N")]
    no_repeat: Option<usize>,
    /// Penalty on tokens that already occurred; 1 is none
    #[arg(long, value_name = "X")]
    repetition_penalty: Option<f64>,
    /// Token that every answer begins with, for example ko_KR for mBART-50; models without an encoder (GPT-2) take none
    #[arg(long, value_name = "TOKEN")]
    first_token: Option<String>,
}

/// What happens to a prompt whose words no answer uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Otherwise {
    /// The command stops and names the prompt
    #[default]
    Error,
    /// It is answered without them, and the command says how many were
    Free,
}

impl Otherwise {
    /// A prompt for which this holds.
    pub(crate) fn over(self, prompt: Prompt<'_>) -> Prompt<'_> {
        match self {
            Self::Error => prompt,
            Self::Free => prompt.or_freely(),
        }
    }

    /// Says how many prompts were answered without all of their words.
    pub(crate) fn tell(self, prompts: &[Prompt<'_>], answers: &[Vec<Candidate>]) {
        let uses = |prompt: &Prompt<'_>, text: &str| {
            let is_used = |forms: &Vec<String>| forms.iter().any(|form| text.contains(form.trim()));
            prompt.required.iter().all(is_used)
        };
        let is_free = |(prompt, all): &(&Prompt<'_>, &Vec<Candidate>)| {
            !all.iter().all(|candidate| uses(prompt, &candidate.text))
        };
        let free = prompts.iter().zip(answers).filter(is_free).count();
        if self == Self::Free && free > 0 {
            eprintln!(
                "ko-eval: {free} of {} prompts were answered without all their words",
                prompts.len()
            );
        }
    }
}

/// The library's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stop {
    /// When no running beam scores better than the worst answer
    Heuristic,
    /// As soon as there are as many answers as beams
    Full,
    /// When no running beam can score better at any length
    Never,
}

impl DecodingArgs {
    /// The settings, those that are not given as `default` has them.
    pub(crate) fn over(&self, default: &Decoding) -> Result<Decoding> {
        let mut decoding = default.clone();
        decoding.search = self.search(default.search);
        if !matches!(decoding.search, Search::Beam { .. }) {
            unused(
                "it is for a search with several beams; --beams N makes one",
                &[
                    ("--length-penalty", self.length_penalty.is_some()),
                    ("--early-stopping", self.early_stopping.is_some()),
                ],
            )?;
        }
        decoding.min_tokens = self.min_tokens.unwrap_or(default.min_tokens);
        decoding.max_tokens = self.max_tokens.unwrap_or(default.max_tokens);
        decoding.no_repeat_ngram = self.no_repeat.unwrap_or(default.no_repeat_ngram);
        decoding.repetition_penalty = self.repetition_penalty.unwrap_or(default.repetition_penalty);
        decoding.first_token = self.first_token.clone().or(decoding.first_token);
        Ok(decoding)
    }

    fn search(&self, default: Search) -> Search {
        if let Some(seed) = self.sample {
            let (temperature, top_k, top_p) = match default {
                Search::Sample { temperature, top_k, top_p, .. } => (temperature, top_k, top_p),
                _ => (1.0, 50, 1.0),
            };
            return Search::Sample {
                temperature: self.temperature.unwrap_or(temperature),
                top_k: self.top_k.unwrap_or(top_k),
                top_p: self.top_p.unwrap_or(top_p),
                seed,
            };
        }
        let (beams, length_penalty, early_stopping) = match default {
            Search::Beam { beams, length_penalty, early_stopping } => {
                (beams, length_penalty, early_stopping)
            }
            _ => (1, 1.0, EarlyStopping::Heuristic),
        };
        let given = self.early_stopping.map(|stop| match stop {
            Stop::Heuristic => EarlyStopping::Heuristic,
            Stop::Full => EarlyStopping::Full,
            Stop::Never => EarlyStopping::Never,
        });
        match (self.beams.unwrap_or(beams), default) {
            (_, Search::Sample { .. }) if self.beams.is_none() => default,
            (1, _) => Search::Greedy,
            (beams, _) => Search::Beam {
                beams,
                length_penalty: self.length_penalty.unwrap_or(length_penalty),
                early_stopping: given.unwrap_or(early_stopping),
            },
        }
    }
}

/// The most candidates of a program that was not told how many: as many as anybody may ask for.
const MOST: usize = 10_000;

impl WriterArgs {
    /// Whether a program writes.
    pub(crate) fn is_program(&self) -> bool {
        self.program.is_some()
    }

    /// The generator, and how it writes unless told otherwise.
    pub(crate) fn open(&self) -> Result<(Arc<dyn Generator>, Decoding)> {
        match (&self.model, &self.program) {
            (Some(folder), _) => {
                models::check_folder(folder)?;
                models::generator(folder, &self.how)
            }
            (None, Some(command)) => {
                let Some(program) = Program::parse(command) else {
                    bail!("--program: `{command}` is no command")
                };
                let bridge = GeneratorBridge::new(program)?;
                // A program has settings of its own, and gives as many candidates as it likes.
                Ok((Arc::new(bridge), Decoding::beam(MOST, MOST).with_candidates(MOST)))
            }
            (None, None) => bail!("--model or --program is needed"),
        }
    }
}

impl WriterArgs {
    /// What decided the answers; a program's own settings are its own.
    pub(crate) fn signature(&self, generator: &dyn Generator, decoding: &Decoding) -> Signature {
        match self.program {
            Some(_) => generator.signature(),
            None => decoding.sign(generator.signature()),
        }
    }
}

impl KeptArgs {
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.as_deref()
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let (generator, default) = args.writer.open()?;
    let decoding = args.candidates.over(args.decoding.over(&default)?);
    decoding.check()?;
    let lines = texts(&args.file)?;
    let forms = |prompt: Prompt<'static>| {
        args.must_use.iter().fold(prompt, |prompt, forms| prompt.must_use(forms.split('|')))
    };
    let prompts: Vec<Prompt<'_>> =
        lines.iter().map(|line| args.unmeetable.over(forms(Prompt::new(line.clone())))).collect();
    let answers = answers(&*generator, &prompts, &decoding, args.kept.path())?;
    args.unmeetable.tell(&prompts, &answers);
    write(&lines, &answers, args.format, args.kept.path())?;
    let signature = args.writer.signature(&*generator, &decoding);
    eprintln!("ko-eval: {} prompts by {signature}", lines.len());
    Ok(())
}

pub(crate) fn summarize(args: &SummarizeArgs) -> Result<()> {
    let (generator, default) = args.writer.open()?;
    let decoding = args.decoding.over(&default)?;
    // A program offers what it likes, and its first answer is the best.
    let decoding = if args.writer.is_program() { decoding } else { decoding.with_candidates(1) };
    let lines = texts(&args.file)?;
    let prompts: Vec<Prompt<'_>> = lines.iter().map(|line| Prompt::new(line.as_str())).collect();
    let answers = answers(&*generator, &prompts, &decoding, args.kept.path())?;
    write(&lines, &answers, super::tokenize::LineFormat::Text, args.kept.path())?;
    let signature = args.writer.signature(&*generator, &decoding);
    eprintln!("ko-eval: {} summaries by {signature}", lines.len());
    Ok(())
}

/// The candidates of all prompts; beside an output file they are kept until all are there.
pub(crate) fn answers(
    generator: &dyn Generator,
    prompts: &[Prompt<'_>],
    decoding: &Decoding,
    output: Option<&Path>,
) -> Result<Vec<Vec<Candidate>>> {
    decoding.check()?;
    let folder = output.map(partial);
    let shown = Shown::new();
    let texts = prompts.iter().map(|prompt| [&*prompt.text]);
    let answers = generate_kept(generator, prompts, decoding, folder.as_deref(), &shown);
    // What is written needs one text, not pieces of it.
    let way_out = "--long truncate reads its beginning, a smaller --max-tokens leaves it more room";
    let answers = answers.map_err(explained_by(texts, way_out))?;
    drop(shown);
    Ok(answers)
}

/// Where a file's unfinished answers lie.
pub(crate) fn partial(output: &Path) -> PathBuf {
    let mut path = output.as_os_str().to_owned();
    path.push(".partial");
    path.into()
}

/// Writes what is finished, and takes away what was kept on the way.
pub(crate) fn finish(text: &str, output: Option<&Path>) -> Result<()> {
    match output {
        Some(path) => {
            files::write_output(path, text.as_bytes())?;
            // What stays behind costs only room.
            let _ = std::fs::remove_dir_all(partial(path));
            Ok(())
        }
        None => output::print(text.as_bytes()),
    }
}

#[derive(Serialize)]
struct Line<'a> {
    prompt: &'a str,
    candidates: &'a [Candidate],
}

fn write(
    prompts: &[String],
    answers: &[Vec<Candidate>],
    format: super::tokenize::LineFormat,
    output: Option<&Path>,
) -> Result<()> {
    let mut text = String::new();
    for (prompt, candidates) in prompts.iter().zip(answers) {
        text += &match format {
            super::tokenize::LineFormat::Text => {
                candidates.first().map_or_else(String::new, |best| best.text.replace('\n', " "))
            }
            super::tokenize::LineFormat::Json => {
                serde_json::to_string(&Line { prompt, candidates })?
            }
        };
        text.push('\n');
    }
    finish(&text, output)
}
