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
mod meta;
#[cfg(unix)]
mod outside;
#[cfg(unix)]
mod readme;
mod sacrebleu;
mod setup;
mod subword;
mod tables;
mod tone;
mod trust;
mod unify;
