//! Findings as something to look at: one HTML file that needs nothing else, and its parts.
//!
//! | file | what |
//! |---|---|
//! | `report.html` | everything: heat maps, bars with intervals, lines by order, sortable tables; light and dark |
//! | `segments.html` | the outputs behind each cell of the heat maps, where metric and people disagree most first |
//! | `*.svg` | each figure by itself; light and dark as well |
//! | `report.md` | the tables |
//! | `agreement.csv` | every coefficient: level, human score, value, p-value, interval, in full precision |
//! | `segments.csv` | every raw segment score beside the human scores |
//! | `findings.json` | all of it, for programs |
//!
//! Nothing is loaded from elsewhere, which the page's content policy also forbids; every name from
//! outside is escaped; every file appears whole or not at all.
//!
//! ```
//! # use ko_meta_eval::{Correlation, Findings, AgreementReport};
//! # fn show(findings: &Findings) -> Result<(), ko_meta_eval::Error> {
//! let report = AgreementReport::new(findings).title("어떤 척도가 사람과 같은가");
//! println!("{}", report.markdown());
//! for path in report.write("보고서".as_ref())? {
//!     println!("{}", path.display());
//! }
//! # Ok(())
//! # }
//! ```

mod bars;
mod canvas;
mod heat_map;
mod orders;
mod segments;
mod table;
mod theme;

pub use canvas::Figure;

use crate::{
    Result,
    experiment::{Findings, Judged, LeftOut, Level, TOTAL, Value},
};
use canvas::{escape, number};
use ko_eval_core::{Error, files::write_atomically, html::Page};
use std::path::{Path, PathBuf};
use table::{Table, plain};
use theme::{FIGURE_CSS, ON_CSS, PAGE_CSS};

/// Sorts a table by the heading that was pressed; empty cells stay below.
const SCRIPT: &str = "\
document.querySelectorAll('th button').forEach(b=>b.onclick=()=>{\
const th=b.parentNode,i=th.cellIndex,body=th.closest('table').tBodies[0],up=th.ariaSort=='descending';\
for(const o of th.parentNode.cells)o.removeAttribute('aria-sort');\
th.ariaSort=up?'ascending':'descending';\
const key=r=>{const c=r.cells[i];return c.dataset.v===undefined?c.textContent:c.dataset.v===''?null:+c.dataset.v};\
const order=(a,b)=>typeof a=='string'?b.localeCompare(a,'ko'):b-a;\
[...body.rows].sort((p,q)=>{const a=key(p),b=key(q);return a===null?1:b===null?-1:up?order(b,a):order(a,b)}).forEach(r=>body.append(r))})";

/// A report of findings.
#[derive(Debug, Clone)]
pub struct AgreementReport<'a> {
    findings: &'a Findings,
    left_out: &'a [LeftOut],
    judged: Option<&'a Judged>,
    title: String,
}

impl<'a> AgreementReport<'a> {
    /// A report with a plain title.
    pub fn new(findings: &'a Findings) -> Self {
        Self {
            findings,
            left_out: &[],
            judged: None,
            title: "Which metric agrees with people, on which unit?".into(),
        }
    }

    /// The same under another title.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
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

    fn tables(&self) -> Vec<Table> {
        let mut tables = Table::all(self.findings);
        if !self.left_out.is_empty() {
            tables.push(Table::left_out(self.left_out));
        }
        tables
    }

    /// Every figure: heat maps by level and coefficient, bars, lines by order, units.
    pub fn figures(&self) -> Vec<Figure> {
        let kinds = &self.findings.correlations;
        self.heat_maps(Level::Segment)
            .chain(self.heat_maps(Level::SegmentPerSystem))
            .chain(self.heat_maps(Level::System))
            .chain(kinds.iter().filter_map(|kind| bars::agreement(self.findings, *kind)))
            .chain(self.lines())
            .chain(bars::units(self.findings))
            .collect()
    }

    fn heat_maps(&self, level: Level) -> impl Iterator<Item = Figure> {
        let kinds = self.findings.correlations.iter();
        kinds.filter_map(move |kind| heat_map::draw(self.findings, level, *kind))
    }

    fn lines(&self) -> impl Iterator<Item = Figure> {
        self.findings.families().into_iter().flat_map(move |family| {
            let kinds = self.findings.correlations.iter();
            kinds.filter_map(move |kind| orders::draw(self.findings, family, *kind))
        })
    }

