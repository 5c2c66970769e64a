//! A text's vector from its tokens' vectors, in libtorch; [`crate::pooling`] is the same in plain Rust.

use super::{batch::Batch, block::Mode, network::Network};
use crate::{error::Result, pooling::Pooling};
use tch::Tensor;

/// A batch through a network, pooled: `[texts, width]`.
pub(crate) fn pooled(
    network: &Network,
    batch: &Batch,
    pooling: Pooling,
    mode: Mode,
) -> Result<Tensor> {
    pooled_after(network, batch, pooling, 0, mode)
}

/// The same, but so many tokens at the beginning of every text, a prompt's, are left out; never all of them.
pub(crate) fn pooled_after(
    network: &Network,
    batch: &Batch,
    pooling: Pooling,
    prompt: i64,
    mode: Mode,
) -> Result<Tensor> {
    let depth = network.depth();
    let first = match pooling {
        Pooling::MeanOfLast(count) => (depth + 1).saturating_sub(count.get()),
        Pooling::Cls | Pooling::Mean | Pooling::Max | Pooling::Last => depth,
    };
    let states = network.states(batch, first..=depth, mode)?;
    let rows = match states.as_slice() {
        [state] => state.shallow_clone(),
        _ => Tensor::f_stack(&states, 0)?.f_mean_dim([0i64].as_slice(), false, None)?,
    };
    pooled_rows(batch, &rows, pooling, prompt, network.config().hidden)
}

/// The vectors of a batch's tokens after those of a prompt, pooled: `[texts, width]`.
pub(crate) fn pooled_rows(
    batch: &Batch,
    rows: &Tensor,
    pooling: Pooling,
    prompt: i64,
    width: i64,
) -> Result<Tensor> {
    let texts = batch.by_group([rows], |group, [rows]| {
        let tokens = rows.f_view([group.texts, group.length, width])?;
        let prompt = prompt.min(group.length - 1).max(0);
        let tokens = tokens.f_narrow(1, prompt, group.length - prompt)?;
        Ok(match pooling {
            Pooling::Cls => tokens.f_select(1, 0)?,
            Pooling::Last => tokens.f_select(1, -1)?,
            Pooling::Mean | Pooling::MeanOfLast(_) => {
                tokens.f_mean_dim([1i64].as_slice(), false, None)?
            }
            Pooling::Max => tokens.f_amax([1i64].as_slice(), false)?,
        })
    })?;
    batch.in_given_order(texts)
}
