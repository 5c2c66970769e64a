//! `ko-eval score`

use crate::{
    corpus::CorpusArgs,
    output::{Cell, OutputArgs, Report},
    progress,
};
use anyhow::Result;
use ko_eval::{Evaluation, Segment, Shard, files, significance::Bootstrap};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    corpus: CorpusArgs,
    /// A metric, as NAME[:key=value,…]; repeatable (see `ko-eval metrics`)
    #[arg(long = "metric", short, value_name = "SPEC", default_values = ["bleu", "chrf"])]
    metrics: Vec<String>,
    /// A unit, as NAME[:key=value,…]; repeatable (see `ko-eval units`)
    #[arg(long = "unit", short, value_name = "SPEC", default_values = ["word"])]
    units: Vec<String>,
    /// Also the score of every segment
    #[arg(long)]
    segments: bool,
    /// Also a 95 % confidence interval by bootstrap resampling
    #[arg(long)]
    ci: bool,
    /// How many resamples --ci draws
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "ci")]
    samples: usize,
    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 12345, requires = "ci")]
    seed: u64,
    /// Write the statistics there as well, for `ko-eval merge`
    #[arg(long, value_name = "FILE")]
    statistics: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

/// One metric's scores on one unit, as printed in JSON.
#[derive(Debug, Default, Serialize)]
pub(super) struct Row {
    pub(super) metric: String,
    pub(super) unit: String,
    pub(super) score: f64,
    pub(super) signature: String,
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    pub(super) details: serde_json::Map<String, serde_json::Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) flags: Vec<ko_eval::Flag>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ci: Option<Ci>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) segments: Option<Vec<f64>>,
}

/// A confidence interval, as printed in JSON.
#[derive(Debug, Serialize)]
pub(super) struct Ci {
    low: f64,
    high: f64,
    mean: f64,
}

/// A shard with the names that rebuild its metric.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct NamedShard {
    pub(super) metric: String,
    pub(super) unit: String,
    #[serde(flatten)]
    pub(super) shard: Shard,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    // All names are checked before anything is read or scored.
    let mut scorers = Vec::new();
    for unit in &args.units {
        let tokenizer = ko_eval::unit(unit)?;
        for metric in &args.metrics {
            let spec = metric.parse()?;
            let scorer =
                ko_eval::MetricEntry::build_from(ko_eval::METRICS, &spec, tokenizer.clone())?;
            scorers.push((metric, unit, scorer));
        }
    }
    let bootstrap = Bootstrap::new(args.samples, args.seed)?;
    let corpus = args.corpus.read()?;
    let segments: Vec<Segment<'_>> = corpus.segments();

    let bar = progress::bar(scorers.len(), "scoring");
    let (mut rows, mut shards) = (Vec::new(), Vec::new());
    for (metric, unit, scorer) in scorers {
        let evaluation = scorer.evaluate(&segments)?;
        let ci = args.ci.then(|| scorer.confidence(&segments, &bootstrap)).transpose()?;
        let ci = ci.map(|i| Ci { low: i.low, high: i.high, mean: i.mean });
        rows.push(Row { ci, ..row(metric, unit, evaluation, args.segments) });
        if args.statistics.is_some() {
            let (metric, unit) = (metric.clone(), unit.clone());
            shards.push(NamedShard { metric, unit, shard: scorer.shard(&segments)? });
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(path) = &args.statistics {
        files::write_atomically(path, &serde_json::to_vec(&shards)?)?;
    }
    args.output.write(&report(&rows)?)
}

pub(super) fn row(metric: &str, unit: &str, evaluation: Evaluation, segments: bool) -> Row {
    let score = evaluation.corpus.score;
    Row {
        metric: metric.to_owned(),
        unit: unit.to_owned(),
        score: score.value,
        signature: evaluation.corpus.signature.to_string(),
        details: score.details.iter().map(|d| (d.name.to_string(), d.value.into())).collect(),
        flags: score.flags,
        ci: None,
        segments: segments.then(|| evaluation.segments.iter().map(|s| s.value).collect()),
    }
}

pub(super) fn report(rows: &[Row]) -> Result<Report> {
    let with_ci = rows.iter().any(|row| row.ci.is_some());
    let with_segments = rows.iter().any(|row| row.segments.is_some());
    let mut columns = vec!["metric", "unit"];
    columns.extend(with_segments.then_some("segment"));
    columns.push("score");
    columns.extend(with_ci.then_some(["low", "high"]).into_iter().flatten());
    columns.push("signature");

    let line = |row: &Row, segment: Option<usize>, score: f64| {
        let mut cells: Vec<Cell> = vec![row.metric.as_str().into(), row.unit.as_str().into()];
        if with_segments {
            cells.push(segment.map_or("corpus".into(), |i| (i + 1).to_string()).into());
        }
        cells.push(score.into());
        if with_ci {
            let ci = row.ci.as_ref().filter(|_| segment.is_none());
            cells.push(ci.map_or(Cell::Empty, |ci| ci.low.into()));
            cells.push(ci.map_or(Cell::Empty, |ci| ci.high.into()));
        }
        cells.push(if segment.is_none() { row.signature.as_str().into() } else { Cell::Empty });
        cells
    };
    let rows_of = |row: &Row| {
        let segments = row.segments.iter().flatten().enumerate();
        let mut lines = vec![line(row, None, row.score)];
        lines.extend(segments.map(|(i, score)| line(row, Some(i), *score)));
        lines
    };
    Ok(Report {
        columns: columns.into_iter().map(str::to_owned).collect(),
        rows: rows.iter().flat_map(rows_of).collect(),
        json: serde_json::json!({ "scores": rows }),
    })
}
