//! `ko-eval meta`

mod wmt;

use crate::{
    cli::named_file,
    lang::{self, fill, tr},
    models, names, output,
    progress::Shown,
};
use anyhow::{Context, Result, bail};
use ko_eval::{
    commongen::judged,
    files::FolderLock,
    meta::{
        AgreementReport, Correlation, Experiment, Findings, Judged, MetricRow, Plan, Unit,
        experiment::{LeftOut, Level, Quotes, expand},
        judgement::{Cleanup, Outliers, Reason, Scale},
        plan::PlannedSystem,
    },
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Units that need nothing, or only the dictionary.
const UNITS: &[&str] = &["word", "mecab", "char", "jamo"];

/// What else there is to meta-evaluate.
#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Compare metrics as the Conference on Machine Translation does, on a test set of mt-metrics-eval
    Wmt(wmt::Args),
}

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// The experiment as a TOML file; its paths are seen from its folder
    #[arg(long, value_name = "FILE", conflicts_with_all = ["commongen", "systems", "references", "human"])]
    plan: Option<PathBuf>,
    /// Korean CommonGen as published: the folder that holds dataset/test.jsonl, systems/ and human/
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["systems", "references", "human"])]
    commongen: Option<PathBuf>,
    /// A system's outputs, one per line; repeatable
    #[arg(long = "system", value_name = "NAME=FILE", value_parser = system)]
    systems: Vec<PlannedSystem>,
    /// References, one per line; repeat it for several references
    #[arg(long = "ref", value_name = "FILE")]
    references: Vec<PathBuf>,
    /// Sources, one per line: the documents of summaries, the originals of translations
    #[arg(long = "src", value_name = "FILE", conflicts_with_all = ["plan", "commongen"])]
    source: Option<PathBuf>,
    /// Human scores: a TSV with the columns system, segment (from 1), perhaps judge, and one per criterion; what was not
    /// judged is empty
    #[arg(long, value_name = "FILE")]
    human: Option<PathBuf>,
    /// Drop each judge's first N ratings
    #[arg(long, value_name = "N", conflicts_with = "commongen")]
    drop_first: Option<usize>,
    /// Turn each judge's ratings into z-scores
    #[arg(long, conflicts_with = "commongen")]
    z_scores: bool,
    /// Drop ratings beyond 1.5 interquartile ranges: among all, each judge's, or each output's
    #[arg(long, value_name = "AMONG", value_enum, conflicts_with = "commongen")]
    drop_outliers: Option<Among>,
    /// Write quotation marks and backticks of all texts in one form; signatures say so
    #[arg(long, conflicts_with = "commongen")]
    straight_quotes: bool,
    /// A metric, as NAME[:key=value,…]; repeatable; a metric over a model is run once, without a unit. Several values at once:
    /// bleu:order=1..5, chrf:word-order=0|2, bleu:smooth=* for all that are declared
    /// [default: all over units, BLEU of orders 1 to 5, chrF of character orders 1 to 6 and word orders 0 to 2]
    #[arg(long = "metric", alias = "metrics", short, value_name = "SPEC")]
    metrics: Vec<String>,
    /// A unit, as NAME[:key=value,…], or `all` that work here; repeatable. What `all` leaves out is told, with
    /// the reason
    /// [default: word, mecab, char, jamo]
    #[arg(long = "unit", alias = "units", short, value_name = "SPEC")]
    units: Vec<String>,
    /// A subword vocabulary (a tokenizer.json or a SentencePiece model) to compare as the unit `subword:FILE`; `all` cannot
    /// guess one. `ko-eval subword train` learns one
    #[arg(long, value_name = "FILE")]
    vocabulary: Option<PathBuf>,
    #[command(flatten)]
    how: models::MetricModelArgs,
    /// Let the plan name units and metrics that run code (a program, a library), and files outside of its folder
    #[arg(long, requires = "plan")]
    allow_programs: bool,
    /// Where the report goes; finished work is kept in its folder `work`, so that a run that was
    /// stopped goes on where it was
    #[arg(long, short, value_name = "FOLDER", default_value = "ko-eval-report")]
    output: PathBuf,
}

/// Among which ratings an outlier is one.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Among {
    /// All ratings
    All,
    /// The judge's
    Judge,
    /// The output's
    Output,
}

impl From<Among> for Outliers {
    fn from(among: Among) -> Self {
        match among {
            Among::All => Self::OfAll,
            Among::Judge => Self::OfJudge,
            Among::Output => Self::OfItem,
        }
    }
}

