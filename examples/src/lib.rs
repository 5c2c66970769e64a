//! Short programs a newcomer copies from: see the folder `examples`.

/// The Rust of the READMEs runs as it stands there.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[doc = include_str!("../../README.ko.md")]
pub struct Readme;
