//! Reading what people have: packed or not, in any encoding, as lines, tables or JSON.

mod columns;
mod encoding;
mod json;
#[cfg(feature = "sql")]
mod parquet;
mod table;

pub(crate) use columns::Columns;
pub(crate) use encoding::{Encoding, EncodingArgs};
#[cfg(feature = "sql")]
pub(crate) use parquet::segments as parquet;

use anyhow::{Result, bail};
use ko_eval::{OwnedSegment, read::Lines};
use std::{
    io::{BufRead, BufReader, Chain, Cursor, Read},
    path::{Path, PathBuf},
};

/// A file that is read from its beginning.
pub(crate) type Source = Box<dyn BufRead + Send>;

/// How files of pairs are read.
#[derive(Debug, clap::Args)]
pub(crate) struct TableArgs {
    /// Which columns of a .tsv or .csv file, or keys of JSON, are what: hyp=NAME,ref=NAME,src=NAME; `ref` may be there more
    /// than once. Numbers count columns from 1 in a file without a header line [default: the usual names]
    #[arg(long, value_name = "hyp=…,ref=…")]
    pub(crate) columns: Option<Columns>,
    /// Whether the cells of a .tsv file may stand in quotes, as those of a .csv file do
    /// [default: as its header line has them]
    #[arg(long, value_name = "yes|no", hide_possible_values = true, value_parser = clap::builder::BoolishValueParser::new())]
    pub(crate) quotes: Option<bool>,
}

/// Segments of a file, one after the other, each with the number of its line.
pub(crate) type Segments = Box<dyn Iterator<Item = ko_eval::Result<(usize, OwnedSegment)>> + Send>;

/// What a file of pairs is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Json,
    Tsv,
    Csv,
}

impl Kind {
    /// What the name says, before the ending of a packed file.
    fn of_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
        match name.rsplit_once('.')?.1 {
            "json" | "jsonl" | "ndjson" => Some(Self::Json),
            "tsv" | "tab" => Some(Self::Tsv),
            "csv" => Some(Self::Csv),
            _ => None,
        }
    }

    /// What the first line looks like.
    fn of_line(line: &str) -> Self {
        match line.trim_start().chars().next() {
            Some('{' | '[') | None => Self::Json,
            _ if line.contains('\t') => Self::Tsv,
            _ if line.contains(',') => Self::Csv,
            _ => Self::Json,
        }
    }
}

/// Whether a name is that of a table or of JSON, which holds more than one text per line.
pub(crate) fn is_table(path: &Path) -> bool {
    Kind::of_name(path).is_some()
}

/// The segments of a file of pairs.
pub(crate) fn pairs(path: &Path, args: &TableArgs, encoding: Encoding) -> Result<Segments> {
    let mut source = encoding.open(path)?;
    let kind = match Kind::of_name(path) {
        Some(kind) => kind,
        None => {
            let (line, whole) = peeked(path, source)?;
            source = whole;
            Kind::of_line(&line)
        }
    };
    let columns = args.columns.as_ref();
    Ok(match kind {
        Kind::Json => json::segments(Lines::from_reader(path, source), columns),
        Kind::Tsv => table::segments(path, source, columns, table::Quotes::of_tsv(args.quotes))?,
        Kind::Csv => table::segments(path, source, columns, table::Quotes::Csv)?,
    })
}

/// Lines of text.
pub(crate) fn lines(path: &Path, encoding: Encoding) -> ko_eval::Result<Lines> {
    Ok(Lines::from_reader(path, encoding.open(path)?))
}

/// Refuses a file whose lines are not only texts.
pub(crate) fn refuse_table(path: &Path, encoding: Encoding) -> Result<()> {
    // What is no file can be read only once.
    let Some(kind) = Kind::of_name(path).filter(|_| path.is_file()) else { return Ok(()) };
    let (line, _) = peeked(path, encoding.open(path)?)?;
    if kind == Kind::Csv || (!line.is_empty() && Kind::of_line(&line) == kind && is_rich(&line)) {
        let what = match kind {
            Kind::Json => "JSON",
            Kind::Tsv => "a table",
            Kind::Csv => "CSV",
        };
        bail!(
            "{} holds {what}, not a text per line; `score --pairs FILE` reads hypotheses and references in one file",
            path.display()
        );
    }
    Ok(())
}

/// Whether a line is a row or an object.
fn is_rich(line: &str) -> bool {
    line.contains('\t') || line.trim_start().starts_with(['{', '['])
}

/// How much of a file is looked at to see what it is, in bytes.
const PEEKED: u64 = 1 << 20;

/// The first line, and the source with that line again.
fn peeked(path: &Path, mut source: Source) -> Result<(String, Source)> {
    let mut line = Vec::new();
    let read = Read::take(&mut source, PEEKED).read_until(b'\n', &mut line);
    read.map_err(|error| ko_eval::Error::io(path, error))?;
    let text = String::from_utf8_lossy(&line).into_owned();
    let whole: Chain<Cursor<Vec<u8>>, Source> = Cursor::new(line).chain(source);
    Ok((text, Box::new(BufReader::new(whole))))
}

/// Standard input can be read once.
pub(crate) fn only_once<'p>(files: impl IntoIterator<Item = &'p PathBuf>) -> Result<()> {
    if files.into_iter().filter(|path| path.as_os_str() == "-").count() > 1 {
        bail!("`-` is given more than once, but standard input can be read only once");
    }
    Ok(())
}
