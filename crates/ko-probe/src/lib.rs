#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod classifier;
pub mod conllu;
pub mod dataset;
pub mod embedders;
mod error;
mod experiment;
mod findings;
mod kept;
mod morphemes;
mod online_code;
pub mod prelude;
mod report;
pub mod sejong;
pub mod sentence;
pub mod senteval;
mod subject;
mod task;
mod tasks;
mod treebank;
pub mod utterances;
mod vectors;

pub use classifier::{Classifier, LabelledVectors, Probe};
pub use dataset::{Balance, Dataset, Example, Part, Split};
pub use error::{Error, Result};
pub use experiment::{Control, DescriptionLength, Experiment};
pub use findings::{ClassRecall, Finding, Findings};
pub use morphemes::from_treebank;
pub use online_code::{CodedBlock, OnlineCode};
pub use report::ProbeReport;
pub use sentence::{Origin, Sentence, Word};
pub use subject::Subject;
pub use task::{Hidden, Options, Property, Standing, Task, WordLimits};
pub use treebank::{Annotated, Treebank};
pub use vectors::Vectors;

#[doc(no_inline)]
pub use ko_eval_core;

/// Every task by its name, the paper's nine first. A new one is a file and a row.
pub const TASKS: &[Task] = &[
    tasks::sent_len::TASK,
    tasks::wc::TASK,
    tasks::tree_depth::TASK,
    tasks::top_deps::TASK,
    tasks::subj_omission::TASK,
    tasks::tense::TASK,
    tasks::sent_type::TASK,
    tasks::negation::TASK,
    tasks::honorifics::TASK,
    tasks::somo::TASK,
    tasks::coord_inv::TASK,
];
