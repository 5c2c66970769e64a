//! Transformers from local model folders, run by libtorch.

mod albert;
mod bart;
pub(crate) mod batch;
mod bert;
pub(crate) mod block;
mod config;
mod electra;
mod embedder;
mod fic;
pub(crate) mod head;
pub(crate) mod headed;
mod inference;
mod layout;
mod mbart;
pub(crate) mod network;
mod pickle;
pub(crate) mod pool;
mod roberta;
pub(crate) mod runner;
mod sentencepiece;
mod shards;
mod sts;
pub(crate) mod tokenizer;
mod transformer;
pub(crate) mod weights;

pub use embedder::Embedder;
pub use fic::Fic;
pub use inference::Inference;
pub use sts::Sts;
pub use tokenizer::LongText;
pub use transformer::Transformer;

use crate::error::Result;
use std::path::Path;
use tch::Tensor;

/// A tensor's numbers, row after row.
pub(crate) fn numbers(tensor: &Tensor) -> Result<Vec<f32>> {
    let mut data = vec![0f32; tensor.numel()];
    tensor.f_detach()?.f_contiguous()?.f_copy_data(&mut data, tensor.numel())?;
    Ok(data)
}

/// What a model is called in a signature: its folder's name.
fn folder_name(folder: &Path) -> String {
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.into());
    folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
