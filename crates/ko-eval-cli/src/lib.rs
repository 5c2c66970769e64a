//! The `ko-eval` command: a thin front over the library crates.
//!
//! Two programs are made of it. `ko-eval` starts at once and needs nothing; `ko-eval-torch`, a package of its own, has libtorch
//! built in, which takes a quarter of a second to load. What needs a model is handed over from the first to the
//! second. This is no library to build upon: that is the crate `ko-eval`.
#![forbid(unsafe_code)]
// Indexing is not among them: `value["key"] = …` is how JSON gets a key more.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod cli;
mod commands;
mod corpus;
mod destinations;
mod failure;
mod handover;
mod input;
mod lang;
mod models;
mod names;
mod npy;
mod output;
mod progress;

use std::process::ExitCode;

/// The answer is no: a score dropped, or a benchmark is not balanced.
const NEGATIVE: u8 = 1;
/// Bad input, bad arguments, or something that is not installed.
const FAILURE: u8 = 2;

/// Runs the command with this process's arguments.
pub fn main() -> ExitCode {
    output::remove_drafts_on_interrupt();
    match cli::parse().and_then(commands::run) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has seen enough (`ko-eval … | head`) is no failure.
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            if failure::lacks_libtorch(&error)
                && let Some(code) = handover::to_torch()
            {
                return code;
            }
            eprintln!("ko-eval: {}", failure::message(&error));
            if let Some(hint) = failure::hint(&error) {
                eprintln!("ko-eval: {}: {hint}", lang::tr("hint"));
            }
            let negative = error.is::<commands::history::Dropped>()
                || error.is::<commands::kosmic::Unbalanced>();
            ExitCode::from(if negative { NEGATIVE } else { FAILURE })
        }
    }
}
