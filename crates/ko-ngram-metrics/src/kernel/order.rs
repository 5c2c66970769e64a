//! Counts kept by order: of unigrams, of bigrams, and so on.

/// Adds counts order by order; missing ones are 0.
pub(crate) fn add(sums: &mut Vec<u64>, counts: &[u64]) {
    if sums.len() < counts.len() {
        sums.resize(counts.len(), 0);
    }
    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum = sum.saturating_add(*count));
}

/// What is wrong with matches that were read from a file.
pub(crate) fn check(matches: &[u64], totals: &[u64]) -> Result<(), String> {
    if matches.len() != totals.len() {
        return Err(format!("matches of {} orders, n-grams of {}", matches.len(), totals.len()));
    }
    match matches.iter().zip(totals).position(|(matches, total)| matches > total) {
        Some(order) => Err(format!("more matches than n-grams of order {}", order + 1)),
        None => Ok(()),
    }
}

/// What is wrong with the n-grams of hypotheses with so many units together, if there are that many orders.
pub(crate) fn check_totals(
    totals: &[u64],
    units: u64,
    orders: usize,
    segments: usize,
) -> Result<(), String> {
    // Of no segments nothing is known, not even how many orders there are.
    if segments == 0 && totals.is_empty() && units == 0 {
        return Ok(());
    }
    if totals.len() != orders {
        return Err(format!("n-grams of {} orders, expected {orders}", totals.len()));
    }
    if totals.first().is_some_and(|first| *first != units) {
        return Err(format!("{} unigrams of {units} units", totals.first().unwrap_or(&0)));
    }
    // A text has one n-gram less of every further order, down to none.
    let step = |pair: &[u64]| match pair {
        [shorter, longer] => longer <= shorter && shorter - longer <= segments as u64,
        _ => true,
    };
    match totals.windows(2).position(|pair| !step(pair)) {
        Some(order) => {
            Err(format!("n-grams of order {} that {segments} texts cannot have", order + 2))
        }
        None => Ok(()),
    }
}

/// Counts as numbers.
pub(crate) fn numbers(counts: &[u64]) -> impl Iterator<Item = f64> {
    counts.iter().map(|&count| count as f64)
}

/// Numbers as counts.
pub(crate) fn counts(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|&number| number as u64).collect()
}
