//! Programs of somebody else that answer in lines: what bridges to analyzers and generators share.
//!
//! A program is started once and kept. It reads a line of UTF-8 from standard input and answers in lines on standard output,
//! **flushed**. Conversations cannot hang: a program that is late, ends, or writes without end is an error that shows what it said
//! to standard error, and it is killed.

mod child;
mod error;
mod pool;
mod program;

pub use child::Child;
pub use error::{BridgeError, Said};
pub use pool::Pool;
pub use program::Program;

/// A text as one line: each of `\t`, `\n` and `\r` is one byte, as is the space that is sent instead.
pub fn line(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\t' | '\n' | '\r') { ' ' } else { c }).collect()
}
