//! How far long work is.

use std::{
    fmt,
    sync::{Arc, Condvar, Mutex},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Somebody who wants to know how far long work is. Whoever does the work calls it from any thread; `&()` hears nothing.
///
/// ```
/// use ko_eval_io::Progress;
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

/// Progress as lines of text, one in a while: for logs, where no bar can be drawn.
///
/// The first line comes after the first pause, so that quick work writes none. A step that takes longer than the pause is told of by a thread of
/// its own, which ends with this: who reads the log sees that the work goes on, and on what.
///
/// ```
/// use ko_eval_io::{Periodic, Progress};
/// use std::{sync::{Arc, Mutex}, time::Duration};
///
/// let lines = Arc::new(Mutex::new(Vec::new()));
/// let log = lines.clone();
/// let progress = Periodic::new(Duration::ZERO, move |line: &str| log.lock().unwrap().push(line.to_owned()));
/// progress.begin("scoring", Some(3));
/// progress.advance(1);
/// progress.note("둘째 문장");
/// drop(progress);
/// assert_eq!(*lines.lock().unwrap(), ["scoring, 1 of 3", "scoring, 1 of 3: 둘째 문장"]);
/// ```
pub struct Periodic<F> {
    shared: Arc<Shared<F>>,
    ticking: Option<JoinHandle<()>>,
}

/// What the thread that tells of silence sees as well.
struct Shared<F> {
    pause: Duration,
    write: F,
    state: Mutex<State>,
    over: Condvar,
}

struct State {
    what: String,
    steps: Option<u64>,
    done: u64,
    note: String,
    told: Instant,
    is_over: bool,
}

impl<F: Fn(&str) + Send + Sync + 'static> Periodic<F> {
    /// Hands a line to `write` whenever `pause` has passed since the last one: as soon as something happens, or else by itself. Without a
    /// pause every change is a line, and nothing else is.
    pub fn new(pause: Duration, write: F) -> Self {
        let (what, note) = (String::new(), String::new());
        let told = Instant::now();
        let state = State { what, steps: None, done: 0, note, told, is_over: false };
        let (state, over) = (Mutex::new(state), Condvar::new());
        let shared = Arc::new(Shared { pause, write, state, over });
        let tick = {
            let shared = shared.clone();
            move || shared.tick()
        };
        // Who gets no thread still hears of every change.
        let thread = || thread::Builder::new().name("progress".into()).spawn(tick).ok();
        let ticking = if pause.is_zero() { None } else { thread() };
        Self { shared, ticking }
    }
}

impl<F: Fn(&str)> Shared<F> {
    fn change(&self, change: impl FnOnce(&mut State)) {
        // A listener that failed on another thread is no reason to fail here.
        let Ok(mut state) = self.state.lock() else { return };
        change(&mut state);
        if state.told.elapsed() >= self.pause {
            self.tell(&mut state);
        }
    }

    fn tell(&self, state: &mut State) {
        state.told = Instant::now();
        (self.write)(&state.to_string());
    }

    /// Tells of the same again whenever nothing was told for a pause, until all is over.
    fn tick(&self) {
        let Ok(mut state) = self.state.lock() else { return };
        while !state.is_over {
            let left = self.pause.saturating_sub(state.told.elapsed());
            if left.is_zero() {
                match state.what.is_empty() {
                    // Nothing has begun.
                    true => state.told = Instant::now(),
                    false => self.tell(&mut state),
                }
                continue;
            }
            let Ok((woken, _)) = self.over.wait_timeout(state, left) else { return };
            state = woken;
        }
    }
}

impl<F> Drop for Periodic<F> {
    fn drop(&mut self) {
        if let Ok(mut state) = self.shared.state.lock() {
            state.is_over = true;
        }
        self.shared.over.notify_all();
        // A line that is being written is still written; a writer that panicked was heard of on its own thread.
        let _ = self.ticking.take().map(JoinHandle::join);
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
        f.debug_struct("Periodic").field("pause", &self.shared.pause).finish_non_exhaustive()
    }
}

impl<F: Fn(&str) + Send + Sync> Progress for Periodic<F> {
    fn begin(&self, what: &str, steps: Option<u64>) {
        // A stage that only begins has nothing to tell.
        if let Ok(mut state) = self.shared.state.lock() {
            (state.what, state.note) = (what.into(), String::new());
            (state.steps, state.done) = (steps, 0);
        }
    }

    fn advance(&self, by: u64) {
        self.shared.change(|state| state.done += by);
    }

    fn note(&self, what: &str) {
        self.shared.change(|state| state.note = what.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};

    /// Long enough on any machine.
    const PATIENCE: Duration = Duration::from_secs(60);

    fn periodic(pause: Duration) -> (Periodic<impl Fn(&str) + Send + Sync>, Receiver<String>) {
        let (sender, lines) = channel();
        let sender = Mutex::new(sender);
        let write = move |line: &str| {
            let _ = sender.lock().unwrap().send(line.to_owned());
        };
        (Periodic::new(pause, write), lines)
    }

    #[test]
    fn a_long_step_is_told_of_while_it_lasts() {
        let (progress, lines) = periodic(Duration::from_millis(5));
        progress.begin("evaluating", Some(2));
        // Nothing happens from here on, and yet there are lines.
        for _ in 0..3 {
            assert_eq!(lines.recv_timeout(PATIENCE).unwrap(), "evaluating, 0 of 2");
        }
        progress.begin("training", None);
        while lines.recv_timeout(PATIENCE).unwrap() != "training" {}
        drop(progress);
        // The thread went with it, and took its end of the channel along.
        while let Ok(line) = lines.try_recv() {
            assert_eq!(line, "training");
        }
        assert_eq!(lines.recv_timeout(PATIENCE), Err(RecvTimeoutError::Disconnected));
    }

    #[test]
    fn what_never_began_and_what_is_quick_is_not_told_of() {
        let (progress, lines) = periodic(Duration::from_millis(1));
        let told = || progress.shared.state.lock().unwrap().told;
        // Until a pause has passed.
        let start = told();
        while told() == start {
            thread::yield_now();
        }
        drop(progress);
        assert!(lines.recv().is_err());
        let (progress, lines) = periodic(PATIENCE);
        progress.begin("scoring", Some(1));
        progress.advance(1);
        drop(progress);
        assert!(lines.recv().is_err());
    }
}
