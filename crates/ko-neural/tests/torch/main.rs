//! Models, their metrics and their training on libtorch, against the originals and by their laws.

mod albert_kor;
mod bad_input;
mod generation;
mod labels;
mod parity;
mod precision;
mod shards;
mod training;
