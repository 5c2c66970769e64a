//! The `ko-eval` command: a thin front over the library crates.

mod cli;
mod commands;
mod corpus;
mod models;
mod npy;
mod output;
mod progress;

use clap::Parser;
use std::process::ExitCode;

/// Bad input, bad arguments, or something that is not installed.
const FAILURE: u8 = 2;

fn main() -> ExitCode {
    output::remove_drafts_on_interrupt();
    match commands::run(cli::Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that has seen enough (`ko-eval … | head`) is no failure.
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ko-eval: {}", message(&error));
            ExitCode::from(FAILURE)
        }
    }
}

/// What went wrong and why, each said once: some messages end in their own cause.
fn message(error: &anyhow::Error) -> String {
    let causes = error.chain().map(ToString::to_string);
    causes.fold(String::new(), |said, cause| match said.as_str() {
        "" => cause,
        _ if said.contains(&cause) => said,
        _ => format!("{said}: {cause}"),
    })
}
