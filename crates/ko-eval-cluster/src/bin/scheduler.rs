//! `ko-eval-scheduler`

use clap::Parser;
use ko_eval_cluster::{process, scheduler::Scheduler};
use std::process::ExitCode;

fn main() -> ExitCode {
    let scheduler = Scheduler::parse();
    process::run("ko-eval-scheduler", scheduler.verbose, scheduler.run())
}
