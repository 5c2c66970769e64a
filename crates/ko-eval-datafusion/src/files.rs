//! Files as tables under their own names, for whoever has a query and a folder.
//!
//! `SELECT … FROM 'pairs/*.parquet'` reads Parquet; names that end in `.csv`, `.tsv`, `.jsonl`, `.ndjson` and `.json` (a value per line) are read as such. An empty cell of CSV is
//! NULL, because CSV cannot tell the two apart.
//!
//! A query reads what it names, and nothing is written: statements that create, change, copy or set are refused before anything runs.
//!
//! ```
//! use ko_eval_datafusion::{datafusion::prelude::SessionConfig, files};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("pairs.jsonl");
//! std::fs::write(&path, "{\"hyp\": \"나는 밥을 먹었다\", \"ref\": \"나는 밥을 먹었어요\"}\n")?;
//! # let runtime = tokio::runtime::Runtime::new()?;
//! # runtime.block_on(async {
//! let session = files::session(SessionConfig::new())?;
//! let sql = format!("SELECT ko_chrf(hyp, ref, 'char') FROM '{}'", path.display());
//! let query = files::Query::plan(&session, &sql).await?;
//! assert!(query.signatures()[0].1.starts_with("chrF"));
//! let rows = query.collect(|_| {}).await?;
//! assert_eq!(rows.iter().map(|batch| batch.num_rows()).sum::<usize>(), 1);
//!
//! let refused = files::Query::plan(&session, &format!("COPY (SELECT 1) TO '{}'", path.display())).await;
//! assert!(refused.unwrap_err().to_string().contains("only reads"));
//! # Ok::<(), ko_eval_datafusion::datafusion::error::DataFusionError>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod definition;
mod delta;
mod parquet;
mod plausible;
mod query;
mod table;
mod thrift;

pub use parquet::{ParquetColumns, ParquetSegments, parquet_columns};
pub use query::Query;

use datafusion::{
    error::Result,
    prelude::{SessionConfig, SessionContext},
};

/// A session that knows our functions; tables are files, named by [`Query::plan`].
///
/// # Errors
/// Never, as long as DataFusion takes functions.
pub fn session(config: SessionConfig) -> Result<SessionContext> {
    let mut context = SessionContext::new_with_config(config);
    crate::register_all(&mut context)?;
    Ok(context)
}

/// Waits for a query where nothing else runs: on threads for as many cores as there are.
///
/// # Errors
/// When the operating system gives no threads.
pub fn block_on<T>(work: impl Future<Output = T>) -> std::io::Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    Ok(runtime.block_on(work))
}
