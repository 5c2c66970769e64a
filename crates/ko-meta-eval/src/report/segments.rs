//! The outputs behind the cells: what a metric and people said of each, where they disagree most first.

use super::theme::{FIGURE_CSS, PAGE_CSS};
use crate::{
    Result,
    experiment::{Findings, Judged, Level},
};
use ko_eval_core::{Error, OwnedSegment, html::Page};
use serde::Serialize;

/// The page's file, beside the report.
const FILE: &str = "segments.html";
const BODY: &str = include_str!("segments/segments.html");
const SCRIPT: &str = include_str!("segments/segments.js");
const STYLE: &str = include_str!("segments/segments.css");

#[derive(Serialize)]
struct Data<'a> {
    cells: Vec<Cell<'a>>,
    systems: Vec<&'a str>,
    /// `human[system][segment]`, the total.
    human: Vec<Option<&'a Vec<f64>>>,
    /// `texts[system][segment]`, where they are known.
    texts: Option<Vec<Vec<Texts<'a>>>>,
}

#[derive(Serialize)]
struct Cell<'a> {
    title: String,
    signature: String,
    /// Whether lower is better.
    down: bool,
    /// `scores[system][segment]`.
    scores: &'a [Vec<f64>],
}

/// An output, then its references.
#[derive(Serialize)]
struct Texts<'a>(Vec<&'a str>);

impl<'a> Texts<'a> {
    fn of(segment: &'a OwnedSegment) -> Self {
        Self(segment.as_segment().texts().collect())
    }
}

/// Where the segments behind a cell are.
pub(super) fn address(cell: usize, level: Level) -> String {
    // Within systems a metric is only asked to order each system's own outputs.
    let within = if level == Level::SegmentPerSystem { "&within=1" } else { "" };
    format!("{FILE}#cell={cell}{within}")
}

/// The page.
pub(super) fn html(findings: &Findings, judged: Option<&Judged>) -> Result<String> {
    let cells = findings.cells.iter().map(|cell| Cell {
        title: cell.title(),
        signature: cell.signature.to_string(),
        down: cell.negated,
        scores: &cell.scores.segments,
    });
    let texts = judged.map(|judged| {
        let systems = judged.systems().iter();
        systems.map(|system| system.segments.iter().map(Texts::of).collect()).collect()
    });
    let data = Data {
        cells: cells.collect(),
        systems: findings.systems.iter().map(|system| system.name.as_str()).collect(),
        human: findings.systems.iter().map(|system| system.segments.first()).collect(),
        texts,
    };
    let data = serde_json::to_string(&data).map_err(|e| Error::source("writing segments", e))?;
    let style = [FIGURE_CSS, PAGE_CSS, STYLE].concat();
    let title = "The segments behind a cell";
    let page = Page { title, lang: "en", style: &style, script: SCRIPT, data: &data, body: BODY };
    Ok(page.render())
}
