//! What `score` and `merge` print: a row per metric, unit and system.

use crate::{
    lang::tr,
    output::{Cell, Report, with_snake_keys},
};
use anyhow::Result;
use ko_eval::{CorpusScore, Direction, Flag, Scorer, Spec};
use serde::Serialize;
use std::fmt::Write as _;

/// One metric's scores on one unit, as printed in JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) metric: String,
    /// None of a metric that stands alone.
    pub(crate) unit: Option<String>,
    /// Whose output it is, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) system: Option<String>,
    pub(crate) score: f64,
    #[serde(flatten)]
    scale: Scale,
    pub(crate) signature: String,
    /// sacreBLEU's own line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sacrebleu: Option<String>,
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    details: serde_json::Map<String, serde_json::Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    flags: Vec<Flag>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ci: Option<Ci>,
    segment_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) segments: Option<Vec<f64>>,
}

/// A confidence interval, as printed in JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Ci {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) mean: f64,
}

/// Which scores are possible, and which are good.
#[derive(Debug, Serialize)]
struct Scale {
    better: &'static str,
    /// The least and the greatest score; none where there is none.
    range: [Option<f64>; 2],
}

impl Scale {
    fn of(metric: &str, direction: Direction) -> Self {
        let range = metric
            .parse::<Spec>()
            .and_then(|spec| Ok(ko_eval::LIBRARY.row(&spec)?.range_under(&spec.params)));
        let range = range.unwrap_or(f64::NEG_INFINITY..=f64::INFINITY);
        let (least, greatest) = range.into_inner();
        let better = match direction {
            Direction::HigherIsBetter => "higher",
            Direction::LowerIsBetter => "lower",
        };
        Self { better, range: [least, greatest].map(|end| Some(end).filter(|end| end.is_finite())) }
    }

    /// `↑ 0–100`
    fn shown(&self) -> String {
        let end = |end: Option<f64>| end.map_or("∞".to_owned(), |end| end.to_string());
        let arrow = if self.better == "higher" { "↑" } else { "↓" };
        match self.range {
            [None, greatest] => format!("{arrow} ≤{}", end(greatest)),
            [least, greatest] => format!("{arrow} {}–{}", end(least), end(greatest)),
        }
    }
}

impl Row {
    /// A row without what only some ask for.
    pub(crate) fn new(
        metric: &str,
        unit: Option<&str>,
        scorer: &dyn Scorer,
        corpus: CorpusScore,
    ) -> Self {
        let CorpusScore { score, signature, segments, .. } = corpus;
        let details = score.details.into_iter().map(|d| (d.name.to_string(), d.value.into()));
        Self {
            metric: metric.to_owned(),
            unit: unit.map(str::to_owned),
            system: None,
            score: score.value,
            scale: Scale::of(metric, scorer.direction()),
            signature: signature.to_string(),
            sacrebleu: None,
            details: with_snake_keys(details),
            flags: score.flags,
            ci: None,
            segment_count: segments,
            segments: None,
        }
    }

    /// What a reader of the score should know.
    fn notes(&self) -> Vec<String> {
        let flags = self.flags.iter().map(|flag| tr(meaning(*flag)).to_owned());
        flags.chain(self.is_ter_with_case().then(|| tr(TER_CASE).to_owned())).collect()
    }

    /// sacreBLEU's TER ignores case unless it is told otherwise.
    fn is_ter_with_case(&self) -> bool {
        self.metric.parse::<Spec>().is_ok_and(|spec| spec.name() == "ter")
            && self.signature.contains("|case:mixed")
    }
}

const TER_CASE: &str =
    "Upper and lower case differ here; sacreBLEU's TER ignores case by default: `ter:case=lower`.";

fn meaning(flag: Flag) -> &'static str {
    match flag {
        Flag::EmptyHypothesis => "At least one hypothesis is empty.",
        Flag::EmptyReference => "At least one segment has only empty references.",
        Flag::Undefined => {
            "The reference implementation gives no value here; this one is the metric's documented value."
        }
        _ => "Read the metric's documentation before quoting this value.",
    }
}

pub(crate) fn report(rows: &[Row]) -> Result<Report> {
    let with_system = rows.iter().any(|row| row.system.is_some());
    let with_ci = rows.iter().any(|row| row.ci.is_some());
    let with_segments = rows.iter().any(|row| row.segments.is_some());
    let with_line = rows.iter().any(|row| row.sacrebleu.is_some());
    let mut columns = vec!["metric", "unit"];
    columns.extend(with_system.then_some("system"));
    columns.extend(with_segments.then_some("segment"));
    columns.push("score");
    columns.extend(with_ci.then_some(["low", "high"]).into_iter().flatten());
    columns.extend(["scale", "signature"]);
    columns.extend(with_line.then_some("sacrebleu"));

    let line = |row: &Row, segment: Option<usize>, score: f64| {
        let whole = segment.is_none();
        let only = |there: bool, cell: Cell| if there { cell } else { Cell::Empty };
        let notes = if whole { row.notes() } else { Vec::new() };
        let mut cells: Vec<Cell> = vec![
            Cell::from(row.metric.as_str()).noted(notes),
            row.unit.as_deref().unwrap_or("–").into(),
        ];
        if with_system {
            cells.push(Cell::File(row.system.clone().unwrap_or_default()));
        }
        if with_segments {
            cells.push(segment.map_or(Cell::Word("corpus"), |i| (i + 1).to_string().into()));
        }
        cells.push(score.into());
        if with_ci {
            let end = |end: fn(&Ci) -> f64| {
                row.ci.as_ref().filter(|_| whole).map_or(Cell::Empty, |ci| end(ci).into())
            };
            cells.extend([end(|ci| ci.low), end(|ci| ci.high)]);
        }
        cells.push(only(whole, row.scale.shown().into()));
        cells.push(only(whole, Cell::Signature(row.signature.clone())));
        if with_line {
            let line = row.sacrebleu.clone().filter(|_| whole);
            cells.push(line.map_or(Cell::Empty, Cell::Signature));
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

/// Only the scores, one per line: of the corpus, or of its segments.
pub(crate) fn bare(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        let whole = std::slice::from_ref(&row.score);
        for score in row.segments.as_deref().unwrap_or(whole) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{score}");
        }
    }
    text
}
