//! Writing results: to standard output, or to a file that appears whole or not at all.

use crate::cli::Format;
use anyhow::{Context, Result};
use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// A line above, below, and under the header.
const LINES: TableStyle = TableStyle::new()
    .top_border(LineStyle::new('─', '─', '─', '─'))
    .header_separator(LineStyle::new('─', '─', '─', '─'))
    .bottom_border(LineStyle::new('─', '─', '─', '─'));

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
            Some(path) => write_file(path, text.as_bytes()),
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

/// The file that is being written under another name, if any.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Writes a file beside its place and moves it there: a reader never sees half of it.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let attempt = || -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = Some(file.path().to_owned());
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    let result = attempt();
    *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = None;
    result.with_context(|| format!("cannot write {}", path.display()))
}

/// On Ctrl-C, takes away what is half-written and leaves with the usual exit code.
pub(crate) fn remove_unfinished_on_interrupt() {
    // Without a handler Ctrl-C still ends the command; only a temporary file could stay behind.
    let _ = ctrlc::set_handler(|| {
        if let Some(path) = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = std::fs::remove_file(path);
        }
        std::process::exit(130);
    });
}
