//! Models, their metrics and their training, against the originals and by their laws.

#[cfg(feature = "torch")]
mod albert_kor;
#[cfg(feature = "torch")]
mod bad_input;
#[cfg(feature = "torch")]
mod generation;
#[cfg(feature = "torch")]
mod labels;
mod mathematics;
mod one_place;
mod outside;
#[cfg(feature = "torch")]
mod parity;
#[cfg(feature = "torch")]
mod precision;
#[cfg(feature = "torch")]
mod shards;
#[cfg(feature = "torch")]
mod training;
