//! The losses' definitions in plain numbers: what the training minimises, checked against it by the tests.

/// Mean squared error: STS, on labels scaled to 0…1; SBERT's cosine regression.
pub fn mean_squared_error(guesses: &[f64], labels: &[f64]) -> f64 {
    mean(guesses.iter().zip(labels).map(|(guess, label)| (guess - label).powi(2)))
}

/// Binary cross-entropy of logits, in the form that does not overflow: FIC.
pub fn binary_cross_entropy(logits: &[f64], labels: &[f64]) -> f64 {
    mean(logits.iter().zip(labels).map(|(x, y)| x.max(0.0) - x * y + (-x.abs()).exp().ln_1p()))
}

/// CSL's contrastive loss over cosine similarities, with Y = 1 for equal tone:
/// `1/(2N) Σ [(1−Y)·½·D² + Y·½·max(0, m−D)²]`.
///
/// Unequal tone is pushed to similarity 0, equal tone above the margin.
pub fn contrastive(similarities: &[f64], same_tone: &[bool], margin: f64) -> f64 {
    let pairs = similarities.iter().zip(same_tone);
    mean(pairs.map(
        |(&d, &same)| {
            if same { (margin - d).max(0.0).powi(2) / 4.0 } else { d.powi(2) / 4.0 }
        },
    ))
}

/// Cross-entropy of rows of logits: SBERT on inference labels.
pub fn cross_entropy(logits: &[[f64; 3]], labels: &[usize]) -> f64 {
    mean(logits.iter().zip(labels).map(|(row, &label)| {
        let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = row.iter().map(|x| (x - top).exp()).sum();
        top + sum.ln() - row.get(label).copied().unwrap_or(top)
    }))
}

/// Triplet loss over Euclidean distances, `max(0, ‖a−p‖ − ‖a−n‖ + m)`: RDASS's fine-tuning.
pub fn triplet(positive_distances: &[f64], negative_distances: &[f64], margin: f64) -> f64 {
    mean(positive_distances.iter().zip(negative_distances).map(|(p, n)| (p - n + margin).max(0.0)))
}

/// 0 of nothing.
fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    values.sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        assert_eq!(mean_squared_error(&[0.5, 1.0], &[0.0, 1.0]), 0.125);
        assert!((binary_cross_entropy(&[0.0], &[1.0]) - 2f64.ln()).abs() < 1e-15);
        assert!((binary_cross_entropy(&[-900.0], &[1.0]) - 900.0).abs() < 1e-12);
        // (0.8² + max(0, 0.5−0.1)²) / (2·2) / 2
        let loss = contrastive(&[0.8, 0.1], &[false, true], 0.5);
        assert!((loss - (0.64 + 0.16) / 8.0).abs() < 1e-15);
        assert_eq!(contrastive(&[0.9], &[true], 0.5), 0.0);
        assert!((cross_entropy(&[[1.0, 1.0, 1.0]], &[2]) - 3f64.ln()).abs() < 1e-15);
        assert_eq!(triplet(&[1.0, 0.2], &[0.5, 3.0], 1.0), 0.75);
        assert_eq!(mean_squared_error(&[], &[]), 0.0);
    }
}
