//! Tables once, written as HTML, Markdown and CSV.

use super::{
    bars::duration,
    canvas::{escape, number},
};
use crate::experiment::{Cell, Findings, LeftOut, Level, TOTAL};

/// Rows under headings.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table {
    pub(super) heading: String,
    columns: Vec<String>,
    rows: Vec<Vec<Entry>>,
}

/// What stands in a table.
#[derive(Debug, Clone, PartialEq)]
enum Entry {
    Text(String),
    /// The number to sort by, and how it is written.
    Number(f64, String),
    Empty,
}

impl Entry {
    fn coefficient(value: Option<f64>) -> Self {
        value.map_or(Self::Empty, |v| Self::Number(v, number(v)))
    }

    fn shown(&self) -> &str {
        match self {
            Self::Text(text) | Self::Number(_, text) => text,
            Self::Empty => "–",
        }
    }
}

impl Table {
    /// All tables of a report, in order.
    pub(super) fn all(findings: &Findings) -> Vec<Self> {
        let mut tables = vec![Self::agreement(findings)];
        if !findings.families().is_empty() {
            tables.push(Self::best_orders(findings));
        }
        if !findings.units.is_empty() {
            tables.push(Self::units(findings));
        }
        tables.extend([Self::people(findings), Self::scores(findings)]);
        tables
    }

    /// Every cell's coefficients with the total.
    fn agreement(findings: &Findings) -> Self {
        let mut columns: Vec<String> = vec!["metric".into(), "unit".into()];
        for level in Level::ALL {
            for kind in &findings.correlations {
                columns.push(format!("{} · {}", kind.title(), level.title()));
            }
        }
        columns.extend(
            ["95 % interval", "pairwise accuracy", "τ-like (WMT14)", "time"].map(Into::into),
        );
        let lead = findings.correlations.first().copied();
        let row = |cell: &Cell| {
            let mut row = names(cell);
            for level in Level::ALL {
                for kind in &findings.correlations {
                    let value = cell.value(level, TOTAL, *kind).and_then(|v| v.get());
                    row.push(Entry::coefficient(value));
                }
            }
            let interval = lead
                .and_then(|kind| cell.value(Level::Segment, TOTAL, kind)?.interval())
                .map_or(Entry::Empty, |i| {
                    Entry::Number(i.low, format!("{} to {}", number(i.low), number(i.high)))
                });
            let pairwise = cell.pairwise.as_ref();
            row.push(interval);
            row.push(Entry::coefficient(pairwise.map(|p| p.accuracy.accuracy)));
            row.push(Entry::coefficient(pairwise.and_then(|p| p.tau_like_wmt14)));
            row.push(Entry::Number(cell.scores.seconds, duration(cell.scores.seconds)));
            row
        };
        let rows = findings.cells.iter().map(row).collect();
        Self { heading: "Agreement with people".into(), columns, rows }
    }

    fn best_orders(findings: &Findings) -> Self {
        let mut rows = Vec::new();
        for level in [Level::Segment, Level::System] {
            for kind in &findings.correlations {
                for best in findings.best_orders(level, *kind) {
                    rows.push(vec![
                        Entry::Text(best.family),
                        Entry::Text(best.unit),
                        Entry::Text(level.title().into()),
                        Entry::Text(kind.title().into()),
                        Entry::Number(best.order as f64, best.order.to_string()),
                        Entry::coefficient(Some(best.value)),
                    ]);
                }
            }
        }
        let columns = ["family", "unit", "level", "coefficient", "best order", "value"];
        let columns = columns.map(Into::into).to_vec();
        Self { heading: "The n-gram order that agrees best".into(), columns, rows }
    }

    fn units(findings: &Findings) -> Self {
        let rows = findings
            .units
            .iter()
            .map(|unit| {
                let ratio = unit.cost.tokens_per_word();
                let seconds = unit.cost.seconds_per_thousand();
                vec![
                    Entry::Text(unit.name.clone()),
                    Entry::Number(ratio, format!("{ratio:.3}")),
                    Entry::Number(unit.cost.tokens as f64, unit.cost.tokens.to_string()),
                    Entry::Number(seconds, duration(seconds)),
                    Entry::Text(unit.signature.to_string()),
                ]
            })
            .collect();
        let columns = ["unit", "units per word", "units", "time per 1,000 texts", "signature"];
        Self { heading: "Units".into(), columns: columns.map(Into::into).to_vec(), rows }
    }

