//! Findings for readers: a text table, JSON, and a page with tables, a map and curves by layer.
//!
//! Rows are subjects, columns tasks, cells balanced accuracies in percent, with the standard deviation where several seeds
//! were run. Means over the tasks of each property and over all tasks end a row; below the subjects stand their mean, random vectors left
//! out, and what guessing one class gives. The best subject of a task is marked.

mod page;

use crate::{
    error::Result,
    findings::{Finding, Findings},
    task::Property,
};
use ko_eval_core::Error;
use ko_meta_eval::report::{Document, Language};
use std::fmt::Write;

/// Of fewer sentences the 95 % interval of a share of one half reaches more than 18 points to either side.
const FEWEST: usize = 30;

/// Writes findings.
#[derive(Debug, Clone)]
pub struct ProbeReport<'f> {
    findings: &'f Findings,
    title: Option<String>,
    language: Language,
}

impl<'f> ProbeReport<'f> {
    /// A report of these findings.
    pub fn new(findings: &'f Findings) -> Self {
        Self { findings, title: None, language: Language::default() }
    }

    /// The same under another title.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }

    /// The same in another language. JSON knows only one.
    #[must_use]
    pub fn language(self, language: Language) -> Self {
        Self { language, ..self }
    }

    fn title_text(&self) -> &str {
        const ENGLISH: &str = "What do sentence embeddings know about Korean?";
        const KOREAN: &str = "문장 임베딩은 한국어를 얼마나 알고 있는가?";
        self.title.as_deref().unwrap_or_else(|| self.language.say(ENGLISH, KOREAN))
    }

    /// A table for a terminal, and below it what is too small to be read.
    pub fn text(&self) -> String {
        let grid = self.grid();
        let columns = grid.first().map_or(0, Vec::len);
        let width = |column: usize| {
            grid.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| width_of(&cell.text()))
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut out = String::new();
        for row in &grid {
            for (number, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let cell = cell.text();
                let space = " ".repeat(width.saturating_sub(width_of(&cell)));
                let _ = match number {
                    0 => write!(out, "{cell}{space}"),
                    _ => write!(out, "  {space}{cell}"),
                };
            }
            out.push('\n');
        }
        for task in self.too_small() {
            let _ = writeln!(out, "{task}");
        }
        out
    }

    /// A sentence about each task with too few sentences to tell a score from guessing.
    fn too_small(&self) -> Vec<String> {
        let say = |task: &str, test: usize| match self.language {
            Language::English => {
                let sentences = if test == 1 { "sentence" } else { "sentences" };
                format!(
                    "{task} is judged on {test} {sentences}: too few to tell its scores from guessing."
                )
            }
            Language::Korean => {
                format!("{task}: 평가 문장이 {test}개뿐이라 점수를 찍기와 구별할 수 없습니다.")
            }
        };
        let Findings { tasks, findings, .. } = self.findings;
        let told = tasks.iter().filter_map(|task| {
            let [_, _, test] = findings.iter().find(|finding| finding.task == *task)?.sizes;
            (test < FEWEST).then(|| say(task, test))
        });
        told.collect()
    }

    /// The report as a document: the scores, the map, curves by layer, every probe.
    pub fn document(&self) -> Document {
        page::document(self)
    }

    /// The tables of the document.
    pub fn markdown(&self) -> String {
        self.document().markdown()
    }

    /// The page.
    pub fn html(&self) -> String {
        self.document().html()
    }

