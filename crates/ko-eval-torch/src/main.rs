#![doc = include_str!("../README.md")]

use std::process::ExitCode;

fn main() -> ExitCode {
    ko_eval_cli::main()
}