    /// Units that were wanted and could not be had.
    pub(super) fn left_out(left_out: &[LeftOut]) -> Self {
        let row =
            |unit: &LeftOut| vec![Entry::Text(unit.name.clone()), Entry::Text(unit.reason.clone())];
        Self {
            heading: "Units that were left out".into(),
            columns: ["unit", "why"].map(Into::into).to_vec(),
            rows: left_out.iter().map(row).collect(),
        }
    }

    fn people(findings: &Findings) -> Self {
        let columns = std::iter::once("system".to_owned()).chain(findings.targets.iter().cloned());
        let rows = findings
            .systems
            .iter()
            .map(|system| {
                let means = system.human.iter().map(|mean| Entry::coefficient(Some(*mean)));
                std::iter::once(Entry::Text(system.name.clone())).chain(means).collect()
            })
            .collect();
        Self {
            heading: "What people think of the systems".into(),
            columns: columns.collect(),
            rows,
        }
    }

    /// Corpus scores as the metrics gave them.
    fn scores(findings: &Findings) -> Self {
        let mut columns: Vec<String> = vec!["metric".into(), "unit".into()];
        columns.extend(findings.systems.iter().map(|system| system.name.clone()));
        columns.push("signature".into());
        let row = |cell: &Cell| {
            let scores = cell
                .scores
                .systems
                .iter()
                .map(|s| Entry::Number(*s, format!("{s:.4}").replace('-', "−")));
            let signature = Entry::Text(cell.signature.to_string());
            names(cell).into_iter().chain(scores).chain([signature]).collect()
        };
        let rows = findings.cells.iter().map(row).collect();
        Self { heading: "Corpus scores".into(), columns, rows }
    }

    /// A table that sorts when its headings are pressed.
    pub(super) fn html(&self) -> String {
        let numeric = |column: usize| {
            let mut entries = self.rows.iter().filter_map(|row| row.get(column));
            entries.any(|entry| matches!(entry, Entry::Number(..)))
        };
        let class = |column: usize| if numeric(column) { " class=\"n\"" } else { "" };
        let mut out = String::from("<div class=\"wide\"><table><thead><tr>");
        for (number, column) in self.columns.iter().enumerate() {
            let (class, column) = (class(number), escape(column));
            out += &format!("<th{class}><button type=\"button\">{column}</button></th>");
        }
        out += "</tr></thead><tbody>";
        for row in &self.rows {
            out += "<tr>";
            for (number, entry) in row.iter().enumerate() {
                let (class, shown) = (class(number), escape(entry.shown()));
                match entry {
                    Entry::Number(key, _) => {
                        out += &format!("<td{class} data-v=\"{key}\">{shown}</td>");
                    }
                    Entry::Empty => out += &format!("<td{class} data-v=\"\">{shown}</td>"),
                    Entry::Text(_) => out += &format!("<td{class}>{shown}</td>"),
                }
            }
            out += "</tr>";
        }
        out + "</tbody></table></div>"
    }

    pub(super) fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut out = format!("## {}\n\n", self.heading);
        out += &line(self.columns.iter().map(|c| plain(c)).collect());
        out += &line(vec!["---".to_owned(); self.columns.len()]);
        for row in &self.rows {
            out += &line(row.iter().map(|entry| plain(entry.shown())).collect());
        }
        out
    }
}

fn names(cell: &Cell) -> Vec<Entry> {
    vec![Entry::Text(cell.metric.clone()), cell.unit.clone().map_or(Entry::Empty, Entry::Text)]
}

/// Text that Markdown takes as it stands.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            '\\' | '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '#' | '&' => {
                out.extend(['\\', c]);
            }
            c => out.push(c),
        }
    }
    out
}
