//! The public interface: comparing systems, and the page of a comparison.

mod browser;
mod comparison;
