#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod character;
mod edit_distance;
pub mod eed;
mod empty;
mod numbering;
mod positions;
pub mod ribes;
pub mod ter;
mod units;

pub use character::CharacTer;
pub use eed::Eed;
pub use ribes::Ribes;
pub use ter::Ter;
pub use units::Case;

use ko_eval_core::MetricEntry;

/// Every metric by its name. A new one is a file and a row.
pub const METRICS: &[MetricEntry] = &[ter::ENTRY, character::ENTRY, eed::ENTRY, ribes::ENTRY];
