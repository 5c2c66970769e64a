//! BLEU as NLTK computes it: custom weights, and the eight smoothing methods of Chen and Cherry.
//!
//! The paper is BLEU's (see [`crate::bleu`]); Chen and Cherry, *A Systematic Comparison of Smoothing
//! Techniques for Sentence-Level BLEU*, WMT 2014, number the smoothing methods.
//!
//! > BLEU = 100 · BP · exp( Σₙ wₙ ln pₙ )
//!
//! where *pₙ* is a share between 0 and 1. It differs from sacreBLEU's in three ways: a segment too short
//! for an order still adds 1 to that order's denominator, weights are free, and an order without matches
//! is smoothed by one of [`Smoothing`]'s methods. O(units × order).
//!
//! Equals `sentence_bleu` and `corpus_bleu` of NLTK 3.10.4, times 100 like every BLEU here.
//!
//! ```
//! use ko_eval_core::{Scorer, Segment};
//! use ko_ngram_metrics::{NltkBleu, nltk_bleu::Smoothing};
//! use ko_tokenize::Word;
//! use std::sync::Arc;
//!
//! let bleu = NltkBleu::builder()
//!     .weights([0.5, 0.5])
//!     .smoothing(Smoothing::Method1 { epsilon: 0.1 })
//!     .build(Arc::new(Word::new()))?;
//! let score = bleu.segment_score(&Segment::new("나는 밥을 먹었다", ["밥을 나는 먹었다"])?)?;
//! assert!((score.value - 100.0 * (0.1f64 / 2.0).sqrt()).abs() < 1e-9);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```
//!
//! Methods 5 to 7 also look at the n-grams of one segment. Over a corpus NLTK takes those of the *last*
//! segment, whichever that is; [`Context`] says whether to do as NLTK does, or to take the whole corpus's,
//! which does not depend on the order of segments or shards.
//!
//! | input | value |
//! |---|---|
//! | no unigram matches, a text without units | 0; flagged if without units |
//! | method 0, no match in some order | almost 0: its precision counts as 2.2 · 10⁻³⁰⁸ |
//! | method 6, no trigram matches | 0, flagged undefined (NLTK fails) |
//! | method 5 or 7, texts that match well | above 100 is possible, as in NLTK |

mod explain;
mod smoothing;

pub use smoothing::Smoothing;

use crate::{
    Case,
    bleu::{nearest_length, precision_name},
    kernel::{
        empty::Empties,
        ngrams::{self, overlaps},
        order,
        units::Cutter,
    },
    settings::{CASE, ORDER},
};
use ko_eval_core::{
    BuildMetric, Direction, Error, ExactSum, Explanation, Flag, Merging, Metric, MetricEntry,
    Params, Result, Score, Segment, Signature, Signed, Stats, Tokenizer,
    setting::{Choice, Number, Optional, Text, Whole},
};
use serde::{Deserialize, Serialize};
use smoothing::{NEIGHBOUR, SMOOTH, SMOOTH_VALUE};
use std::sync::Arc;

/// The registry row.
pub(crate) const ENTRY: MetricEntry = MetricEntry {
    name: "nltk-bleu",
    summary: "BLEU with custom weights and the smoothing methods of Chen and Cherry",
    reference: "NLTK 3.10.4",
    argument: None,
    params: &[
        WEIGHTS.param(),
        ORDERS.param(),
        // Method 5 takes what stands before the first order for one more than a share, and others follow their value.
        SMOOTH.param().lifting_range(),
        SMOOTH_VALUE.param(),
        CONTEXT.param(),
        CASE.param(),
    ],
    range: (0.0, 100.0),
    variants: &[
        "weights=0.5/0.5",
        "order=2,smooth=method1,smooth-value=0.5",
        "smooth=method5,context=corpus",
        "smooth=method6,context=corpus",
        "smooth=method7,context=corpus,smooth-value=2",
    ],
    build: BuildMetric::OverUnits(|params, tokenizer| {
        let settings = NltkBleu::builder()
            .weights(read_weights(params)?)
            .smoothing(Smoothing::read(params)?)
            .context(params.read(&CONTEXT)?)
            .case(params.read(&CASE)?);
        Ok(Box::new(settings.build(tokenizer)?))
    }),
};

