//! Orders of n-grams as parameters, and counts kept by order.

use ko_eval_core::{Error, Param, Params, Result};

/// The greatest order that a metric takes: beyond any text's need, within any machine's memory.
const MOST: usize = 1000;

/// The registry parameter `order`.
pub(crate) const fn param(default: &'static str) -> Param {
    Param { name: "order", default, help: "the longest n-grams that count, 1 to 1000" }
}

/// The parameter `order` as set, or the default.
pub(crate) fn from_params(owner: &str, params: &Params, default: usize) -> Result<usize> {
    params.parse(owner, "order", default, "a whole number from 1 to 1000")
}

/// Whether there can be n-grams of this order.
pub(crate) fn check(owner: &str, name: &str, order: usize) -> Result<()> {
    if (1..=MOST).contains(&order) {
        return Ok(());
    }
    Err(Error::invalid(owner, name, order, "a whole number from 1 to 1000"))
}

/// Adds counts order by order; missing ones are 0.
pub(crate) fn add(sums: &mut Vec<u64>, counts: &[u64]) {
    if sums.len() < counts.len() {
        sums.resize(counts.len(), 0);
    }
    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}
