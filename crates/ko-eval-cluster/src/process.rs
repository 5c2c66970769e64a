//! What the scheduler's and the executor's programs have in common: a runtime, lines on standard error, an exit code.

use crate::Result;
use log::{Level, LevelFilter, Log, Metadata, Record};
use std::process::ExitCode;

struct Lines;

impl Log for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let level = match record.level() {
                Level::Error => "error: ",
                Level::Warn => "warning: ",
                Level::Info | Level::Debug | Level::Trace => "",
            };
            eprintln!("{level}{}", record.args());
        }
    }

    fn flush(&self) {}
}

/// Runs one of the cluster's programs to its end: what goes wrong stands on standard error, a line each, and what happens besides if `verbose`.
pub fn run(program: &str, verbose: bool, work: impl Future<Output = Result<()>>) -> ExitCode {
    // A program that has a logger already keeps it.
    if log::set_logger(&Lines).is_ok() {
        log::set_max_level(if verbose { LevelFilter::Info } else { LevelFilter::Warn });
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let ended = match runtime {
        Ok(runtime) => runtime.block_on(work).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{program}: {error}");
            ExitCode::from(2)
        }
    }
}
