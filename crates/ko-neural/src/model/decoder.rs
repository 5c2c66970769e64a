//! Decoders: stacks of blocks that write, each family a small file.

pub(crate) mod attention;
mod bart;
pub(crate) mod encoder_decoder;
pub(crate) mod family;
mod gpt2;
pub(crate) mod layout;
mod mbart;
pub(crate) mod parts;
mod relative;
pub(crate) mod stack;
mod t5;
