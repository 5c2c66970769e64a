//! ROUGE: what of the reference is found again, by n-grams or by the longest common subsequence.
//!
//! Lin, *ROUGE: A Package for Automatic Evaluation of Summaries*, 2004.
//!
//! > P = shared / units of the hypothesis,  R = shared / units of the reference,  F = 2PR / (P + R)
//!
//! - ROUGE-N: *shared* are n-grams, each counted at most as often as in the other text. O(units).
//! - ROUGE-L: *shared* is the length of the longest common subsequence. O(n · m / 64); over [`MOST_CELLS`] pairs of units, a
//!   million units on either side, it is an error.
//! - ROUGE-Lsum: each line is a sentence; *shared* are the units of a reference sentence that lie on its
//!   longest common subsequence with *any* sentence of the hypothesis, none counted more often than it occurs.
//!
//! Of several references the one with the greatest F counts; a corpus has the mean of its segments.
//!
//! Equals rouge-score 0.1.2 without stemmer on the same units. That package's own tokenizer drops everything
//! but Latin letters and digits, so two identical Korean sentences score 0 with it; here units come from
//! a [`Tokenizer`], and Hangul stays.
//!
//! ```
//! use ko_eval_core::{Scorer, Segment};
//! use ko_ngram_metrics::{Rouge, rouge::Variant};
//! use ko_tokenize::Word;
//! use std::sync::Arc;
//!
//! let rouge = Rouge::new(Variant::Lcs, Arc::new(Word::new()));
//! let score = rouge.segment_score(&Segment::new("비가 온다 또 온다", ["오늘 비가 또 온다"])?)?;
//! assert_eq!(score.value, 0.75);
//! assert_eq!(score.detail("recall"), Some(0.75));
//! # Ok::<(), ko_eval_core::Error>(())
//! ```
//!
//! | input | value |
//! |---|---|
//! | a text without units | 0, flagged |
//! | a text shorter than N | 0 |

#![allow(
    clippy::indexing_slicing,
    reason = "counts are as many as kinds of units; places are places of the sentence"
)]

mod explain;

use crate::{
    Case,
    kernel::{
        lcs,
        ngrams::{self, shared_pairs, shared_units},
        units::{Cutter, Units},
    },
    settings::CASE,
};
use ko_eval_core::{
    BuildMetric, Direction, Error, Explanation, MeanStats, Metric, MetricEntry, Param, Params,
    Result, Score, Scorer, Segment, Signature, Signed, Stats, Tokenizer, Vocabulary,
    setting::Choice,
};
use serde::{Deserialize, Serialize};
use std::{cell::RefCell, sync::Arc};

const PARAMS: &[Param] = &[SCORE.param(), CASE.param()];

const SCORE: Choice<Measure> = Choice::new(
    "score",
    &[("f", Measure::F), ("p", Measure::Precision), ("r", Measure::Recall)],
    "which figure is the value: F, precision or recall",
);

/// The most pairs of units, one of the hypothesis and one of a reference, that a longest common subsequence is looked for in.
pub const MOST_CELLS: usize = 1 << 40;

/// The registry row of ROUGE-1.
pub(crate) const ROUGE_1: MetricEntry =
    row("rouge-1", "shared units: precision, recall, F", |params, tokenizer| {
        build(Variant::Unigrams, params, tokenizer)
    });

/// The registry row of ROUGE-2.
pub(crate) const ROUGE_2: MetricEntry =
    row("rouge-2", "shared pairs of units: precision, recall, F", |params, tokenizer| {
        build(Variant::Bigrams, params, tokenizer)
    });

/// The registry row of ROUGE-L.
pub(crate) const ROUGE_L: MetricEntry =
    row("rouge-l", "longest common subsequence: precision, recall, F", |params, tokenizer| {
        build(Variant::Lcs, params, tokenizer)
    });

/// The registry row of ROUGE-Lsum.
pub(crate) const ROUGE_LSUM: MetricEntry = row(
    "rouge-lsum",
    "longest common subsequences of sentences, one a line: precision, recall, F",
    |params, tokenizer| build(Variant::LcsSummary, params, tokenizer),
);

/// How a row builds its metric.
type Build = fn(&Params, Arc<dyn Tokenizer>) -> Result<Box<dyn Scorer>>;

const fn row(name: &'static str, summary: &'static str, build: Build) -> MetricEntry {
    MetricEntry {
        name,
        summary,
        reference: "rouge-score 0.1.2",
        argument: None,
        params: PARAMS,
        range: (0.0, 1.0),
        variants: &["score=r,case=lower"],
        build: BuildMetric::OverUnits(build),
    }
}

fn build(
    variant: Variant,
    params: &Params,
    tokenizer: Arc<dyn Tokenizer>,
) -> Result<Box<dyn Scorer>> {
    let settings = Rouge::builder(variant).measure(params.read(&SCORE)?).case(params.read(&CASE)?);
    Ok(Box::new(settings.build(tokenizer)?))
}

