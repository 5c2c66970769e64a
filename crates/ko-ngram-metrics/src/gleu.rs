//! GLEU: the smaller of n-gram precision and recall, made for single sentences.
//!
//! Wu and others, *Google's Neural Machine Translation System*, arXiv 1609.08144, 2016.
//!
//! > GLEU = matches / max(n-grams of the hypothesis, n-grams of the reference)
//!
//! over the n-grams of all orders together, 1 to 4. Of several references the one with the greatest
//! share counts; over a corpus both counts are summed first. O(units × order).
//!
//! Equals `sentence_gleu` and `corpus_gleu` of NLTK 3.10.4. Values lie between 0 and 1.
//!
//! ```
//! use ko_eval_core::{Scorer, Segment};
//! use ko_ngram_metrics::Gleu;
//! use ko_tokenize::Word;
//! use std::sync::Arc;
//!
//! let gleu = Gleu::new(Arc::new(Word::new()));
//! let score = gleu.segment_score(&Segment::new("비가 많이 온다", ["비가 많이 내린다"])?)?;
//! assert_eq!(score.value, 3.0 / 6.0); // two unigrams and a bigram, of six
//! # Ok::<(), ko_eval_core::Error>(())
//! ```
//!
//! | input | value |
//! |---|---|
//! | a text without units | 0, flagged |
//! | no n-grams at all (both texts too short) | 0, as NLTK |

mod explain;

use crate::{
    Case,
    kernel::{
        empty::Empties,
        ngrams::{self, overlaps},
        order,
        units::{Cutter, Units},
    },
    settings::{CASE, ORDER},
};
use ko_eval_core::{
    BuildMetric, Direction, Error, Explanation, Metric, MetricEntry, Result, Score, Segment,
    Signature, Signed, Stats, Tokenizer, setting::Whole,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The registry row.
pub(crate) const ENTRY: MetricEntry = MetricEntry {
    name: "gleu",
    summary: "the smaller of n-gram precision and recall over all orders together",
    reference: "NLTK 3.10.4",
    argument: None,
    params: &[ORDER.param(), MIN_ORDER.param(), CASE.param()],
    range: (0.0, 1.0),
    variants: &["min-order=3,order=6"],
    build: BuildMetric::OverUnits(|params, tokenizer| {
        let settings = Gleu::builder()
            .order(params.read(&ORDER)?)
            .min_order(params.read(&MIN_ORDER)?)
            .case(params.read(&CASE)?);
        Ok(Box::new(settings.build(tokenizer)?))
    }),
};

const MIN_ORDER: Whole = Whole::new("min-order", 1, 1, 1000, "the shortest n-grams that count");

/// GLEU over any units.
///
/// ```
/// use ko_ngram_metrics::prelude::*;
/// use ko_tokenize::Character;
/// use std::sync::Arc;
///
/// let metric = Gleu::new(Arc::new(Character::new()));
/// let score = metric.segment_score(&Segment::new("나는 밥을 먹었다.", ["나는 밥을 먹었어요."])?)?;
/// assert_eq!(format!("{score:.3}"), "0.633");
/// # Ok::<(), ko_ngram_metrics::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Gleu {
    cutter: Cutter,
    settings: GleuSettings,
}

/// Settings of [`Gleu`], checked in [`GleuSettings::build`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GleuSettings {
    min_order: usize,
    order: usize,
    case: Case,
}

impl Default for GleuSettings {
    fn default() -> Self {
        Self { min_order: MIN_ORDER.default, order: ORDER.default, case: CASE.default }
    }
}

impl GleuSettings {
    /// The longest n-grams that count; 4 by default.
    #[must_use]
    pub fn order(self, order: usize) -> Self {
        Self { order, ..self }
    }

    /// The shortest n-grams that count; 1 by default.
    #[must_use]
    pub fn min_order(self, min_order: usize) -> Self {
        Self { min_order, ..self }
    }

    /// Whether upper and lower case differ.
    #[must_use]
    pub fn case(self, case: Case) -> Self {
        Self { case, ..self }
    }

    /// The metric.
    ///
    /// # Errors
    /// [`Error::InvalidParameter`]: an order of 0 or over 1,000, a shortest order above the longest.
    pub fn build(self, tokenizer: Arc<dyn Tokenizer>) -> Result<Gleu> {
        ORDER.check(ENTRY.name, self.order)?;
        if !(1..=self.order).contains(&self.min_order) {
            let expected = format!("a whole number from 1 to the order, {}", self.order);
            return Err(Error::invalid(ENTRY.name, "min-order", self.min_order, expected));
        }
        Ok(Gleu { cutter: Cutter::new(tokenizer, self.case), settings: self })
    }
}

