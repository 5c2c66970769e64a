//! What holds for every row of the joined tables.

mod errors;
#[cfg(all(feature = "tokenize", feature = "ngram"))]
mod registries;
#[cfg(all(feature = "tokenize", feature = "ngram"))]
mod tampered;
