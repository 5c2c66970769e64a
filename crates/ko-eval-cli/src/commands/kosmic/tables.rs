//! `ko-eval kosmic pairs` and `kosmic sentences`: the tables that KOSMIC's models learn from and are judged on, made from public corpora. No model is
//! needed.

use crate::{lang::fill, output};
use anyhow::{Result, bail, ensure};
use clap::Subcommand;
use ko_eval::{
    files::write_output,
    neural::read::{
        Tone, ToneGroup, TonePairing, as_written, formality_text, para_kqc_tsv,
        smile_style_columns, style_kqc_tsv, tone_pairs,
    },
    register::RegisterAnalyzer,
};
use std::path::{Path, PathBuf};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a table of pairs from corpora of one meaning in two tones, for `train csl`, `kosmic --tune`, `--evaluate` and `--evaluate-tone`
    Pairs(Pairs),
    /// Write a table of sentences with their tones from such corpora, for `train fic`
    Sentences(Sentences),
}

/// Where sentences of one meaning in two tones come from.
#[derive(Debug, clap::Args)]
struct Corpora {
    /// StyleKQC: a table with the columns act and sentence; repeatable
    #[arg(long, value_name = "FILE")]
    stylekqc: Vec<PathBuf>,
    /// paraKQC: act, topic and sentence per line; the grammar reads the tone off the endings; repeatable
    #[arg(long, value_name = "FILE")]
    parakqc: Vec<PathBuf>,
    /// SmileStyle: a table with a column per style; repeatable
    #[arg(long, value_name = "FILE")]
    smilestyle: Vec<PathBuf>,
    /// SmileStyle's columns that are formal
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        default_value = "formal",
        requires = "smilestyle"
    )]
    formal: Vec<String>,
    /// SmileStyle's columns that are informal
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        default_value = "informal",
        requires = "smilestyle"
    )]
    informal: Vec<String>,
    /// Two files of the same sentences, one formal, the other informal, as IWSLT's formality has them; repeatable
    #[arg(long, value_names = ["FORMAL", "INFORMAL"], num_args = 2)]
    formality: Vec<PathBuf>,
    /// Take every N-th group of sentences of one meaning
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Change the sentences as they stand in other texts: with and without a mark at the end, cut, one after the other. For training; the meaning of
    /// a pair does not stay
    #[arg(long)]
    as_written: bool,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// File to write the table to, separated by tabs
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ko-eval kosmic pairs --stylekqc act-train.tsv --every 4 --as-written --count 2000 -o csl.tsv
  ko-eval kosmic pairs --stylekqc act-dev.tsv --parakqc paraKQC_v1.txt -o tune.tsv
  ko-eval kosmic pairs --smilestyle smilestyle.tsv --formal formal,gentle --informal informal,sosim -o judge.tsv
  ko-eval kosmic --sts sts --fic fic --csl csl --tune tune.tsv --evaluate judge.tsv")]
