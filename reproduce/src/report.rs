//! The runner: values in, findings out.

use crate::{
    prelude::*,
    tables::{Kind, relative_error},
};
use ko_eval::files::write_atomically;
use std::{collections::HashSet, fmt};

/// More lines of figures go to a file.
const SHOWN: usize = 120;

/// Receives the values of one check, and compares each with its cell.
pub(crate) struct Report<'t> {
    check: &'static str,
    all: &'t [Table],
    /// Those of the check.
    tables: Vec<&'t Table>,
    findings: Vec<Finding>,
    /// Table, row, and what is shown of them.
    shown: Vec<([String; 2], String)>,
    computed: HashSet<[String; 3]>,
    skipped: HashSet<String>,
}

impl<'t> Report<'t> {
    pub(crate) fn new(check: &'static str, all: &'t [Table]) -> Self {
        let tables = all.iter().filter(|table| table.checks().any(|name| name == check));
        let (findings, shown) = (Vec::new(), Vec::new());
        let (computed, skipped) = (HashSet::new(), HashSet::new());
        Self { check, all, tables: tables.collect(), findings, shown, computed, skipped }
    }

    /// Returns the rows of a table, which may be another check's.
    pub(crate) fn rows(&self, table: &str) -> Vec<&'t str> {
        let named = self.all.iter().filter(|known| known.name == table);
        named.flat_map(|table| table.rows.keys().map(String::as_str)).collect()
    }

    /// Returns the golden tables of this check.
    pub(crate) fn golden(&self) -> Vec<&'t Table> {
        self.tables.iter().copied().filter(|table| table.kind == Kind::Golden).collect()
    }

    /// Compares a value with its cell and shows it; without a cell it is a figure.
    pub(crate) fn value(&mut self, table: &str, row: &str, column: &str, value: f64) -> Result<()> {
        let named = self.tables.iter().copied().filter(|known| known.name == table);
        let mut cells = named.map(|known| (known, known.cell(self.check, row, column)));
        let found = cells.find(|(_, cell)| !cell.is_empty());
        let cell = found.map_or("", |(_, cell)| cell);
        let digits = if value.fract() == 0.0 { 0 } else { 4 };
        let expected = if cell.is_empty() { String::new() } else { format!(" ({cell})") };
        let text = format!("{column} {value:.digits$}{expected}");
        let place = [table, row].map(str::to_owned);
        match self.shown.iter_mut().find(|(known, _)| *known == place) {
            Some((_, texts)) => *texts += &format!(", {text}"),
            None => self.shown.push((place, text)),
        }
        self.computed.insert([table, row, column].map(str::to_owned));
        let Some((table, cell)) = found else { return Ok(()) };
        if let Some(holds) = table.holds(cell, value)? {
            let is = if table.kind == Kind::Bounds { "it must be" } else { "it is printed as" };
            let describe = || format!("{row}, {column}: {value} where {is} {cell}");
            self.finding(table.finding(self.check, row)).add(holds, describe);
        }
        Ok(())
    }

    /// [`value`](Self::value) of several columns.
    pub(crate) fn row<C: AsRef<str>>(
        &mut self,
        table: &str,
        row: &str,
        cells: impl IntoIterator<Item = (C, f64)>,
    ) -> Result<()> {
        let mut cells = cells.into_iter();
        cells.try_for_each(|(column, value)| self.value(table, row, column.as_ref(), value))
    }

    /// [`value`](Self::value) of the table that is named like the check and has one column.
    #[cfg(feature = "torch")]
    pub(crate) fn figure(&mut self, row: &str, value: f64) -> Result<()> {
        self.value(self.check, row, crate::tables::VALUE, value)
    }

    /// Returns the finding of this name, a new one the first time.
    pub(crate) fn finding(&mut self, name: impl Into<String>) -> &mut Finding {
        let name = name.into();
        let place = self.findings.iter().position(|finding| finding.name == name);
        let place = place.unwrap_or_else(|| {
            self.findings.push(Finding { name, ..Finding::default() });
            self.findings.len() - 1
        });
        &mut self.findings[place]
    }

    /// Demands no cell of this row: something it needs is not installed.
    pub(crate) fn skip(&mut self, row: &str) {
        self.skipped.insert(row.to_owned());
    }

    /// Opens an analyzer; says so and skips its row if it is not installed.
    pub(crate) fn installed(&mut self, unit: &str) -> Result<Option<Arc<dyn MorphemeAnalyzer>>> {
        match analyzer_by_name(unit) {
            Err(error @ ko_eval::Error::Missing { .. }) => {
                eprintln!("SKIPPED {unit}: {error}");
                self.skip(unit);
                Ok(None)
            }
            analyzer => Ok(Some(analyzer?)),
        }
    }

    /// Prints what was found, and returns it; a cell that was not computed fails.
    pub(crate) fn close(mut self, outcome: &Result<()>) -> Result<Vec<Finding>> {
        if let Err(error) = outcome {
            self.finding(self.check).fail(format!("{error:#}"));
        }
        for table in self.tables.clone().into_iter().filter(|_| outcome.is_ok()) {
            for (row, column) in table.demands(self.check) {
                let place = [table.name.as_str(), row, column].map(str::to_owned);
                if !self.computed.contains(&place) && !self.skipped.contains(row) {
                    let finding = self.finding(table.finding(self.check, row));
                    finding.fail(format!("{row}, {column}: not computed"));
                }
            }
        }
        let lines =
            self.shown.iter().map(|([table, row], text)| format!("{table}: {row}: {text}\n"));
        match self.shown.len() {
            ..=SHOWN => lines.for_each(|line| print!("        {line}")),
            _ => {
                let file = format!("target/reproduction/{}.txt", self.check.replace(' ', "-"));
                write_atomically(file.as_ref(), lines.collect::<String>().as_bytes())?;
                println!("        figures: {file}");
            }
        }
        self.findings.iter().for_each(|finding| println!("{finding}"));
        Ok(self.findings)
    }
}

