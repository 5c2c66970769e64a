//! The executor: it does the tasks, with dictionaries and models opened once.

use crate::{Error, Result};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use std::{path::PathBuf, sync::Arc};

/// An executor that knows ko-eval's functions.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "ko-eval-executor", version, about)]
pub struct Executor {
    /// Name or address of the scheduler
    #[arg(long, value_name = "HOST", default_value = "localhost")]
    pub scheduler_host: String,
    /// Port of the scheduler
    #[arg(long, value_name = "PORT", default_value_t = 50050)]
    pub scheduler_port: u16,
    /// Address to listen on. There is no password: let only your own network reach it
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub bind_host: String,
    /// Name that the others reach it by [default: as the scheduler sees it]
    #[arg(long, value_name = "HOST")]
    pub external_host: Option<String>,
    /// Port that others fetch its results from
    #[arg(long, value_name = "PORT", default_value_t = 50051)]
    pub port: u16,
    /// Port that the scheduler talks to
    #[arg(long, value_name = "PORT", default_value_t = 50052)]
    pub grpc_port: u16,
    /// Tasks at a time; 0 for as many as there are cores
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub tasks: usize,
    /// Folder for what is handed from one stage to the next [default: a new one under the system's folder for such]
    #[arg(long, value_name = "FOLDER")]
    pub work_dir: Option<PathBuf>,
    /// How often it tells the scheduler that it lives
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    pub heartbeat: u64,
    /// Tell what happens, not only what goes wrong
    #[arg(long, short)]
    pub verbose: bool,
}

impl Executor {
    /// Works until the process is told to end.
    ///
    /// # Errors
    /// When the scheduler cannot be reached, a port is taken, or the folder cannot be made.
    pub async fn run(&self) -> Result<()> {
        let cannot_make = |source| Error::Io { what: "the executor's folder".into(), source };
        // Held until the end: what it holds goes with it.
        let own = match &self.work_dir {
            Some(_) => None,
            None => Some(
                tempfile::Builder::new()
                    .prefix("ko-eval-executor-")
                    .tempdir()
                    .map_err(cannot_make)?,
            ),
        };
        let folder = match (&self.work_dir, &own) {
            (Some(folder), _) => {
                std::fs::create_dir_all(folder).map_err(cannot_make)?;
                folder.clone()
            }
            (None, Some(own)) => own.path().to_owned(),
            (None, None) => std::env::temp_dir(),
        };
        let config = ExecutorProcessConfig {
            bind_host: self.bind_host.clone(),
            external_host: self.external_host.clone(),
            port: self.port,
            grpc_port: self.grpc_port,
            scheduler_host: self.scheduler_host.clone(),
            scheduler_port: self.scheduler_port,
            scheduler_connect_timeout_seconds: 30,
            vcores: self.tasks,
            work_dir: Some(folder.display().to_string()),
            executor_heartbeat_interval_seconds: self.heartbeat,
            override_function_registry: Some(Arc::new(functions())),
            ..ExecutorProcessConfig::default()
        };
        start_executor_process(Arc::new(config)).await?;
        Ok(())
    }
}

/// The functions that Ballista has, and ours, by their names and other names.
fn functions() -> BallistaFunctionRegistry {
    let mut registry = BallistaFunctionRegistry::default();
    for function in ko_eval_datafusion::all_scalar_functions() {
        registry.scalar_functions.insert(function.name().to_owned(), function);
    }
    for function in ko_eval_datafusion::all_aggregate_functions() {
        for name in function.aliases() {
            registry.aggregate_functions.insert(name.clone(), Arc::clone(&function));
        }
        registry.aggregate_functions.insert(function.name().to_owned(), function);
    }
    registry
}
