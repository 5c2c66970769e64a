//! Pairs out of Parquet files.

use super::{
    Segments, TableArgs,
    columns::{Columns, quoted},
};
use anyhow::{Result, bail};
use ko_eval_datafusion::files::{ParquetColumns, ParquetSegments, parquet_columns};
use std::path::PathBuf;

/// The segments of all files, one file after the other. Every file is opened before the first is read, so that a wrong name costs nothing.
pub(crate) fn segments(paths: &[PathBuf], args: &TableArgs) -> Result<Segments> {
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        let columns = match &args.columns {
            Some(told) => told.clone(),
            None => {
                let names = parquet_columns(path)?;
                match Columns::usual(&names) {
                    Some(usual) => usual,
                    None => bail!(
                        "{}: which column is the hypothesis? There are {}; --columns hyp=NAME,ref=NAME tells",
                        path.display(),
                        quoted(&names)
                    ),
                }
            }
        };
        let Columns { hypothesis, references, source } = columns;
        files.push(ParquetSegments::open(path, ParquetColumns { hypothesis, references, source })?);
    }
    Ok(Box::new(files.into_iter().flatten()))
}
