//! What tests of pages share: a real browser, questions that every page has to answer well, and a way to say that there is no browser.

mod page;
mod tab;

pub use page::{fits, is_labelled, is_readable_by_day_and_by_night};
pub use tab::{Tab, chromium};

use std::{env, fs::OpenOptions, io::Write as _};

/// A browser, or a line that the test of this name is skipped: on standard error, and in the file that `KO_EVAL_SKIPPED`
/// names, which `cargo xtask test` reads.
pub fn browser(test: &str) -> Option<Tab> {
    let Some(program) = chromium() else {
        skip(test, "there is no Chromium: apt-get install chromium, or CHROMIUM=PROGRAM");
        return None;
    };
    Some(Tab::open(&program))
}

/// Says that a test is skipped; in one write, so that the lines of several tests do not mix.
fn skip(name: &str, reason: &str) {
    // Past the test harness, which keeps the words of a test that passes to itself.
    let said = format!("skipped: {name} because {reason}\n");
    let _ = std::io::stderr().write_all(said.as_bytes());
    if let Some(list) = env::var_os("KO_EVAL_SKIPPED") {
        let mut list = OpenOptions::new().append(true).create(true).open(list).unwrap();
        list.write_all(format!("{name}\t{reason}\n").as_bytes()).unwrap();
    }
}
