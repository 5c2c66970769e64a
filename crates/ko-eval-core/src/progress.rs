//! How far long work is.

use std::{
    fmt,
    sync::Mutex,
    time::{Duration, Instant},
};

/// Somebody who wants to know how far long work is. Whoever does the work calls it from any thread; `&()` hears nothing.
///
/// ```
/// use ko_eval_core::Progress;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// #[derive(Default)]
/// struct Counter(AtomicU64);
/// impl Progress for Counter {
///     fn advance(&self, by: u64) {
///         self.0.fetch_add(by, Ordering::Relaxed);
///     }
/// }
///
/// let counter = Counter::default();
/// (0..10).for_each(|_| counter.advance(3));
/// assert_eq!(counter.0.into_inner(), 30);
/// ```
pub trait Progress: Sync {
    /// A stage begins: what is done, and how many steps it has if that is known.
    fn begin(&self, _what: &str, _steps: Option<u64>) {}

    /// So many steps were done.
    fn advance(&self, _by: u64) {}

    /// What is being worked on right now.
    fn note(&self, _what: &str) {}
}

impl Progress for () {}

/// Progress as lines of text, at most one in a while: for logs, where no bar can be drawn.
///
/// The first line comes after the first pause, so that quick work writes none.
///
/// ```
/// use ko_eval_core::{Periodic, Progress};
/// use std::{sync::Mutex, time::Duration};
///
/// let lines = Mutex::new(Vec::new());
/// let progress = Periodic::new(Duration::ZERO, |line: &str| lines.lock().unwrap().push(line.to_owned()));
/// progress.begin("scoring", Some(3));
/// progress.advance(1);
/// progress.note("둘째 문장");
/// drop(progress);
/// assert_eq!(lines.into_inner().unwrap(), ["scoring, 1 of 3", "scoring, 1 of 3: 둘째 문장"]);
/// ```
pub struct Periodic<F> {
    pause: Duration,
    write: F,
    state: Mutex<State>,
}

struct State {
    what: String,
    steps: Option<u64>,
    done: u64,
    note: String,
    told: Instant,
}

impl<F: Fn(&str) + Sync> Periodic<F> {
    /// Hands a line to `write` whenever something happens and `pause` has passed since the last line.
    pub fn new(pause: Duration, write: F) -> Self {
        let (what, note) = (String::new(), String::new());
        let state = State { what, steps: None, done: 0, note, told: Instant::now() };
        Self { pause, write, state: Mutex::new(state) }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        // A listener that failed on another thread is no reason to fail here.
        let Ok(mut state) = self.state.lock() else { return };
        change(&mut state);
        if state.told.elapsed() >= self.pause {
            state.told = Instant::now();
            (self.write)(&state.to_string());
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match self.steps {
            Some(steps) => write!(f, ", {} of {steps}", self.done)?,
            None if self.done > 0 => write!(f, ", {}", self.done)?,
            None => {}
        }
        if self.note.is_empty() { Ok(()) } else { write!(f, ": {}", self.note) }
    }
}

impl<F> fmt::Debug for Periodic<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Periodic").field("pause", &self.pause).finish_non_exhaustive()
    }
}

impl<F: Fn(&str) + Sync> Progress for Periodic<F> {
    fn begin(&self, what: &str, steps: Option<u64>) {
        // A stage that only begins has nothing to tell.
        if let Ok(mut state) = self.state.lock() {
            let told = state.told;
            *state = State { what: what.into(), steps, done: 0, note: String::new(), told };
        }
    }

    fn advance(&self, by: u64) {
        self.change(|state| state.done += by);
    }

    fn note(&self, what: &str) {
        self.change(|state| state.note = what.into());
    }
}
