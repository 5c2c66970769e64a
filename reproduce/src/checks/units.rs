//! Systems' sentences for Korean CommonGen's concept sets, judged by people: which metric agrees
//! with them, on which unit?

use crate::prelude::*;
use ko_eval::{
    commongen::judged,
    meta::{
        AgreementReport, Experiment, Findings, MetricRow, Unit,
        experiment::{Cell, LeftOut, Level, TOTAL},
    },
};

/// The table whose rows are all metrics.
pub(crate) const ALL: &str = "all units and people";

pub(crate) fn run(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let table = "units and people";
    let findings = measure(context, &report.rows(ALL), named(&report.rows(table))?)?;
    write(&findings, "units", &[])?;
    for cell in &findings.cells {
        report.value(table, cell.unit_name(), &cell.metric, pearson(cell, Level::Segment))?;
    }
    let orders = findings.best_orders(Level::Segment, Correlation::Pearson);
    for best in orders.iter().filter(|best| best.family == "bleu") {
        let cells = [("best BLEU", best.value), ("its order", best.order as f64)];
        report.row(table, &best.unit, cells)?;
    }
    Ok(())
}

/// The same on every unit that is there.
pub(crate) fn run_all(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let rows = ko_eval::UNITS.iter().map(|row| (row.name, row.why_not_compared()));
    let (mut units, mut left_out) = Unit::all(rows, ko_eval::unit);
    // Khaiii's resources lie beside the data, unless the user has them elsewhere.
    let khaiii = context.filled_in("khaiii:resource=DATA/khaiii");
    if let Some(place) = left_out.iter().position(|unit| unit.name == "khaiii")
        && let Ok(khaiii) = ko_eval::unit(&khaiii)
    {
        units.push(Unit::new(left_out.remove(place).name, khaiii));
    }
    left_out.iter().for_each(|out| println!("        {} is left out: {}", out.name, out.reason));
    let findings = measure(context, &report.rows(ALL), units)?;
    write(&findings, "all-units", &left_out)?;
    for unit in &findings.units {
        let (ratio, seconds) = (unit.cost.tokens_per_word(), unit.cost.seconds_per_thousand());
        let cells = [("per word", ratio), ("s per 1,000", seconds)];
        report.row("units per word", &unit.name, cells)?;
    }
    for cell in &findings.cells {
        for (kind, level) in [("segments", Level::Segment), ("systems", Level::System)] {
            let column = format!("{}, {kind}", cell.unit_name());
            report.value(ALL, &cell.metric, &column, pearson(cell, level))?;
        }
    }
    Ok(())
}

pub(crate) fn run_meteor(context: &Context, report: &mut Report<'_>) -> Result<()> {
    let (table, units) = ("METEOR and people", ["word", "mecab", "mecab:form=morpheme"]);
    let rows = report.rows(table);
    let specs: Vec<String> = rows.iter().map(|row| context.filled_in(row)).collect();
    let metrics: Vec<&str> = specs.iter().map(String::as_str).collect();
    let findings = measure(context, &metrics, named(&units)?)?;
    for (row, spec) in rows.iter().zip(&specs) {
        for cell in findings.cells.iter().filter(|cell| cell.metric == *spec) {
            report.value(table, row, cell.unit_name(), pearson(cell, Level::Segment))?;
        }
    }
    Ok(())
}

fn named(units: &[&str]) -> Result<Vec<Unit>> {
    let units = units.iter().map(|unit| Unit::by_name(unit, ko_eval::unit));
    Ok(units.collect::<ko_eval::Result<_>>()?)
}

/// Crosses metrics with units.
fn measure(context: &Context, metrics: &[&str], units: Vec<Unit>) -> Result<Findings> {
    let judged = judged::read(&context.data("commongen"))?;
    let metrics = metrics.iter().map(|spec| {
        let row = MetricRow::by_name(ko_eval::LIBRARY, spec)?;
        // An error rate has no upper end; beyond 100 an output is simply wrong.
        Ok(if *spec == "ter" { row.cap(100.0) } else { row })
    });
    let metrics = metrics.collect::<ko_eval::Result<Vec<_>>>()?;
    let slow_units = Periodic::new(Duration::from_secs(30), |line| eprintln!("        {line}"));
    Ok(Experiment::new(&judged).metrics(metrics).units(units).progress(&slow_units).run()?)
}

fn write(findings: &Findings, name: &str, left_out: &[LeftOut]) -> Result<()> {
    let folder = Path::new("target/reproduction").join(name);
    let page = AgreementReport::new(findings).title("Korean CommonGen: units and people");
    page.left_out(left_out).write(&folder)?;
    println!("        {} cells: {}", findings.cells.len(), folder.join("report.html").display());
    Ok(())
}

/// Pearson with the human total.
fn pearson(cell: &Cell, level: Level) -> f64 {
    let value = cell.value(level, TOTAL, Correlation::Pearson);
    value.and_then(|value| value.get()).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_over_units_is_measured() {
        let tables = Table::load_all().unwrap();
        let rows = Report::new("all units", &tables).rows(ALL);
        for row in ko_eval::METRICS.iter().filter(|row| row.is_over_units()) {
            assert!(
                rows.iter().any(|spec| spec.split(':').next() == Some(row.name)),
                "{}",
                row.name
            );
        }
    }
}
