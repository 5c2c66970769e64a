//! One place that knows whether there are threads. Results never depend on it.

use crate::Result;

/// `f` of every item, in order; the first error in order wins.
#[cfg(feature = "parallel")]
pub(crate) fn try_map<T: Sync, R: Send>(
    items: &[T],
    f: impl Fn(&T) -> Result<R> + Sync + Send,
) -> Result<Vec<R>> {
    use rayon::prelude::*;
    // Collecting results first keeps the *first* error, whichever thread met one earliest.
    let results: Vec<Result<R>> = items.par_iter().map(f).collect();
    results.into_iter().collect()
}

/// `f` of every item, in order; the first error in order wins.
#[cfg(not(feature = "parallel"))]
pub(crate) fn try_map<T: Sync, R: Send>(
    items: &[T],
    f: impl Fn(&T) -> Result<R> + Sync + Send,
) -> Result<Vec<R>> {
    items.iter().map(f).collect()
}

/// `f` of every number below `n`, in order.
#[cfg(feature = "parallel")]
pub(crate) fn map_range<R: Send>(n: usize, f: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
    use rayon::prelude::*;
    (0..n).into_par_iter().map(f).collect()
}

/// `f` of every number below `n`, in order.
#[cfg(not(feature = "parallel"))]
pub(crate) fn map_range<R: Send>(n: usize, f: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
    (0..n).map(f).collect()
}

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
    try_map(items, f)
}
