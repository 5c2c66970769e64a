//! Handing a command that needs libtorch over to the program that has it.
//!
//! A program linked with libtorch loads all of it before its first line runs. So the command comes without, and the same
//! command with libtorch is a program of its own, which is started only when a model is asked for.

use std::{
    env,
    path::PathBuf,
    process::{Command, ExitCode},
};

/// The command with libtorch built in.
pub(crate) const PROGRAM: &str = "ko-eval-torch";

/// Runs the same arguments with libtorch, if the program is installed. On Unix this process becomes that program, and does
/// not come back unless it cannot be started.
pub(crate) fn to_torch() -> Option<ExitCode> {
    if cfg!(feature = "torch") {
        return None;
    }
    let mut command = Command::new(program()?);
    command.args(env::args_os().skip(1));
    command.envs(ko_eval::amx_workaround());
    match run(&mut command) {
        Ok(code) => Some(code),
        Err(error) => {
            eprintln!("ko-eval: {PROGRAM}: {error}");
            None
        }
    }
}

/// Where the program lies: beside this one, else on the search path.
pub(crate) fn program() -> Option<PathBuf> {
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    let own = env::current_exe().ok().and_then(|path| path.parent().map(PathBuf::from));
    let path = env::var_os("PATH").unwrap_or_default();
    own.into_iter()
        .chain(env::split_paths(&path))
        .map(|folder| folder.join(&name))
        .find(|path| path.is_file())
}

#[cfg(unix)]
fn run(command: &mut Command) -> std::io::Result<ExitCode> {
    // Comes back only if it failed.
    Err(std::os::unix::process::CommandExt::exec(command))
}

#[cfg(not(unix))]
fn run(command: &mut Command) -> std::io::Result<ExitCode> {
    let code = command.status()?.code();
    Ok(code.and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}
