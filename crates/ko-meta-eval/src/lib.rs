#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod agreement;
pub mod balance;
pub mod classification;
pub mod correlation;
mod error;
pub mod experiment;
pub mod judgement;
pub mod methods;
pub mod plan;
pub mod prelude;
pub mod report;
pub mod selection;
pub mod williams;
pub mod wmt;

pub use correlation::{Correlation, Estimate};
pub use error::{Error, Result};
pub use experiment::{Experiment, Findings, Judged, MetricRow, Unit};
pub use plan::Plan;
pub use report::AgreementReport;
pub use williams::{Williams, williams};

#[doc(no_inline)]
pub use ko_eval_core;
