//! What the tests of all crates share: skips that are counted, the night tier, a headless Chromium.
//!
//! For development only. It uses no other crate of the workspace, so that every crate may test with it.

pub mod browser;

use std::{env, fs::OpenOptions, io::Write as _};

/// Says that a test is skipped, and why: on standard error, and as a line of the file that
/// `KO_EVAL_SKIPPED` names, which `cargo xtask test` reads.
///
/// The reason ends with the command that installs what is missing.
pub fn skip(test: &str, reason: &str) {
    let reason = reason.replace('\n', " ");
    // Each in one write, so that the lines of several tests do not mix; and past the test harness,
    // which keeps the words of a test that passes to itself.
    let said = format!("skipped: {test} because {reason}\n");
    let _ = std::io::stderr().write_all(said.as_bytes());
    if let Some(list) = env::var_os("KO_EVAL_SKIPPED") {
        let mut list = OpenOptions::new().append(true).create(true).open(list).unwrap();
        list.write_all(format!("{test}\t{reason}\n").as_bytes()).unwrap();
    }
}

/// Returns whether tests go through everything, however long it takes: `KO_EVAL_NIGHT=1`.
pub fn night() -> bool {
    env::var_os("KO_EVAL_NIGHT").is_some_and(|value| value == "1")
}

/// Returns what a usual run tries, or what a run [at night](night) tries.
///
/// ```
/// use ko_eval_testing::{cases, night};
///
/// assert_eq!(cases(8, 256), if night() { 256 } else { 8 });
/// ```
pub fn cases<T>(usual: T, at_night: T) -> T {
    if night() { at_night } else { usual }
}
