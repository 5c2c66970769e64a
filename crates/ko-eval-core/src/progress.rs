//! How far long work is.

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
