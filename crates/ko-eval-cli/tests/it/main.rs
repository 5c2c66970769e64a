//! The built command, as users run it.

mod command;
mod common;
mod commongen;
mod compare;
mod determinism;
mod doorstep;
mod explain;
#[cfg(unix)]
mod faults;
#[cfg(unix)]
mod generate;
#[cfg(all(unix, not(feature = "torch")))]
mod handover;
mod input;
#[cfg(feature = "torch")]
mod labels;
mod meta;
#[cfg(feature = "torch")]
mod neural;
#[cfg(unix)]
mod outside;
mod sacrebleu;
mod setup;
#[cfg(feature = "sql")]
mod sql;
mod subword;
mod tables;
mod tone;
mod trust;
mod unify;
