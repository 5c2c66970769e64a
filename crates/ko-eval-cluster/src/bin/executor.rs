//! `ko-eval-executor`

use clap::Parser;
use ko_eval_cluster::executor::Executor;
use std::process::ExitCode;

fn main() -> ExitCode {
    let executor = Executor::parse();
    ko_eval_cluster::log_to_stderr(executor.verbose);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let ended = match runtime {
        Ok(runtime) => runtime.block_on(executor.run()).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ko-eval-executor: {error}");
            ExitCode::from(2)
        }
    }
}
