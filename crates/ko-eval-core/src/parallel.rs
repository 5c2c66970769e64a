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
        use std::sync::atomic::{AtomicUsize, Ordering};
        // The *first* error is kept, whichever thread met one earliest, so only what comes after one is left out.
        let failed = AtomicUsize::new(usize::MAX);
        let tried = items.par_iter().enumerate().map(|(number, item)| {
            if number > failed.load(Ordering::Relaxed) {
                return None;
            }
            let result = f(item);
            if result.is_err() {
                failed.fetch_min(number, Ordering::Relaxed);
            }
            Some(result)
        });
        let results: Vec<Option<Result<R>>> = tried.collect();
        results.into_iter().flatten().collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn the_first_error_is_kept_and_little_is_done_after_it() {
        let numbers: Vec<usize> = (0..10_000).collect();
        for first in [0, 17, 9_000] {
            let done = AtomicUsize::new(0);
            let found = par_map(&numbers, |&number| {
                done.fetch_add(1, Ordering::Relaxed);
                match number < first {
                    true => Ok(number),
                    false => Err(Error::LengthMismatch {
                        left: String::new(),
                        left_len: number,
                        right: String::new(),
                        right_len: 0,
                    }),
                }
            });
            let Err(Error::LengthMismatch { left_len, .. }) = found else { panic!("{found:?}") };
            assert_eq!(left_len, first);
            let done = done.into_inner();
            assert!(
                (first + 1..first + 500).contains(&done),
                "{done} calls, the first error at {first}"
            );
        }
    }
}
