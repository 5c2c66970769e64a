//! Golden values of the statistics, and experiments and their reports from outside.

mod browser;
mod campaign;
mod coins;
mod experiment;
mod golden;
mod golden_wmt;
mod golden_wmt_files;
mod overlap;