pub(crate) struct Pairs {
    #[command(flatten)]
    corpora: Corpora,
    /// Number of pairs from each corpus: evenly of one meaning or two, in one tone or two
    #[arg(long, value_name = "N", default_value_t = 800)]
    count: usize,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Sentences {
    #[command(flatten)]
    corpora: Corpora,
}

pub(super) fn run(command: &Command) -> Result<()> {
    match command {
        Command::Pairs(args) => {
            let mut table = "sentence1\tsentence2\tscore\tformality1\tformality2\n".to_owned();
            let mut count = 0;
            for (name, groups) in args.corpora.read()? {
                let pairs = tone_pairs(&groups, args.count, args.corpora.seed);
                ensure!(!pairs.is_empty(), "{name}: no two sentences make a pair");
                pairs.iter().for_each(|pair| table += &row(pair));
                count += pairs.len();
            }
            args.corpora.write(&table, "{0} pairs: {1}", count)
        }
        Command::Sentences(args) => {
            let mut table = "sentence\tformality\n".to_owned();
            let mut count = 0;
            for (_, groups) in args.corpora.read()? {
                for (text, tone) in groups.iter().flat_map(ToneGroup::sentences) {
                    table += &format!("{}\t{}\n", cell(text), word(tone));
                    count += 1;
                }
            }
            args.corpora.write(&table, "{0} sentences: {1}", count)
        }
    }
}

/// Nobody scored these pairs: a pair has 1, and 2 more for one meaning and for one tone, of 5.
fn row(pair: &TonePairing<'_>) -> String {
    let ((first, one), (second, two)) = (pair.first, pair.second);
    let score = 1 + 2 * (u8::from(pair.same_meaning) + u8::from(pair.same_tone()));
    let (first, second) = (cell(first), cell(second));
    format!("{first}\t{second}\t{score}\t{}\t{}\n", word(one), word(two))
}

/// A line of plain text may hold a tab, a cell of a table may not.
fn cell(text: &str) -> String {
    text.replace('\t', " ")
}

fn word(tone: Tone) -> &'static str {
    match tone {
        Tone::Formal => "formal",
        Tone::Informal => "informal",
    }
}

impl Corpora {
    /// The groups of every corpus that is given; several files of one are read as one.
    fn read(&self) -> Result<Vec<(&'static str, Vec<ToneGroup>)>> {
        ensure!(self.every > 0, "--every cannot be 0: expected at least 1");
        let mut all = [
            ("--stylekqc", of_all(&self.stylekqc, |path| Ok(style_kqc_tsv(path)?))?),
            ("--parakqc", of_all(&self.parakqc, by_grammar)?),
            ("--smilestyle", of_all(&self.smilestyle, |path| self.smile_style(path))?),
            ("--formality", self.formality()?),
        ]
        .to_vec();
        all.retain(|(_, groups)| !groups.is_empty());
        if all.is_empty() {
            bail!("no sentences: give --stylekqc, --parakqc, --smilestyle or --formality");
        }
        for (_, groups) in &mut all {
            *groups = std::mem::take(groups).into_iter().step_by(self.every).collect();
            if self.as_written {
                *groups = as_written(groups, self.seed);
            }
        }
        Ok(all)
    }

    fn smile_style(&self, path: &Path) -> Result<Vec<ToneGroup>> {
        let [formal, informal] = [&self.formal, &self.informal]
            .map(|names| names.iter().map(|name| name.trim()).collect::<Vec<_>>());
        Ok(smile_style_columns(path, &formal, &informal)?.concat())
    }

    fn formality(&self) -> Result<Vec<ToneGroup>> {
        let mut groups = Vec::new();
        for files in self.formality.chunks(2) {
            if let [formal, informal] = files {
                groups.extend(formality_text(formal, informal)?);
            }
        }
        Ok(groups)
    }

    fn write(&self, table: &str, told: &str, count: usize) -> Result<()> {
        write_output(&self.output, table.as_bytes())?;
        let told = fill(told, &[&count.to_string(), &self.output.display().to_string()]);
        output::print((told + "\n").as_bytes())
    }
}

fn of_all(
    paths: &[PathBuf],
    read: impl Fn(&Path) -> Result<Vec<ToneGroup>>,
) -> Result<Vec<ToneGroup>> {
    let groups: Result<Vec<_>> = paths.iter().map(|path| read(path)).collect();
    Ok(groups?.concat())
}

/// paraKQC's groups, whose tones nobody labelled: those that the grammar reads off the endings.
fn by_grammar(path: &Path) -> Result<Vec<ToneGroup>> {
    let analyzer = RegisterAnalyzer::without_dictionary();
    let is_formal = |text: &str| Ok(analyzer.analyze(text)?.polite);
    let groups = para_kqc_tsv(path)?.into_iter();
    Ok(groups.map(|texts| ToneGroup::by(texts, is_formal)).collect::<ko_eval::Result<_>>()?)
}
