//! Tables of hypotheses and references, separated by tabs or by commas.

use super::{
    Segments, Source,
    columns::{Columns, Places, quoted, segment},
    peeked,
};
use anyhow::Result;
use ko_eval::{Error, read::Lines};
use std::path::{Path, PathBuf};

/// What quotes around a cell mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quotes {
    /// They hold the cell together, and are doubled within; cells are separated by commas.
    Csv,
    /// The same, separated by tabs.
    Tsv,
    /// They are text.
    Text,
    /// As in the header line; a cell that is clearly quoted otherwise is refused.
    AsHeader,
}

impl Quotes {
    pub(super) fn of_tsv(told: Option<bool>) -> Self {
        match told {
            Some(true) => Self::Tsv,
            Some(false) => Self::Text,
            None => Self::AsHeader,
        }
    }
}

/// Rows with the numbers of their first lines.
type Rows = Box<dyn Iterator<Item = ko_eval::Result<(usize, Vec<String>)>> + Send>;

/// The segments of a table. Which columns they are from is told, or found in the header; a table of tabs without a header
/// has the hypothesis first, then references.
pub(super) fn segments(
    path: &Path,
    source: Source,
    told: Option<&Columns>,
    quotes: Quotes,
) -> Result<Segments> {
    let (line, source) = peeked(path, source)?;
    let quotes = match quotes {
        Quotes::AsHeader if is_quoted_header(&line, told) => Quotes::Tsv,
        quotes => quotes,
    };
    let mut rows = rows(path, source, quotes);
    let first = rows.next().transpose()?;
    let second = rows.next().transpose()?;
    let Some((line, header)) = first else { return Ok(Box::new(std::iter::empty())) };
    let header: Vec<String> = header.iter().map(|name| name.trim().to_owned()).collect();
    let error = |reason: String| Error::BadLine { path: path.to_owned(), line, reason };
    let columns = match told {
        Some(told) if told.numbers().is_some() => None,
        Some(told) => Some(told.clone()),
        None => usual(&header),
    };
    let (places, first) = match (columns, told.and_then(Columns::numbers)) {
        (Some(columns), _) => (Some((columns.places(&header).map_err(error)?, header.len())), None),
        (None, Some(places)) => (Some((places, 0)), Some((line, header))),
        (None, None) => {
            let other = second.as_ref().map(|(_, row)| row.as_slice()).unwrap_or_default();
            if quotes == Quotes::Csv || is_header(&header, other) {
                return Err(error(unnamed(&header)).into());
            }
            (None, Some((line, header)))
        }
    };
    let path = path.to_owned();
    let rows = first.into_iter().chain(second).map(Ok).chain(rows);
    Ok(Box::new(rows.map(move |row| {
        let (line, row) = row?;
        let found = of_row(places.as_ref(), &row);
        found.map(|segment| (line, segment)).map_err(|reason| Error::BadLine {
            path: path.clone(),
            line,
            reason,
        })
    })))
}

fn of_row(
    places: Option<&(Places, usize)>,
    row: &[String],
) -> std::result::Result<ko_eval::OwnedSegment, String> {
    match (places, row) {
        (Some((_, columns)), _) if *columns > 0 && row.len() > *columns => {
            Err(format!("{} columns, but the header has {columns}", row.len()))
        }
        (Some((places, _)), _) => places.segment(row),
        (None, [hypothesis, references @ ..]) if !references.is_empty() => {
            segment(hypothesis, references.iter().collect(), None::<&str>)
                .map_err(|error| error.to_string())
        }
        (None, _) => Err(Error::NoReference.to_string()),
    }
}

/// The columns by their usual names, if the row is a header.
fn usual(header: &[String]) -> Option<Columns> {
    let found = Columns::usual(header)?;
    let named = 1 + found.references.len() + usize::from(found.source.is_some());
    (!found.references.is_empty() || named == header.len()).then_some(found)
}

/// Whether a row names columns rather than being one: short words of Latin letters above something else.
fn is_header(row: &[String], next: &[String]) -> bool {
    let is_name = |cell: &String| {
        !cell.is_empty()
            && cell.len() <= 30
            && cell.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
    };
    let is_text = |cell: &String| !cell.is_ascii() || cell.contains(' ');
    row.iter().all(is_name) && row.len() == next.len() && next.iter().all(is_text)
}

