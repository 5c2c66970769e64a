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

use crate::{
    Case,
    empty::Empties,
    ngrams::{self, overlaps},
    order,
    units::{Cut, Units},
};
use ko_eval_core::{
    Direction, Error, Metric, MetricEntry, Param, Params, Result, Score, Segment, Signature,
    Signed, Stats, Tokenizer,
};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, sync::Arc};

/// The registry row.
pub(crate) const ENTRY: MetricEntry = MetricEntry {
    name: "bleu",
    summary: "share of the hypothesis's n-grams that a reference holds, with a penalty for brevity",
    reference: "sacreBLEU 2.6.0",
    params: &[
        order::param("4"),
        Param { name: "smooth", default: "exp", help: "exp, floor, add-k or none" },
        Param {
            name: "smooth-value",
            default: "0.1 for floor, 1 for add-k",
            help: "what floor puts in place of no match, or add-k adds",
        },
        Param {
            name: "effective-order",
            default: "segments",
            help: "leave out orders longer than the text: in segments, always or never",
        },
        Case::PARAM,
    ],
    build: |params, tokenizer| {
        let builder = Bleu::builder()
            .order(order::from_params("bleu", params, DEFAULT_ORDER)?)
            .smoothing(Smoothing::from_params(params)?)
            .effective_order(EffectiveOrder::from_params(params)?)
            .case(Case::from_params("bleu", params)?);
        Ok(Box::new(builder.build(tokenizer)?))
    },
};

const DEFAULT_ORDER: usize = 4;

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
    fn from_params(params: &Params) -> Result<Self> {
        let value = |default| params.parse("bleu", "smooth-value", default, "a number");
        let words = [
            ("exp", Self::Exp),
            ("floor", Self::Floor(value(0.1)?)),
            ("add-k", Self::AddK(value(1.0)?)),
            ("none", Self::None),
        ];
        let chosen = params.choose("bleu", "smooth", Self::Exp, &words)?;
        match (chosen, params.get("smooth-value")) {
            (Self::Exp | Self::None, Some(value)) => {
                Err(Error::invalid("bleu", "smooth-value", value, "it only with floor or add-k"))
            }
            _ => Ok(chosen),
        }
    }

    fn name(self) -> String {
        match self {
            Self::Exp => "exp".to_owned(),
            Self::Floor(value) => format!("floor[{value}]"),
            Self::AddK(value) => format!("add-k[{value}]"),
            Self::None => "none".to_owned(),
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

impl EffectiveOrder {
    fn from_params(params: &Params) -> Result<Self> {
        let words = [
            ("segments", Self::Segments),
            ("always", Self::Always),
            ("never", Self::Never),
            ("auto", Self::Segments),
            ("true", Self::Always),
            ("yes", Self::Always),
            ("false", Self::Never),
            ("no", Self::Never),
        ];
        params.choose("bleu", "effective-order", Self::Segments, &words)
    }
}

/// BLEU over any units.
#[derive(Debug, Clone)]
pub struct Bleu {
    cut: Cut,
    settings: BleuBuilder,
}

/// Settings of [`Bleu`], checked in [`BleuBuilder::build`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BleuBuilder {
    order: usize,
    smoothing: Smoothing,
    effective_order: EffectiveOrder,
    case: Case,
}

impl Default for BleuBuilder {
    fn default() -> Self {
        Self {
            order: DEFAULT_ORDER,
            smoothing: Smoothing::default(),
            effective_order: EffectiveOrder::default(),
            case: Case::default(),
        }
    }
}

impl BleuBuilder {
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
    /// [`Error::InvalidParameter`]: an order of 0 or over 1,000, a smoothing value that is negative
    /// or over 1,000,000.
    pub fn build(self, tokenizer: Arc<dyn Tokenizer>) -> Result<Bleu> {
        order::check("bleu", "order", self.order)?;
        if let Smoothing::Floor(value) | Smoothing::AddK(value) = self.smoothing
            && !(0.0..=1e6).contains(&value)
        {
            let expected = "a number from 0 to 1000000";
            return Err(Error::invalid("bleu", "smooth-value", value, expected));
        }
        Ok(Bleu { cut: Cut::new(tokenizer, self.case), settings: self })
    }
}

impl Bleu {
    /// BLEU-4 with `exp` smoothing.
    pub fn new(tokenizer: Arc<dyn Tokenizer>) -> Self {
        Self { cut: Cut::new(tokenizer, Case::Mixed), settings: BleuBuilder::default() }
    }

    /// Other settings.
    pub fn builder() -> BleuBuilder {
        BleuBuilder::default()
    }

    fn figures(&self, stats: &BleuStats, effective_order: bool) -> Figures {
        let BleuBuilder { order, smoothing, .. } = self.settings;
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

    fn explain(&self, stats: &BleuStats, effective_order: bool) -> Score {
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
pub struct BleuStats {
    hypothesis: u64,
    reference: u64,
    matches: Vec<u64>,
    totals: Vec<u64>,
    empties: Empties,
}

impl Stats for BleuStats {
    fn merge(&mut self, other: &Self) {
        self.hypothesis += other.hypothesis;
        self.reference += other.reference;
        order::add(&mut self.matches, &other.matches);
        order::add(&mut self.totals, &other.totals);
        self.empties.merge(other.empties);
    }
}

impl Signed for Bleu {
    fn signature(&self) -> Signature {
        let signature = Signature::new("BLEU").with("case", self.settings.case.name());
        let signature = match self.settings.effective_order {
            EffectiveOrder::Segments => signature,
            EffectiveOrder::Always => signature.with("effective-order", "always"),
            EffectiveOrder::Never => signature.with("effective-order", "never"),
        };
        let signature = signature.with("order", self.settings.order);
        self.cut.sign(signature.with("smooth", self.settings.smoothing.name()))
    }
}

impl Metric for Bleu {
    type Stats = BleuStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<BleuStats> {
        self.cut.units(segment, |units| {
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
        self.explain(stats, self.settings.effective_order == EffectiveOrder::Always)
    }

    fn segment_score_of(&self, stats: &BleuStats) -> Score {
        self.explain(stats, self.settings.effective_order != EffectiveOrder::Never)
    }

    fn value(&self, stats: &BleuStats) -> f64 {
        self.figures(stats, self.settings.effective_order == EffectiveOrder::Always).value
    }
}
