//! Runs over time: kept with the statistics of each segment, shown as trends, tested for drops.
//!
//! A [`Run`] is a file of its own in a folder. It holds statistics and signatures, no text and no path; reading it opens nothing
//! and starts nothing that it names, because metrics are rebuilt from their signatures alone.
//!
//! Whether a score dropped is decided by the paired bootstrap test where both runs measured the same segments (their references and
//! sources have the same checksums, in the same order). Where the test set changed, the segments of the two runs are drawn
//! independently; that test finds less. Scores that came about differently are never compared: [`Error::Mixed`](crate::Error::Mixed) names what
//! differs.
//!
//! ```
//! use ko_compare::history::{Date, RunName};
//!
//! assert!("2026-11-17".parse::<Date>().is_ok() && "17.11.2026".parse::<Date>().is_err());
//! assert!("build-17".parse::<RunName>().is_ok() && "../build".parse::<RunName>().is_err());
//! ```

mod chart;
mod name;
mod run;
mod store;
mod trend;

pub use chart::{chart, page};
pub use name::{Date, RunName};
pub use run::{Run, SavedScore, SavedSystem};
pub use store::History;
pub use trend::{Change, Point, Trend, Trends};