const WEIGHTS: Text = Text::new(
    "weights",
    "numbers with `/` between, such as 0.5/0.5",
    "0.25/0.25/0.25/0.25",
    "the weight of each order, from unigrams on",
);

const WEIGHT: Number = Number::new("weights", 0.25, 0.0, 1000.0, "the weight of an order");

const ORDERS: Optional<Whole> = ORDER.optional("as many as weights");

const CONTEXT: Choice<Context> = Choice::new(
    "context",
    &[("last", Context::LastSegment), ("corpus", Context::Corpus)],
    "what methods 5 to 7 look at in a corpus: the last segment (as NLTK), or the corpus",
);

fn read_weights(params: &Params) -> Result<Vec<f64>> {
    let order = params.read(&ORDERS)?;
    let Some(text) = params.read(&WEIGHTS)? else {
        let order = order.unwrap_or(ORDER.default);
        return Ok(vec![1.0 / order as f64; order]);
    };
    let weight = |part: &str| part.trim().parse();
    let weights: Vec<f64> = text
        .split('/')
        .map(weight)
        .collect::<Result<_, _>>()
        .map_err(|_| params.invalid(WEIGHTS.param().name, WEIGHTS.param().expected()))?;
    match order {
        Some(order) if order != weights.len() => {
            let expected = format!("{} as there are weights, or no weights", weights.len());
            Err(params.invalid("order", expected))
        }
        _ => Ok(weights),
    }
}

/// Whose n-grams methods 5 to 7 look at in a corpus.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Context {
    /// The last segment's, as NLTK. The score then depends on which segment is last.
    #[default]
    LastSegment,
    /// All segments'.
    Corpus,
}

/// NLTK's BLEU over any units.
///
/// ```
/// use ko_ngram_metrics::prelude::*;
/// use ko_tokenize::Character;
/// use std::sync::Arc;
///
/// let metric = NltkBleu::new(Arc::new(Character::new()));
/// let score = metric.segment_score(&Segment::new("나는 밥을 먹었다.", ["나는 밥을 먹었어요."])?)?;
/// assert_eq!(format!("{score:.2}"), "62.40");
/// # Ok::<(), ko_ngram_metrics::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct NltkBleu {
    cutter: Cutter,
    settings: NltkBleuSettings,
}

/// Settings of [`NltkBleu`], checked in [`NltkBleuSettings::build`].
#[derive(Debug, Clone, PartialEq)]
pub struct NltkBleuSettings {
    weights: Vec<f64>,
    smoothing: Smoothing,
    context: Context,
    case: Case,
}

impl Default for NltkBleuSettings {
    fn default() -> Self {
        Self {
            weights: vec![WEIGHT.default; ORDER.default],
            smoothing: SMOOTH.default,
            context: CONTEXT.default,
            case: CASE.default,
        }
    }
}

impl NltkBleuSettings {
    /// The weight of each order, from unigrams on; four times 0.25 by default.
    #[must_use]
    pub fn weights(self, weights: impl Into<Vec<f64>>) -> Self {
        Self { weights: weights.into(), ..self }
    }

    /// What becomes of the precisions.
    #[must_use]
    pub fn smoothing(self, smoothing: Smoothing) -> Self {
        Self { smoothing, ..self }
    }

    /// Whose n-grams methods 5 to 7 look at in a corpus.
    #[must_use]
    pub fn context(self, context: Context) -> Self {
        Self { context, ..self }
    }

    /// Whether upper and lower case differ.
    #[must_use]
    pub fn case(self, case: Case) -> Self {
        Self { case, ..self }
    }

