//! Transformers from local model folders, run by libtorch.

mod albert;
mod bart;
pub(crate) mod batch;
mod bert;
pub(crate) mod block;
pub(crate) mod classification;
mod classifier;
mod deberta;
pub(crate) mod decoder;
mod electra;
mod embedder;
mod fic;
mod generation;
pub(crate) mod generator;
pub(crate) mod head;
pub(crate) mod headed;
mod inference;
mod layer_embedder;
mod layout;
mod mbart;
mod modernbert;
pub(crate) mod network;
pub(crate) mod place;
pub(crate) mod pooled;
mod qwen3;
pub(crate) mod replicas;
mod roberta;
mod rotation;
pub(crate) mod runner;
mod sts;
mod tagger;
mod transformer;
pub(crate) mod weights;
pub(crate) mod writer;

pub use classifier::Classifier;
pub use embedder::Embedder;
pub use fic::Fic;
pub use generator::{TextGenerator, Tokens};
pub use inference::Inference;
pub use layer_embedder::LayerEmbedder;
pub use sts::Sts;
pub use tagger::{Tagger, TokenTag};
pub use transformer::Transformer;

pub(crate) use crate::files::{config, identity, tokenizer};
pub(crate) use place::numbers;
