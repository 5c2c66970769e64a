//! Progress as plain lines.

use ko_eval_io::{Periodic, Progress};
use std::time::Duration;

/// Where no bar can be drawn: a line when a stage begins, and one every few seconds while it lasts.
///
/// ```
/// use ko_eval_io::Progress;
/// use ko_eval_setup::Lines;
///
/// let lines = Lines::new(|line| eprintln!("ko-eval: {line}"));
/// lines.begin("fetching python-mecab-ko-dic 2.1.1.post2 (MB)", Some(33));
/// ```
#[derive(Debug)]
pub struct Lines {
    write: fn(&str),
    during: Periodic<fn(&str)>,
}

/// How long a stage may last without a word.
const SILENCE: Duration = Duration::from_secs(5);

impl Lines {
    /// Hands every line to `write`.
    pub fn new(write: fn(&str)) -> Self {
        Self { write, during: Periodic::new(SILENCE, write) }
    }
}

impl Progress for Lines {
    fn begin(&self, what: &str, steps: Option<u64>) {
        match steps {
            Some(steps) => (self.write)(&format!("{what}, {steps} in all")),
            None => (self.write)(what),
        }
        self.during.begin(what, steps);
    }

    fn advance(&self, by: u64) {
        self.during.advance(by);
    }

    fn note(&self, what: &str) {
        self.during.note(what);
    }
}
