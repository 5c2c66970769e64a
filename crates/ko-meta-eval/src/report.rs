//! Findings as something to look at: one HTML file that needs nothing else, and its parts.
//!
//! | file | what |
//! |---|---|
//! | `report.html` | everything: heat maps, dots with intervals, lines by order, sortable tables; light and dark, on any width |
//! | `segments.html` | the outputs behind each cell of the heat maps, where metric and people disagree most first |
//! | `figures/*.svg`, `figures/*.csv` | each figure by itself, with literal colours, and the numbers that it shows |
//! | `tables/*.csv` | each table in full precision: ranks and swaps, best settings, families of units, dropped ratings … |
//! | `report.md` | the tables |
//! | `agreement.csv` | every coefficient: level, human score, value, p-value, interval, in full precision |
//! | `segments.csv` | every raw segment score beside the human scores |
//! | `findings.json` | all of it, for programs |
//!
//! Nothing is loaded from elsewhere, which the page's content policy also forbids; every name from
//! outside is escaped; every file appears whole or not at all.
//!
//! ```
//! # use ko_meta_eval::{Correlation, Findings, AgreementReport, report::Language};
//! # fn show(findings: &Findings) -> Result<(), ko_meta_eval::Error> {
//! let report = AgreementReport::new(findings).language(Language::Korean).title("어떤 척도가 사람과 같은가");
//! println!("{}", report.markdown());
//! for path in report.write("보고서".as_ref())? {
//!     println!("{}", path.display());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Reports of other findings are made of the same parts: figures ([`Intervals`], [`HeatMap`], [`Lines`], [`Bars`]), [`Table`]s and [`Case`]s in
//! the [`Section`]s of a [`Document`], each text in the [`Language`] that was asked for.

mod bars;
mod campaign;
mod canvas;
mod document;
mod figure;
mod heat_map;
mod intervals;
mod language;
mod lines;
mod rivals;
mod segments;
mod table;
mod tables;
mod theme;
mod views;
pub mod wmt;

pub use bars::Bars;
pub use document::{Case, Document, Section};
pub use figure::Figure;
pub use heat_map::{HeatCell, HeatMap};
pub use intervals::Intervals;
pub use language::Language;
pub use lines::Lines;
pub use table::{Entry, Table};
pub use theme::Theme;

use crate::{
    Result,
    experiment::{Findings, Judged, LeftOut, Level, TOTAL, Value},
};
use canvas::number;
use ko_eval_core::Error;
use std::path::{Path, PathBuf};

/// A report of findings.
#[derive(Debug, Clone)]
pub struct AgreementReport<'a> {
    findings: &'a Findings,
    left_out: &'a [LeftOut],
    judged: Option<&'a Judged>,
    title: Option<String>,
    language: Language,
}

impl<'a> AgreementReport<'a> {
    /// A report with a plain title, in English.
    pub fn new(findings: &'a Findings) -> Self {
        let language = Language::default();
        Self { findings, left_out: &[], judged: None, title: None, language }
    }

    /// The same under another title.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }

    /// The same in another language.
    #[must_use]
    pub fn language(self, language: Language) -> Self {
        Self { language, ..self }
    }

    /// The same with a table of units that were wanted and could not be had.
    #[must_use]
    pub fn left_out(self, left_out: &'a [LeftOut]) -> Self {
        Self { left_out, ..self }
    }

    /// The same with the texts that were judged, so that the segments behind a cell can be read.
    #[must_use]
    pub fn judged(self, judged: &'a Judged) -> Self {
        Self { judged: Some(judged), ..self }
    }

