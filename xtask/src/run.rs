//! Starting cargo and the command, in the workspace's root.

use crate::Result;
use std::{
    env,
    ffi::OsStr,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

/// Which packages and features cargo selects. ko-eval-testing, with which all of them test, brings the features of the
/// whole workspace, so that the crates of one selection are those of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selection {
    /// Everything that needs neither libtorch nor an SQL engine.
    Plain,
    /// The packages that differ with libtorch.
    Torch,
    /// The packages that differ with SQL, on this machine and on a cluster.
    Sql,
}

impl Selection {
    pub(crate) fn arguments(self) -> Vec<&'static str> {
        let words = match self {
            Self::Plain => {
                "--workspace --exclude ko-eval-datafusion --exclude ko-eval-cluster \
                 --exclude ko-eval-torch --exclude ko-eval-benches"
            }
            Self::Torch => {
                "-p ko-neural -p ko-eval-cli --features ko-neural/torch,ko-eval-cli/torch"
            }
            Self::Sql => {
                "-p ko-eval-datafusion -p ko-eval-cluster -p ko-eval-cli --features ko-eval-cli/cluster"
            }
        };
        ["--locked"].into_iter().chain(words.split_whitespace()).collect()
    }
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_owned)
}

/// Where cargo puts what it builds for this workspace.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Cargo with these arguments, in the workspace's root.
pub(crate) fn cargo<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(arguments);
    command
}

/// The `ko-eval` command, built first.
pub(crate) fn ko_eval<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Result<Command> {
    let selection = Selection::Plain.arguments();
    run(cargo(["build", "--bin", "ko-eval"].iter().chain(&selection)))?;
    let program = target().join("debug").join(format!("ko-eval{}", env::consts::EXE_SUFFIX));
    let mut command = Command::new(program);
    command.args(arguments);
    Ok(command)
}

/// The variables that cargo needs for libtorch, which is set up first unless the user names another one.
pub(crate) fn libtorch() -> Result<Vec<(String, String)>> {
    if ["LIBTORCH", "LIBTORCH_USE_PYTORCH"].iter().any(|name| env::var_os(name).is_some()) {
        return Ok(Vec::new());
    }
    let mut command = ko_eval(["setup", "libtorch", "--env"])?;
    eprintln!("running ko-eval setup libtorch --env");
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("ko-eval setup libtorch failed".into());
    }
    let text = String::from_utf8(output.stdout)?;
    let pairs = text.lines().filter_map(|line| line.split_once('='));
    Ok(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// Runs a command, shows it and its seconds, and fails as it fails.
pub(crate) fn run(mut command: impl std::borrow::BorrowMut<Command>) -> Result<()> {
    let command = command.borrow_mut();
    let line = shown(command);
    eprintln!("running {line}");
    let start = Instant::now();
    let status = command.status().map_err(|error| format!("{line}: {error}"))?;
    finish(&line, start, status)
}

/// The same for tests: also returns how many passed.
pub(crate) fn run_tests(command: &mut Command) -> Result<usize> {
    let line = shown(command);
    eprintln!("running {line}");
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut passed = 0;
    for line in child.stdout.take().map(BufReader::new).into_iter().flat_map(BufReader::lines) {
        let line = line?;
        println!("{line}");
        passed += passed_in(&line).unwrap_or_default();
    }
    finish(&line, start, child.wait()?)?;
    Ok(passed)
}

fn finish(line: &str, start: Instant, status: std::process::ExitStatus) -> Result<()> {
    eprintln!("{} s: {line}", start.elapsed().as_secs());
    if status.success() { Ok(()) } else { Err(format!("{line}: {status}").into()) }
}

/// The number in `test result: ok. 12 passed; …`.
fn passed_in(line: &str) -> Option<usize> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    counts.split_once(" passed")?.0.parse().ok()
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let words = [program].into_iter().chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passed_tests_are_counted() {
        let line = "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured";
        assert_eq!(passed_in(line), Some(12));
        assert_eq!(passed_in("test result: FAILED. 3 passed; 1 failed"), Some(3));
        assert_eq!(passed_in("test passed_in ... ok"), None);
    }
}
