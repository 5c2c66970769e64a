//! Progress bars: on standard error, and only where somebody watches.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over so many steps.
pub(crate) fn bar(steps: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64);
    // The template is a constant; a default bar is better than none should it ever be wrong.
    if let Ok(style) = ProgressStyle::with_template("{msg:24} {wide_bar} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    bar.set_message(what.to_owned());
    bar
}

/// A sign of life where the number of steps is not known.
pub(crate) fn spinner(what: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(std::time::Duration::from_millis(100));
    bar
}

/// A running count of what passes by, where nobody knows how much there is.
pub(crate) fn counter(what: &str, of: &str) -> ProgressBar {
    let bar = ProgressBar::no_length();
    let template = format!("{{msg}} {{human_pos}} {of}, {{per_sec}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar.set_message(what.to_owned());
    bar
}
