//! The programs that set-up starts, and whether they are there.

use std::process::{Command, Stdio};

/// npm is a script, which Windows starts by its whole name only.
pub const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// The first line of what a program says about its version; Java says it on standard error.
pub fn version(program: &str, question: &str) -> Option<String> {
    let output = Command::new(program).arg(question).stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8([output.stdout, output.stderr].concat()).ok()?;
    Some(text.lines().next()?.trim().to_owned()).filter(|_| output.status.success())
}

/// The Python that has pip, and pip's version.
pub fn pip() -> Option<(&'static str, String)> {
    ["python3", "python"].into_iter().find_map(|python| {
        let output = Command::new(python)
            .args(["-m", "pip", "--version"])
            .stdin(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
        Some((python, text.split(" from ").next()?.trim().to_owned()))
    })
}

/// Every program that some recipe or unit starts, what for, and its version if it is there.
pub fn all() -> Vec<(&'static str, &'static str, Option<String>)> {
    let ask = |program, what, question| (program, what, version(program, question));
    vec![
        ("pip", "fetches all parts but khaiii", pip().map(|(_, version)| version)),
        ask(NPM, "fetches khaiii", "--version"),
        ask("cmake", "compiles kiwi", "--version"),
        ask("c++", "compiles kiwi, and programs with libtorch", "--version"),
        ask("java", "runs konlpy's analyzers", "-version"),
    ]
}
