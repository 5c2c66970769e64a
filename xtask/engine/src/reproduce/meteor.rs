//! METEOR with synonyms and stems: do they raise agreement with people?

use super::{Data, Finding};
use anyhow::{Context, Result};
use ko_eval::{
    commongen::judged,
    home,
    meta::{
        Correlation, Experiment, MetricRow, Unit,
        experiment::{Level, TOTAL},
    },
};

const UNITS: &[&str] = &["word", "mecab", "mecab:form=morpheme"];

/// Nothing is published to compare the coefficients with; what is checked is that they exist.
pub(super) fn run(data: &Data) -> Result<Vec<Finding>> {
    let file = home().join("korean-wordnet/wordnet.json");
    let file = file.display();
    let rows = [
        ("plain", "meteor".to_owned()),
        ("synonyms", format!("meteor:synonyms={file}")),
        ("stems", "meteor:stem=mecab".to_owned()),
        ("stems and synonyms", format!("meteor:stem=mecab,synonyms={file}")),
    ];
    let judged = judged::read(&data.folder.join("commongen"))?;
    let metrics = rows.iter().map(|(_, spec)| MetricRow::by_name(ko_eval::LIBRARY, spec));
    let units = UNITS.iter().map(|unit| Unit::by_name(unit, ko_eval::unit));
    let findings = Experiment::new(&judged)
        .metrics(metrics.collect::<ko_eval::Result<Vec<_>>>()?)
        .units(units.collect::<ko_eval::Result<Vec<_>>>()?)
        .run()?;
    let mut finding = Finding::new("METEOR and people");
    println!("        {:<20} {}", "Pearson's r", UNITS.join("  "));
    for (name, spec) in &rows {
        print!("        {name:<20}");
        for unit in UNITS {
            let cell = findings.cell(spec, *unit).with_context(|| format!("{spec} on {unit}"))?;
            let value = cell.value(Level::Segment, TOTAL, Correlation::Pearson);
            let r = value.and_then(|value| value.get());
            print!("   {:.4}", r.unwrap_or(f64::NAN));
            finding.add(r.is_some(), || format!("{spec} on {unit} is undefined"));
        }
        println!();
    }
    Ok(vec![finding])
}
