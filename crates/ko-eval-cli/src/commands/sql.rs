//! `ko-eval sql`

mod cells;

use crate::{
    cli::Format,
    lang::tr,
    output::{OutputArgs, Report},
    progress::Shown,
};
use anyhow::Result;
use ko_eval::Progress;
use ko_eval_datafusion::{
    datafusion::{
        arrow::array::RecordBatch,
        prelude::{SessionConfig, SessionContext},
    },
    files::{self, Query},
};
use serde_json::json;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A query whose tables are files: SELECT system, ko_bleu(hyp, ref, 'mecab') FROM 'pairs/*.parquet' GROUP BY system. Names end in .parquet, .csv, .tsv or .jsonl; a
    /// query only reads, and only what it names (functions: docs/SCALE.md)
    #[arg(value_name = "SQL")]
    query: String,
    /// Run it on the cluster whose scheduler listens there; files must lie under the same paths on every machine
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "HOST:PORT")]
    cluster: Option<String>,
    /// Parts that are worked on at a time [default: as many as there are cores]. The numbers are the same with any
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    partitions: Option<u16>,
    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let (batches, signatures) = files::block_on(answer(args))??;
    let report = report(&batches, &signatures)?;
    args.output.write(&report)?;
    if args.output.format() == Format::Table {
        // Below the table, where nothing that reads it stumbles over them.
        for (call, signature) in &signatures {
            eprintln!("ko-eval: {call}: {signature}");
        }
    }
    Ok(())
}

/// What a query answers, and the signatures of the scores in it.
async fn answer(args: &Args) -> Result<(Vec<RecordBatch>, Vec<(String, String)>)> {
    let mut config = SessionConfig::new();
    if let Some(partitions) = args.partitions {
        config = config.with_target_partitions(partitions.into());
    }
    let session = session(args, config).await?;
    let query = Query::plan(&session, &args.query).await?;
    let signatures = query.signatures();
    let shown = Shown::of(tr("reading rows"), None);
    let mut before = 0;
    let progress = |rows: usize| {
        shown.advance(rows.saturating_sub(before) as u64);
        before = before.max(rows);
    };
    let batches = query.collect(progress).await.map_err(explained)?;
    Ok((batches, signatures))
}

#[cfg(feature = "cluster")]
async fn session(args: &Args, config: SessionConfig) -> Result<SessionContext> {
    match &args.cluster {
        Some(address) => {
            let local = files::session(config)?;
            Ok(ko_eval_cluster::client::connect(address, local.state()).await?)
        }
        None => Ok(files::session(config)?),
    }
}

#[cfg(not(feature = "cluster"))]
#[allow(clippy::unused_async, reason = "with a cluster it waits")]
async fn session(_: &Args, config: SessionConfig) -> Result<SessionContext> {
    Ok(files::session(config)?)
}

#[cfg(feature = "cluster")]
fn explained(error: ko_eval_datafusion::datafusion::error::DataFusionError) -> anyhow::Error {
    ko_eval_cluster::Error::explained(error).into()
}

#[cfg(not(feature = "cluster"))]
fn explained(error: ko_eval_datafusion::datafusion::error::DataFusionError) -> anyhow::Error {
    error.into()
}

fn report(batches: &[RecordBatch], signatures: &[(String, String)]) -> Result<Report> {
    let schema = batches.first().map(RecordBatch::schema);
    let columns: Vec<String> = schema
        .iter()
        .flat_map(|schema| schema.fields().iter().map(|field| field.name().clone()))
        .collect();
    let (mut rows, mut objects) = (Vec::new(), Vec::new());
    for batch in batches {
        for row in 0..batch.num_rows() {
            let cells = batch.columns().iter().map(|column| cells::value(column, row));
            let values = cells.collect::<Result<Vec<_>>>()?;
            rows.push(values.iter().map(cells::cell).collect());
            objects.push(columns.iter().cloned().zip(values).collect::<serde_json::Map<_, _>>());
        }
    }
    let signatures: serde_json::Map<_, _> =
        signatures.iter().map(|(call, own)| (call.clone(), own.clone().into())).collect();
    let json = json!({"columns": columns, "rows": objects, "signatures": signatures});
    Ok(Report { columns, rows, json })
}
