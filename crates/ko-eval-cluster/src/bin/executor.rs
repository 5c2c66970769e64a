//! `ko-eval-executor`

use clap::Parser;
use ko_eval_cluster::{executor::Executor, process};
use std::process::ExitCode;

fn main() -> ExitCode {
    let executor = Executor::parse();
    process::run("ko-eval-executor", executor.verbose, executor.run())
}
