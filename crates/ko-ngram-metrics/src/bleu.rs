//! BLEU: how many of the hypothesis's n-grams the references hold.
//!
//! Papineni, Roukos, Ward and Zhu, *BLEU: a Method for Automatic Evaluation of Machine Translation*,
//! ACL 2002; smoothing after Chen and Cherry, *A Systematic Comparison of Smoothing Techniques for
//! Sentence-Level BLEU*, WMT 2014.
//!
//! > BLEU = BP · exp( Σₙ ln pₙ / N ),  BP = min(1, e^(1 − r/h))
//!
//! where *pₙ* is the share, in per cent, of the hypothesis's n-grams that a reference holds (each
//! counted at most as often as in the reference that has it most often), *h* the hypothesis's length
//! and *r* the length of the reference nearest to it, the shorter of two as near. Counts and lengths are
//! summed over the corpus first. O(units × N).
//!
//! Equals sacreBLEU 2.6.0 with `tokenize="none"` on the units joined by spaces.
//!
//! ```
//! use ko_eval_core::{Scorer, Segment};
//! use ko_ngram_metrics::{Bleu, bleu::Smoothing};
//! use ko_tokenize::Character;
//! use std::sync::Arc;
//!
//! let bleu = Bleu::builder().smoothing(Smoothing::Floor(0.1)).build(Arc::new(Character::new()))?;
//! let score = bleu.segment_score(&Segment::new("나는 밥을 먹었다", ["나는 밥을 먹었어요"])?)?;
//! assert_eq!(score.detail("precision-1"), Some(600.0 / 7.0));
//! assert_eq!(score.detail("brevity-penalty"), Some((1.0f64 - 8.0 / 7.0).exp()));
//! # Ok::<(), ko_eval_core::Error>(())
//! ```
//!
//! | input | value |
//! |---|---|
//! | no unigram matches, whatever the smoothing | 0 |
//! | hypothesis without units | 0, flagged |
//! | only references without units | 0, flagged |
//! | hypothesis shorter than N | segment: the orders that exist; corpus: 0; see [`EffectiveOrder`] |

mod explain;

pub(crate) use explain::{lengths, with_matches};

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
    BuildMetric, Direction, Explanation, Metric, MetricEntry, Params, Result, Score, Segment,
    Signature, Signed, Stats, Tokenizer,
    setting::{Choice, Number, Optional},
};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, sync::Arc};

/// The registry row.
pub(crate) const ENTRY: MetricEntry = MetricEntry {
    name: "bleu",
    summary: "share of the hypothesis's n-grams that a reference holds, with a penalty for brevity",
    reference: "sacreBLEU 2.6.0",
    argument: None,
    params: &[
        ORDER.param(),
        SMOOTH.param(),
        // What floor puts in place of no match may be more than there is.
        SMOOTH_VALUE.param().lifting_range(),
        EFFECTIVE_ORDER.param(),
        CASE.param(),
    ],
    range: (0.0, 100.0),
    variants: &[
        "smooth=floor,smooth-value=0.5",
        "smooth=add-k,smooth-value=2",
        "smooth=none,effective-order=always",
    ],
    build: BuildMetric::OverUnits(|params, tokenizer| {
        let settings = Bleu::builder()
            .order(params.read(&ORDER)?)
            .smoothing(Smoothing::read(params)?)
            .effective_order(params.read(&EFFECTIVE_ORDER)?)
            .case(params.read(&CASE)?);
        Ok(Box::new(settings.build(tokenizer)?))
    }),
};

const SMOOTH: Choice<Smoothing> = Choice::new(
    "smooth",
    &[
        ("exp", Smoothing::Exp),
        ("floor", Smoothing::Floor(0.1)),
        ("add-k", Smoothing::AddK(1.0)),
        ("none", Smoothing::None),
    ],
    "what becomes of an order in which nothing matches",
);