fn system(text: &str) -> Result<PlannedSystem, String> {
    named_file(text).map(|(name, output)| PlannedSystem { name, output })
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(Command::Wmt(args)) = &args.command {
        return wmt::run(args);
    }
    let plan = plan(args)?;
    let chosen = if plan.metrics.is_empty() { all_metrics() } else { plan.metrics.clone() };
    let mut specs = Vec::new();
    for spec in chosen.iter().flat_map(|spec| names::metrics(spec)) {
        let expanded = expand(&ko_eval::LIBRARY, &spec)?;
        specs.extend(expanded.iter().map(|spec| args.how.of(spec)));
    }
    args.how.check(specs.iter().map(String::as_str))?;
    specs.iter().try_for_each(|spec| models::check_argument(spec))?;
    let metrics: Vec<MetricRow> = specs
        .iter()
        .map(|spec| MetricRow::by_name(ko_eval::LIBRARY, spec))
        .collect::<ko_eval::Result<_>>()?;
    let (units, left_out) = match metrics.iter().any(MetricRow::is_over_units) {
        true => units(&with_vocabulary(&plan.units, args.vocabulary.as_deref()))?,
        false => Default::default(),
    };
    for LeftOut { name, reason } in &left_out {
        eprintln!("ko-eval: unit {name} is left out: {reason}");
    }
    let judged = judged_by(args, &plan)?;
    let shown = Shown::new();
    let findings = Experiment::new(&judged)
        .metrics(metrics.into_iter().map(capped))
        .units(units)
        .folder(args.output.join("work"))
        .progress(&shown)
        .run()?;
    drop(shown);

    // Finished work has a lock of its own; only who has something to report makes a folder for it.
    let _held = FolderLock::take(&args.output)?;
    let report = AgreementReport::new(&findings).left_out(&left_out).judged(&judged);
    let mut report = report.language(lang::of_reports());
    if let Some(title) = &plan.title {
        report = report.title(title);
    }
    let written = report.write(&args.output)?;
    let mut text = judges(&findings) + &costs(&findings);
    for level in [Level::Segment, Level::System] {
        if let Some((cell, value)) = findings.best(level, Correlation::Pearson) {
            let (level, cell) = (level.title(), cell.title());
            let best = [tr(level), &cell, &format!("{value:.3}")];
            text += &(fill("best at {0} level: {1} ({2})", &best) + "\n");
        }
    }
    if let Some(page) = written.iter().find(|path| path.extension().is_some_and(|e| e == "html")) {
        text += &(fill("report: {0}", &[&page.display().to_string()]) + "\n");
    }
    output::print(text.as_bytes())
}

/// How many ratings there were, and how many fell out for which reason.
fn judges(findings: &Findings) -> String {
    let Some(judging) = findings.judging.as_ref().filter(|judging| judging.cleanup.is_some())
    else {
        return String::new();
    };
    let mut text = fill("ratings: {0}", &[&judging.ratings.to_string()]) + "\n";
    for reason in Reason::ALL {
        let dropped = [tr(reason.title()), &judging.count(reason).to_string()];
        text += &(fill("dropped, {0}: {1}", &dropped) + "\n");
    }
    text
}

/// What each unit makes of a word, and how long it takes.
fn costs(findings: &Findings) -> String {
    if findings.units.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "{:<24} {:>15} {:>10} {:>22}\n",
        "unit", "tokens per word", "of outputs", "s per 1,000 sentences"
    );
    for unit in &findings.units {
        let (reference, output) = (unit.cost.tokens_per_word(), unit.cost.output_tokens_per_word());
        let seconds = unit.cost.seconds_per_thousand();
        text += &format!("{:<24} {reference:>15.2} {output:>10.2} {seconds:>22.4}\n", unit.name);
    }
    text
}

fn judged_by(args: &Args, plan: &Plan) -> Result<Judged> {
    Ok(match &args.commongen {
        Some(folder) => judged::read(folder)?,
        None => plan.judged()?,
    })
}

