//! What development sets are judged by. Everything else that asks how well scores agree with people is in `ko-meta-eval`, which
//! this crate does not depend on.

/// Pearson's r; `None` where one side does not vary or the lengths differ.
pub(super) fn pearson(x: &[f64], y: &[f64]) -> Option<f64> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Values by SciPy 1.16.
    #[test]
    fn equals_scipy() {
        let x = [1.0, 2.0, 2.0, 4.0, 5.0, 3.5];
        let y = [2.0, 1.0, 3.0, 3.0, 6.0, 5.0];
        assert!((pearson(&x, &y).unwrap() - 0.801_146_590_399_021_8).abs() < 1e-12);
        assert_eq!(pearson(&[1.0, 1.0], &[1.0, 2.0]), None);
    }
}
