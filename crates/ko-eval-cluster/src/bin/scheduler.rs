//! `ko-eval-scheduler`

use clap::Parser;
use ko_eval_cluster::scheduler::Scheduler;
use std::process::ExitCode;

fn main() -> ExitCode {
    let scheduler = Scheduler::parse();
    ko_eval_cluster::log_to_stderr(scheduler.verbose);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let ended = match runtime {
        Ok(runtime) => runtime.block_on(scheduler.run()).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ko-eval-scheduler: {error}");
            ExitCode::from(2)
        }
    }
}
