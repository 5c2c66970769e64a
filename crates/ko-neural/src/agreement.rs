//! Agreement with people: what weights, layers and development sets are chosen by.

/// Pearson's r; `None` where one side does not vary or the lengths differ.
pub(crate) fn pearson(x: &[f64], y: &[f64]) -> Option<f64> {
    if x.len() != y.len() || x.len() < 2 {
        return None;
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mx, my) = (mean(x), mean(y));
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for (&a, &b) in x.iter().zip(y) {
        xy += (a - mx) * (b - my);
        xx += (a - mx).powi(2);
        yy += (b - my).powi(2);
    }
    let r = xy / (xx * yy).sqrt();
    r.is_finite().then(|| r.clamp(-1.0, 1.0))
}

/// Kendall's τ-b; `None` as for [`pearson`].
pub(crate) fn kendall(x: &[f64], y: &[f64]) -> Option<f64> {
    if x.len() != y.len() {
        return None;
    }
    let pairs: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
    let (mut balance, mut untied_x, mut untied_y) = (0i64, 0u64, 0u64);
    for (i, &(a, b)) in pairs.iter().enumerate() {
        for &(c, d) in pairs.iter().skip(i + 1) {
            let (dx, dy) =
                (i64::from(a > c) - i64::from(a < c), i64::from(b > d) - i64::from(b < d));
            balance += dx * dy;
            untied_x += dx.unsigned_abs();
            untied_y += dy.unsigned_abs();
        }
    }
    let tau = balance as f64 / ((untied_x as f64) * (untied_y as f64)).sqrt();
    tau.is_finite().then_some(tau)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values by SciPy 1.16.
    #[test]
    fn equals_scipy() {
        let x = [1.0, 2.0, 2.0, 4.0, 5.0, 3.5];
        let y = [2.0, 1.0, 3.0, 3.0, 6.0, 5.0];
        assert!((pearson(&x, &y).unwrap() - 0.801_146_590_399_021_8).abs() < 1e-12);
        assert!((kendall(&x, &y).unwrap() - 0.642_857_142_857_142_9).abs() < 1e-12);
        assert_eq!(pearson(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(kendall(&[1.0, 1.0], &[1.0, 2.0]), None);
    }
}
