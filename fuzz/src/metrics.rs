//! What the fuzz targets share: any metric over any unit, and texts of bounded length.

use arbitrary::{Arbitrary, Result, Unstructured};
use ko_eval_core::{MetricEntry, Scorer, Token, Tokenizer};
use ko_ngram_metrics::METRICS;
use std::sync::Arc;

const UNITS: [&str; 3] = ["word", "char", "jamo"];

/// A row of the table of metrics in one of its variants, and a unit.
#[derive(Debug, Clone)]
pub struct Any {
    /// The row.
    pub row: &'static MetricEntry,
    spec: String,
    unit: &'static str,
}

impl<'a> Arbitrary<'a> for Any {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let row = u.choose(METRICS)?;
        Ok(Self { row, spec: u.choose(&row.specs())?.clone(), unit: u.choose(&UNITS)? })
    }
}

impl Any {
    /// The unit.
    pub fn unit(&self) -> Arc<dyn Tokenizer> {
        ko_tokenize::by_name(self.unit).expect("a unit of the table")
    }

    /// Whether the row is as it comes.
    pub fn is_default(&self) -> bool {
        self.spec == self.row.name
    }

    /// The metric.
    pub fn metric(&self) -> Box<dyn Scorer> {
        ko_ngram_metrics::by_name(&self.spec, self.unit()).expect("a row of the table")
    }
}

/// The most characters of a text: an input is bounded work, whatever the fuzzer tries.
const MOST_CHARACTERS: usize = 300;

/// The beginning of a text that is not too long.
pub fn bounded(text: &str) -> &str {
    let end = text.char_indices().nth(MOST_CHARACTERS).map_or(text.len(), |(at, _)| at);
    &text[..end]
}

/// The units of a text.
pub fn units(any: &Any, text: &str) -> Vec<Token<'static>> {
    let tokens = any.unit().tokenize(text).expect("a short text");
    tokens.into_iter().map(Token::into_owned).collect()
}
