//! `ko-eval score`

use super::wanted::{WantedArgs, explained};
use crate::{
    corpus::CorpusArgs,
    output::{Cell, OutputArgs, Report},
    progress::Shown,
};
use anyhow::{Result, bail};
use ko_eval::{
    Evaluation, Keep, Measurement, PanelRow, Progress, Shard, files,
    ngram::sacrebleu::{Published, line},
    significance::{Bootstrap, Interval},
};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    corpus: CorpusArgs,
    #[command(flatten)]
    wanted: WantedArgs,
    /// Score what a signature of sacreBLEU 2.x describes (metric, unit and settings), as in
    /// "nrefs:1|case:mixed|eff:no|tok:ko-mecab|smooth:exp|version:2.6.0"; repeatable. What cannot be honoured is an error
    #[arg(long = "signature", value_name = "SIGNATURE")]
    signatures: Vec<Published>,
    /// Also the line that sacreBLEU prints, with its own signature, where the metric and the unit are sacreBLEU's
    #[arg(long)]
    sacrebleu: bool,
    /// Also the score of every segment
    #[arg(long)]
    segments: bool,
    /// Also a 95 % confidence interval by bootstrap resampling
    #[arg(long)]
    ci: bool,
    /// How many resamples --ci draws
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "ci")]
    samples: usize,
    /// Random seed
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
    /// None of a metric that stands alone.
    pub(super) unit: Option<String>,
    pub(super) score: f64,
    pub(super) signature: String,
    /// sacreBLEU's own line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sacrebleu: Option<String>,
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
    pub(super) unit: Option<String>,
    #[serde(flatten)]
    pub(super) shard: Shard,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    // All names are checked, and all models opened, before anything is read or scored.
    let panel = args.wanted.panel_with(&args.signatures)?;
    args.corpus.check(panel.needs())?;
    let bootstrap = Bootstrap::new(args.samples, args.seed)?;
    // Single segments are remembered only where somebody will ask for them.
    let keep = if args.segments || args.ci { Keep::Segments } else { Keep::Total };
    let shown = Shown::of("scoring segments", None);
    let mut segments = args.corpus.stream()?;
    let measured = panel.measure_stream(&mut *segments, keep, |count| shown.advance(count as u64));
    let measured = measured.map_err(explained)?;
    drop(shown);

    let intervals: Vec<Option<Interval>> = if args.ci {
        let all: Vec<&dyn Measurement> = measured.iter().map(|m| &**m).collect();
        bootstrap.intervals(&all)?.into_iter().map(Some).collect()
    } else {
        measured.iter().map(|_| None).collect()
    };
    let mut rows = Vec::new();
    for ((named, measured), interval) in panel.rows().iter().zip(&measured).zip(intervals) {
        let ci = interval.map(|i| Ci { low: i.low, high: i.high, mean: i.mean });
        let corpus = measured.corpus_score()?;
        let references = corpus.signature.get("nrefs").unwrap_or_default();
        check_references(&args.signatures, named, references)?;
        let unit = named.unit.as_deref().filter(|_| args.sacrebleu);
        let sacrebleu =
            unit.and_then(|unit| line(&named.metric, unit, references.parse().ok(), &corpus.score));
        let segments = if args.segments { measured.segment_scores()? } else { Vec::new() };
        let row = row_of(&named.metric, named.unit.as_deref(), Evaluation::new(corpus, segments));
        let segments = row.segments.filter(|_| args.segments);
        rows.push(Row { ci, sacrebleu, segments, ..row });
    }
    if let Some(path) = &args.statistics {
        let mut shards = Vec::new();
        for (named, measured) in panel.rows().iter().zip(&measured) {
            let (metric, unit) = (named.metric.clone(), named.unit.clone());
            shards.push(NamedShard { metric, unit, shard: measured.shard()? });
        }
        files::write_atomically(path, &serde_json::to_vec(&shards)?)?;
    }
    args.output.write(&report(&rows)?)
}

/// A signature's `nrefs` must be what the data have.
fn check_references(signatures: &[Published], named: &PanelRow, found: &str) -> Result<()> {
    let same =
        |told: &&Published| told.metric == named.metric && Some(&told.unit) == named.unit.as_ref();
    match signatures.iter().find(same).and_then(|told| told.references) {
        Some(wanted) if found != wanted.to_string() => {
            bail!(
                "the signature says nrefs:{wanted}, but the segments have {found} references each"
            )
        }
        _ => Ok(()),
    }
}

/// A row of the report.
pub(super) fn row_of(metric: &str, unit: Option<&str>, evaluation: Evaluation) -> Row {
    let score = evaluation.corpus.score;
    Row {
        metric: metric.to_owned(),
        unit: unit.map(str::to_owned),
        score: score.value,
        signature: evaluation.corpus.signature.to_string(),
        details: score.details.iter().map(|d| (d.name.to_string(), d.value.into())).collect(),
        flags: score.flags,
        sacrebleu: None,
        ci: None,
        segments: Some(evaluation.segments.iter().map(|s| s.value).collect()),
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
    let with_line = rows.iter().any(|row| row.sacrebleu.is_some());
    columns.extend(with_line.then_some("sacrebleu"));

    let line = |row: &Row, segment: Option<usize>, score: f64| {
        let mut cells: Vec<Cell> =
            vec![row.metric.as_str().into(), row.unit.as_deref().unwrap_or("–").into()];
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
        if with_line {
            let line = row.sacrebleu.as_deref().filter(|_| segment.is_none());
            cells.push(line.map_or(Cell::Empty, Into::into));
        }
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
