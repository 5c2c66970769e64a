//! Transformers from local model folders, run by libtorch.

mod albert;
mod bart;
pub(crate) mod batch;
mod bert;
pub(crate) mod block;
mod electra;
mod embedder;
mod fic;
pub(crate) mod head;
pub(crate) mod headed;
mod inference;
mod layout;
mod mbart;
pub(crate) mod network;
pub(crate) mod pooled;
pub(crate) mod replicas;
mod roberta;
pub(crate) mod runner;
mod sts;
mod transformer;
pub(crate) mod weights;

pub use embedder::Embedder;
pub use fic::Fic;
pub use inference::Inference;
pub use sts::Sts;
pub use transformer::Transformer;

use crate::error::Result;
pub(crate) use crate::files::{config, identity, tokenizer};
use tch::Tensor;

/// A tensor's numbers, row after row.
pub(crate) fn numbers(tensor: &Tensor) -> Result<Vec<f32>> {
    let mut data = vec![0f32; tensor.numel()];
    tensor.f_detach()?.f_contiguous()?.f_copy_data(&mut data, tensor.numel())?;
    Ok(data)
}
