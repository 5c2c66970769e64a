//! Grammar, speech levels and their metrics from outside.

mod grammar;
mod metrics;
mod register;
