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

/// Spearman's ρ: Pearson's r of the ranks, equal values sharing the mean of theirs.
pub(super) fn spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    pearson(&ranks(x), &ranks(y))
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<(usize, f64)> = values.iter().copied().enumerate().collect();
    order.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let mut ranks = vec![0.0; values.len()];
    let mut below = 0;
    for equal in order.chunk_by(|(_, a), (_, b)| a == b) {
        let rank = below as f64 + (equal.len() as f64 + 1.0) / 2.0;
        for &(place, _) in equal {
            ranks.get_mut(place).into_iter().for_each(|slot| *slot = rank);
        }
        below += equal.len();
    }
    ranks
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
        assert!((spearman(&x, &y).unwrap() - 0.779_411_764_705_882_5).abs() < 1e-12);
    }
}
