//! Tests that need what not everybody installs say so where it is missing: on standard error, and in the file that `KO_EVAL_SKIPPED`
//! names, which `cargo xtask test` reads.

use std::{env, fs::OpenOptions, io::Write as _};

/// Says that a test is skipped; each in one write, so that the lines of several tests do not mix.
pub(crate) fn skip(name: &str, reason: &str) {
    // Past the test harness, which keeps the words of a test that passes to itself.
    let said = format!("skipped: {name} because {reason}\n");
    let _ = std::io::stderr().write_all(said.as_bytes());
    if let Some(list) = env::var_os("KO_EVAL_SKIPPED") {
        let mut list = OpenOptions::new().append(true).create(true).open(list).unwrap();
        let line = format!("{name}\t{}\n", reason.replace('\n', " "));
        list.write_all(line.as_bytes()).unwrap();
    }
}