impl Gleu {
    /// GLEU over n-grams of one to four units.
    pub fn new(tokenizer: Arc<dyn Tokenizer>) -> Self {
        Self { cutter: Cutter::new(tokenizer, CASE.default), settings: GleuSettings::default() }
    }

    /// Other settings.
    pub fn builder() -> GleuSettings {
        GleuSettings::default()
    }
}

/// What GLEU counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GleuStats {
    matches: u64,
    all: u64,
    empties: Empties,
}

impl Stats for GleuStats {
    fn merge(&mut self, other: &Self) {
        self.matches = self.matches.saturating_add(other.matches);
        self.all = self.all.saturating_add(other.all);
        self.empties.merge(other.empties);
    }

    fn check(&self) -> Result<(), String> {
        order::check(&[self.matches], &[self.all])
    }

    fn to_numbers(&self) -> Option<Vec<f64>> {
        let counts = [self.matches, self.all].map(|n| n as f64);
        Some(self.empties.numbers().into_iter().chain(counts).collect())
    }

    fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let &[hypotheses, references, matches, all] = numbers else { return None };
        let empties = Empties::from_numbers([hypotheses, references]);
        Some(Self { matches: matches as u64, all: all as u64, empties })
    }
}

impl Signed for Gleu {
    fn signature(&self) -> Signature {
        let GleuSettings { min_order, order, .. } = self.settings;
        let signature = self.cutter.sign_lower_case(Signature::new("GLEU"));
        let signature = match min_order {
            1 => signature,
            _ => signature.with("min-order", min_order),
        };
        self.cutter.sign(signature.with("order", order))
    }
}

impl Metric for Gleu {
    type Stats = GleuStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn check(&self, stats: &GleuStats, segments: usize) -> Result<(), String> {
        stats.check()?;
        stats.empties.check(segments)
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<GleuStats> {
        self.cutter.units(segment, |units| {
            let shares = self.shares(units);
            stats_of(units, best(&shares).and_then(|best| shares.get(best)))
        })
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        self.explained(segment)
    }

    fn score(&self, stats: &GleuStats) -> Score {
        let value = match stats.all {
            0 => 0.0,
            all => stats.matches as f64 / all as f64,
        };
        stats.empties.flag(Score::new(value))
    }
}

impl Gleu {
    /// What each reference shares with the hypothesis.
    fn shares(&self, units: &Units) -> Vec<Share> {
        let GleuSettings { min_order, order, .. } = self.settings;
        let ngrams = |length| (min_order..=order).map(|n| ngrams::total(length, n)).sum::<u64>();
        let hypothesis = ngrams(units.hypothesis().len());
        let found = overlaps(units, order);
        let share = |(number, length)| {
            let matches = found.with_reference(number).iter().skip(min_order - 1).sum();
            Share { matches, hypothesis, reference: ngrams(length) }
        };
        units.references().map(<[u32]>::len).enumerate().map(share).collect()
    }
}

/// What a reference shares with the hypothesis.
#[derive(Debug, Clone, Copy, Default)]
struct Share {
    matches: u64,
    hypothesis: u64,
    reference: u64,
}

impl Share {
    fn all(self) -> u64 {
        self.hypothesis.max(self.reference)
    }

    fn value(self) -> f64 {
        self.matches as f64 / self.all().max(1) as f64
    }
}

/// The first of the greatest shares; one of nothing is none.
fn best(shares: &[Share]) -> Option<usize> {
    let mut best = None;
    let mut greatest = -1.0;
    for (number, share) in shares.iter().enumerate().filter(|(_, share)| share.all() > 0) {
        if share.value() > greatest {
            (best, greatest) = (Some(number), share.value());
        }
    }
    best
}

/// The statistics of a segment's units: those of the best reference.
fn stats_of(units: &Units, best: Option<&Share>) -> GleuStats {
    let lengths = units.references().map(<[u32]>::len);
    let empties = Empties::of(units.hypothesis().len(), lengths);
    let (matches, all) = best.map_or((0, 0), |share| (share.matches, share.all()));
    GleuStats { matches, all, empties }
}
