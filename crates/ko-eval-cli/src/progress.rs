//! How far long work is, on standard error: a bar where somebody watches, a plain line now and then where nobody does.

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use ko_eval::{Periodic, Progress};
use std::{fmt::Write, io::IsTerminal, time::Duration};

/// How long a log waits for its next line.
const SILENCE: Duration = Duration::from_secs(30);

/// The one listener of all commands; what it draws goes away with it.
pub(crate) enum Shown {
    Bar(ProgressBar),
    Lines(Periodic<fn(&str)>),
}

impl Shown {
    pub(crate) fn new() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self::Lines(Periodic::new(SILENCE, |line| eprintln!("ko-eval: {line}")));
        }
        let bar = ProgressBar::no_length();
        bar.enable_steady_tick(Duration::from_millis(100));
        Self::Bar(bar)
    }

    /// Work of one stage.
    pub(crate) fn of(what: &str, steps: Option<usize>) -> Self {
        let shown = Self::new();
        shown.begin(what, steps.map(|steps| steps as u64));
        shown
    }
}

impl Progress for Shown {
    fn begin(&self, what: &str, steps: Option<u64>) {
        let bar = match self {
            Self::Bar(bar) => bar,
            Self::Lines(lines) => return lines.begin(what, steps),
        };
        let template = match steps {
            Some(_) => "{prefix} {wide_bar} {pos}/{len} {eta} {msg}",
            None => "{spinner} {prefix}{count} {msg}",
        };
        // The templates are constants; a default bar is better than none should one ever be wrong.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.with_key("count", count));
        }
        bar.set_position(0);
        match steps {
            Some(steps) => bar.set_length(steps),
            None => bar.unset_length(),
        }
        bar.set_prefix(what.to_owned());
        bar.set_message("");
        bar.reset_eta();
    }

    fn advance(&self, by: u64) {
        match self {
            Self::Bar(bar) => bar.inc(by),
            Self::Lines(lines) => lines.advance(by),
        }
    }

    fn note(&self, what: &str) {
        match self {
            Self::Bar(bar) => bar.set_message(what.to_owned()),
            Self::Lines(lines) => lines.note(what),
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// How much has passed by, where nobody knows how much there is.
fn count(state: &ProgressState, to: &mut dyn Write) {
    if state.pos() > 0 {
        // Writing to memory does not fail.
        let _ = write!(to, ", {} ({:.0}/s)", state.pos(), state.per_sec());
    }
}
