//! The outputs behind the cells: what a metric and people said of each, where they disagree most first.

use super::{Language, theme::page_style};
use crate::{
    Result,
    experiment::{Findings, Judged, Level},
};
use ko_eval_core::{Error, OwnedSegment};
use ko_eval_io::html::{Page, escape};
use serde::Serialize;
use std::collections::BTreeMap;

/// The page's file, beside the report.
const FILE: &str = "segments.html";
const BODY: &str = include_str!("segments/segments.html");
const SCRIPT: &str = include_str!("segments/segments.js");
const STYLE: &str = include_str!("segments/segments.css");

#[derive(Serialize)]
struct Data<'a> {
    cells: Vec<Cell<'a>>,
    systems: Vec<&'a str>,
    /// `human[system][segment]`, the total; null where nobody judged.
    human: Vec<Option<&'a Vec<Option<f64>>>>,
    /// `texts[system][segment]`, where they are known.
    texts: Option<Vec<Vec<Texts<'a>>>>,
    /// Words of the script by their names.
    words: BTreeMap<&'static str, &'static str>,
}

/// Words of the page: a name, English, Korean. The page has `{name}` in their places, the script asks for them.
const WORDS: &[[&str; 3]] = &[
    ["title", "The segments behind a cell", "칸 뒤의 문장들"],
    ["back", "report", "보고서"],
    [
        "explained",
        "Outputs are ranked by the metric and by people, best first, as shares of all outputs (or of those of their system). \
         Where the two ranks differ most, the metric disagrees with people most.",
        "출력을 척도와 사람의 점수로 각각 줄 세우고, 순위를 전체(또는 그 시스템) 출력에 대한 비율로 나타낸다. \
         두 순위의 차이가 클수록 척도가 사람과 어긋난다.",
    ],
    ["cell", "Cell", "칸"],
    ["system", "System", "시스템"],
    ["sort", "Sort", "정렬"],
    ["most", "largest disagreement", "가장 어긋나는 것부터"],
    ["high", "metric likes it more than people", "척도가 사람보다 후한 것부터"],
    ["low", "people like it more than the metric", "사람이 척도보다 후한 것부터"],
    ["least", "smallest disagreement", "가장 일치하는 것부터"],
    ["file", "order of the file", "파일 순서"],
    ["ranks", "Ranks", "순위"],
    ["among", "among all outputs", "모든 출력 가운데"],
    ["within", "within each system", "시스템마다"],
    ["more", "more", "더 보기"],
    ["all", "all", "전체"],
    ["count", "{0} of {1} outputs", "출력 {1}개 가운데 {0}개"],
    [
        "figures",
        "{0}, segment {1}: people {2} (rank {3} %), metric {4} (rank {5} %), apart by ",
        "{0}, 문장 {1}: 사람 {2}(순위 {3} %), 척도 {4}(순위 {5} %), 차이 ",
    ],
];

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
pub(super) fn html(
    findings: &Findings,
    judged: Option<&Judged>,
    language: Language,
) -> Result<String> {
    let words = WORDS.iter().map(|[name, english, korean]| (*name, language.say(english, korean)));
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
        words: words.clone().collect(),
    };
    let data = serde_json::to_string(&data).map_err(|e| Error::source("writing segments", e))?;
    let style = page_style() + STYLE;
    let body = words.clone().fold(BODY.to_owned(), |body, (name, word)| {
        body.replace(&format!("{{{name}}}"), &escape(word))
    });
    let (title, lang) =
        (language.say("The segments behind a cell", "칸 뒤의 문장들"), language.code());
    let page = Page { title, lang, style: &style, script: SCRIPT, data: &data, body: &body };
    Ok(page.render())
}
