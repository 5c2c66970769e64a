#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod build;
pub mod clean;
pub mod concept;
mod decoding;
pub mod entity;
mod error;
pub mod ethics;
pub mod evaluate;
pub mod graph;
pub mod human;
pub mod inflect;
pub mod item;
pub mod judged;
pub mod kernel;
mod model_file;
pub mod pairs;
pub mod pipeline;
pub mod prelude;
pub mod rerank;
pub mod select;
pub mod sentences;
pub mod sheet;
pub mod split;
pub mod stats;
pub mod study;
pub mod unify;
mod words;

pub use build::{BuildOptions, BuildParts, BuildReport, build};
pub use clean::{Clean, Unfit};
pub use concept::{Extractor, Rule};
pub use decoding::decoding;
pub use entity::{BioTagger, EntityTagger};
pub use error::Error;
pub use ethics::{Flagger, ModelFlagger, NgramFlagger};
pub use evaluate::{Columns, Evaluator, Protocol, SystemScores};
pub use graph::{ConceptGraph, Reformulation, ReformulationReport};
pub use inflect::Inflections;
pub use item::{BadLines, Item, ItemForm, Reading, read_concept_sets, read_items, write_items};
pub use pairs::Pairs;
pub use pipeline::{Concepts, Draft, Pace, Pipeline, Source, Stage, WithoutEntities, WithoutTags};
pub use rerank::{Candidates, Choice, Reranker};
pub use select::{EmbeddingCosine, Selection, Similarity, TokenOverlap};
pub use sentences::{Input, LineForm};
pub use split::{SetStatistics, Sets, SourceCounts, Split};
pub use stats::{Statistics, Unseen};
pub use study::Study;
pub use unify::Unify;

#[doc(no_inline)]
pub use ko_eval_core::{self, Result};
pub use ko_eval_model::{Candidate, Decoding};
#[doc(no_inline)]
pub use ko_tokenize;
