//! A command that needs a model becomes the program that has libtorch, with its arguments and its input untouched.

use std::{
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

const SEGMENTS: &str = "{\"hyp\": \"비가 온다.\", \"refs\": [\"비가 와요.\"]}\n";

/// Copies the command into a folder, so that what lies beside it is known. A process of its own copies: while other
/// tests start programs, those inherit for a moment what this process writes, and what is written cannot be executed.
fn install(folder: &Path) {
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_ko-eval")).arg(folder).status();
    assert!(copied.unwrap().success());
}

/// A stand-in that tells what it was given, and ends in a way of its own.
fn install_program(folder: &Path) {
    let script = "#!/bin/sh\necho \"arguments: $*\"\ncat\nexit 7\n";
    let write = "printf %s \"$1\" > \"$0\" && chmod +x \"$0\"";
    let mut shell = Command::new("sh");
    shell.args(["-c", write]).arg(folder.join("ko-eval-torch")).arg(script);
    assert!(shell.status().unwrap().success());
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut child = Command::new(folder.join("ko-eval"))
        .args(arguments)
        .env("PATH", "/usr/bin:/bin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Where nothing is read the pipe may be closed already.
    let _ = child.stdin.take().unwrap().write_all(SEGMENTS.as_bytes());
    child.wait_with_output().unwrap()
}

#[test]
fn what_needs_a_model_is_handed_over_whole() {
    let folder = tempfile::tempdir().unwrap();
    install(folder.path());
    install_program(folder.path());
    for arguments in [
        ["score", "-", "-m", "bertscore:some-model"].as_slice(),
        &["embed", "--model", "some-model", "--output", "vectors.npy", "-"],
    ] {
        let output = run(folder.path(), arguments);
        let told = String::from_utf8_lossy(&output.stdout);
        assert_eq!(told, format!("arguments: {}\n{SEGMENTS}", arguments.join(" ")));
        assert_eq!(output.status.code(), Some(7));
    }
    let plain = run(folder.path(), &["score", "-", "-m", "chrf", "-b"]);
    assert!(plain.status.success(), "{}", String::from_utf8_lossy(&plain.stderr));
}

#[test]
fn without_the_program_the_way_to_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    install(folder.path());
    let output = run(folder.path(), &["embed", "--model", "m", "--output", "vectors.npy", "-"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("ko-eval-torch") && told.contains("ko-eval setup libtorch"), "{told}");
    assert_eq!(output.status.code(), Some(2));
}
