//! A headless Chromium, and questions that every page has to answer well.

mod page;
mod tab;

pub use page::{fits, is_labelled, is_readable_by_day_and_by_night};
pub use tab::{Tab, chromium};

/// Opens a tab for the test of this name, or skips the test where no Chromium is installed.
pub fn browser(test: &str) -> Option<Tab> {
    let Some(program) = chromium() else {
        let install = "sudo apt-get install chromium, or CHROMIUM=PROGRAM";
        crate::skip(test, &format!("Chromium is not installed ({install})"));
        return None;
    };
    Some(Tab::open(&program))
}
