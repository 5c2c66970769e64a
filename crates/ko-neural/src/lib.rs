#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod bertscore;
pub mod device;
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
pub mod outside;
pub mod pooling;
pub mod prelude;
mod prompt;
pub mod rdass;
pub mod read;
mod received;
#[cfg(feature = "torch")]
#[cfg_attr(docsrs, doc(cfg(feature = "torch")))]
pub mod train;
pub mod vector;

pub use bertscore::BertScore;
pub use device::{Device, Precision};
pub use error::{Error, Result};
pub use kosmic::Kosmic;
pub use long_text::LongText;
pub use metrics::{BASELINES, METRICS};
#[cfg(feature = "torch")]
pub use model::{
    Classifier, Embedder, Fic, Inference, LayerEmbedder, Sts, Tagger, TextGenerator, Transformer,
};
pub use outside::{VectorFile, VectorProgram};
pub use pooling::Pooling;
pub use prompt::Prompt;
pub use rdass::Rdass;

#[doc(no_inline)]
pub use ko_eval_core;

use ko_eval_core::{Library, Scorer};

/// Opens the metric that a text such as `bertscore:FOLDER,layer=9` names; see [`METRICS`].
///
/// ```no_run
/// use ko_neural::prelude::*;
///
/// let metric = by_name("rdass:ko-sbert")?;
/// let summary = Segment::new("정부, 새 정책 발표", ["새 정책이 발표됐다"])?
///     .with_source("정부는 오늘 새 정책을 발표했다. 시민들은 환영했다.");
/// println!("{:.3}", metric.segment_score(&summary)?);
/// # Ok::<(), ko_neural::Error>(())
/// ```
///
/// # Errors
/// An unknown name or parameter (the error lists the known ones), a folder that holds no model, or a build without the
/// feature `torch`.
pub fn by_name(spec: &str) -> Result<Box<dyn Scorer>> {
    let no_units = |unit: &str| {
        let how_to_get_it = "models have units of their own; take ko-tokenize for others".into();
        Err(ko_eval_core::Error::Missing { what: format!("the unit `{unit}`"), how_to_get_it })
    };
    Ok(Library { metrics: METRICS, unit: no_units, unit_row: |_| None }.metric(spec, "none")?)
}
