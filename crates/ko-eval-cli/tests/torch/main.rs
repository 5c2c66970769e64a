//! The command with libtorch built in, as users run it.

#[path = "../it/common/mod.rs"]
mod common;
mod labels;
mod neural;
