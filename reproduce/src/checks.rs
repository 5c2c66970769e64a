//! The checks that train nothing.

pub(crate) mod analyzers;
pub(crate) mod commongen;
pub(crate) mod ngram;
pub(crate) mod paraphrases;
pub(crate) mod probe;
pub(crate) mod register;
pub(crate) mod translations;
pub(crate) mod units;
