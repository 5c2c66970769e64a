//! `ko-eval commongen evaluate`: the study's tables and figures from a folder.

use crate::{
    lang::{self, fill},
    models, names,
    output::{self, Cell, Report},
    progress::Shown,
};
use anyhow::{Result, bail};
use ko_eval::{
    LIBRARY, Spec,
    commongen::{Evaluator, Protocol, Study},
    files::{FolderLock, write_atomically},
    tokenize::analyzer_by_name,
};
use std::{path::PathBuf, sync::Arc};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder as it was published: dataset/test.jsonl, systems/NAME.txt (or systems/NAME/SEED.txt), human/NAME/…; the reformulated
    /// test too, where it is there
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Another metric as one more column, as NAME[:key=value,…][@UNIT]; repeatable; `bertscore:MODEL` for BERTScore
    #[arg(long = "metric", short, value_name = "SPEC")]
    metrics: Vec<String>,
    #[command(flatten)]
    how: models::MetricModelArgs,
    /// How scores are averaged: released (as in the released script) or paper (as in the paper, which drops the last segment)
    #[arg(long, default_value_t)]
    protocol: Protocol,
    /// Morphological analyzer, as NAME[:key=value,…]
    #[arg(long, value_name = "SPEC", default_value = "mecab")]
    unit: String,
    /// Where the report goes
    #[arg(long, short, value_name = "FOLDER", default_value = "commongen-report")]
    output: PathBuf,
    /// How the scores are written to standard output
    #[arg(long, value_enum, default_value_t)]
    format: crate::cli::Format,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut evaluator = Evaluator::new(analyzer_by_name(&args.unit)?, args.protocol);
    let wanted = wanted(args);
    args.how.check(wanted.iter().map(|(metric, _)| metric.as_str()))?;
    for (metric, unit) in &wanted {
        models::check_argument(metric)?;
        let spec: Spec = metric.parse()?;
        let over_units = LIBRARY.row(&spec)?.is_over_units();
        let name = if over_units { format!("{metric}@{unit}") } else { metric.clone() };
        if evaluator.added().any(|(added, _)| added == name) {
            bail!("the metric `{name}` is asked for twice");
        }
        evaluator = evaluator.also(name, Arc::from(ko_eval::metric(metric, unit)?));
    }
    let shown = Shown::new();
    let study = Study::of(&args.folder, &evaluator, &shown)?;
    drop(shown);
    let _held = FolderLock::take(&args.output)?;
    let written = study.report(lang::of_reports()).write(&args.output)?;
    write_atomically(&args.output.join("study.json"), &serde_json::to_vec(&study)?)?;
    scores(&study)?.write(args.format, None)?;
    match written.first() {
        Some(page) if args.format == crate::cli::Format::Table => {
            output::print((fill("report: {0}", &[&page.display().to_string()]) + "\n").as_bytes())
        }
        _ => Ok(()),
    }
}

/// The metrics of more columns, each with its unit.
fn wanted(args: &Args) -> Vec<(String, String)> {
    let of_one = |wanted: &String| {
        let (metric, unit) = wanted.rsplit_once('@').unwrap_or((wanted, &args.unit));
        let unit = names::unit(unit);
        let metrics = names::metrics(metric).into_iter();
        metrics.map(move |metric| (args.how.of(&metric), unit.clone())).collect::<Vec<_>>()
    };
    args.metrics.iter().flat_map(of_one).collect()
}

/// A row per test and system, and one for people.
fn scores(study: &Study) -> Result<Report> {
    let mut columns = vec!["test".to_owned(), "system".to_owned()];
    columns.extend(
        study.sets.iter().take(1).flat_map(|set| set.metrics.iter().map(|m| m.name.clone())),
    );
    let mut rows = Vec::new();
    for set in &study.sets {
        let mut push = |name: Cell, scores: &[f64]| {
            let values = scores.iter().map(|score| Cell::from(*score));
            rows.push([set.set.as_str().into(), name].into_iter().chain(values).collect());
        };
        set.systems.iter().for_each(|system| push(system.name.as_str().into(), &system.scores));
        if let Some(people) = &set.people {
            push(Cell::Word("people"), &people.scores);
        }
    }
    Ok(Report { columns, rows, json: serde_json::to_value(study)? })
}
