#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod corpus;
mod embed;
mod error;
mod exact_sum;
pub mod files;
mod home;
mod metric;
mod parallel;
mod pieces;
pub mod read;
pub mod registry;
mod score;
mod scorer;
mod segment;
mod signature;
pub mod significance;
mod tokenize;
mod vocabulary;

pub use corpus::Corpus;
pub use embed::{Embeddings, Encoder, Encoding, PairScorer, SentenceEmbedder};
pub use error::{BoxError, Error, Result};
pub use exact_sum::{ExactSum, MeanStats};
pub use home::home;
pub use metric::{Direction, Metric, Stats};
pub use parallel::par_map;
pub use pieces::{Mark, Piece, Pieces, TextPiece};
pub use registry::{Entry, MetricEntry, Param, Params, Spec, TokenizerEntry};
pub use score::{CorpusScore, Detail, Evaluation, Flag, Score};
pub use scorer::{Scorer, Shard};
pub use segment::{OwnedSegment, Segment};
pub use signature::{Signature, Signed};
pub use tokenize::{Token, Tokenizer};
pub use vocabulary::Vocabulary;
