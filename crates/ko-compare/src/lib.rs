#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod error;
mod findings;
mod grouping;
pub mod history;
mod lineup;
mod page;
mod speech;
mod trial;

pub use error::{Error, Result};
pub use findings::{
    BucketFinding, BucketScores, Findings, GroupFinding, MetricFinding, PairFinding,
};
pub use grouping::{Grouping, Kind};
pub use lineup::Lineup;
pub use page::{ComparisonPage, Language};
pub use speech::Speech;
pub use trial::Trial;

#[doc(no_inline)]
pub use ko_eval_core;
#[doc(no_inline)]
pub use ko_register;
