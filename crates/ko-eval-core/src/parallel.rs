//! One place that knows whether there are threads. Results never depend on it.

use crate::Result;

/// `f` of every item on all cores, in order: batch tokenization, for example.
///
/// ```
/// let lengths = ko_eval_core::par_map(&["가", "나다"], |text| Ok(text.chars().count()))?;
/// assert_eq!(lengths, [1, 2]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
///
/// # Errors
/// The error of the first item that fails.
pub fn par_map<T: Sync, R: Send>(
    items: &[T],
    f: impl Fn(&T) -> Result<R> + Sync + Send,
) -> Result<Vec<R>> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        // Collecting results first keeps the *first* error, whichever thread met one earliest.
        let results: Vec<Result<R>> = items.par_iter().map(f).collect();
        results.into_iter().collect()
    }
    #[cfg(not(feature = "parallel"))]
    items.iter().map(f).collect()
}

/// `f` with all its work on one thread, so that times can be compared: what it shares out stays where it is.
///
/// ```
/// let count = ko_eval_core::on_one_thread(|| ko_eval_core::par_map(&["가", "나"], |text| Ok(text.len())))?;
/// assert_eq!(count, [3, 3]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
pub fn on_one_thread<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "parallel")]
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(f),
        // A system that has no thread left to give.
        Err(_) => f(),
    }
    #[cfg(not(feature = "parallel"))]
    f()
}

/// `f` of every number below `n`, in order.
pub(crate) fn map_range<R: Send>(n: usize, f: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        (0..n).into_par_iter().map(f).collect()
    }
    #[cfg(not(feature = "parallel"))]
    (0..n).map(f).collect()
}