    /// The metric.
    ///
    /// # Errors
    /// [`Error::InvalidParameter`]: no weights, or over 1,000; a weight that is negative or over 1,000;
    /// method 6 with fewer than three weights; a smoothing value that is not above 0, or over 1,000,000.
    pub fn build(self, tokenizer: Arc<dyn Tokenizer>) -> Result<NltkBleu> {
        let owner = ENTRY.name;
        ORDER.check(owner, self.weights.len())?;
        for &weight in &self.weights {
            WEIGHT.check(owner, weight)?;
        }
        if let Some(value) = self.smoothing.value() {
            SMOOTH_VALUE.inner().check(owner, value)?;
        }
        if matches!(self.smoothing, Smoothing::Method6 { .. }) && self.weights.len() < 3 {
            let expected = "at least three weights for method 6";
            return Err(Error::invalid(owner, "weights", self.weights.len(), expected));
        }
        Ok(NltkBleu { cutter: Cutter::new(tokenizer, self.case), settings: self })
    }
}

impl NltkBleu {
    /// Four orders of the same weight, without smoothing: NLTK's defaults.
    pub fn new(tokenizer: Arc<dyn Tokenizer>) -> Self {
        Self { cutter: Cutter::new(tokenizer, CASE.default), settings: NltkBleuSettings::default() }
    }

    /// Other settings.
    pub fn builder() -> NltkBleuSettings {
        NltkBleuSettings::default()
    }

    fn order(&self) -> usize {
        self.settings.weights.len()
    }

    /// The longest n-grams that are counted, whether they are weighted or only looked at.
    fn counted_order(&self) -> usize {
        match self.settings.smoothing.has_context() {
            true => self.order().max(NEIGHBOUR),
            false => self.order(),
        }
    }

    fn figures(&self, stats: &NltkBleuStats) -> Figures {
        let brevity_penalty = match (stats.hypothesis, stats.reference) {
            (h, r) if h > r => 1.0,
            (0, _) => 0.0,
            (h, r) => (1.0 - r as f64 / h as f64).exp(),
        };
        let zero =
            Figures { value: 0.0, precisions: Vec::new(), brevity_penalty, undefined: false };
        if stats.sum.matches.first().is_none_or(|&n| n == 0) {
            return zero;
        }
        let Some(precisions) = self.smoothed(stats) else {
            return Figures { undefined: true, ..zero };
        };
        let mut logs = ExactSum::default();
        let weighted = self.settings.weights.iter().zip(&precisions).filter(|(_, p)| **p > 0.0);
        weighted.for_each(|(weight, precision)| logs.add(weight * precision.ln()));
        // Weights that sum to far more than 1 can take a precision above 1 beyond all bounds; a penalty of 0
        // stays 0.
        let product = logs.value().exp().min(f64::MAX);
        let value = (100.0 * brevity_penalty * product).min(f64::MAX);
        Figures { value, precisions, ..zero }
    }
}

/// A score and what it is made of.
struct Figures {
    value: f64,
    precisions: Vec<f64>,
    brevity_penalty: f64,
    undefined: bool,
}

/// What NLTK's BLEU counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NltkBleuStats {
    segments: u64,
    hypothesis: u64,
    reference: u64,
    sum: Counts,
    /// The last segment's counts, where the smoothing looks at them.
    last: Counts,
    empties: Empties,
}

/// Counts by order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counts {
    matches: Vec<u64>,
    totals: Vec<u64>,
    /// As `totals`, but at least 1 for every segment.
    denominators: Vec<u64>,
}

impl Stats for NltkBleuStats {
    fn merge(&mut self, other: &Self) {
        if other.segments > 0 {
            self.last.clone_from(&other.last);
        }
        self.segments = self.segments.saturating_add(other.segments);
        self.hypothesis = self.hypothesis.saturating_add(other.hypothesis);
        self.reference = self.reference.saturating_add(other.reference);
        order::add(&mut self.sum.matches, &other.sum.matches);
        order::add(&mut self.sum.totals, &other.sum.totals);
        order::add(&mut self.sum.denominators, &other.sum.denominators);
        self.empties.merge(other.empties);
    }

    fn check(&self) -> Result<(), String> {
        let Counts { matches, totals, denominators } = &self.sum;
        order::check(matches, totals)?;
        order::check(totals, denominators)?;
        order::check(&self.last.matches, &self.last.totals)?;
        order::check(&self.last.totals, &self.last.denominators)
    }

    fn known_segments(&self) -> Option<u64> {
        Some(self.segments)
    }

