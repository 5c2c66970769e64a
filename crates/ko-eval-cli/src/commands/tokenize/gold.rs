//! `ko-eval tokenize --gold FILE`: how well do analyzers analyse?

use super::{Args, LineFormat, spec};
use crate::{
    cli::Format,
    output::{Cell, Report, print},
};
use anyhow::{Result, anyhow};
use ko_eval::{
    Signed,
    tokenize::{
        MorphemeAnalyzer, analyzer_by_name,
        gold::{Asked, Evaluation, Gold, GoldMorpheme, Matching},
    },
};
use serde_json::{Value, json};
use std::{fmt::Write as _, path::Path, sync::Arc};

#[derive(Debug, clap::Args)]
pub(crate) struct GoldArgs {
    /// Compare with gold morphemes instead: `SENTENCE<tab>form/TAG form/TAG …`, or `form/TAG<tab>SENTENCE`, per line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pos", "file"])]
    pub(super) gold: Option<std::path::PathBuf>,
    /// What must be equal beside the form: `tags` (in Sejong's set), `letters` (two of a predicate's tag, one of others) or `forms` (nothing)
    #[arg(long = "match", value_name = "HOW", requires = "gold", default_value = "tags", value_parser = matching)]
    matching: Matching,
    /// How many wrong sentences to show per analyzer
    #[arg(long, value_name = "N", requires = "gold", default_value_t = 5)]
    examples: usize,
}

fn matching(text: &str) -> Result<Matching, String> {
    let names = || Matching::ALL.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let known = Matching::ALL.iter().find(|(name, _)| *name == text);
    known.map(|(_, matching)| *matching).ok_or_else(|| format!("expected one of {}", names()))
}

/// An analyzer by the name that was asked for.
type Named = (String, Arc<dyn MorphemeAnalyzer>);

pub(super) fn run(args: &Args, file: &Path) -> Result<()> {
    let GoldArgs { matching, examples, .. } = args.gold;
    let gold = Gold::read(file)?;
    let mut evaluations = Vec::new();
    for (name, analyzer) in analyzers(args)? {
        let evaluation = gold.evaluate(&*analyzer, matching)?;
        evaluations.push((name, analyzer.signature().to_string(), evaluation));
    }
    let rows = evaluations.iter().map(|(name, _, evaluation)| figures(name, evaluation, &gold));
    let values = evaluations.iter().map(|(name, signature, evaluation)| {
        let mut value = as_json(evaluation);
        value["unit"] = name.as_str().into();
        value["signature"] = signature.as_str().into();
        value
    });
    let columns: &[&str] = match gold.asked() {
        Asked::All => &[
            "unit",
            "sentences",
            "gold",
            "analysed",
            "right",
            "precision",
            "recall",
            "F1",
            "found somewhere",
        ],
        Asked::One => &["unit", "sentences", "right", "accuracy"],
    };
    let report = Report {
        columns: columns.iter().map(|column| (*column).to_owned()).collect(),
        rows: rows.collect(),
        json: json!({ "gold": file, "results": values.collect::<Vec<_>>() }),
    };
    match args.format {
        LineFormat::Json => report.write(Format::Json, None),
        LineFormat::Text => {
            report.write(Format::Table, None)?;
            let mut text = String::new();
            for (name, _, evaluation) in &evaluations {
                for wrong in evaluation.wrong.iter().take(examples) {
                    // Writing to a string cannot fail.
                    let _ = writeln!(text, "\n{name}, line {}: {}", wrong.line, wrong.text);
                    let _ = writeln!(text, "  gold only      {}", joined(&wrong.missed));
                    let _ = writeln!(text, "  analysis only  {}", joined(&wrong.extra));
                }
            }
            print(text.as_bytes())
        }
    }
}

/// The one that was asked for; with `--all` every one that works here, the others named on standard error.
fn analyzers(args: &Args) -> Result<Vec<Named>> {
    if !args.all {
        let analyzer = analyzer_by_name(&spec(args)?.to_string())?;
        return Ok(vec![(args.unit.clone(), analyzer)]);
    }
    let mut analyzers = Vec::new();
    for row in ko_eval::UNITS.iter().filter(|row| row.is_analyzer() && row.argument.is_none()) {
        match analyzer_by_name(row.name) {
            Ok(analyzer) => analyzers.push((row.name.to_owned(), analyzer)),
            Err(error) => eprintln!("ko-eval: {} is left out: {error}", row.name),
        }
    }
    match analyzers.is_empty() {
        true => Err(anyhow!("no analyzer works here; `ko-eval doctor` tells how to get one")),
        false => Ok(analyzers),
    }
}

fn figures(name: &str, evaluation: &Evaluation, gold: &Gold) -> Vec<Cell> {
    let counts = &evaluation.counts;
    let number = |count: usize| Cell::from(count.to_string());
    let ratio = |ratio: Option<f64>| ratio.map_or(Cell::Empty, Cell::from);
    match gold.asked() {
        Asked::All => vec![
            name.into(),
            number(evaluation.sentences),
            number(counts.gold),
            number(counts.analysed),
            number(counts.right),
            ratio(counts.precision()),
            counts.recall().into(),
            ratio(counts.f1()),
            counts.accuracy().into(),
        ],
        Asked::One => vec![
            name.into(),
            number(evaluation.sentences),
            number(counts.right),
            counts.accuracy().into(),
        ],
    }
}

fn as_json(evaluation: &Evaluation) -> Value {
    let Evaluation { sentences, counts, wrong } = evaluation;
    let texts = |morphemes: &[GoldMorpheme]| -> Vec<String> {
        morphemes.iter().map(ToString::to_string).collect()
    };
    let wrong = wrong.iter().map(|wrong| {
        json!({
            "line": wrong.line,
            "sentence": wrong.text,
            "gold_only": texts(&wrong.missed),
            "analysis_only": texts(&wrong.extra),
        })
    });
    json!({
        "sentences": sentences,
        "gold": counts.gold,
        "analysed": counts.analysed,
        "right": counts.right,
        "precision": counts.precision(),
        "recall": counts.recall(),
        "f1": counts.f1(),
        "accuracy": counts.accuracy(),
        "wrong": wrong.collect::<Vec<_>>(),
    })
}

fn joined(morphemes: &[GoldMorpheme]) -> String {
    morphemes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
