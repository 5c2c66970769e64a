//! Segments out of Parquet files, one after the other, without an engine.

use super::plausible;
use crate::texts::{References, Texts, is_text, is_texts};
use datafusion::{
    arrow::{array::RecordBatch, datatypes::Schema},
    common::exec_err,
    error::Result,
    parquet::arrow::{
        ProjectionMask,
        arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder},
    },
};
use ko_eval::{Error, OwnedSegment};
use std::{
    fmt::Display,
    fs::File,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
};

/// What is wrong where the reader trips before the first row.
const FOOTER: &str = "its footer contradicts itself";

/// Which columns of a file are what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParquetColumns {
    /// The hypothesis.
    pub hypothesis: String,
    /// The references: columns of texts, or of lists of them.
    pub references: Vec<String>,
    /// The source, if there is one.
    pub source: Option<String>,
}

/// The names of a file's columns, in order.
///
/// # Errors
/// [`Error::Io`] where there is no such file, [`Error::Damaged`] where it is no Parquet.
pub fn parquet_columns(path: &Path) -> ko_eval::Result<Vec<String>> {
    let schema = reader(path)?.schema().clone();
    Ok(schema.fields().iter().map(|field| field.name().clone()).collect())
}

fn reader(path: &Path) -> ko_eval::Result<ParquetRecordBatchReaderBuilder<File>> {
    let file = File::open(path).map_err(|error| Error::io(path, error))?;
    plausible::check(&file).map_err(|reason| damaged(path, format!("its sizes: {reason}")))?;
    asked(path, FOOTER, || ParquetRecordBatchReaderBuilder::try_new(file))
}

/// What the reader of Parquet answers. It may trip over a damaged file, which is an error as any other.
fn asked<T, E: Display>(
    path: &Path,
    trips: &str,
    ask: impl FnOnce() -> std::result::Result<T, E>,
) -> ko_eval::Result<T> {
    match catch_unwind(AssertUnwindSafe(ask)) {
        Ok(answer) => answer.map_err(|error| damaged(path, error)),
        Err(_) => Err(damaged(path, trips)),
    }
}

fn damaged(path: &Path, error: impl Display) -> Error {
    Error::Damaged {
        path: path.to_owned(),
        reason: format!("it cannot be read as Parquet: {error}"),
    }
}

/// The segments of a file in its order, with the numbers of their rows from 1.
#[derive(Debug)]
pub struct ParquetSegments {
    path: PathBuf,
    columns: ParquetColumns,
    /// Nothing once it failed.
    batches: Option<ParquetRecordBatchReader>,
    /// Of the batch that was read last, in its order backwards.
    ready: Vec<ko_eval::Result<(usize, OwnedSegment)>>,
    row: usize,
}

impl ParquetSegments {
    /// Opens a file; only the columns that are needed are read.
    ///
    /// # Errors
    /// As [`parquet_columns`], and [`Error::BadLine`] for a column that is not there or holds no texts.
    pub fn open(path: &Path, columns: ParquetColumns) -> ko_eval::Result<Self> {
        let builder = reader(path)?;
        let schema = builder.schema().clone();
        let bad = |reason| Error::BadLine { path: path.to_owned(), line: 1, reason };
        let wanted = std::iter::once(&columns.hypothesis)
            .chain(&columns.references)
            .chain(&columns.source)
            .map(|name| place(&schema, name).map_err(bad))
            .collect::<ko_eval::Result<Vec<_>>>()?;
        let mask = ProjectionMask::roots(builder.parquet_schema(), wanted);
        let batches = asked(path, FOOTER, || builder.with_projection(mask).build())?;
        Ok(Self {
            path: path.to_owned(),
            columns,
            batches: Some(batches),
            ready: Vec::new(),
            row: 0,
        })
    }

    /// The segments of a batch.
    fn segments(&mut self, batch: &RecordBatch) -> Result<()> {
        let column = |name: &String| match batch.column_by_name(name) {
            Some(column) => Ok(column),
            None => exec_err!("the column `{name}` is gone"),
        };
        let hypothesis = Texts::new(column(&self.columns.hypothesis)?)?;
        let references = self.columns.references.iter().map(|name| References::new(column(name)?));
        let references = references.collect::<Result<Vec<_>>>()?;
        let source =
            self.columns.source.as_ref().map(|name| Texts::new(column(name)?)).transpose()?;
        for row in 0..batch.num_rows() {
            self.row += 1;
            let segment =
                segment(&hypothesis, &references, source.as_ref(), row).map_err(|reason| {
                    Error::BadLine { path: self.path.clone(), line: self.row, reason }
                });
            self.ready.push(segment.map(|segment| (self.row, segment)));
        }
        self.ready.reverse();
        Ok(())
    }
}

/// Where a column of texts stands.
fn place(schema: &Schema, name: &str) -> std::result::Result<usize, String> {
    let Some((place, field)) = schema.column_with_name(name) else {
        let names: Vec<String> =
            schema.fields().iter().map(|f| format!("`{}`", f.name())).collect();
        return Err(format!("no column `{name}`; there are {}", names.join(", ")));
    };
    match field.data_type() {
        kind if is_text(kind) || is_texts(kind) => Ok(place),
        kind => Err(format!("the column `{name}` holds {kind}, not texts or lists of them")),
    }
}

fn segment(
    hypothesis: &Texts,
    references: &[References],
    source: Option<&Texts>,
    row: usize,
) -> std::result::Result<OwnedSegment, String> {
    let hypothesis = hypothesis.get(row).ok_or("the hypothesis is NULL")?;
    let mut texts = Vec::new();
    for column in references {
        texts.extend(column.get(row).ok_or("a reference is NULL")?);
    }
    let segment = match references.is_empty() {
        true => OwnedSegment::alone(hypothesis),
        false => OwnedSegment::new(hypothesis, texts).map_err(|error| error.to_string())?,
    };
    match source.map(|source| source.get(row)) {
        None => Ok(segment),
        Some(Some(source)) => Ok(segment.with_source(source)),
        Some(None) => Err("the source is NULL".into()),
    }
}

impl Iterator for ParquetSegments {
    type Item = ko_eval::Result<(usize, OwnedSegment)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(ready) = self.ready.pop() {
                return Some(ready);
            }
            let batches = self.batches.as_mut()?;
            let pages = "its pages contradict each other";
            let batch = match asked(&self.path, pages, || batches.next().transpose()) {
                Ok(batch) => batch?,
                // A reader that failed is not asked again.
                Err(error) => {
                    self.batches = None;
                    return Some(Err(error));
                }
            };
            if let Err(error) = self.segments(&batch) {
                self.batches = None;
                return Some(Err(damaged(&self.path, error)));
            }
        }
    }
}