    /// The report as a document, a section per question.
    pub fn document(&self) -> Document {
        let (findings, language) = (self.findings, self.language);
        let say = |english, korean| language.say(english, korean);
        let title = self.title.clone().unwrap_or_else(|| {
            say(
                "Which metric agrees with people, on which unit?",
                "어떤 척도가 어떤 단위에서 사람과 일치하는가?",
            )
            .to_owned()
        });
        let heat_maps = |level: Level| {
            let kinds = findings.correlations.iter();
            kinds.filter_map(move |kind| views::heat_map(findings, level, *kind, language))
        };
        let kinds = || findings.correlations.iter();
        let lines = findings.families().into_iter().flat_map(|family| {
            kinds().filter_map(move |kind| views::orders(findings, family, *kind, language))
        });
        let pairs = rivals::all(findings);
        Document::new(title, language)
            .lead(self.verdict())
            .remark(self.data())
            .section(
                Section::new(say("Segment by segment", "문장별로"))
                    .text(say(
                        "Every output of every system is one observation. A ring marks the best unit of each metric; \
                         a cell leads to its segments. Scores for which lower is better are negated first.",
                        "모든 시스템의 출력 하나하나가 관측값이다. 테두리는 각 척도에서 가장 좋은 단위이고, 칸을 누르면 그 문장들로 간다. \
                         낮을수록 좋은 점수는 부호를 바꾸어 셈한다.",
                    ))
                    .figures(heat_maps(Level::Segment)),
            )
            .section(
                Section::new(say("How sure is that?", "얼마나 확실한가?"))
                    .text(say(
                        "Intervals by bootstrap over source segments: all systems' outputs for one source are drawn together.",
                        "원문을 단위로 한 부트스트랩 구간이다. 같은 원문에 대한 모든 시스템의 출력을 함께 뽑는다.",
                    ))
                    .figures(kinds().filter_map(|kind| views::intervals(findings, *kind, language))),
            )
            .section(
                Section::new(say("How long should n-grams be?", "n-그램은 얼마나 길어야 하는가?"))
                    .text(say("A ring marks the best order on each unit.", "테두리는 각 단위에서 가장 좋은 차수이다."))
                    .figures(lines)
                    .table(tables::best_orders(findings, language)),
            )
            .section(campaign::settings(findings, language))
            .section(campaign::families(findings, language))
            .section(
                Section::new(say("Criterion by criterion", "평가 기준별로"))
                    .text(say(
                        "People judged by several criteria; a ring marks the metric that agrees best with each.",
                        "사람은 여러 기준으로 평가했다. 테두리는 각 기준과 가장 잘 일치하는 척도이다.",
                    ))
                    .figures(kinds().filter_map(|kind| rivals::beside(findings, *kind, language)))
                    .figures(kinds().filter_map(|kind| views::criteria(findings, *kind, language))),
            )
            .section(
                Section::new(say("Which differences are real?", "어떤 차이가 진짜인가?"))
                    .text(say(
                        "Metrics that are judged by the same people depend on each other, so intervals that overlap prove nothing: Williams' test takes that into account. The row's metric \
                         agrees with people better than the column's by so much; below, how probable that is by chance. Of many metrics, the twelve that agree best.",
                        "같은 사람의 평가와 견준 척도들은 서로 독립이 아니어서 구간이 겹친다는 것만으로는 아무것도 알 수 없다. 윌리엄스 검정은 이를 셈에 넣는다. 행의 척도가 열의 척도보다 \
                         그만큼 더 사람과 일치하며, 아래는 그것이 우연일 확률이다. 척도가 많으면 가장 잘 일치하는 열두 개만 견준다.",
                    ))
                    .figures(rivals::maps(findings, &pairs, language))
                    .table(rivals::table(&pairs, language)),
            )
            .section(
                Section::new(say("Within each system", "시스템 안에서"))
                    .text(say(
                        "The mean of the systems' own coefficients: how well a metric tells a system's good outputs from its bad ones.",
                        "시스템마다 구한 계수의 평균이다. 한 시스템의 좋은 출력과 나쁜 출력을 얼마나 잘 가려내는지 보여 준다.",
                    ))
                    .figures(heat_maps(Level::SegmentPerSystem)),
            )
            .section(
                Section::new(say("System by system", "시스템별로"))
                    .text(say(
                        "Corpus scores against mean human scores. With a handful of systems this is a picture, not a proof.",
                        "전체 점수와 사람 평가의 평균을 견준다. 시스템이 몇 개뿐이면 증거가 아니라 그림일 뿐이다.",
                    ))
                    .figures(heat_maps(Level::System))
                    .table(tables::people(findings, language)),
            )
            .section(campaign::people(findings, language))
            .section(
                Section::new(say("Units", "단위"))
                    .text(say(
                        "Units per white-space word of the references, and the time to cut 1,000 texts on one thread. \
                         Times of metrics are those of 100 outputs that are cut already, on one thread; models use the threads of their library.",
                        "참조 문장의 어절당 단위 수와, 스레드 하나로 1,000문장을 자르는 데 걸린 시간이다. 척도의 시간은 이미 자른 출력 100개를 \
                         스레드 하나로 채점한 것이고, 모델은 제 라이브러리의 스레드를 쓴다.",
                    ))
                    .figures(views::units(findings, language))
                    .table(tables::units(findings, language))
                    .table(tables::left_out(self.left_out, language)),
            )
            .section(
                Section::new(say("All figures", "모든 수치"))
                    .table(tables::agreement(findings, language))
                    .table(tables::scores(findings, language)),
            )
    }