/// What the texts may share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Units: ROUGE-1.
    Unigrams,
    /// Pairs of units: ROUGE-2.
    Bigrams,
    /// A longest common subsequence: ROUGE-L.
    Lcs,
    /// Longest common subsequences of sentences, one a line: ROUGE-Lsum.
    LcsSummary,
}

/// Which figure is the score's value; the others are among its details.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Measure {
    /// The harmonic mean of the two others.
    #[default]
    F,
    /// How much of the hypothesis is in the reference.
    Precision,
    /// How much of the reference is in the hypothesis.
    Recall,
}

/// ROUGE over any units.
///
/// ```
/// use ko_ngram_metrics::prelude::*;
/// use ko_ngram_metrics::rouge::Variant;
/// use ko_tokenize::Character;
/// use std::sync::Arc;
///
/// let metric = Rouge::new(Variant::Lcs, Arc::new(Character::new()));
/// let score = metric.segment_score(&Segment::new("나는 밥을 먹었다.", ["나는 밥을 먹었어요."])?)?;
/// assert_eq!(format!("{score:.3}"), "0.824");
/// # Ok::<(), ko_ngram_metrics::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Rouge {
    cutter: Cutter,
    settings: RougeSettings,
}

/// Settings of [`Rouge`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RougeSettings {
    variant: Variant,
    measure: Measure,
    case: Case,
}

impl RougeSettings {
    /// Which figure is the score's value; the F-score by default.
    #[must_use]
    pub fn measure(self, measure: Measure) -> Self {
        Self { measure, ..self }
    }

    /// Whether upper and lower case differ.
    #[must_use]
    pub fn case(self, case: Case) -> Self {
        Self { case, ..self }
    }

    /// The metric.
    ///
    /// # Errors
    /// None today: every setting makes sense.
    pub fn build(self, tokenizer: Arc<dyn Tokenizer>) -> Result<Rouge> {
        Ok(Rouge { cutter: Cutter::new(tokenizer, self.case), settings: self })
    }
}

impl Rouge {
    /// The F-score of a variant.
    pub fn new(variant: Variant, tokenizer: Arc<dyn Tokenizer>) -> Self {
        let settings = Self::builder(variant);
        Self { cutter: Cutter::new(tokenizer, settings.case), settings }
    }

    /// Other settings.
    pub fn builder(variant: Variant) -> RougeSettings {
        RougeSettings { variant, measure: SCORE.default, case: CASE.default }
    }

    /// The figures of each reference. `lines` has the lengths of the hypothesis's sentences, and of each
    /// reference's, for ROUGE-Lsum.
    fn figures(&self, units: &Units, lines: &[Vec<usize>]) -> Result<Vec<Figures>> {
        let (hypothesis, kinds) = (units.hypothesis(), units.kinds());
        let mut sentences = lines.iter().skip(1);
        let of_reference = |reference: &[u32]| {
            let unigrams = [hypothesis.len(), reference.len()].map(|length| length as u64);
            let bigrams = || [hypothesis, reference].map(|text| ngrams::total(text.len(), 2));
            let cells = hypothesis.len().saturating_mul(reference.len());
            let is_quadratic = matches!(self.settings.variant, Variant::Lcs | Variant::LcsSummary);
            if is_quadratic && cells > MOST_CELLS {
                let (what, unit) = ("ROUGE-L".to_owned(), "pairs of units");
                return Err(Error::TooLong { what, len: cells, unit, limit: MOST_CELLS });
            }
            let (shared, totals) = match self.settings.variant {
                Variant::Unigrams => (shared_units(hypothesis, reference, kinds), unigrams),
                Variant::Bigrams => (shared_pairs(hypothesis, reference, kinds), bigrams()),
                Variant::Lcs => (lcs::length(reference, hypothesis, kinds) as u64, unigrams),
                Variant::LcsSummary => {
                    let own = split(hypothesis, lines.first());
                    let theirs = split(reference, sentences.next());
                    (union_lcs(&own, &theirs, kinds), unigrams)
                }
            };
            Ok(Figures::of(shared, totals))
        };
        units.references().map(of_reference).collect()
    }

    /// The statistics of a segment whose texts are cut line by line.
    fn stats_of_lines(&self, segment: &Segment<'_>) -> Result<RougeStats> {
        let lines = RefCell::new(Vec::new());
        let number = |text: &str, vocabulary: &mut Vocabulary| {
            let mut lengths = Vec::new();
            for line in self::lines(text) {
                let before = vocabulary.len();
                self.cutter.number(line, vocabulary)?;
                lengths.push(vocabulary.len() - before);
            }
            lines.borrow_mut().push(lengths);
            Ok(())
        };
        Units::of_segment(segment, number, |units| self.stats_of(units, &lines.borrow()))?
    }

    /// The statistics of a segment's units.
    fn stats_of(&self, units: &Units, lines: &[Vec<usize>]) -> Result<RougeStats> {
        let all = self.figures(units, lines)?;
        let best = all.get(best(&all)).copied().unwrap_or_default();
        let no_hypothesis = units.hypothesis().is_empty();
        let mean = |value| -> Result<MeanStats> {
            Ok(MeanStats::of(value)?.note_empty(no_hypothesis, units.no_reference()))
        };
        let (precision, recall) = (mean(best.precision)?, mean(best.recall)?);
        Ok(RougeStats { precision, recall, f: mean(best.f)? })
    }
}

