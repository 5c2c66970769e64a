//! The `ko-eval` command: a thin front over the library crates.

mod cli;
mod commands;
mod corpus;
mod destinations;
mod failure;
mod input;
mod lang;
mod models;
mod names;
mod npy;
mod output;
mod progress;

use std::process::ExitCode;

/// The answer is no: a score dropped.
const NEGATIVE: u8 = 1;
/// Bad input, bad arguments, or something that is not installed.
const FAILURE: u8 = 2;

fn main() -> ExitCode {
    output::remove_drafts_on_interrupt();
    match cli::parse().and_then(commands::run) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has seen enough (`ko-eval … | head`) is no failure.
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ko-eval: {}", failure::message(&error));
            if let Some(hint) = failure::hint(&error) {
                eprintln!("ko-eval: {}: {hint}", lang::tr("hint"));
            }
            let dropped = error.is::<commands::history::Dropped>();
            ExitCode::from(if dropped { NEGATIVE } else { FAILURE })
        }
    }
}
