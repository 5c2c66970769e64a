//! Lengths and angles.

/// The scalar product; 0 beyond the shorter vector.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    // Eight sums side by side, so that the compiler can use vector instructions.
    let (head_a, tail_a) = a.as_chunks::<8>();
    let (head_b, tail_b) = b.as_chunks::<8>();
    let mut sums = [0f32; 8];
    for (x, y) in head_a.iter().zip(head_b) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum += x * y;
        }
    }
    let tail: f32 = tail_a.iter().zip(tail_b).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f32>() + tail
}

/// The cosine of the angle between two vectors, −1 to 1; 0 where one has no length.
///
/// ```
/// use ko_neural::vector::cosine;
///
/// assert_eq!(cosine(&[1.0, 0.0], &[0.6, 0.8]), 0.6);
/// assert_eq!(cosine(&[0.0, 0.0], &[0.6, 0.8]), 0.0);
/// ```
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let norm = dot(a, a).sqrt() * dot(b, b).sqrt();
    if norm > 0.0 && norm.is_finite() { (dot(a, b) / norm).clamp(-1.0, 1.0) } else { 0.0 }
}

/// The vector at length 1; one without length stays as it is.
pub fn normalize(vector: &mut [f32]) {
    let norm = dot(vector, vector).sqrt();
    if norm > 0.0 && norm.is_finite() {
        vector.iter_mut().for_each(|x| *x /= norm);
    }
}
