//! Writing results: to standard output, or to a file that appears whole or not at all.

use crate::cli::Format;
use anyhow::Result;
use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use ko_eval::files;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

/// A line above, below, and under the header.
const LINES: TableStyle = TableStyle::new()
    .top_border(LineStyle::new('─', '─', '─', '─'))
    .header_separator(LineStyle::new('─', '─', '─', '─'))
    .bottom_border(LineStyle::new('─', '─', '─', '─'));

/// How a report is written, and where.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// How the figures are written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArgs {
    pub(crate) fn write(&self, report: &Report) -> Result<()> {
        report.write(self.format, self.output.as_deref())
    }
}

/// Rows for people and spreadsheets, a value for programs.
pub(crate) struct Report {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<Cell>>,
    pub(crate) json: serde_json::Value,
}

/// A cell of a [`Report`].
pub(crate) enum Cell {
    Text(String),
    /// Rounded in a table, in full in CSV.
    Number(f64),
    Empty,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl Report {
    /// Writes the report to the file, or to standard output.
    pub(crate) fn write(&self, format: Format, file: Option<&Path>) -> Result<()> {
        let text = match format {
            Format::Table => self.table(),
            Format::Json => serde_json::to_string_pretty(&self.json)? + "\n",
            Format::Csv => self.csv()?,
        };
        match file {
            Some(path) => Ok(files::write_atomically(path, text.as_bytes())?),
            None => print(text.as_bytes()),
        }
    }

    fn table(&self) -> String {
        let mut table = Table::new();
        table.load_style(LINES).set_header(&self.columns);
        for row in &self.rows {
            table.add_row(row.iter().map(|cell| {
                match cell {
                    Cell::Text(text) => comfy_table::Cell::new(text),
                    Cell::Number(number) => comfy_table::Cell::new(format!("{number:.4}"))
                        .set_alignment(CellAlignment::Right),
                    Cell::Empty => comfy_table::Cell::new(""),
                }
            }));
        }
        format!("{table}\n")
    }

    fn csv(&self) -> Result<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.columns)?;
        for row in &self.rows {
            writer.write_record(row.iter().map(|cell| match cell {
                Cell::Text(text) => text.clone(),
                Cell::Number(number) => number.to_string(),
                Cell::Empty => String::new(),
            }))?;
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }
}

/// Writes to standard output.
pub(crate) fn print(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(())
}

pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// On Ctrl-C, takes away what is half-written and leaves with the usual exit code.
pub(crate) fn remove_drafts_on_interrupt() {
    // Without a handler Ctrl-C still ends the command; only a draft could stay behind.
    let _ = ctrlc::set_handler(|| {
        files::remove_drafts();
        std::process::exit(130);
    });
}
