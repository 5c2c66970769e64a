//! Findings for readers: a text table, Markdown, JSON, and an HTML page with a heat map.
//!
//! Rows are subjects, columns tasks, cells balanced accuracies in percent. The best subject of a task is marked; under the
//! subjects stands what guessing one class gives.

use crate::{
    error::Result,
    experiment::{Finding, Findings},
};
use ko_eval_core::Error;
use std::fmt::Write;

/// Writes findings.
#[derive(Debug, Clone)]
pub struct ProbeReport<'f> {
    findings: &'f Findings,
    title: String,
}

impl<'f> ProbeReport<'f> {
    /// A report of these findings.
    pub fn new(findings: &'f Findings) -> Self {
        Self { findings, title: "What do sentence embeddings know about Korean?".into() }
    }

    /// The same under another title.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// A table for a terminal.
    pub fn text(&self) -> String {
        let grid = self.grid();
        let columns = grid.first().map_or(0, Vec::len);
        let width = |column: usize| {
            grid.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| width_of(cell))
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut out = String::new();
        for row in &grid {
            for (number, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let space = " ".repeat(width.saturating_sub(width_of(cell)));
                let _ = match number {
                    0 => write!(out, "{cell}{space}"),
                    _ => write!(out, "  {space}{cell}"),
                };
            }
            out.push('\n');
        }
        out
    }

    /// A Markdown table, then one of details.
    pub fn markdown(&self) -> String {
        let mut out = format!(
            "# {}\n\nBalanced accuracy in percent; `*` marks the best of a task.\n\n",
            self.title
        );
        let line = |cells: &[String]| {
            format!(
                "| {} |\n",
                cells.iter().map(|c| c.replace('|', "\\|")).collect::<Vec<_>>().join(" | ")
            )
        };
        for (number, row) in self.grid().iter().enumerate() {
            out += &line(row);
            if number == 0 {
                out += &format!("|---{}|\n", "|---:".repeat(row.len().saturating_sub(1)));
            }
        }
        out += "\n| task | subject | balanced accuracy | 95 % interval | accuracy | majority | control | selectivity |\n|---|---|---:|---|---:|---:|---:|---:|\n";
        for finding in &self.findings.findings {
            out += &line(&details(finding));
        }
        out
    }

    /// All findings, as JSON that reads back.
    ///
    /// # Errors
    /// None that is known: findings hold finite numbers only.
    pub fn json(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self.findings);
        Ok(text.map_err(|error| Error::source("writing findings", error))?)
    }

    /// One page without scripts or anything fetched: the heat map, and every probe's details with
    /// its confusion matrix.
    pub fn html(&self) -> String {
        let mut out = format!(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\"><title>{0}</title>\n<style>{CSS}</style>\n\
             <main><h1>{0}</h1>\n<p>Balanced accuracy in percent. Colour runs from guessing one class \
             to 100; the best subject of a task is bold.</p>\n",
            escape(&self.title)
        );
        self.heat_map(&mut out);
        out += "<h2>Every probe</h2>\n";
        for finding in &self.findings.findings {
            probe_details(&mut out, finding);
        }
        out + "</main></html>\n"
    }

    fn heat_map(&self, out: &mut String) {
        *out += "<div class=\"wide\"><table class=\"heat\"><thead><tr><th></th>";
        for task in &self.findings.tasks {
            let _ = write!(out, "<th scope=\"col\">{}</th>", escape(task));
        }
        *out += "</tr></thead><tbody>\n";
        for subject in &self.findings.subjects {
            let _ = write!(out, "<tr><th scope=\"row\">{}</th>", escape(subject));
            for task in &self.findings.tasks {
                let Some(finding) = self.findings.get(subject, task) else {
                    *out += "<td>–</td>";
                    continue;
                };
                let interval = &finding.balanced_accuracy;
                let warmth = ((interval.score - finding.chance) / (1.0 - finding.chance).max(1e-9))
                    .clamp(0.0, 1.0);
                let _ = write!(
                    out,
                    "<td class=\"{}{}\" style=\"--warm:{:.0}%\" title=\"{}: {} to {}\">{}</td>",
                    if warmth > 0.55 { "hot" } else { "cold" },
                    if self.is_best(finding) { " best" } else { "" },
                    warmth * 100.0,
                    escape(&format!("{subject}, {task}")),
                    percent(interval.low),
                    percent(interval.high),
                    percent(interval.score),
                );
            }
            *out += "</tr>\n";
        }
        *out += "<tr><th scope=\"row\">one class</th>";
        for task in &self.findings.tasks {
            let _ = write!(out, "<td class=\"cold\">{}</td>", self.chance(task));
        }
        *out += "</tr></tbody></table></div>\n";
    }

    fn is_best(&self, finding: &Finding) -> bool {
        let rivals = self.findings.findings.iter().filter(|other| other.task == finding.task);
        let best = rivals.map(|other| other.balanced_accuracy.score).fold(0.0, f64::max);
        finding.balanced_accuracy.score >= best
    }

    fn chance(&self, task: &str) -> String {
        let finding = self.findings.findings.iter().find(|finding| finding.task == task);
        finding.map_or_else(String::new, |finding| percent(finding.chance))
    }

    /// Header, a row per subject, and the row of guessing.
    fn grid(&self) -> Vec<Vec<String>> {
        let Findings { subjects, tasks, .. } = self.findings;
        let cell = |subject: &str, task: &str| {
            let Some(finding) = self.findings.get(subject, task) else { return "–".to_owned() };
            let mark = if self.is_best(finding) { "*" } else { "" };
            format!("{}{mark}", percent(finding.balanced_accuracy.score))
        };
        let row = |first: &str, rest: &dyn Fn(&str) -> String| -> Vec<String> {
            std::iter::once(first.to_owned()).chain(tasks.iter().map(|task| rest(task))).collect()
        };
        let mut grid = vec![row("", &|task| task.to_owned())];
        grid.extend(subjects.iter().map(|subject| row(subject, &|task| cell(subject, task))));
        grid.push(row("one class", &|task| self.chance(task)));
        grid
    }
}

