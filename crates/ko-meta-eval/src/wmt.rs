//! How the Conference on Machine Translation judges metrics, 2023 to 2025.
//!
//! A [`ScoreTable`] holds people's scores (some may be missing) and those of metrics, for the same systems and items.
//!
//! | question | answer |
//! |---|---|
//! | how well does a metric agree with people? | [`ScoreTable::value`]: a [`Statistic`] over a [`Grouping`] |
//! | which metrics lead, and which cannot be told apart? | [`ScoreTable::standing`]: order, p-values, clusters |
//! | is one better than another? | [`ScoreTable::test`]: PERM-BOTH, or outcomes of pairs for calibrated accuracy |
//! | and over several language pairs, levels, statistics? | [`Averages`] |
//! | from the files of mt-metrics-eval? | [`TestSet`] |
//! | from MQM annotations, ESA and DA of Appraise? | [`mqm`], [`appraise`] |
//!
//! Values, p-values (from the same coins), ranks and averages equal mt-metrics-eval at commit 68a481a, `stats.py`, `pce.py`, `tau_optimization.py`,
//! `data.py` and `tasks.py`; the numbers they are checked with, and the script that made them, lie in `tests/golden`. WMT 2024 and 2025
//! take the mean of soft pairwise accuracy (systems) and calibrated accuracy (segments, by item) over language pairs.
//!
//! ```
//! use ko_meta_eval::wmt::{Averages, Grouping, PermutationTest, ScoreTable, Statistic};
//!
//! // Three systems, four sentences; people, and two metrics.
//! let 사람 = [0.0, -1.0, -1.0, 0.0, -5.0, -1.0, -6.0, -1.0, -10.0, -5.0, -6.0, -11.0];
//! let 자모 = vec![0.9, 0.8, 0.7, 0.9, 0.5, 0.7, 0.4, 0.8, 0.2, 0.5, 0.4, 0.1];
//! let 어절 = vec![0.5, 0.0, 0.3, 0.2, 0.0, 0.3, 0.0, 0.4, 0.0, 0.2, 0.0, 0.0];
//! let table = ScoreTable::new(3, 사람.into_iter().map(Some).collect())?.metric("자모", 자모)?.metric("어절", 어절)?;
//! let test = PermutationTest::default();
//! let soft = table.standing("문장 넷", Statistic::SoftPairwiseAccuracy, Grouping::Global, Some(&test), &())?;
//! let pairs = table.standing("문장 넷", Statistic::CalibratedAccuracy, Grouping::Item, Some(&test), &())?;
//! let mean = Averages::of(&[soft, pairs], None)?;
//! assert_eq!(mean.metrics[0].metric, "자모");
//! # Ok::<(), ko_meta_eval::Error>(())
//! ```

pub mod appraise;
mod average;
mod draws;
mod mixed;
pub mod mqm;
mod numpy;
mod outcomes;
mod permutation;
mod signs;
mod soft;
mod softly;
mod standing;
mod statistic;
mod sums;
mod table;
mod task;
mod test_set;
mod ties;

pub use average::{Averaged, Averages};
pub use draws::{Draws, Seeded};
pub use permutation::{PermutationTest, Tested};
pub use standing::{SIGNIFICANT, Standard, Standing};
pub use statistic::{GroupedValue, Grouping, Statistic};
pub use table::ScoreTable;
pub use task::Task;
pub use test_set::{Scope, Selection, Standards, TestSet};
