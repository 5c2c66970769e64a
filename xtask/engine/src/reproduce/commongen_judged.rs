//! Four systems' sentences for 2,040 concept sets, judged by people: which unit agrees with them?

use super::{Data, Finding};
use anyhow::{Context, Result};
use ko_eval::{
    Periodic,
    commongen::judged,
    meta::{
        AgreementReport, Correlation, Experiment, Findings, MetricRow, Unit,
        experiment::{LeftOut, Level, TOTAL},
    },
    tokenize::khaiii::Khaiii,
};
use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

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
pub(super) const METRICS: &[&str] = &[
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

/// Units per word as the study of tokenization prints them, on texts of its own.
const PUBLISHED_PER_WORD: &[(&str, f64)] = &[
    ("mecab", 2.06),
    ("khaiii", 2.24),
    ("kiwi", 2.24),
    ("komoran", 2.22),
    ("okt", 1.78),
    ("hannanum", 2.04),
    ("kkma", 2.27),
    ("char", 3.22),
    ("jamo", 7.51),
];

pub(super) fn run(data: &Data) -> Result<Vec<Finding>> {
    let units = UNITS.iter().map(|spec| Unit::by_name(spec, ko_eval::unit));
    let findings = measure(data, units.collect::<ko_eval::Result<_>>()?, &[], "units")?;
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

/// The same on every unit that is there. Nothing is published to compare the coefficients with; what is checked is that
/// they exist.
pub(super) fn run_all(data: &Data) -> Result<Vec<Finding>> {
    let (mut units, mut left_out) = Unit::all(
        ko_eval::UNITS.iter().map(|row| (row.name, row.why_not_compared())),
        ko_eval::unit,
    );
    // Khaiii's resources lie beside the data, unless the user has them elsewhere.
    let resource = data.folder.join("khaiii");
    if let Some(missing) =
        left_out.iter().position(|unit| unit.name == "khaiii" && resource.is_dir())
    {
        let khaiii = Khaiii::builder().folder(resource).build()?;
        units.push(Unit::new(left_out.remove(missing).name, Arc::new(khaiii)));
    }
    for LeftOut { name, reason } in &left_out {
        println!("        {name} is left out: {reason}");
    }
    let findings = measure(data, units, &left_out, "all-units")?;
    println!("        {:<12} per word  published  s per 1,000", "unit");
    for unit in &findings.units {
        let published = PUBLISHED_PER_WORD.iter().find(|(name, _)| *name == unit.name);
        let published = published.map_or("-".to_owned(), |(_, value)| format!("{value:.2}"));
        let (ratio, seconds) = (unit.cost.tokens_per_word(), unit.cost.seconds_per_thousand());
        println!("        {:<12} {ratio:>8.2}  {published:>9}  {seconds:>11.4}", unit.name);
    }
    let mut finding = Finding::new("all units and people");
    for cell in &findings.cells {
        for level in [Level::Segment, Level::System] {
            let value =
                cell.value(level, TOTAL, Correlation::Pearson).and_then(|value| value.get());
            finding.add(value.is_some(), || format!("{} is undefined", cell.title()));
        }
    }
    Ok(vec![finding])
}

/// Crosses all metrics with the units, and writes a report.
fn measure(data: &Data, units: Vec<Unit>, left_out: &[LeftOut], name: &str) -> Result<Findings> {
    let judged = judged::read(&data.folder.join("commongen"))?;
    let metrics = METRICS.iter().map(|spec| {
        let row = MetricRow::by_name(ko_eval::LIBRARY, spec)?;
        // An error rate has no upper end; beyond 100 an output is simply wrong.
        Ok(if *spec == "ter" { row.cap(100.0) } else { row })
    });
    let slow_units = Periodic::new(Duration::from_secs(30), |line| eprintln!("        {line}"));
    let start = Instant::now();
    let findings = Experiment::new(&judged)
        .metrics(metrics.collect::<ko_eval::Result<Vec<_>>>()?)
        .units(units)
        .progress(&slow_units)
        .run()?;
    println!("        {} cells in {:.1} s", findings.cells.len(), start.elapsed().as_secs_f64());
    let folder = Path::new("target/reproduction").join(name);
    AgreementReport::new(&findings)
        .title("Korean CommonGen: which unit agrees with people?")
        .left_out(left_out)
        .write(&folder)?;
    println!("        report: {}", folder.join("report.html").display());
    Ok(findings)
}

fn pearson(findings: &Findings, metric: &str, unit: &str) -> Result<f64> {
    let cell =
        findings.cell(metric, unit).with_context(|| format!("no cell {metric} on {unit}"))?;
    let value = cell.value(Level::Segment, TOTAL, Correlation::Pearson);
    value.and_then(|value| value.get()).with_context(|| format!("{metric} on {unit} is undefined"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_over_units_is_measured() {
        for row in ko_eval::METRICS.iter().filter(|row| row.is_over_units()) {
            let is_there = METRICS.iter().any(|spec| spec.split(':').next() == Some(row.name));
            assert!(is_there, "{}", row.name);
        }
    }
}
