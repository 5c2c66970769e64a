//! Golden values, explanations and laws of every metric.

mod explain;
mod golden;
mod laws;
