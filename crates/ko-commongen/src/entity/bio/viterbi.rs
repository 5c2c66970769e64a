//! The best sequence of labels.

use super::labels::Labels;

/// What no path through the labels may cost.
const NEVER: f32 = -1e30;

/// The best labels of a sentence.
#[allow(
    clippy::indexing_slicing,
    reason = "label numbers are below the label count, and rows are cut by that count"
)]
pub(super) fn viterbi(
    labels: &Labels,
    features: &[Vec<u32>],
    weights: &[f32],
    transitions: &[f32],
) -> Vec<usize> {
    let width = labels.len();
    let mut best = vec![NEVER; width];
    let mut came_from: Vec<usize> = Vec::with_capacity(features.len() * width);
    let mut emission = vec![0.0f32; width];
    for (at, rows) in features.iter().enumerate() {
        emission.fill(0.0);
        for &row in rows {
            let row = &weights[row as usize * width..][..width];
            emission.iter_mut().zip(row).for_each(|(sum, w)| *sum += w);
        }
        let mut next = vec![NEVER; width];
        for label in 0..width {
            let before = if at == 0 { width..width + 1 } else { 0..width };
            let candidates = before.filter(|&b| labels.may_follow(b, label)).map(|before| {
                let so_far = if at == 0 { 0.0 } else { best[before] };
                (so_far + transitions[before * width + label], before)
            });
            let (score, before) = candidates.fold((NEVER, 0), |a, b| if b.0 > a.0 { b } else { a });
            next[label] = score + emission[label];
            came_from.push(before);
        }
        best = next;
    }
    let Some((mut label, _)) = best
        .iter()
        .enumerate()
        .reduce(|a, b| if b.1 > a.1 { b } else { a })
        .filter(|_| !features.is_empty())
    else {
        return Vec::new();
    };
    let mut path = Vec::with_capacity(features.len());
    for from in came_from.chunks_exact(width).rev() {
        path.push(label);
        label = from[label];
    }
    path.reverse();
    path
}