const SMOOTH_VALUE: Optional<Number> = Number::new(
    "smooth-value",
    0.1,
    0.0,
    1e6,
    "what floor puts in place of no match, or add-k adds",
)
.optional("0.1 for floor, 1 for add-k");

pub(crate) const EFFECTIVE_ORDER: Choice<EffectiveOrder> = Choice::new(
    "effective-order",
    &[
        ("segments", EffectiveOrder::Segments),
        ("always", EffectiveOrder::Always),
        ("never", EffectiveOrder::Never),
    ],
    "where orders longer than the text are left out",
)
.also(&[
    ("auto", EffectiveOrder::Segments),
    ("yes", EffectiveOrder::Always),
    ("no", EffectiveOrder::Never),
]);

/// What becomes of an order in which nothing matches.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Smoothing {
    /// The *k*-th such order counts as 2⁻ᵏ matches.
    #[default]
    Exp,
    /// It counts as this many matches (0.1 by convention).
    Floor(f64),
    /// From bigrams on, this many matches and n-grams are added to every order (1 by convention).
    AddK(f64),
    /// Nothing: the score is 0.
    None,
}

impl Smoothing {
    pub(crate) fn read(params: &Params) -> Result<Self> {
        match (params.read(&SMOOTH)?, params.read(&SMOOTH_VALUE)?) {
            (smoothing, None) => Ok(smoothing),
            (Self::Floor(_), Some(value)) => Ok(Self::Floor(value)),
            (Self::AddK(_), Some(value)) => Ok(Self::AddK(value)),
            (Self::Exp | Self::None, Some(_)) => {
                Err(params.invalid("smooth-value", "none: only floor and add-k have one"))
            }
        }
    }

    fn value(self) -> Option<f64> {
        match self {
            Self::Floor(value) | Self::AddK(value) => Some(value),
            Self::Exp | Self::None => None,
        }
    }

    fn sign(self, signature: Signature) -> Signature {
        let conventional = match self {
            Self::Floor(_) => Self::Floor(0.1),
            Self::AddK(_) => Self::AddK(1.0),
            other => other,
        };
        let word = SMOOTH.word(&conventional);
        match self.value() {
            Some(value) => signature.with("smooth", format!("{word}[{value}]")),
            None => signature.with("smooth", word),
        }
    }
}

/// Where orders longer than the text are left out of the mean instead of making the score 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum EffectiveOrder {
    /// In segment scores only, as sacreBLEU recommends.
    #[default]
    Segments,
    /// In corpus scores too.
    Always,
    /// Nowhere.
    Never,
}

/// BLEU over any units.
///
/// ```
/// use ko_ngram_metrics::prelude::*;
/// use ko_tokenize::Character;
/// use std::sync::Arc;
///
/// let metric = Bleu::new(Arc::new(Character::new()));
/// let score = metric.segment_score(&Segment::new("나는 밥을 먹었다.", ["나는 밥을 먹었어요."])?)?;
/// assert_eq!(format!("{score:.2}"), "62.40");
/// # Ok::<(), ko_ngram_metrics::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Bleu {
    cutter: Cutter,
    settings: BleuSettings,
}

/// Settings of [`Bleu`], checked in [`BleuSettings::build`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BleuSettings {
    order: usize,
    smoothing: Smoothing,
    effective_order: EffectiveOrder,
    case: Case,
}

impl Default for BleuSettings {
    fn default() -> Self {
        Self {
            order: ORDER.default,
            smoothing: SMOOTH.default,
            effective_order: EFFECTIVE_ORDER.default,
            case: CASE.default,
        }
    }
}

impl BleuSettings {
    /// The longest n-grams that count; 4 by default.
    #[must_use]
    pub fn order(self, order: usize) -> Self {
        Self { order, ..self }
    }

    /// What becomes of an order in which nothing matches.
    #[must_use]
    pub fn smoothing(self, smoothing: Smoothing) -> Self {
        Self { smoothing, ..self }
    }

