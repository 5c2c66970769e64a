//! What a scheduler or an executor notes, a line each on standard error.

use log::{Level, LevelFilter, Log, Metadata, Record};

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

/// Writes warnings and errors to standard error, and what happens besides if asked for.
pub fn log_to_stderr(verbose: bool) {
    // A program that has a logger already keeps it.
    if log::set_logger(&Lines).is_ok() {
        log::set_max_level(if verbose { LevelFilter::Info } else { LevelFilter::Warn });
    }
}