/// The lines of a text that have something in them.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').filter(|line| !line.is_empty())
}

/// The first of the greatest F-scores.
fn best(all: &[Figures]) -> usize {
    let better = |best: usize, (number, figures): (usize, &Figures)| match all.get(best) {
        Some(known) if figures.f > known.f => number,
        _ => best,
    };
    all.iter().enumerate().fold(0, better)
}

/// The sentences of a text, by their lengths.
fn split<'t>(text: &'t [u32], lengths: Option<&Vec<usize>>) -> Vec<&'t [u32]> {
    let mut rest = text;
    lengths.into_iter().flatten().filter_map(|&length| rest.split_off(..length)).collect()
}

/// How many units of the reference's sentences lie on a longest common subsequence with a sentence of the
/// hypothesis. A unit counts at most as often as it occurs in either text.
fn union_lcs(hypothesis: &[&[u32]], reference: &[&[u32]], kinds: usize) -> u64 {
    let mut left = most_shared(hypothesis, reference, kinds);
    let mut hits = 0;
    for sentence in reference {
        let mut on_any = vec![false; sentence.len()];
        for candidate in hypothesis {
            for place in lcs::places(sentence, candidate, kinds) {
                on_any[place] = true;
            }
        }
        for (&unit, _) in sentence.iter().zip(on_any).filter(|(_, on_any)| *on_any) {
            let left = &mut left[unit as usize];
            hits += (*left).min(1);
            *left = left.saturating_sub(1);
        }
    }
    hits
}

/// How often each unit can count: as often as it occurs in either text.
fn most_shared(hypothesis: &[&[u32]], reference: &[&[u32]], kinds: usize) -> Vec<u64> {
    let count = |sentences: &[&[u32]]| {
        let mut counts = vec![0u64; kinds];
        sentences.iter().copied().flatten().for_each(|&unit| counts[unit as usize] += 1);
        counts
    };
    count(hypothesis).into_iter().zip(count(reference)).map(|(a, b)| a.min(b)).collect()
}

/// Precision, recall and their harmonic mean.
#[derive(Debug, Clone, Copy, Default)]
struct Figures {
    precision: f64,
    recall: f64,
    f: f64,
    /// What the hypothesis and the reference have.
    totals: [u64; 2],
}

impl Figures {
    fn of(shared: u64, totals: [u64; 2]) -> Self {
        let [hypothesis, reference] = totals;
        let precision = shared as f64 / hypothesis.max(1) as f64;
        let recall = shared as f64 / reference.max(1) as f64;
        let f = match precision + recall {
            0.0 => 0.0,
            sum => 2.0 * precision * recall / sum,
        };
        Self { precision, recall, f, totals }
    }
}

/// The means of the three figures.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RougeStats {
    precision: MeanStats,
    recall: MeanStats,
    f: MeanStats,
}

impl RougeStats {
    fn of(&self, measure: Measure) -> &MeanStats {
        match measure {
            Measure::F => &self.f,
            Measure::Precision => &self.precision,
            Measure::Recall => &self.recall,
        }
    }
}

impl Stats for RougeStats {
    fn merge(&mut self, other: &Self) {
        self.precision.merge(&other.precision);
        self.recall.merge(&other.recall);
        self.f.merge(&other.f);
    }

    fn check(&self) -> Result<(), String> {
        MeanStats::check_all([&self.precision, &self.recall, &self.f])
    }

    fn known_segments(&self) -> Option<u64> {
        self.f.known_segments()
    }

    fn to_numbers(&self) -> Option<Vec<f64>> {
        MeanStats::numbers_of([&self.precision, &self.recall, &self.f])
    }

    fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let [precision, recall, f] = MeanStats::all_from(numbers)?.try_into().ok()?;
        Some(Self { precision, recall, f })
    }
}

impl Signed for Rouge {
    fn signature(&self) -> Signature {
        let name = match self.settings.variant {
            Variant::Unigrams => "ROUGE-1",
            Variant::Bigrams => "ROUGE-2",
            Variant::Lcs => "ROUGE-L",
            Variant::LcsSummary => "ROUGE-Lsum",
        };
        let signature = self.cutter.sign_case(Signature::new(name));
        self.cutter.sign(signature.with("score", SCORE.word(&self.settings.measure)))
    }
}

impl Metric for Rouge {
    type Stats = RougeStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<RougeStats> {
        match self.settings.variant {
            Variant::LcsSummary => self.stats_of_lines(segment),
            _ => self.cutter.units(segment, |units| self.stats_of(units, &[]))?,
        }
    }

    fn value(&self, stats: &RougeStats) -> f64 {
        stats.of(self.settings.measure).mean()
    }

    fn score(&self, stats: &RougeStats) -> Score {
        stats
            .of(self.settings.measure)
            .score()
            .with("precision", stats.precision.mean())
            .with("recall", stats.recall.mean())
            .with("f", stats.f.mean())
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        self.explained(segment)
    }
}
