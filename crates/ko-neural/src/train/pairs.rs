//! What the trainings of a bi-encoder share: sides of a batch encoded together, their cosines.

use super::learner::Learner;
use crate::{
    error::Result,
    model::{block::Mode, tokenizer::TokenIds},
    vector::cosine,
};
use tch::Tensor;

/// The pooled vectors of several sides of the same examples, encoded as one batch.
pub(super) fn sides<const N: usize>(
    learner: &Learner,
    examples: &[&[TokenIds; N]],
) -> Result<[Tensor; N]> {
    let texts: Vec<&TokenIds> =
        (0..N).flat_map(|side| examples.iter().filter_map(move |e| e.get(side))).collect();
    let all = learner.pooled(&texts, Mode::Train)?;
    let count = examples.len() as i64;
    let mut sides = [(); N].map(|()| Tensor::new());
    for (place, side) in (0i64..).zip(&mut sides) {
        *side = all.f_narrow(0, place * count, count)?;
    }
    Ok(sides)
}

/// The cosine of every row of one tensor with the same row of another.
pub(super) fn cosines(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    Ok(Tensor::f_cosine_similarity(a, b, 1, 1e-8)?)
}

/// Scores 0 to 5 as shares of 1.
pub(super) fn shares(learner: &Learner, scores: &[f64]) -> Result<Tensor> {
    learner.tensor(&scores.iter().map(|score| (score / 5.0) as f32).collect::<Vec<_>>())
}

/// The cosines of pairs of texts, without gradients.
pub(super) fn plain_cosines(learner: &Learner, pairs: &[[TokenIds; 2]]) -> Result<Vec<f64>> {
    let vectors = learner.embed(&pairs.concat())?;
    Ok(vectors.as_chunks().0.iter().map(|[a, b]| f64::from(cosine(a, b))).collect())
}
