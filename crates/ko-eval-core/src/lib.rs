#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod aggregate;
mod cached;
mod corpus;
mod cut_by;
mod error;
mod exact_sum;
pub mod explain;
mod fingerprint;
mod mean;
mod measure;
mod metric;
mod needs;
mod panel;
mod parallel;
mod pieces;
pub mod prelude;
mod recorded;
pub mod registry;
mod score;
mod scorer;
mod segment;
mod segments;
mod shard;
mod signature;
pub mod significance;
pub mod stream;
mod tokenize;
mod vocabulary;

pub use aggregate::{Aggregate, Outcome, Totals};
pub use cached::Cached;
pub use corpus::Corpus;
pub use cut_by::CutBy;
pub use error::{BoxError, Error, Result};
pub use exact_sum::ExactSum;
pub use explain::Explanation;
pub use fingerprint::Fingerprint;
pub use mean::MeanStats;
pub use measure::{Keep, Measurement};
pub use metric::{Direction, Merging, Metric, Stats};
pub use needs::Needs;
pub use panel::{Measuring, Panel, PanelRow};
pub use parallel::{on_one_thread, par_map};
pub use pieces::{Mark, Piece, Pieces, TextPiece};
pub use recorded::Recorded;
pub use registry::{BuildMetric, Entry, Library, MetricEntry, Param, Params, Spec, setting};
pub use score::{CorpusScore, Detail, Evaluation, Flag, Score};
pub use scorer::Scorer;
pub use segment::{OwnedSegment, Segment};
pub use segments::Segments;
pub use shard::{References, Shard, Statistics};
pub use signature::{Signature, Signed};
pub use stream::IntoSegment;
pub use tokenize::{Token, Tokenizer};
pub use vocabulary::Vocabulary;
