#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod classify;
mod decoding;
mod embed;
mod entity;
pub mod generate;
mod pair;
mod processor;
mod recorded;

pub use classify::{LabelSet, TextClassifier, Threshold};
pub use decoding::{Decoding, DecodingError, EarlyStopping, Search};
pub use embed::{Embeddings, Encoder, Encoding, LayeredEmbedder, SentenceEmbedder};
pub use entity::{Entity, EntityCounts, EntityTagger, TagScheme};
pub use generate::{Candidate, Generator, GeneratorBridge, Prompt, Unmeetable};
pub use pair::{Over, PairMetric, PairScore, PairScorer, PairStats};
pub use processor::amx_workaround;
