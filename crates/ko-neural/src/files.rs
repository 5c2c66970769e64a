//! Files of models and of trainings, read without libtorch: what is wrong with one is an error that names it, whatever its bytes.

pub(crate) mod checked;
pub(crate) mod checkpoint;
pub(crate) mod config;
pub(crate) mod ensemble;
pub(crate) mod generation;
pub(crate) mod identity;
pub(crate) mod index;
pub(crate) mod labels;
pub(crate) mod modules;
pub(crate) mod pickle;
mod pieces;
pub(crate) mod prompts;
pub(crate) mod raw;
pub(crate) mod threshold;
pub(crate) mod tokenizer;