/// Task, subject, score, interval, accuracy, majority, control, selectivity.
fn details(finding: &Finding) -> Vec<String> {
    let interval = &finding.balanced_accuracy;
    let optional = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), percent);
    vec![
        finding.task.clone(),
        finding.subject.clone(),
        percent(interval.score),
        format!("{}–{}", percent(interval.low), percent(interval.high)),
        percent(finding.accuracy),
        percent(finding.majority_accuracy),
        optional(finding.control),
        optional(finding.selectivity()),
    ]
}

fn probe_details(out: &mut String, finding: &Finding) {
    let [task, subject, score, interval, accuracy, majority, control, selectivity] =
        details(finding).try_into().unwrap_or_default();
    let [train, dev, test] = finding.sizes;
    let _ = write!(
        out,
        "<details><summary>{}, {}: {score} ({interval})</summary>\n<p>Accuracy {accuracy}, majority {majority}, control \
         {control}, selectivity {selectivity}; {train} + {dev} + {test} sentences; penalty {}, {} epochs; <code>{}</code></p>\n\
         <div class=\"wide\"><table><thead><tr><th>truth</th><th>recall</th>",
        escape(&task),
        escape(&subject),
        finding.penalty,
        finding.epochs,
        escape(&finding.signature.to_string()),
    );
    for class in &finding.classes {
        let _ = write!(out, "<th>{}</th>", escape(&class.class));
    }
    *out += "</tr></thead><tbody>\n";
    for (class, row) in finding.classes.iter().zip(&finding.confusion) {
        let _ =
            write!(out, "<tr><th>{}</th><td>{}</td>", escape(&class.class), percent(class.recall));
        for count in row {
            let _ = write!(out, "<td>{count}</td>");
        }
        *out += "</tr>\n";
    }
    *out += "</tbody></table></div></details>\n";
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Columns on a terminal: Hangul and its like take two.
fn width_of(text: &str) -> usize {
    let wide = |c: char| matches!(u32::from(c), 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xff00..=0xff60);
    text.chars().map(|c| 1 + usize::from(wide(c))).sum()
}

const CSS: &str = "\
:root{color-scheme:light dark;--paper:#fff;--ink:#14181d;--rule:#dde2e8;--hot:#1d4f83}\
@media(prefers-color-scheme:dark){:root{--paper:#15181c;--ink:#e8ebef;--rule:#343b43;--hot:#7cc4ff}}\
body{margin:0;background:var(--paper);color:var(--ink);line-height:1.5;font-family:\"Pretendard\",\"Apple SD Gothic Neo\",\
\"Malgun Gothic\",\"Noto Sans KR\",system-ui,sans-serif}\
main{max-width:80rem;margin:0 auto;padding:2rem 1.25rem}.wide{overflow-x:auto}\
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}\
th,td{padding:.3rem .7rem;border-bottom:1px solid var(--rule);white-space:nowrap;text-align:right}th[scope=row],th:first-child{text-align:left}\
.heat td{background:color-mix(in oklab,var(--hot) var(--warm,0%),var(--paper))}.heat .hot{color:var(--paper)}.best{font-weight:700}\
details{margin:.4rem 0}summary{cursor:pointer}code{overflow-wrap:anywhere}";