    fn to_numbers(&self) -> Option<Vec<f64>> {
        if self.last != Counts::default() {
            return None;
        }
        let lengths = [self.segments, self.hypothesis, self.reference].map(|n| n as f64);
        let Counts { matches, totals, denominators } = &self.sum;
        let counts =
            [matches, totals, denominators].into_iter().flat_map(|all| order::numbers(all));
        Some(self.empties.numbers().into_iter().chain(lengths).chain(counts).collect())
    }

    fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let (&[hypotheses, references, segments, hypothesis, reference], counts) =
            numbers.split_first_chunk()?;
        let mut counts = counts.chunks((counts.len() / 3).max(1)).map(order::counts);
        let mut next = || counts.next().unwrap_or_default();
        Some(Self {
            segments: segments as u64,
            hypothesis: hypothesis as u64,
            reference: reference as u64,
            sum: Counts { matches: next(), totals: next(), denominators: next() },
            last: Counts::default(),
            empties: Empties::from_numbers([hypotheses, references]),
        })
    }
}

impl Signed for NltkBleu {
    fn signature(&self) -> Signature {
        let weights: Vec<_> = self.settings.weights.iter().map(f64::to_string).collect();
        let smoothing = self.settings.smoothing;
        let method = match smoothing.value() {
            Some(value) => format!("method{}[{value}]", smoothing.number()),
            None => format!("method{}", smoothing.number()),
        };
        let signature = match self.settings.context {
            Context::Corpus if smoothing.has_context() => {
                Signature::new("NLTK-BLEU").with("context", "corpus")
            }
            _ => Signature::new("NLTK-BLEU"),
        };
        let signature = self.cutter.sign_lower_case(signature);
        self.cutter.sign(signature.with("smooth", method).with("weights", weights.join("/")))
    }
}

impl Metric for NltkBleu {
    type Stats = NltkBleuStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn merging(&self) -> Merging {
        match self.settings.context {
            Context::LastSegment if self.settings.smoothing.has_context() => Merging::InOrder,
            _ => Merging::AnyOrder,
        }
    }

    fn check(&self, stats: &NltkBleuStats, segments: usize) -> Result<(), String> {
        stats.check()?;
        stats.empties.check(segments)?;
        let orders = self.counted_order();
        order::check_totals(&stats.sum.totals, stats.hypothesis, orders, segments)?;
        // Each segment without n-grams of an order adds 1 to its denominator.
        let Counts { totals, denominators, .. } = &stats.sum;
        let odd = |(total, all): (&u64, &u64)| all - total > segments as u64;
        match totals.iter().zip(denominators).any(odd) {
            true => Err("denominators that these n-grams cannot have".into()),
            false => Ok(()),
        }
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<NltkBleuStats> {
        let is_last = self.merging() == Merging::InOrder;
        let order = self.counted_order();
        self.cutter.units(segment, |units| {
            let length = units.hypothesis().len();
            let totals: Vec<u64> = (1..=order).map(|n| ngrams::total(length, n)).collect();
            let denominators = totals.iter().map(|&n| n.max(1)).collect();
            let sum = Counts { matches: overlaps(units, order).clipped(), totals, denominators };
            NltkBleuStats {
                segments: 1,
                hypothesis: length as u64,
                reference: nearest_length(units),
                last: if is_last { sum.clone() } else { Counts::default() },
                sum,
                empties: Empties::of(length, units.references().map(<[u32]>::len)),
            }
        })
    }

    fn score(&self, stats: &NltkBleuStats) -> Score {
        let figures = self.figures(stats);
        let mut score = Score::new(figures.value);
        for (n, precision) in (1..).zip(figures.precisions) {
            score = score.with(precision_name(n), precision);
        }
        let score = score
            .with("brevity-penalty", figures.brevity_penalty)
            .with("hypothesis-length", stats.hypothesis as f64)
            .with("reference-length", stats.reference as f64)
            .flag_if(figures.undefined, Flag::Undefined);
        stats.empties.flag(score)
    }

    fn value(&self, stats: &NltkBleuStats) -> f64 {
        self.figures(stats).value
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        self.explained(segment)
    }
}
