#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod units;

use ko_eval_core::MetricEntry;

/// Every metric by its name. A new one is a file and a row.
pub const METRICS: &[MetricEntry] = &[];