    /// The page.
    pub fn html(&self) -> String {
        let findings = self.findings;
        let mut page = format!("<main>\n<h1>{}</h1>\n", escape(&self.title));
        for (class, sentence) in [("lead", self.verdict()), ("soft", self.data())] {
            page += &format!("<p class=\"{class}\">{}</p>\n", escape(&sentence));
        }
        let mut section = |heading: &str, text: &str, figures: &mut dyn Iterator<Item = Figure>| {
            let figures: String =
                figures.map(|figure| format!("<figure>{}</figure>\n", figure.inline())).collect();
            if !figures.is_empty() {
                let (heading, text) = (escape(heading), escape(text));
                page += &format!(
                    "<h2>{heading}</h2><p class=\"soft\">{text}</p>\n<div class=\"row\">{figures}</div>\n"
                );
            }
        };
        section(
            "Segment by segment",
            "Every output of every system is one observation. A ring marks the best unit of each metric; \
             a cell leads to its segments. Scores for which lower is better are negated first.",
            &mut self.heat_maps(Level::Segment),
        );
        section(
            "How sure is that?",
            "Intervals by bootstrap over source segments: all systems' outputs for one source are drawn together.",
            &mut findings
                .correlations
                .first()
                .into_iter()
                .filter_map(|k| bars::agreement(findings, *k)),
        );
        section(
            "How long should n-grams be?",
            "A ring marks the best order on each unit.",
            &mut self.lines(),
        );
        section(
            "Within each system",
            "The mean of the systems' own coefficients: how well a metric tells a system's good outputs from its bad ones.",
            &mut self.heat_maps(Level::SegmentPerSystem),
        );
        section(
            "System by system",
            "Corpus scores against mean human scores. With a handful of systems this is a picture, not a proof.",
            &mut self.heat_maps(Level::System),
        );
        section(
            "Units",
            "Units per white-space word of the references, and the time to cut 1,000 texts on all cores.",
            &mut bars::units(findings).into_iter(),
        );
        for table in self.tables() {
            page += &format!("<h2>{}</h2>\n{}\n", escape(&table.heading), table.html());
        }
        page += "</main>";
        let style = [FIGURE_CSS, ON_CSS, PAGE_CSS].concat();
        let (title, style) = (&self.title, &style);
        Page { title, lang: "en", style, script: SCRIPT, body: &page, ..Page::default() }.render()
    }

    /// The tables.
    pub fn markdown(&self) -> String {
        let mut out = format!(
            "# {}\n\n{}\n\n{}\n",
            plain(&self.title),
            plain(&self.verdict()),
            plain(&self.data())
        );
        for table in self.tables() {
            out += &format!("\n{}", table.markdown());
        }
        out
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
                let text = |number: Option<f64>| number.map_or_else(String::new, |n| n.to_string());
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
                let metrics = findings.cells.iter().map(|cell| cell.scores.segments.get(number));
                let columns = system.segments.iter().map(Some).chain(metrics);
                row.extend(columns.map(|column| {
                    let score = column.and_then(|scores| scores.get(segment));
                    score.map_or_else(String::new, f64::to_string)
                }));
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
        let mut files = vec![
            ("report.html".to_owned(), self.html().into_bytes()),
            ("segments.html".to_owned(), segments::html(self.findings, self.judged)?.into_bytes()),
            ("report.md".to_owned(), self.markdown().into_bytes()),
            ("agreement.csv".to_owned(), self.agreement_csv()?),
            ("segments.csv".to_owned(), self.segments_csv()?),
            ("findings.json".to_owned(), self.json()?),
        ];
        for figure in self.figures() {
            files.push((format!("{}.svg", figure.name), figure.to_svg().into_bytes()));
        }
        let mut written = Vec::with_capacity(files.len());
        for (name, bytes) in files {
            let path = folder.join(name);
            write_atomically(&path, &bytes)?;
            written.push(path);
        }
        Ok(written)
    }

    /// The answer in a sentence.
    fn verdict(&self) -> String {
        let best = |level: Level| {
            let kind = *self.findings.correlations.first()?;
            let (cell, value) = self.findings.best(level, kind)?;
            let interval = cell.value(level, TOTAL, kind).and_then(Value::interval);
            let interval = interval.map_or_else(String::new, |i| {
                format!(" (95 % interval {} to {})", number(i.low), number(i.high))
            });
            Some(format!("{}, {} {}{interval}", cell.title(), kind.title(), number(value)))
        };
        match (best(Level::Segment), best(Level::System)) {
            (Some(segment), Some(system)) => {
                format!(
                    "Closest to people segment by segment: {segment}. System by system: {system}."
                )
            }
            (Some(segment), None) => format!("Closest to people segment by segment: {segment}."),
            _ => "No coefficient exists: the scores do not vary.".to_owned(),
        }
    }

    /// What it rests on, in a sentence.
    fn data(&self) -> String {
        let findings = self.findings;
        let (systems, segments) = (findings.systems.len(), findings.segments);
        let alone = findings.cells.iter().filter(|cell| cell.unit.is_none()).count();
        let (crossed, units) = (findings.metrics.len() - alone, findings.units.len());
        let metrics = match (crossed, alone) {
            (_, 0) => format!("{crossed} metrics × {units} units"),
            (0, _) => format!("{alone} metrics without units"),
            _ => format!("{crossed} metrics × {units} units, {alone} metrics without units"),
        };
        format!(
            "{} judged outputs: {systems} systems × {segments} segments; {metrics}; texts {}.",
            systems * segments,
            findings.checksum.get(..12).unwrap_or_default()
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

/// A name that every file system takes.
fn slug(text: &str) -> String {
    let keep = |c: char| if c.is_alphanumeric() { c } else { '-' };
    text.chars().map(keep).take(60).collect()
}