    /// Every figure: heat maps by level and coefficient, dots, lines by order, criteria, units.
    pub fn figures(&self) -> Vec<Figure> {
        self.document().figures().cloned().collect()
    }

    /// The page.
    pub fn html(&self) -> String {
        self.document().html()
    }

    /// The tables.
    pub fn markdown(&self) -> String {
        self.document().markdown()
    }

    /// Every coefficient, a row each.
    ///
    /// # Errors
    /// None in practice: writing to memory.
    pub fn agreement_csv(&self) -> Result<Vec<u8>> {
        let head = [
            "metric",
            "unit",
            "level",
            "human",
            "coefficient",
            "value",
            "p",
            "low",
            "high",
            "note",
            "signature",
        ];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for cell in &self.findings.cells {
            for entry in &cell.agreement {
                let level = serde_json::to_value(entry.level).unwrap_or_default();
                let text = |number: Option<f64>| number.map_or_else(String::new, full);
                let (value, p, interval, note) = match &entry.value {
                    Value::Defined { value, p_value, interval } => {
                        (Some(*value), *p_value, interval.as_ref(), "")
                    }
                    Value::Undefined { reason } => (None, None, None, reason.as_str()),
                };
                rows.push(vec![
                    cell.metric.clone(),
                    cell.unit_name().to_owned(),
                    level.as_str().unwrap_or_default().to_owned(),
                    entry.target.clone(),
                    entry.correlation.name().to_owned(),
                    text(value),
                    text(p),
                    text(interval.map(|i| i.low)),
                    text(interval.map(|i| i.high)),
                    note.to_owned(),
                    cell.signature.to_string(),
                ]);
            }
        }
        csv_of(&rows)
    }

    /// Every raw segment score: a row per output, a column per metric and unit.
    ///
    /// # Errors
    /// None in practice: writing to memory.
    pub fn segments_csv(&self) -> Result<Vec<u8>> {
        let findings = self.findings;
        let mut head = vec!["system".to_owned(), "segment".to_owned()];
        head.extend(findings.targets.iter().map(|target| format!("human: {target}")));
        head.extend(findings.cells.iter().map(|cell| match &cell.unit {
            Some(unit) => format!("{} @ {unit}", cell.metric),
            None => cell.metric.clone(),
        }));
        let mut rows = vec![head];
        for (number, system) in findings.systems.iter().enumerate() {
            for segment in 0..findings.segments {
                let mut row = vec![system.name.clone(), (segment + 1).to_string()];
                let human = system.segments.iter().map(|scores| *scores.get(segment)?);
                let metrics = findings
                    .cells
                    .iter()
                    .map(|cell| cell.scores.segments.get(number)?.get(segment).copied());
                let text = |score: Option<f64>| score.map_or_else(String::new, |s| s.to_string());
                row.extend(human.chain(metrics).map(text));
                rows.push(row);
            }
        }
        csv_of(&rows)
    }

    /// All findings.
    ///
    /// # Errors
    /// None in practice: writing to memory.
    pub fn json(&self) -> Result<Vec<u8>> {
        let json = serde_json::to_vec(self.findings);
        Ok(json.map_err(|e| Error::source("writing findings", e))?)
    }

