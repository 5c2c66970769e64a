#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod aggregate;
pub mod bridge;
mod cached;
mod classify;
mod corpus;
mod cut_by;
mod decoding;
mod embed;
mod entity;
mod error;
mod exact_sum;
pub mod explain;
pub mod files;
mod fingerprint;
pub mod generate;
mod home;
pub mod html;
mod mean;
mod measure;
mod metric;
mod needs;
mod pair;
mod panel;
mod parallel;
mod pieces;
pub mod prelude;
mod processor;
mod progress;
pub mod read;
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
pub use classify::{LabelSet, TextClassifier, Threshold};
pub use corpus::Corpus;
pub use cut_by::CutBy;
pub use decoding::{Decoding, DecodingError, EarlyStopping, Search};
pub use embed::{Embeddings, Encoder, Encoding, LayeredEmbedder, SentenceEmbedder};
pub use entity::{Entity, EntityCounts, EntityTagger, TagScheme};
pub use error::{BoxError, Error, Result};
pub use exact_sum::ExactSum;
pub use explain::Explanation;
pub use fingerprint::Fingerprint;
pub use generate::{Candidate, Generator, GeneratorBridge, Prompt, Unmeetable};
pub use home::{home, model_folder};
pub use mean::MeanStats;
pub use measure::{Keep, Measurement};
pub use metric::{Direction, Merging, Metric, Stats};
pub use needs::Needs;
pub use pair::{Over, PairMetric, PairScore, PairScorer, PairStats};
pub use panel::{Measuring, Panel, PanelRow};
pub use parallel::{on_one_thread, par_map};
pub use pieces::{Mark, Piece, Pieces, TextPiece};
pub use processor::amx_workaround;
pub use progress::{Periodic, Progress};
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
