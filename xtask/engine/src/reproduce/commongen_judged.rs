//! Four systems' sentences for 2,040 concept sets, judged by people: which unit agrees with them?

use super::{Data, Finding};
use anyhow::{Context, Result};
use ko_eval::commongen::{
    BadLines, Pairs,
    human::{Criterion, HumanScores},
};
use ko_eval::{
    OwnedSegment,
    meta::{
        Correlation, Experiment, Findings, Judged, MetricRow, Report, Unit,
        experiment::{Level, TOTAL},
    },
};
use std::path::Path;

/// A system's files.
pub(super) struct System {
    pub(super) file: &'static str,
    pub(super) human: &'static str,
}

pub(super) const SYSTEMS: [System; 4] = [
    System { file: "KoGPT2.txt", human: "kogpt2" },
    System { file: "KoBART.txt", human: "kobart" },
    System { file: "mBART_50.txt", human: "mbart-50" },
    System { file: "mT5_large.txt", human: "mt5-large" },
];

/// What is measured: every row, BLEU of many orders.
const METRICS: &[&str] = &[
    "bleu:order=1",
    "bleu:order=2",
    "bleu:order=3",
    "bleu:order=4",
    "bleu:order=5",
    "bleu:order=6",
    "nltk-bleu:smooth=method3",
    "gleu",
    "nist",
    "chrf",
    "chrf:word-order=2",
    "ter",
    "character",
    "eed",
    "ribes",
    "rouge-1",
    "rouge-2",
    "rouge-l",
    "rouge-lsum",
    "meteor",
];
const UNITS: &[&str] = &["word", "mecab", "char", "jamo:form=conjoining"];

/// Pearson of segment scores with the human total on one unit.
struct Row {
    unit: &'static str,
    /// By metric.
    cells: &'static [(&'static str, f64)],
    /// The BLEU that agrees best, and its order.
    best: (f64, usize),
}

/// As sacreBLEU 2.6.0's scores give them. TER on characters and chrF++ on jamo lie at an edge of rounding:
/// 0.67251 and 0.65751.
const TABLE: &[Row] = &[
    Row {
        unit: "word",
        cells: &[
            ("bleu:order=4", 0.516),
            ("chrf", 0.577),
            ("chrf:word-order=2", 0.592),
            ("ter", 0.558),
        ],
        best: (0.608, 1),
    },
    Row {
        unit: "mecab",
        cells: &[
            ("bleu:order=4", 0.606),
            ("chrf", 0.577),
            ("chrf:word-order=2", 0.609),
            ("ter", 0.640),
        ],
        best: (0.681, 2),
    },
    Row {
        unit: "char",
        cells: &[
            ("bleu:order=4", 0.642),
            ("chrf", 0.577),
            ("chrf:word-order=2", 0.609),
            ("ter", 0.673),
        ],
        best: (0.695, 2),
    },
    Row {
        unit: "jamo:form=conjoining",
        cells: &[("bleu:order=4", 0.674), ("chrf", 0.647), ("chrf:word-order=2", 0.658)],
        best: (0.675, 5),
    },
];

pub(super) fn run(data: &Data) -> Result<Vec<Finding>> {
    let judged = judged(&data.folder.join("commongen"))?;
    let metrics = METRICS.iter().map(|spec| {
        let row = MetricRow::from_table(ko_eval::METRICS, spec)?;
        // An error rate has no upper end; beyond 100 an output is simply wrong.
        Ok(if *spec == "ter" { row.cap(100.0) } else { row })
    });
    let units = UNITS.iter().map(|spec| Unit::from_table(ko_eval::UNITS, spec));
    let start = std::time::Instant::now();
    let findings = Experiment::new(&judged)
        .metrics(metrics.collect::<ko_eval::Result<Vec<_>>>()?)
        .units(units.collect::<ko_eval::Result<Vec<_>>>()?)
        .run()?;
    println!("        {} cells in {:.1} s", findings.cells.len(), start.elapsed().as_secs_f64());
    let folder = Path::new("target/reproduction/units");
    Report::new(&findings)
        .title("Korean CommonGen: which unit agrees with people?")
        .write(folder)?;
    println!("        report: {}", folder.join("report.html").display());

    let mut finding = Finding::new("units and people");
    let orders = findings.best_orders(Level::Segment, Correlation::Pearson);
    for Row { unit, cells, best: (value, order) } in TABLE {
        for (metric, printed) in *cells {
            let ours = pearson(&findings, metric, unit)?;
            finding.add_rounded(ours, *printed, 3, || format!("{metric} on {unit}"));
        }
        let ours = orders.iter().find(|best| best.family == "bleu" && best.unit == *unit);
        let ours = ours.with_context(|| format!("no best order on {unit}"))?;
        finding.add_rounded(ours.value, *value, 3, || format!("best order on {unit}"));
        finding.add(ours.order == *order, || format!("best order on {unit} is {}", ours.order));
    }
    Ok(vec![finding])
}

fn pearson(findings: &Findings, metric: &str, unit: &str) -> Result<f64> {
    let cell =
        findings.cell(metric, unit).with_context(|| format!("no cell {metric} on {unit}"))?;
    let value = cell.value(Level::Segment, TOTAL, Correlation::Pearson);
    value.and_then(|value| value.get()).with_context(|| format!("{metric} on {unit} is undefined"))
}

fn judged(folder: &Path) -> Result<Judged> {
    let mut judged = Judged::new(Criterion::ALL.iter().map(ToString::to_string))?;
    let test = folder.join("dataset/test.jsonl");
    for system in &SYSTEMS {
        let pairs =
            Pairs::read(&test, &folder.join("systems").join(system.file), BadLines::Refuse)?;
        let segments = pairs.items().iter().zip(pairs.hypotheses()).map(|(item, hypothesis)| {
            OwnedSegment::new(hypothesis.clone(), item.references().to_vec())
        });
        let human =
            HumanScores::read(&folder.join("human").join(system.human), "korean_commongen")?;
        let scores = Criterion::ALL.iter().map(|criterion| {
            human.ratings(*criterion).map(|ratings| ratings.by_sentence()).unwrap_or_default()
        });
        let segments = segments.collect::<ko_eval::Result<Vec<_>>>()?;
        judged.push(system.file.trim_end_matches(".txt"), segments, scores.collect())?;
    }
    Ok(judged)
}