    /// Writes all files into a folder, which is made if it is not there, and says which.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        let segments = segments::html(self.findings, self.judged, self.language)?;
        let beside = [
            ("segments.html".to_owned(), segments.into_bytes()),
            ("agreement.csv".to_owned(), self.agreement_csv()?),
            ("segments.csv".to_owned(), self.segments_csv()?),
            ("findings.json".to_owned(), self.json()?),
        ];
        document::write_files(folder, self.document().files()?.into_iter().chain(beside))
    }

    /// The answer in a sentence.
    fn verdict(&self) -> String {
        let korean = self.language == Language::Korean;
        let best = |level: Level| {
            let kind = *self.findings.correlations.first()?;
            let (cell, value) = self.findings.best(level, kind)?;
            let interval = cell.value(level, TOTAL, kind).and_then(Value::interval);
            let interval = interval.map_or_else(String::new, |i| {
                let (low, high) = (number(i.low), number(i.high));
                match korean {
                    true => format!(" (95 % 신뢰 구간 {low}–{high})"),
                    false => format!(" (95 % interval {low} to {high})"),
                }
            });
            Some(format!("{}, {} {}{interval}", cell.title(), kind.title(), number(value)))
        };
        match (best(Level::Segment), best(Level::System)) {
            (Some(segment), Some(system)) if korean => {
                format!("사람과 가장 가까운 것, 문장별로: {segment}. 시스템별로: {system}.")
            }
            (Some(segment), None) if korean => {
                format!("사람과 가장 가까운 것, 문장별로: {segment}.")
            }
            (Some(segment), Some(system)) => {
                format!(
                    "Closest to people segment by segment: {segment}. System by system: {system}."
                )
            }
            (Some(segment), None) => format!("Closest to people segment by segment: {segment}."),
            _ => self
                .language
                .say(
                    "No coefficient exists: the scores do not vary.",
                    "점수가 모두 같아서 계수가 없다.",
                )
                .to_owned(),
        }
    }

    /// What it rests on, in a sentence.
    fn data(&self) -> String {
        let findings = self.findings;
        let (systems, segments) = (findings.systems.len(), findings.segments);
        let alone = findings.cells.iter().filter(|cell| cell.unit.is_none()).count();
        let (crossed, units) = (findings.metrics.len() - alone, findings.units.len());
        let texts = findings.checksum.get(..12).unwrap_or_default();
        let totals = findings.systems.iter().filter_map(|system| system.segments.first());
        let outputs = totals.flatten().flatten().count();
        if self.language == Language::Korean {
            let metrics = match (crossed, alone) {
                (_, 0) => format!("척도 {crossed}개 × 단위 {units}개"),
                (0, _) => format!("단위 없는 척도 {alone}개"),
                _ => format!("척도 {crossed}개 × 단위 {units}개, 단위 없는 척도 {alone}개"),
            };
            return format!(
                "평가된 출력 {outputs}개: 시스템 {systems}개 × 문장 {segments}개. {metrics}. 텍스트 {texts}."
            );
        }
        let metrics = match (crossed, alone) {
            (_, 0) => format!("{crossed} metrics × {units} units"),
            (0, _) => format!("{alone} metrics without units"),
            _ => format!("{crossed} metrics × {units} units, {alone} metrics without units"),
        };
        format!(
            "{outputs} judged outputs: {systems} systems × {segments} segments; {metrics}; texts {texts}."
        )
    }
}

fn csv_of(rows: &[Vec<String>]) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).map_err(|e| Error::source("writing CSV", e))?;
    }
    let bytes = writer.into_inner().map_err(|e| Error::source("writing CSV", e.into_error()))?;
    Ok(bytes)
}

/// A number in full, short where it is tiny.
fn full(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-4 { format!("{value:e}") } else { value.to_string() }
}

/// A name that every file system takes.
fn slug(text: &str) -> String {
    let keep = |c: char| if c.is_alphanumeric() { c } else { '-' };
    text.chars().map(keep).take(60).collect()
}
