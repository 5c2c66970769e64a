//! What stands in the registry for schemes that are not compiled in.

use crate::{Morpheme, MorphemeAnalyzer};
use ko_eval_core::{Error, Result, Signature, Signed, Token, Tokenizer};

/// A scheme that cannot be built: it has no value.
#[derive(Debug)]
pub(crate) enum Scheme {}

/// Why it cannot.
pub(crate) fn error(what: &str, feature: &str) -> Error {
    Error::Missing {
        what: what.into(),
        how_to_get_it: format!("build ko-tokenize with the cargo feature `{feature}`"),
    }
}

impl Signed for Scheme {
    fn signature(&self) -> Signature {
        match *self {}
    }
}

impl Tokenizer for Scheme {
    fn tokenize<'t>(&self, _: &'t str) -> Result<Vec<Token<'t>>> {
        match *self {}
    }
}

impl MorphemeAnalyzer for Scheme {
    fn analyze<'t>(&self, _: &'t str) -> Result<Vec<Morpheme<'t>>> {
        match *self {}
    }
}
