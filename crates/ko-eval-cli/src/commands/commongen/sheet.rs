//! `ko-eval commongen sheet`: crowd work, written and read back.

use crate::{
    lang::{self, fill},
    output::{self, Cell, OutputArgs, Report},
};
use anyhow::{Result, bail};
use clap::Subcommand;
use ko_eval::{
    commongen::{
        BadLines, ItemForm, Pairs,
        human::{Criterion, HumanScores, RATERS, agreement},
        read_concept_sets,
        sheet::{RatingSheet, WritingSheet, write_ratings},
        study::TestSet,
        write_items,
    },
    files::FolderLock,
};
use serde_json::json;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a sheet on which people rate systems' sentences, as CSV and as a form (HTML)
    Rate(RateArgs),
    /// Read filled rating sheets: means, Fleiss' kappa, and the files that `commongen evaluate` reads
    Ratings(RatingsArgs),
    /// Write a sheet on which people write sentences for concept sets, as CSV and as a form (HTML)
    Write(WriteArgs),
    /// Read filled writing sheets into a test set
    References(ReferencesArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct RateArgs {
    /// Test set, in either published format
    #[arg(long, value_name = "FILE")]
    test: PathBuf,
    /// A system's sentences, one per line; repeatable
    #[arg(long = "system", value_name = "NAME=FILE", value_parser = crate::cli::named_file, required = true)]
    systems: Vec<(String, PathBuf)>,
    /// Random seed of the order
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    /// Folder to write sheet.csv, sheet.html and key.csv to
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RatingsArgs {
    /// The key.csv of the sheet
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Filled sheets
    #[arg(value_name = "SHEET", required = true)]
    sheets: Vec<PathBuf>,
    /// Raters of each sentence; where there are more, chance chooses
    #[arg(long, value_name = "N", default_value_t = RATERS)]
    raters: usize,
    /// Random seed of the choice
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    /// Folder of the study to write the ratings to, as human/NAME/…; they have to be of three raters
    #[arg(long, value_name = "FOLDER")]
    study: Option<PathBuf>,
    /// Which test was rated: korean_commongen or reform
    #[arg(long, value_name = "SET", default_value = "korean_commongen")]
    set: TestSet,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct WriteArgs {
    /// Concept sets: a data set in either published format, whose sentences are not shown, or what `commongen reformulate` prints
    #[arg(value_name = "FILE")]
    sets: PathBuf,
    /// Folder to write sheet.csv and sheet.html to
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ReferencesArgs {
    /// The file that the sheet was made of
    #[arg(long, value_name = "FILE")]
    sets: PathBuf,
    /// Filled sheets
    #[arg(value_name = "SHEET", required = true)]
    sheets: Vec<PathBuf>,
    /// Sentences of each concept set; where there are more, chance chooses
    #[arg(long, value_name = "N", default_value_t = 3)]
    references: usize,
    /// Random seed of the choice
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    /// File to write the test set to, as JSONL
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

pub(crate) fn run(command: &Command) -> Result<()> {
    match command {
        Command::Rate(args) => rate(args),
        Command::Ratings(args) => ratings(args),
        Command::Write(args) => write(args),
        Command::References(args) => references(args),
    }
}

fn rate(args: &RateArgs) -> Result<()> {
    let mut systems = BTreeMap::new();
    for (name, file) in &args.systems {
        let pairs = Pairs::read(&args.test, file, BadLines::Refuse)?;
        if systems.insert(name.as_str(), pairs).is_some() {
            bail!("the system `{name}` is there twice");
        }
    }
    let sheet = RatingSheet::new(systems.iter().map(|(name, pairs)| (*name, pairs)), args.seed)?;
    let _held = FolderLock::take(&args.output)?;
    sheet.write(&args.output, lang::of_reports())?;
    told("{0} sentences to rate: {1}; do not give key.csv to the raters", sheet.len(), &args.output)
}

fn write(args: &WriteArgs) -> Result<()> {
    let sets = read_concept_sets(&args.sets, BadLines::Refuse)?.into_values();
    let sheet = WritingSheet::of_sets(&sets)?;
    let _held = FolderLock::take(&args.output)?;
    sheet.write(&args.output, lang::of_reports())?;
    told("{0} concept sets to write for: {1}", sets.len(), &args.output)
}

fn references(args: &ReferencesArgs) -> Result<()> {
    let sets = read_concept_sets(&args.sets, BadLines::Refuse)?.into_values();
    let filled = WritingSheet::of_sets(&sets)?.read(&args.sheets)?;
    let items = filled.choose(args.references, args.seed)?;
    write_items(&args.output, ItemForm::Jsonl, &items)?;
    told("{0} concept sets: {1}", items.len(), &args.output)
}

fn told(text: &str, count: usize, path: &Path) -> Result<()> {
    output::print(
        (fill(text, &[&count.to_string(), &path.display().to_string()]) + "\n").as_bytes(),
    )
}

fn ratings(args: &RatingsArgs) -> Result<()> {
    if args.study.is_some() && args.raters != RATERS {
        bail!("a study has {RATERS} raters of each sentence, not {}", args.raters);
    }
    let filled = RatingSheet::read_key(&args.key)?.read(&args.sheets)?;
    let systems = filled.choose(args.raters, args.seed)?;
    let mut columns = vec!["system".to_owned()];
    columns.extend(Criterion::ALL.iter().map(ToString::to_string));
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for (name, scores) in &systems {
        let means = scores.means();
        let means =
            Criterion::ALL.iter().map(|c| means.get(c).map_or(Cell::Empty, |m| (*m).into()));
        rows.push(std::iter::once(name.as_str().into()).chain(means).collect());
    }
    let people: Vec<HumanScores> = systems.values().cloned().collect();
    let kappas: Vec<_> = Criterion::ALL.iter().map(|c| (c, agreement(&people, *c).ok())).collect();
    for (name, of) in [("kappa, mean of the systems", true), ("kappa, all ratings together", false)]
    {
        let value = |kappa: &Option<ko_eval::meta::agreement::KappaBySystem>| match kappa {
            Some(kappa) if of => kappa.mean.into(),
            Some(kappa) => kappa.pooled.value.into(),
            None => Cell::Empty,
        };
        rows.push(
            std::iter::once(Cell::Word(name)).chain(kappas.iter().map(|(_, k)| value(k))).collect(),
        );
    }
    let json = json!({
        "raters": filled.raters(),
        "raters_per_sentence": args.raters,
        "seed": args.seed,
        "means": systems.iter().map(|(name, scores)| (name, scores.means())).collect::<BTreeMap<_, _>>(),
        "kappa": kappas.iter().filter_map(|(c, k)| Some((c.as_str(), k.as_ref()?))).collect::<BTreeMap<_, _>>(),
    });
    if let Some(folder) = &args.study {
        write_ratings(&systems, args.set, folder)?;
    }
    args.output.write(&Report { columns, rows, json })
}
