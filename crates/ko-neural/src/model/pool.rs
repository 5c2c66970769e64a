//! A text's vector from its tokens' vectors, in libtorch; [`crate::pooling`] is the same in plain Rust.

use super::batch::Batch;
use crate::{
    error::{Error, Result},
    pooling::Pooling,
};
use tch::Tensor;

/// `[texts, width]` from the states of every layer, `[texts, tokens, width]` each.
pub(crate) fn pool(states: &[Tensor], batch: &Batch, pooling: Pooling) -> Result<Tensor> {
    let last = states.last().ok_or_else(|| Error::Operation("no state to pool".into()))?;
    match pooling {
        Pooling::Cls => Ok(last.f_select(1, 0)?),
        Pooling::Mean => mean(last, batch),
        Pooling::Max => {
            let filled = match batch.weights()? {
                Some(weights) => last.f_masked_fill(&weights.f_lt(0.5)?, f64::NEG_INFINITY)?,
                None => last.shallow_clone(),
            };
            Ok(filled.f_amax([1i64].as_slice(), false)?)
        }
        Pooling::MeanOfLast(count) => {
            let from = states.len().saturating_sub(count.get());
            let last: Vec<&Tensor> = states.iter().skip(from).collect();
            mean(&Tensor::f_stack(&last, 0)?.f_mean_dim([0i64].as_slice(), false, None)?, batch)
        }
    }
}

fn mean(state: &Tensor, batch: &Batch) -> Result<Tensor> {
    match batch.weights()? {
        None => Ok(state.f_mean_dim([1i64].as_slice(), false, None)?),
        Some(weights) => {
            let sum = state.f_mul(&weights)?.f_sum_dim_intlist([1i64].as_slice(), false, None)?;
            let count = weights.f_sum_dim_intlist([1i64].as_slice(), false, None)?;
            Ok(sum.f_div(&count)?)
        }
    }
}
