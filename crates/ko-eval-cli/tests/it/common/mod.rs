//! Running the built command as a user runs it.
// Every test file uses its share of this.
#![allow(dead_code)]

pub(crate) mod jobs;

use ko_eval::tokenize::morpheme::dictionary::{self, MECAB_KO_DIC};
use serde_json::Value;
use std::{
    ffi::OsString,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

pub(crate) fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").join(name)
}

/// The command of one line, not started yet; each `{}` of it is the next of the paths.
pub(crate) fn command(line: &str, paths: &[&Path]) -> Command {
    let mut paths = paths.iter();
    let mut word = |word: &str| match word {
        "{}" => OsString::from(paths.next().expect("a path for every {}")),
        word => word.into(),
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_ko-eval"));
    command.args(line.split_whitespace().map(&mut word).collect::<Vec<_>>());
    // As on any machine: in English, and 80 columns wide.
    command.env("LC_ALL", "C").env_remove("COLUMNS");
    // No test fetches anything.
    command.env("KO_EVAL_OFFLINE", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The home of a user who has the dictionary and nothing else.
pub(crate) fn dictionary_home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let installed = MECAB_KO_DIC.folder();
    let folder = home.path().join(installed.file_name().unwrap());
    fs::create_dir(&folder).unwrap();
    fs::copy(installed.join(dictionary::FILE), folder.join(dictionary::FILE))
        .expect("run `ko-eval setup dictionary`");
    home
}

/// Runs a line without input.
pub(crate) fn run_line(line: &str, paths: &[&Path]) -> Output {
    finish(command(line, paths), b"")
}

/// Runs the command with standard input.
pub(crate) fn run_with(input: &[u8], args: &[&dyn AsRef<std::ffi::OsStr>]) -> Output {
    let mut command = command("", &[]);
    command.args(args.iter().map(|arg| arg.as_ref()));
    finish(command, input)
}

pub(crate) fn run(args: &[&dyn AsRef<std::ffi::OsStr>]) -> Output {
    run_with(b"", args)
}

pub(crate) fn finish(mut command: Command, input: &[u8]) -> Output {
    let mut child = command.spawn().unwrap();
    // A command that fails early may close its input before all is written.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

pub(crate) fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What a run printed that must succeed.
pub(crate) fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A folder with these files, and their paths.
pub(crate) fn files<const N: usize>(
    contents: [(&str, &[u8]); N],
) -> (tempfile::TempDir, [PathBuf; N]) {
    let folder = tempfile::tempdir().unwrap();
    let paths = contents.map(|(name, bytes)| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    });
    (folder, paths)
}

/// The message of a run that must fail with exit code 2 and print nothing.
pub(crate) fn failure(output: &Output) -> String {
    let message = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    message
}
