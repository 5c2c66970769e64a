//! The everyday names of this crate and of the core: `use ko_probe::prelude::*;`.

#[doc(no_inline)]
pub use crate::{
    Classifier, Dataset, Experiment, Findings, Options, ProbeReport, Subject, TASKS, Task,
    Treebank, WordLimits, embedders,
};
#[doc(no_inline)]
pub use ko_eval_core::prelude::*;
#[doc(no_inline)]
pub use ko_eval_model::{Embeddings, SentenceEmbedder};
