//! Findings for readers: a text table, Markdown, JSON, and an HTML page with a heat map.
//!
//! Rows are subjects, columns tasks, cells balanced accuracies in percent. The best subject of a task is marked; under the
//! subjects stands what guessing one class gives.

use crate::{
    error::Result,
    experiment::{Finding, Findings},
};
use ko_eval_core::Error;
use ko_meta_eval::report::Language;
use std::fmt::Write;

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
            "# {}\n\n{}\n\n",
            self.title_text(),
            self.language.say(
                "Balanced accuracy in percent; `*` marks the best of a task.",
                "균형 정확도(%)입니다. `*`는 그 과제에서 가장 높은 값입니다."
            )
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
        out += "\n";
        out += &line(&DETAILS.map(|(english, korean)| self.language.say(english, korean).into()));
        out += "|---|---|---:|---|---:|---:|---:|---:|\n";
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
            "<!doctype html>\n<html lang=\"{}\"><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\"><title>{1}</title>\n<style>{CSS}</style>\n\
             <main><h1>{1}</h1>\n<p>{2}</p>\n",
            self.language.code(),
            escape(self.title_text()),
            self.language.say(
                "Balanced accuracy in percent. Colour runs from guessing one class to 100; the best subject of a task is bold.",
                "균형 정확도(%)입니다. 색은 한 가지 답만 고른 값에서 100까지 짙어지고, 과제마다 가장 높은 값은 굵은 글씨입니다."
            )
        );
        self.heat_map(&mut out);
        let _ = writeln!(out, "<h2>{}</h2>", self.language.say("Every probe", "프로브별 결과"));
        for finding in &self.findings.findings {
            probe_details(&mut out, finding, self.language);
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
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", self.one_class());
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
        grid.push(row(self.one_class(), &|task| self.chance(task)));
        grid
    }

    fn one_class(&self) -> &'static str {
        self.language.say("one class", "한 가지 답만")
    }
}

/// What [`details`] are called, in English and in Korean.
const DETAILS: [(&str, &str); 8] = [
    ("task", "과제"),
    ("subject", "대상"),
    ("balanced accuracy", "균형 정확도"),
    ("95 % interval", "95 % 신뢰 구간"),
    ("accuracy", "정확도"),
    ("majority", "다수 범주"),
    ("control", "대조(무작위 답)"),
    ("selectivity", "선택성"),
];

/// The values of [`DETAILS`].
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

fn probe_details(out: &mut String, finding: &Finding, language: Language) {
    let [task, subject, score, interval, accuracy, majority, control, selectivity] =
        details(finding).try_into().unwrap_or_default();
    let [train, dev, test] = finding.sizes;
    let (penalty, epochs) = (finding.penalty, finding.epochs);
    let (task, subject) = (escape(&task), escape(&subject));
    let signature = escape(&finding.signature.to_string());
    let figures = match language {
        Language::Korean => format!(
            "정확도 {accuracy}, 다수 범주 {majority}, 대조 {control}, 선택성 {selectivity}; \
             {train} + {dev} + {test}문장; 벌점 {penalty}, {epochs}회 반복"
        ),
        Language::English => format!(
            "Accuracy {accuracy}, majority {majority}, control {control}, selectivity {selectivity}; \
             {train} + {dev} + {test} sentences; penalty {penalty}, {epochs} epochs"
        ),
    };
    let (truth, recall) = (language.say("truth", "정답"), language.say("recall", "재현율"));
    let _ = write!(
        out,
        "<details><summary>{task}, {subject}: {score} ({interval})</summary>\n<p>{figures}; \
         <code>{signature}</code></p>\n\
         <div class=\"wide\"><table><thead><tr><th>{truth}</th><th>{recall}</th>",
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
\"Malgun Gothic\",\"Noto Sans KR\",\"Noto Sans CJK KR\",system-ui,sans-serif}\
h1{font-size:1.6rem}h2{font-size:1.2rem}main{max-width:80rem;margin:0 auto;padding:2rem 1.25rem}.wide{overflow-x:auto}\
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}\
th,td{padding:.3rem .7rem;border-bottom:1px solid var(--rule);white-space:nowrap;text-align:right}th[scope=row],th:first-child{text-align:left}\
.heat td{background:color-mix(in oklab,var(--hot) var(--warm,0%),var(--paper))}.heat .hot{color:var(--paper)}.best{font-weight:700}\
details{margin:.4rem 0}summary{cursor:pointer}code{overflow-wrap:anywhere}";