    /// Where orders longer than the text are left out.
    #[must_use]
    pub fn effective_order(self, effective_order: EffectiveOrder) -> Self {
        Self { effective_order, ..self }
    }

    /// Whether upper and lower case differ.
    #[must_use]
    pub fn case(self, case: Case) -> Self {
        Self { case, ..self }
    }

    /// The metric.
    ///
    /// # Errors
    /// [`Error::InvalidParameter`](ko_eval_core::Error::InvalidParameter): an order of 0 or over 1,000, a smoothing value that is negative
    /// or over 1,000,000.
    pub fn build(self, tokenizer: Arc<dyn Tokenizer>) -> Result<Bleu> {
        ORDER.check(ENTRY.name, self.order)?;
        if let Some(value) = self.smoothing.value() {
            SMOOTH_VALUE.inner().check(ENTRY.name, value)?;
        }
        Ok(Bleu { cutter: Cutter::new(tokenizer, self.case), settings: self })
    }
}

impl Bleu {
    /// BLEU-4 with `exp` smoothing.
    pub fn new(tokenizer: Arc<dyn Tokenizer>) -> Self {
        Self { cutter: Cutter::new(tokenizer, CASE.default), settings: BleuSettings::default() }
    }

    /// Other settings.
    pub fn builder() -> BleuSettings {
        BleuSettings::default()
    }

    fn figures(&self, stats: &BleuStats, effective_order: bool) -> Figures {
        let BleuSettings { order, smoothing, .. } = self.settings;
        let (hypothesis, reference) = (stats.hypothesis as f64, stats.reference as f64);
        let brevity_penalty = match stats.hypothesis {
            0 if stats.reference > 0 => 0.0,
            h if h < stats.reference => (1.0 - reference / hypothesis).exp(),
            _ => 1.0,
        };
        let mut precisions = vec![0.0; order];
        if stats.matches.iter().all(|&n| n == 0) {
            return Figures { value: 0.0, precisions, brevity_penalty };
        }
        let mut counted = order;
        let mut halved = 1.0;
        let counts = stats.matches.iter().zip(&stats.totals);
        for (n, (precision, (&matches, &total))) in (1..).zip(precisions.iter_mut().zip(counts)) {
            let added = match smoothing {
                Smoothing::AddK(k) if n > 1 => k,
                _ => 0.0,
            };
            let (matches, total) = (matches as f64 + added, total as f64 + added);
            if total == 0.0 {
                break;
            }
            if effective_order {
                counted = n;
            }
            *precision = match smoothing {
                _ if matches > 0.0 => 100.0 * matches / total,
                Smoothing::Exp => {
                    halved *= 2.0;
                    100.0 / (halved * total)
                }
                Smoothing::Floor(value) => 100.0 * value / total,
                Smoothing::AddK(_) | Smoothing::None => 0.0,
            };
        }
        let logs: f64 = precisions.iter().take(counted).map(|&p| floored_ln(p)).sum();
        let value = brevity_penalty * (logs / counted as f64).exp();
        Figures { value, precisions, brevity_penalty }
    }

    /// The score with its details.
    fn detailed(&self, stats: &BleuStats, effective_order: bool) -> Score {
        let figures = self.figures(stats, effective_order);
        let mut score = Score::new(figures.value);
        for (n, precision) in (1..).zip(figures.precisions) {
            score = score.with(precision_name(n), precision);
        }
        let score = score
            .with("brevity-penalty", figures.brevity_penalty)
            .with("hypothesis-length", stats.hypothesis as f64)
            .with("reference-length", stats.reference as f64);
        stats.empties.flag(score)
    }
}

/// A score and what it is made of.
struct Figures {
    value: f64,
    precisions: Vec<f64>,
    brevity_penalty: f64,
}

