//! Which format a file has, and the table that one or many of them are.

use super::plausible;
use datafusion::{
    catalog::TableProvider,
    common::plan_err,
    datasource::{
        file_format::{FileFormat, csv::CsvFormat, json::JsonFormat, parquet::ParquetFormat},
        listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl},
    },
    error::{DataFusionError, Result},
    execution::SessionState,
};
use futures::StreamExt as _;
use std::{fs::File, path::Path, sync::Arc};

/// The names that are read, by their endings.
const KNOWN: &str = ".parquet, .csv, .tsv, .jsonl, .ndjson and .json";

const PARQUET: &str = ".parquet";

type MakeFormat = fn() -> Arc<dyn FileFormat>;

/// The format that a name says.
fn format(name: &str) -> Result<(Arc<dyn FileFormat>, &'static str)> {
    let lower = name.to_ascii_lowercase();
    let formats: [(&'static str, MakeFormat); 6] = [
        (PARQUET, || Arc::new(ParquetFormat::default())),
        (".csv", || {
            Arc::new(CsvFormat::default().with_has_header(true).with_newlines_in_values(true))
        }),
        (".tsv", || Arc::new(CsvFormat::default().with_has_header(true).with_delimiter(b'\t'))),
        (".jsonl", || Arc::new(JsonFormat::default())),
        (".ndjson", || Arc::new(JsonFormat::default())),
        (".json", || Arc::new(JsonFormat::default())),
    ];
    match formats.into_iter().find(|(ending, _)| lower.ends_with(ending)) {
        Some((ending, make)) => Ok((make(), ending)),
        None => plan_err!(
            "'{name}' is no table: the name of a file or of several ('pairs/*.parquet') is one, if it ends in {KNOWN}"
        ),
    }
}

/// The table of the files that a name or a pattern means.
pub(super) async fn open(state: &SessionState, name: &str) -> Result<Arc<dyn TableProvider>> {
    let (format, ending) = format(name)?;
    if name.contains("://") {
        return plan_err!("'{name}' is elsewhere; files of this machine are read, and no address");
    }
    let url = ListingTableUrl::parse(name)?;
    let store = state.runtime_env().object_store(&url)?;
    let mut files = url.list_all_files(state, &*store, "").await?;
    let mut found = 0;
    while let Some(file) = files.next().await {
        let file = file.map_err(|error| error.context(format!("'{name}'")))?;
        found += 1;
        if ending == PARQUET {
            check_parquet(&Path::new("/").join(file.location.as_ref()))?;
        }
    }
    drop(files);
    if found == 0 {
        return plan_err!("'{name}': there is no such file");
    }
    let options = ListingOptions::new(format).with_file_extension(ending_of(name, ending));
    let schema =
        options.infer_schema(state, &url).await.map_err(|error| unreadable(name, error))?;
    let config = ListingTableConfig::new(url).with_listing_options(options).with_schema(schema);
    Ok(Arc::new(ListingTable::try_new(config)?))
}

/// Refuses a file whose sizes cannot be true, which the engine would make room for.
fn check_parquet(path: &Path) -> Result<()> {
    // What cannot be opened here is the engine's to tell.
    let Ok(file) = File::open(path) else { return Ok(()) };
    match plausible::check(&file) {
        Ok(()) => Ok(()),
        Err(reason) => {
            plan_err!("'{}' cannot be read as Parquet: its sizes: {reason}", path.display())
        }
    }
}

/// The ending as the name writes it, which may be in capitals.
fn ending_of(name: &str, ending: &str) -> String {
    name.len().checked_sub(ending.len()).and_then(|at| name.get(at..)).unwrap_or(ending).to_owned()
}

fn unreadable(name: &str, error: DataFusionError) -> DataFusionError {
    error.context(format!("'{name}' cannot be read"))
}