fn unnamed(header: &[String]) -> String {
    let column = |place: usize| header.get(place).map_or("NAME", String::as_str);
    format!(
        "the columns {} have none of the usual names (hyp, ref, src); name them: --columns hyp={},ref={}; \
         or, if this is a row and no header: --columns hyp=1,ref=2",
        quoted(header),
        column(0),
        column(1),
    )
}

fn rows(path: &Path, source: Source, quotes: Quotes) -> Rows {
    match quotes {
        Quotes::Csv => quoted_rows(path.to_owned(), source, b','),
        Quotes::Tsv => quoted_rows(path.to_owned(), source, b'\t'),
        Quotes::Text | Quotes::AsHeader => {
            let mut lines = Lines::from_reader(path, source);
            Box::new(std::iter::from_fn(move || {
                let line = lines.next()?;
                Some(line.and_then(|line| {
                    let row: Vec<String> = line.split('\t').map(str::to_owned).collect();
                    let strange = row.iter().find(|cell| is_doubly_quoted(cell));
                    match strange.filter(|_| quotes == Quotes::AsHeader) {
                        Some(cell) => Err(lines.error(format!(
                            "the cell `{cell}` is quoted as in CSV; --quotes yes reads it so, --quotes no keeps its quotes as text"
                        ))),
                        None => Ok((lines.number(), row)),
                    }
                }))
            }))
        }
    }
}

/// Rows whose cells may hold line ends and the separator.
fn quoted_rows(path: PathBuf, source: Source, delimiter: u8) -> Rows {
    let reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .from_reader(source);
    let mut records = reader.into_byte_records();
    Box::new(std::iter::from_fn(move || {
        let record = records.next()?;
        Some(record.map_err(|e| bad_record(&path, e)).and_then(|record| {
            let line = record.position().map_or(1, |at| at.line() as usize);
            let mut row = Vec::with_capacity(record.len());
            for (place, cell) in record.iter().enumerate() {
                let cell = std::str::from_utf8(cell).map_err(|_| {
                    let reason = format!("column {} is not UTF-8", place + 1);
                    Error::BadLine { path: path.clone(), line, reason }
                })?;
                row.push(
                    cell.strip_prefix('\u{feff}').filter(|_| line == 1).unwrap_or(cell).to_owned(),
                );
            }
            Ok((line, row))
        }))
    }))
}

fn bad_record(path: &Path, error: csv::Error) -> Error {
    let line = error.position().map(|at| at.line() as usize);
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Error::io(path, error),
        kind => Error::BadLine {
            path: path.to_owned(),
            line: line.unwrap_or(1),
            reason: format!("{kind:?}"),
        },
    }
}

/// Whether a line names columns, each in quotes; a line of speech may have quotes around all of it as well.
fn is_quoted_header(line: &str, told: Option<&Columns>) -> bool {
    let line = line.trim_start_matches('\u{feff}').trim_end();
    let inner = |cell: &str| {
        let cell = cell.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        cell.map(str::to_owned)
    };
    let names: Option<Vec<String>> = line.split('\t').map(inner).collect();
    names.is_some_and(|names| match told {
        Some(told) => told.places(&names).is_ok(),
        None => usual(&names).is_some(),
    })
}

/// `"그는 ""네""라고 했다"`: quotes around the whole, and all within doubled.
fn is_doubly_quoted(cell: &str) -> bool {
    let inner = cell.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.is_some_and(|inner| inner.contains("\"\"") && !inner.replace("\"\"", "").contains('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(row: &[&str]) -> Vec<String> {
        row.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn headers_are_told_from_rows() {
        assert!(is_header(&cells(&["sys", "gold"]), &cells(&["비가 온다", "비 온다"])));
        assert!(!is_header(&cells(&["비가 온다", "gold"]), &cells(&["비가 온다", "비 온다"])));
        assert!(!is_header(&cells(&["ok", "yes"]), &cells(&["no", "never"])));
        assert!(usual(&cells(&["id", "hyp", "ref"])).is_some());
        assert!(usual(&cells(&["id", "hyp"])).is_none());
    }

    #[test]
    fn quotes_are_told_from_speech() {
        assert!(is_doubly_quoted(r#""그는 ""네""라고 했다""#));
        assert!(!is_doubly_quoted(r#""네""#));
        assert!(!is_doubly_quoted(r#""네" 그리고 "아니요""#));
        assert!(is_quoted_header("\u{feff}\"hyp\"\t\"ref\"\r\n", None));
        assert!(!is_quoted_header("\"네\"\t\"네\"\n", None));
    }
}