/// The plan of the file, or of the arguments; metrics and units of the arguments win.
fn plan(args: &Args) -> Result<Plan> {
    let mut plan = match &args.plan {
        None if args.commongen.is_some() => Plan {
            title: Some(tr("Korean CommonGen: which unit agrees with people?").into()),
            ..Plan::default()
        },
        Some(path) => {
            let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            let plan: Plan = toml::from_str(&text).with_context(|| path.display().to_string())?;
            let folder = path.parent().unwrap_or("".as_ref());
            if !args.allow_programs {
                let trusted = plan.check_trusted(&ko_eval::LIBRARY, folder);
                trusted.with_context(|| path.display().to_string()).map_err(|error| {
                    anyhow::anyhow!("{error:#}; --allow-programs lets a plan that you trust")
                })?;
            }
            plan.relative_to(folder)
        }
        None => {
            let Some(human) = args.human.clone() else {
                bail!(
                    "give --plan FILE, --commongen FOLDER, or --system NAME=FILE, --ref FILE and --human FILE"
                );
            };
            let (systems, references) = (args.systems.clone(), args.references.clone());
            Plan { systems, references, source: args.source.clone(), human, ..Plan::default() }
        }
    };
    if args.drop_first.is_some() || args.z_scores || args.drop_outliers.is_some() {
        let scale = if args.z_scores { Scale::PerJudge } else { Scale::Raw };
        let outliers = args.drop_outliers.map_or(Outliers::Keep, Outliers::from);
        let cleanup = Cleanup::new().drop_first(args.drop_first.unwrap_or(0));
        plan.cleanup = Some(cleanup.scale(scale).outliers(outliers));
    }
    if args.straight_quotes {
        plan.quotes = Quotes::Straight;
    }
    if !args.metrics.is_empty() {
        plan.metrics.clone_from(&args.metrics);
    }
    if !args.units.is_empty() {
        plan.units = args.units.iter().map(|spec| names::unit(spec)).collect();
    }
    Ok(plan)
}

/// What is measured when nothing is asked for: BLEU and chrF of several orders, and the other metrics over units as they come.
fn all_metrics() -> Vec<String> {
    let rows = ko_eval::METRICS.iter().filter(|row| row.is_over_units());
    let specs = rows.flat_map(|row| match row.name {
        "bleu" => vec!["bleu:order=1..5"],
        "chrf" => vec!["chrf:char-order=1..6", "chrf:word-order=1..2"],
        name => vec![name],
    });
    specs.map(str::to_owned).collect()
}

fn or_default(chosen: &[String], default: &[&str]) -> Vec<String> {
    match chosen {
        [] => default.iter().map(|spec| (*spec).to_owned()).collect(),
        _ => chosen.to_vec(),
    }
}

/// The units that are asked for, with the vocabulary as one more.
fn with_vocabulary(chosen: &[String], vocabulary: Option<&Path>) -> Vec<String> {
    match vocabulary {
        None => chosen.to_vec(),
        Some(file) => {
            let mut units = or_default(chosen, UNITS);
            units.push(format!("subword:{}", file.display()));
            units
        }
    }
}

/// The units that are asked for; for `all`, those that work here, and why others do not.
fn units(chosen: &[String]) -> Result<(Vec<Unit>, Vec<LeftOut>)> {
    let all = chosen.iter().any(|spec| spec == "all");
    let (mut units, mut left_out) = match all {
        true => Unit::all(
            ko_eval::UNITS.iter().map(|row| (row.name, row.why_not_compared())),
            ko_eval::unit,
        ),
        false => Default::default(),
    };
    for spec in or_default(chosen, UNITS).iter().filter(|spec| *spec != "all") {
        if !all || units.iter().all(|unit| unit.name != *spec) {
            units.push(Unit::by_name(spec, ko_eval::unit)?);
            // A row that `all` leaves out for the lack of its argument is not left out where somebody gives it.
            left_out.retain(|row| spec.split(':').next() != Some(&row.name));
        }
    }
    Ok((units.into_iter().map(in_family).collect(), left_out))
}

/// Analyzers are one family, and so are ways to cut at white space.
fn in_family(unit: Unit) -> Unit {
    let row = ko_eval::UNITS.iter().find(|row| row.name == unit.family);
    match row {
        Some(row) if row.is_analyzer() => unit.family("morpheme"),
        Some(row) if ["13a", "intl", "none", "sacrebleu-none"].contains(&row.name) => {
            unit.family("word")
        }
        Some(row) if row.name == "sentencepiece" => unit.family("subword"),
        _ => unit,
    }
}

/// TER has no upper end; beyond 100 an output is simply wrong.
fn capped(row: MetricRow) -> MetricRow {
    if row.name().split(':').next() == Some("ter") { row.cap(100.0) } else { row }
}