    /// All findings, as JSON that reads back.
    ///
    /// # Errors
    /// None that is known: findings hold finite numbers only.
    pub fn json(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self.findings);
        Ok(text.map_err(|error| Error::source("writing findings", error))?)
    }

    fn is_best(&self, finding: &Finding) -> bool {
        let rivals = self.findings.findings.iter().filter(|other| other.task == finding.task);
        let best = rivals.map(|other| other.balanced_accuracy.score).fold(0.0, f64::max);
        finding.balanced_accuracy.score >= best
    }

    /// What guessing one class gives on a task.
    fn chance(&self, task: &str) -> Option<f64> {
        self.findings.findings.iter().find(|f| f.task == task).map(|finding| finding.chance)
    }

    /// The means that end a row: of each property where there are several, and of all tasks.
    fn means(&self) -> Vec<Option<Property>> {
        let properties = self.findings.properties();
        let each = properties.iter().copied().map(Some).filter(|_| properties.len() > 1);
        each.chain((self.findings.tasks.len() > 1).then_some(None)).collect()
    }

    /// Header, a row per subject, their mean, and the row of guessing.
    fn grid(&self) -> Vec<Vec<Cell>> {
        let Findings { subjects, tasks, .. } = self.findings;
        let mut head = vec![Cell::Name(String::new())];
        head.extend(tasks.iter().map(|task| Cell::Name(task.clone())));
        head.extend(self.means().into_iter().map(|mean| Cell::Name(self.mean_name(mean).into())));
        let mut grid = vec![head];
        for subject in subjects {
            let cell = |task: &String| match self.findings.get(subject, task) {
                Some(finding) => Cell::Score {
                    score: finding.balanced_accuracy.score,
                    deviation: finding.deviation(),
                    best: self.is_best(finding),
                },
                None => Cell::Name("–".into()),
            };
            let mean = |property| Cell::of(self.findings.mean(subject, property));
            let row = std::iter::once(Cell::Name(subject.clone())).chain(tasks.iter().map(cell));
            grid.push(row.chain(self.means().into_iter().map(mean)).collect());
        }
        let scored = |of: &dyn Fn(&str) -> Option<f64>, name: &str| {
            let first = std::iter::once(Cell::Name(name.to_owned()));
            let mut row: Vec<Cell> = first.chain(tasks.iter().map(|t| Cell::of(of(t)))).collect();
            row.extend(self.means().into_iter().map(|property| {
                let asked = |task: &&String| {
                    property.is_none() || crate::findings::property_of(task) == property
                };
                let values = tasks.iter().filter(asked).filter_map(|task| of(task));
                Cell::of(crate::findings::mean(values))
            }));
            row
        };
        let is_random = |name: &&String| name.as_str() == "random";
        if subjects.iter().filter(|name| !is_random(name)).count() > 1 {
            let mean = self.language.say("mean", "평균");
            grid.push(scored(&|task| self.findings.mean_of_subjects(task), mean));
        }
        let one_class = self.language.say("one class", "한 가지 답만");
        grid.push(scored(&|task| self.chance(task), one_class));
        grid
    }

    fn mean_name(&self, property: Option<Property>) -> &'static str {
        let (english, korean) = match property {
            Some(Property::Surface) => ("surface", "표면"),
            Some(Property::Syntactic) => ("syntactic", "통사"),
            Some(Property::Semantic) => ("semantic", "의미"),
            None => ("mean", "평균"),
        };
        self.language.say(english, korean)
    }
}

/// What stands in the table of scores.
enum Cell {
    Name(String),
    Score { score: f64, deviation: Option<f64>, best: bool },
}

impl Cell {
    fn of(score: Option<f64>) -> Self {
        let plain = |score| Self::Score { score, deviation: None, best: false };
        score.map_or_else(|| Self::Name("–".into()), plain)
    }

    fn text(&self) -> String {
        match self {
            Self::Name(name) => name.clone(),
            Self::Score { score, deviation, best } => {
                let deviation = deviation.map_or_else(String::new, |d| format!(" ±{}", percent(d)));
                format!("{}{deviation}{}", percent(*score), if *best { "*" } else { "" })
            }
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

/// Columns on a terminal: Hangul and its like take two.
fn width_of(text: &str) -> usize {
    let wide = |c: char| matches!(u32::from(c), 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xff00..=0xff60);
    text.chars().map(|c| 1 + usize::from(wide(c))).sum()
}
