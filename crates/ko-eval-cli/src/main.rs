//! `ko-eval`, as it is installed.

use std::process::ExitCode;

fn main() -> ExitCode {
    ko_eval_cli::main()
}
