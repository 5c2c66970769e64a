//! `ko-eval demo`: the story of the whole command, told on samples that come with it.
//!
//! What a scene shows is what the commands themselves do: their lines are printed before they are run, and
//! the samples are written out, so that every line can be repeated and changed.

mod probe;
mod rerank;
mod tone;
mod units;

use crate::{
    cli::Cli,
    lang::{fill, tr},
    output,
};
use anyhow::{Context, Result};
use clap::Parser;
use ko_eval::{files::write_atomically, tokenize::morpheme::dictionary::MECAB_KO_DIC};
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where the samples and the reports go
    #[arg(long, short, value_name = "FOLDER", default_value = "ko-eval-demo")]
    output: PathBuf,
}

/// The samples, all written for this purpose.
const SAMPLES: &[(&str, &str)] = &[
    ("good.txt", include_str!("../../samples/good.txt")),
    ("blunt.txt", include_str!("../../samples/blunt.txt")),
    ("poor.txt", include_str!("../../samples/poor.txt")),
    ("reference.txt", include_str!("../../samples/reference.txt")),
    ("reference2.txt", include_str!("../../samples/reference2.txt")),
    ("human.tsv", include_str!("../../samples/human.tsv")),
    ("experiment.toml", include_str!("../../samples/experiment.toml")),
    ("tone.jsonl", tone::PAIRS),
    ("candidates.jsonl", rerank::CANDIDATES),
];

const WHERE: &str = "Samples and reports go to {0}; every line can be repeated.";
const NEXT: &str = "Next: `ko-eval score --help`, `ko-eval metrics`, `ko-eval units`; `ko-eval doctor` tells what is installed.";

/// What a story is told with.
struct Stage {
    samples: PathBuf,
    output: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    // Before anything is written: most scenes need it.
    MECAB_KO_DIC.open()?;
    let samples = args.output.join("samples");
    for (name, text) in SAMPLES {
        write_atomically(&samples.join(name), text.as_bytes())?;
    }
    probe::write_data(&samples.join("probe"))?;
    let stage = Stage { samples, output: args.output.clone() };
    say(&format!("{}\n", fill(WHERE, &[&args.output.display().to_string()])))?;
    heading("1. One sentence, several units", "What a metric counts decides what it can see.")?;
    units::show()?;

    let good = stage.sample("good.txt")?;
    let references = stage.references()?;
    let units = "-u word -u mecab -u char -u jamo";
    heading(
        "2. A score is an estimate",
        "16 outputs of one system against two references each, with 95 % intervals.",
    )?;
    stage.run(&format!("score --hyp {good} {references} -m bleu:order=2 -m ter {units} --ci"))?;

    let blunt = stage.sample("blunt.txt")?;
    heading(
        "3. Which of two systems is better?",
        "`blunt` says the same as `good`, but to nobody's grandmother. A paired test on the same segments.",
    )?;
    stage.run(&format!(
        "compare --baseline {blunt} --system {good} {references} -m chrf -m register -m honorifics -u char"
    ))?;

    heading(
        "4. Only the honorifics differ",
        "The right meaning without honorifics, and the wrong place with all of them: which is worse?",
    )?;
    tone::show(&stage)?;

    heading(
        "5. Korean CommonGen: re-ranking",
        "Of a model's candidates the one that uses most concepts wins, whatever the model prefers.",
    )?;
    rerank::show(&stage)?;

    heading("6. What does a sentence vector know?", probe::ABOUT)?;
    let (data, vectors) = (stage.sample("probe")?, stage.result("probe")?);
    stage.run(&format!(
        "probe run {data} --embedder ngrams:dim=256 --embedder jamo --embedder random:dim=256 --output {vectors}"
    ))?;

    heading(
        "7. Which metric agrees with people?",
        "Three systems, judged by hand; the report is a page with tables and pictures.",
    )?;
    let (plan, report) = (stage.sample("experiment.toml")?, stage.result("report")?);
    stage.run(&format!("meta --plan {plan} {units} --output {report}"))?;

    say(&format!("{}\n\n{}\n", tr("Open the report in a browser."), tr(NEXT)))
}

impl Stage {
    fn sample(&self, name: &str) -> Result<String> {
        word(&self.samples.join(name))
    }

    fn result(&self, name: &str) -> Result<String> {
        word(&self.output.join(name))
    }

    fn references(&self) -> Result<String> {
        let (one, two) = (self.sample("reference.txt")?, self.sample("reference2.txt")?);
        Ok(format!("--ref {one} --ref {two}"))
    }

    /// Shows a line of the command, and runs it.
    fn run(&self, line: &str) -> Result<()> {
        say(&format!("$ ko-eval {line}\n"))?;
        let words = shell_words(line);
        let cli = Cli::try_parse_from(["ko-eval"].into_iter().map(str::to_owned).chain(words))?;
        super::run(cli)
    }
}

/// A path as one word of a line that can be copied into a shell.
fn word(path: &Path) -> Result<String> {
    let text = path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))?;
    let plain = |c: char| c.is_alphanumeric() || "/\\:._-+@".contains(c);
    Ok(if text.chars().all(plain) { text.to_owned() } else { format!("'{text}'") })
}

/// The words of a line that this module wrote: apart by spaces, or between quotes.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in line.split('\'').enumerate() {
        match number % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

fn heading(title: &str, about: &str) -> Result<()> {
    let mut text = format!("\n── {}\n", tr(title));
    output::hanging(&mut text, "   ", tr(about), output::width());
    say(&(text + "\n"))
}

fn say(text: &str) -> Result<()> {
    output::print(text.as_bytes())
}
