//! The scheduler: it turns a query into stages, and hands their tasks to executors.

use crate::{Error, Result};
use ballista_core::utils::default_session_builder;
use ballista_scheduler::{
    cluster::BallistaCluster, config::SchedulerConfig, scheduler_process::start_server,
};
use datafusion::{execution::SessionState, prelude::SessionConfig};
use std::{net::SocketAddr, sync::Arc};

/// A scheduler that knows ko-eval's functions.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "ko-eval-scheduler", version, about)]
pub struct Scheduler {
    /// Address to listen on. There is no password: let only your own network reach it
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub bind_host: String,
    /// Port to listen on
    #[arg(long, value_name = "PORT", default_value_t = 50050)]
    pub port: u16,
    /// Name that executors reach it by
    #[arg(long, value_name = "HOST", default_value = "localhost")]
    pub external_host: String,
    /// An executor that was not heard of for so long is given up, and its tasks are done by others
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub executor_timeout: u64,
    /// Tell what happens, not only what goes wrong
    #[arg(long, short)]
    pub verbose: bool,
}

impl Scheduler {
    /// Serves until the process ends.
    ///
    /// # Errors
    /// [`Error::BadAddress`], or when it cannot listen there.
    pub async fn run(&self) -> Result<()> {
        let address = format!("{}:{}", self.bind_host, self.port);
        let address: SocketAddr = address.parse().map_err(|error: std::net::AddrParseError| {
            Error::BadAddress { address: address.clone(), reason: error.to_string() }
        })?;
        let config = self.config();
        let cluster = BallistaCluster::new_from_config(&config).await?;
        start_server(cluster, address, Arc::new(config)).await?;
        Ok(())
    }

    fn config(&self) -> SchedulerConfig {
        SchedulerConfig {
            bind_host: self.bind_host.clone(),
            bind_port: self.port,
            external_host: self.external_host.clone(),
            executor_timeout_seconds: self.executor_timeout,
            no_executors_grace_period_seconds: self.executor_timeout,
            expire_dead_executor_interval_seconds: (self.executor_timeout / 4).max(1),
            override_session_builder: Some(Arc::new(session)),
            ..SchedulerConfig::default()
        }
    }
}

/// A session's state as Ballista makes it, and our functions.
fn session(config: SessionConfig) -> datafusion::error::Result<SessionState> {
    let mut state = default_session_builder(config)?;
    ko_eval_datafusion::register_all(&mut state)?;
    Ok(state)
}
