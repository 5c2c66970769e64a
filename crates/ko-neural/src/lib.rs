#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod bertscore;
pub mod error;
#[cfg(feature = "readers")]
#[cfg_attr(not(feature = "torch"), allow(dead_code, reason = "models are their users"))]
mod files;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
pub mod kosmic;
pub mod libtorch;
mod long_text;
mod metrics;
#[cfg(feature = "torch")]
#[cfg_attr(docsrs, doc(cfg(feature = "torch")))]
pub mod model;
pub mod pooling;
pub mod rdass;
pub mod read;
#[cfg(feature = "torch")]
#[cfg_attr(docsrs, doc(cfg(feature = "torch")))]
pub mod train;
pub mod vector;

pub use bertscore::BertScore;
pub use error::{Error, Result};
pub use kosmic::Kosmic;
pub use long_text::LongText;
pub use metrics::METRICS;
#[cfg(feature = "torch")]
pub use model::{Embedder, Fic, Inference, Sts, Transformer};
pub use pooling::Pooling;
pub use rdass::Rdass;
