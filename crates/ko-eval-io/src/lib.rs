#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod bridge;
pub mod files;
mod home;
pub mod html;
mod progress;
pub mod read;

pub use home::{home, model_folder};
pub use progress::{Periodic, Progress};
