//! Writing results: to standard output, or to a file that appears whole or not at all.

mod table;

use crate::cli::Format;
use anyhow::Result;
use ko_eval::files;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

pub(crate) use table::{hanging, width};

/// The version of the JSON that the command writes; docs/JSON.md says what it holds.
const SCHEMA_VERSION: u64 = 1;

/// How a report is written, and where.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// How the figures are written [default: as the extension of --output says, else table]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write to this file instead of standard output; .json, .csv, .tsv and .md choose the format
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl OutputArgs {
    /// What was asked for by name, or by the extension of the file.
    pub(crate) fn format(&self) -> Format {
        self.format.unwrap_or_else(|| Format::of(self.output.as_deref()))
    }

    pub(crate) fn write(&self, report: &Report) -> Result<()> {
        report.write(self.format(), self.output.as_deref())
    }
}

/// Rows for people and spreadsheets, a value for programs.
pub(crate) struct Report {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<Cell>>,
    pub(crate) json: serde_json::Value,
}

/// A cell of a [`Report`].
#[derive(Clone)]
pub(crate) enum Cell {
    Text(String),
    /// A file by its path. In a table as much of its end as tells it from the others; in full in CSV.
    File(String),
    /// A word of ours, which a table translates.
    Word(&'static str),
    /// Rounded in a table, in full in CSV.
    Number(f64),
    /// Too long for a table: a number there, and the text below it. In full in CSV.
    Signature(String),
    /// A cell with remarks: footnotes of a table.
    Noted(Box<Cell>, Vec<String>),
    Empty,
}

impl Cell {
    /// The same with remarks, if there are any.
    pub(crate) fn noted(self, notes: Vec<String>) -> Self {
        if notes.is_empty() { self } else { Self::Noted(Box::new(self), notes) }
    }

    /// In full, for programs.
    fn full(&self) -> String {
        match self {
            Self::Text(text) | Self::File(text) | Self::Signature(text) => text.clone(),
            Self::Word(word) => (*word).to_owned(),
            Self::Number(number) => number.to_string(),
            Self::Noted(cell, _) => cell.full(),
            Self::Empty => String::new(),
        }
    }
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
            Format::Table => table::render(self, width()),
            Format::Markdown => table::markdown(self),
            Format::Json => json_text(self.json.clone())?,
            Format::Csv => self.separated(b',')?,
            Format::Tsv => self.separated(b'\t')?,
        };
        match file {
            Some(path) => Ok(files::write_output(path, text.as_bytes())?),
            None => print(text.as_bytes()),
        }
    }

    fn separated(&self, delimiter: u8) -> Result<String> {
        let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
        writer.write_record(&self.columns)?;
        for row in &self.rows {
            writer.write_record(row.iter().map(Cell::full))?;
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }
}

/// An object as the command writes it, with the version of its keys.
pub(crate) fn json_text(mut value: serde_json::Value) -> Result<String> {
    if let Some(object) = value.as_object_mut() {
        object.insert("schema_version".to_owned(), SCHEMA_VERSION.into());
    }
    Ok(serde_json::to_string_pretty(&value)? + "\n")
}

/// Prints an object.
pub(crate) fn print_json(value: serde_json::Value) -> Result<()> {
    print(json_text(value)?.as_bytes())
}

/// Figures under snake_case keys, as all of our JSON has them; a figure that is written otherwise elsewhere
/// (`brevity-penalty`, `rougeL`) stays under that key as well.
pub(crate) fn with_snake_keys(
    figures: impl IntoIterator<Item = (String, serde_json::Value)>,
) -> serde_json::Map<String, serde_json::Value> {
    let mut map = serde_json::Map::new();
    for (name, value) in figures {
        map.insert(snake_case(&name), value.clone());
        map.insert(name, value);
    }
    map
}

/// `rougeL` is `rouge_l`, `brevity-penalty` is `brevity_penalty`, `P` is `p`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        match letter {
            '-' | ' ' => snake.push('_'),
            _ => snake.extend(letter.to_lowercase()),
        }
    }
    snake
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_one_style() {
        for (name, snake) in [
            ("brevity-penalty", "brevity_penalty"),
            ("rougeL", "rouge_l"),
            ("P", "p"),
            ("meteor", "meteor"),
            ("precision-1", "precision_1"),
        ] {
            assert_eq!(snake_case(name), snake);
        }
    }
}
