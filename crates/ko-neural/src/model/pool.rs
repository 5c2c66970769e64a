//! A text's vector from its tokens' vectors, in libtorch; [`crate::pooling`] is the same in plain Rust.

use super::{batch::Batch, block::Mode, network::Network};
use crate::{
    error::{Error, Result},
    pooling::Pooling,
};
use tch::Tensor;

/// A batch through a network, pooled: `[texts, width]`.
pub(crate) fn pooled(
    network: &Network,
    batch: &Batch,
    pooling: Pooling,
    mode: Mode,
) -> Result<Tensor> {
    let depth = network.depth();
    let first = match pooling {
        Pooling::MeanOfLast(count) => (depth + 1).saturating_sub(count.get()),
        Pooling::Cls | Pooling::Mean | Pooling::Max => depth,
    };
    let states = network.states(batch, first..=depth, mode)?;
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
        Pooling::MeanOfLast(_) => {
            mean(&Tensor::f_stack(&states, 0)?.f_mean_dim([0i64].as_slice(), false, None)?, batch)
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