/// The name of an order's precision among the details; the usual orders cost no allocation.
pub(crate) fn precision_name(order: usize) -> Cow<'static, str> {
    match order {
        1 => "precision-1".into(),
        2 => "precision-2".into(),
        3 => "precision-3".into(),
        4 => "precision-4".into(),
        _ => format!("precision-{order}").into(),
    }
}

/// sacreBLEU's logarithm: of 0 it is low enough to make any score 0.
fn floored_ln(x: f64) -> f64 {
    if x == 0.0 { -9_999_999_999.0 } else { x.ln() }
}

/// The length of the reference nearest to the hypothesis's, the shorter of two as near.
pub(crate) fn nearest_length(units: &Units) -> u64 {
    let hypothesis = units.hypothesis().len();
    let lengths = units.references().map(<[u32]>::len);
    lengths.min_by_key(|&n| (n.abs_diff(hypothesis), n)).unwrap_or(0) as u64
}

/// What BLEU counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BleuStats {
    hypothesis: u64,
    reference: u64,
    matches: Vec<u64>,
    totals: Vec<u64>,
    empties: Empties,
}

impl Stats for BleuStats {
    fn merge(&mut self, other: &Self) {
        self.hypothesis = self.hypothesis.saturating_add(other.hypothesis);
        self.reference = self.reference.saturating_add(other.reference);
        order::add(&mut self.matches, &other.matches);
        order::add(&mut self.totals, &other.totals);
        self.empties.merge(other.empties);
    }

    fn check(&self) -> Result<(), String> {
        order::check(&self.matches, &self.totals)
    }

    fn to_numbers(&self) -> Option<Vec<f64>> {
        let lengths = [self.hypothesis, self.reference];
        let counts = lengths.iter().chain(&self.matches).chain(&self.totals);
        Some(self.empties.numbers().into_iter().chain(counts.map(|&n| n as f64)).collect())
    }

    fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let (&[hypotheses, references, hypothesis, reference], counts) =
            numbers.split_first_chunk()?;
        let (matches, totals) = counts.split_at_checked(counts.len() / 2)?;
        Some(Self {
            hypothesis: hypothesis as u64,
            reference: reference as u64,
            matches: order::counts(matches),
            totals: order::counts(totals),
            empties: Empties::from_numbers([hypotheses, references]),
        })
    }
}

impl Signed for Bleu {
    fn signature(&self) -> Signature {
        let BleuSettings { order, smoothing, effective_order, .. } = self.settings;
        let signature = self.cutter.sign_case(Signature::new("BLEU"));
        let signature = match effective_order {
            EffectiveOrder::Segments => signature,
            other => signature.with("effective-order", EFFECTIVE_ORDER.word(&other)),
        };
        self.cutter.sign(smoothing.sign(signature.with("order", order)))
    }
}

impl Metric for Bleu {
    type Stats = BleuStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn check(&self, stats: &BleuStats, segments: usize) -> Result<(), String> {
        stats.check()?;
        stats.empties.check(segments)?;
        order::check_totals(&stats.totals, stats.hypothesis, self.settings.order, segments)
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<BleuStats> {
        self.cutter.units(segment, |units| {
            let order = self.settings.order;
            let length = units.hypothesis().len();
            BleuStats {
                hypothesis: length as u64,
                reference: nearest_length(units),
                matches: overlaps(units, order).clipped(),
                totals: (1..=order).map(|n| ngrams::total(length, n)).collect(),
                empties: Empties::of(length, units.references().map(<[u32]>::len)),
            }
        })
    }

    fn score(&self, stats: &BleuStats) -> Score {
        self.detailed(stats, self.settings.effective_order == EffectiveOrder::Always)
    }

    fn segment_score_of(&self, stats: &BleuStats) -> Score {
        self.detailed(stats, self.settings.effective_order != EffectiveOrder::Never)
    }

    fn value(&self, stats: &BleuStats) -> f64 {
        self.figures(stats, self.settings.effective_order == EffectiveOrder::Always).value
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        self.explained(segment)
    }
}
