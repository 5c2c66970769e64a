//! ko-eval's functions on [datafusion-distributed](https://docs.rs/datafusion-distributed) 4.0, through the same `register_all` as everywhere: two workers on
//! this machine, eight Parquet files, and the same digits as one process.
//!
//! `cargo run --manifest-path examples/distributed/Cargo.toml`

use datafusion::{
    arrow::{array::RecordBatch, util::pretty::pretty_format_batches},
    dataframe::DataFrameWriteOptions,
    error::{DataFusionError, Result},
    execution::SessionStateBuilder,
    prelude::{ParquetReadOptions, SessionConfig, SessionContext},
};
use datafusion_distributed::{
    DistributedExt, SessionStateBuilderExt, Worker, WorkerQueryContext, WorkerResolver,
    display_plan_ascii,
};
use std::{net::SocketAddr, path::Path};
use tokio::net::TcpListener;
use tonic::transport::{Server, server::TcpIncoming};
use url::Url;

const WORKERS: usize = 2;
const FILES: usize = 8;

const QUERY: &str = "SELECT system, ko_bleu(hyp, ref, 'mecab') AS bleu, ko_chrf(hyp, ref, 'char') AS chrf, ko_ter(hyp, ref, 'mecab') AS ter
FROM pairs GROUP BY system ORDER BY system";

/// A worker: plans carry a function's name only, so every session that runs a part of one must know it.
async fn start_worker() -> Result<SocketAddr, Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let worker = Worker::from_session_builder(|query: WorkerQueryContext| async move {
        let mut state = query.builder.build();
        ko_eval_datafusion::register_all(&mut state)?;
        Ok(state)
    });
    let server = Server::builder().add_service(worker.into_worker_server());
    tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
    Ok(address)
}

/// Where the workers are.
struct Workers(Vec<Url>);

impl WorkerResolver for Workers {
    fn get_urls(&self) -> Result<Vec<Url>, DataFusionError> {
        Ok(self.0.clone())
    }
}

/// Pairs of two systems, a Parquet file at a time.
async fn write_pairs(folder: &Path) -> Result<()> {
    let context = SessionContext::new();
    for file in 0..FILES {
        let rows = context
            .sql(&format!(
                "SELECT CASE number % 2 WHEN 0 THEN '가' ELSE '나' END AS system,
                        CASE number % 2 WHEN 0 THEN number || '번 학생이 밥을 먹었다.' ELSE '학생 ' || number || '명이 밥을 먹는다.' END AS hyp,
                        number || '번 학생이 밥을 먹었어요.' AS ref
                 FROM (SELECT unnest(range({file} * 100, ({file} + 1) * 100)) AS number)"
            ))
            .await?;
        let path = folder.join(format!("pairs-{file}.parquet"));
        rows.write_parquet(&path.to_string_lossy(), DataFrameWriteOptions::new(), None).await?;
    }
    Ok(())
}

async fn answer(context: &SessionContext, folder: &Path) -> Result<Vec<RecordBatch>> {
    context
        .register_parquet("pairs", folder.to_string_lossy(), ParquetReadOptions::default())
        .await?;
    context.sql(QUERY).await?.collect().await
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    write_pairs(folder.path()).await?;

    let mut alone = SessionContext::new();
    ko_eval_datafusion::register_all(&mut alone)?;
    let expected = pretty_format_batches(&answer(&alone, folder.path()).await?)?.to_string();

    let mut workers = Vec::new();
    for _ in 0..WORKERS {
        workers.push(Url::parse(&format!("http://{}", start_worker().await?))?);
    }
    let state = SessionStateBuilder::new()
        .with_default_features()
        .with_config(SessionConfig::new().with_target_partitions(WORKERS))
        .with_distributed_worker_resolver(Workers(workers))
        .with_distributed_planner()
        // The files are small: without this nobody would share them out.
        .with_distributed_file_scan_config_bytes_per_partition(1)?
        .build();
    let mut together = SessionContext::from(state);
    ko_eval_datafusion::register_all(&mut together)?;
    let found = pretty_format_batches(&answer(&together, folder.path()).await?)?.to_string();

    let plan = together.sql(QUERY).await?.create_physical_plan().await?;
    let plan = display_plan_ascii(plan.as_ref(), false);
    println!("{plan}\n{found}");
    if !plan.contains("NetworkShuffleExec") {
        return Err("the query was not shared out".into());
    }
    if found != expected {
        return Err(format!("one process says otherwise:\n{expected}").into());
    }
    println!("The same digits as one process.");
    Ok(())
}
