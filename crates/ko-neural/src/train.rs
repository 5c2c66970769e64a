//! Training: one small loop, and a file per task that says only its loss.

mod adamw;
mod checkpoint;
mod csl;
mod fic;
mod fwa;
mod generator;
mod learner;
mod losses;
mod options;
mod order;
mod pairs;
mod pearson;
mod sbert;
mod schedule;
mod stage;
mod sts;
mod summarizer;
mod supervised;
mod trainer;
mod triplet;

pub use csl::{TonePair, train_csl};
pub use fic::train_fic;
pub use fwa::{FwaSettings, train_fwa};
pub use generator::{GeneratorSettings, Shape, Start, TextPair, train_generator};
pub use options::{TrainingBuilder, TrainingSettings};
pub use sbert::{train_sbert_nli, train_sbert_sts};
pub use schedule::Pace;
pub use stage::{Stage, train_sbert};
pub use sts::train_sts;
pub use summarizer::{SummarizerSettings, train_summarizer};
pub use trainer::TrainingReport;
pub use triplet::{SummaryItem, train_rdass};
