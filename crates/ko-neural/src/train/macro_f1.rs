//! What development sets of classifiers are judged by; the rest of the kind is in `ko-meta-eval`, as [`super::pearson`] says.

/// The mean F1 of all labels that are right or were guessed somewhere, as scikit-learn's `f1_score(…, average="macro")`; 0 of no texts.
pub(super) fn macro_f1(right: &[usize], guessed: &[usize]) -> f64 {
    let most = right.iter().chain(guessed).copied().max().map_or(0, |label| label + 1);
    let count = |label: usize, labels: &[usize]| labels.iter().filter(|l| **l == label).count();
    let f1 = |label: usize| {
        let both = right.iter().zip(guessed).filter(|(r, g)| **r == label && **g == label).count();
        let sum = count(label, right) + count(label, guessed);
        (sum > 0).then(|| 2.0 * both as f64 / sum as f64)
    };
    let all: Vec<f64> = (0..most).filter_map(f1).collect();
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values by scikit-learn 1.9.1.
    #[test]
    fn equals_scikit_learn() {
        let (right, guessed) = ([0, 1, 2, 2, 0, 1, 1, 0], [0, 2, 2, 2, 0, 1, 0, 1]);
        assert!((macro_f1(&right, &guessed) - 0.622_222_222_222_222_2).abs() < 1e-12);
        // A label that is only guessed counts, one that is nowhere does not.
        assert!((macro_f1(&[0, 0, 1], &[0, 3, 1]) - 0.555_555_555_555_555_5).abs() < 1e-12);
        assert_eq!(macro_f1(&[], &[]), 0.0);
    }
}