/// How values compare with what is expected of them.
#[derive(Default)]
pub(crate) struct Finding {
    name: String,
    compared: usize,
    failed: usize,
    /// The greatest relative error, where values are numbers.
    worst: Option<f64>,
    /// The first failure.
    note: Option<String>,
}

impl Finding {
    pub(crate) fn add(&mut self, equal: bool, describe: impl FnOnce() -> String) {
        self.compared += 1;
        if !equal {
            self.failed += 1;
            self.note.get_or_insert_with(describe);
        }
    }

    /// Something could not be compared at all.
    pub(crate) fn fail(&mut self, why: String) {
        self.add(false, || why);
    }

    /// Compares a number with a reference's.
    pub(crate) fn add_number(&mut self, ours: f64, reference: f64, tolerance: f64, place: &str) {
        let error = relative_error(ours, reference);
        self.worst = Some(self.worst.unwrap_or(0.0).max(error));
        // Not `error > tolerance`: that would pass what is not a number.
        self.add(error <= tolerance, || format!("{place}: {ours}, the reference has {reference}"));
    }

    /// Returns whether something was compared and all of it is as expected.
    pub(crate) fn holds(&self) -> bool {
        self.failed == 0 && self.compared > 0
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.holds() { "ok" } else { "FAILED" };
        let equal = self.compared - self.failed;
        write!(f, "{verdict:<7} {:<24} {equal}/{} as expected", self.name, self.compared)?;
        if let Some(worst) = self.worst {
            write!(f, ", greatest relative error {worst:.1e}")?;
        }
        self.note.as_ref().map_or(Ok(()), |note| write!(f, "; {note}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_found() {
        for (ours, reference, holds) in [
            (100.0, 100.00000001, true),
            (100.0, 100.0000002, false),
            (1e-8, 0.0, false),
            (f64::NAN, 1.0, false),
        ] {
            let mut finding = Finding::default();
            finding.add_number(ours, reference, 1e-9, "here");
            assert_eq!(finding.holds(), holds, "{ours} {reference}");
        }
        assert!(!Finding::default().holds(), "nothing was compared");
    }
}
