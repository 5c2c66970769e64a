//! The public interface: building a data set, scoring, studies, and their pages.

mod browser;
mod build;
mod evaluate;
mod recorded;
mod study;
