//! Any metric over any unit, each made once, and texts of bounded length.

use arbitrary::{Arbitrary, Result, Unstructured};
use ko_eval_core::{MetricEntry, Scorer, Spec, Token, Tokenizer};
use ko_ngram_metrics::METRICS;
use std::{
    ops::RangeInclusive,
    sync::{Arc, LazyLock},
};

const UNITS: [&str; 3] = ["word", "char", "jamo"];

/// A row of the table of metrics in one of its variants, over a unit.
#[derive(Debug)]
pub struct Any {
    /// The row.
    pub row: &'static MetricEntry,
    /// The metric.
    pub metric: Box<dyn Scorer>,
    /// The scores that it can have.
    pub range: RangeInclusive<f64>,
    /// Whether the row is as it comes.
    pub is_default: bool,
    unit: Arc<dyn Tokenizer>,
}

/// All there are, by row, variant and unit.
static ALL: LazyLock<Vec<Vec<[Any; UNITS.len()]>>> = LazyLock::new(|| {
    let variants = |row: &'static MetricEntry| {
        let over = |spec: &str, unit: &str| {
            let unit = ko_tokenize::by_name(unit).expect("a unit of the table");
            let metric = ko_ngram_metrics::by_name(spec, unit.clone()).expect("a row of the table");
            let range = row.range_under(&spec.parse::<Spec>().expect("one of the row's").params);
            Any { row, metric, range, is_default: spec == row.name, unit }
        };
        row.specs().iter().map(|spec| UNITS.map(|unit| over(spec, unit))).collect()
    };
    METRICS.iter().map(variants).collect()
});

impl<'a> Arbitrary<'a> for &'static Any {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let variants = u.choose(&ALL)?;
        let units = u.choose(variants)?;
        u.choose(units)
    }
}

impl Any {
    /// The units of a text.
    pub fn units<'t>(&self, text: &'t str) -> Vec<Token<'t>> {
        self.unit.tokenize(text).expect("a short text")
    }
}

/// The most characters of a text: an input is bounded work, whatever the fuzzer tries.
const MOST_CHARACTERS: usize = 300;

/// The beginning of a text that is not too long.
pub fn bounded(text: &str) -> &str {
    let end = text.char_indices().nth(MOST_CHARACTERS).map_or(text.len(), |(at, _)| at);
    &text[..end]
}
