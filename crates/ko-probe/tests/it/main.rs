//! Tasks, readers, experiments and their reports from outside.

mod browser;
mod experiment;
mod sejong;
mod tasks;
