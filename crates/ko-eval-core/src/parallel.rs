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
