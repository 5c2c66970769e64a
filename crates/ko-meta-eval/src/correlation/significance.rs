//! p-values of coefficients, all two-sided.

use super::paired::PairCounts;
use statrs::function::{beta::beta_reg, erf::erfc};

/// Without ties, Kendall's exact distribution is used up to so many values, as in SciPy.
const EXACT_UP_TO: u64 = 33;

/// The p-value of Pearson's or Spearman's coefficient of `n` values: with t = r√(ν/(1−r²)) and
/// ν = n−2, both tails of Student's distribution together are the incomplete beta function of 1−r².
pub(super) fn of_r(r: f64, n: usize) -> f64 {
    let freedom = n.saturating_sub(2) as f64;
    if freedom < 1.0 {
        return 1.0;
    }
    tails((1.0 - r) * (1.0 + r), freedom)
}

/// Both tails of Student's distribution beyond ±t.
pub(crate) fn t_two_sided(t: f64, freedom: f64) -> f64 {
    tails(freedom / (freedom + t * t), freedom)
}

fn tails(x: f64, freedom: f64) -> f64 {
    match x.clamp(0.0, 1.0) {
        0.0 => 0.0,
        1.0 => 1.0,
        x => beta_reg(freedom / 2.0, 0.5, x).clamp(0.0, 1.0),
    }
}

/// The p-value of Kendall's coefficient, τ-b or τ-c: it depends on the counts only.
pub(super) fn of_tau(counts: &PairCounts) -> f64 {
    let fewer = counts.concordant.min(counts.discordant);
    let tied = counts.x.pairs > 0 || counts.y.pairs > 0;
    if !tied && (counts.n <= EXACT_UP_TO || fewer <= 1) {
        exact(counts.n, fewer)
    } else {
        asymptotic(counts)
    }
}

/// Twice the share of the n! orders with at most `inversions` inversions: Kendall, *Rank
/// Correlation Methods* (1970). O(n · inversions).
fn exact(n: u64, inversions: u64) -> f64 {
    let cells = inversions as usize + 1;
    // Shares, not counts, of the orders of `j` values by their inversions: no factorial overflows.
    let mut shares = vec![0.0; cells];
    if let Some(none) = shares.first_mut() {
        *none = 1.0;
    }
    for j in 2..=n {
        let before = shares.clone();
        let mut window = 0.0;
        for (i, share) in shares.iter_mut().enumerate() {
            window += before.get(i).copied().unwrap_or(0.0);
            let left = i.checked_sub(j as usize).and_then(|i| before.get(i));
            window -= left.copied().unwrap_or(0.0);
            *share = window / j as f64;
        }
    }
    (2.0 * shares.iter().sum::<f64>()).clamp(0.0, 1.0)
}

/// C−D is nearly normal, with this variance (Kendall 1970, with ties on both sides).
fn asymptotic(counts: &PairCounts) -> f64 {
    let n = counts.n as f64;
    let m = n * (n - 1.0);
    let (x, y) = (counts.x, counts.y);
    let mut variance = (m * (2.0 * n + 5.0) - x.spread - y.spread) / 18.0
        + 2.0 * (x.pairs as f64) * (y.pairs as f64) / m;
    // Two values have no triples: the term is 0, not 0/0.
    if n > 2.0 {
        variance += x.triples * y.triples / (9.0 * m * (n - 2.0));
    }
    if variance <= 0.0 {
        return 1.0;
    }
    erfc((counts.balance() / variance.sqrt()).abs() / std::f64::consts::SQRT_2).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_keep_their_digits() {
        // scipy.stats.t.sf of SciPy 1.17.1, twice.
        for (n, r, p) in [
            (1_000_000, 0.002, 0.04550031788729099),
            (1_000_000, 0.0035, 0.00046524708593425376),
            (1_000_000, 0.01, 1.5203198039925916e-23),
            (100_000, 0.05, 2.2261912329059043e-56),
            (8160, 0.3, 2.5021678775075312e-169),
            (8160, 0.02, 0.07083118081396937),
        ] {
            let ours = of_r(r, n);
            assert!((ours - p).abs() < 1e-9 * p, "{n} {r}: {ours} is not {p}");
        }
    }
}
