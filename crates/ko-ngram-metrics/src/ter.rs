//! TER, translation edit rate: how many edits turn the hypothesis into the reference, when moving a
//! phrase is one edit.
//!
//! Snover, Dorr, Schwartz, Micciulla and Makhoul, *A Study of Translation Edit Rate with Targeted Human
//! Annotation*, AMTA 2006.
//!
//! > TER = 100 · (shifts + insertions + deletions + substitutions) / mean reference length
//!
//! Shifts are found greedily: of all phrases that stand elsewhere in the reference, the one that lowers
//! the edit distance most is moved, until none lowers it. Of several references the one with the
//! fewest edits counts, over the mean of their lengths. Edits and lengths are summed over the corpus.
//!
//! Equals sacreBLEU 2.6.0 (its beam of 25 units on either side of the diagonal, phrases of at most 10
//! units shifted by about 50, at most 1,000 shifts tried). **Case**: sacreBLEU's own default is lower
//! case; here upper and lower case differ unless [`Case::Lower`] is asked for, which is the same as
//! sacreBLEU with `case_sensitive=True`. **References pass Tercom's tokenizer twice**, hypotheses once,
//! because sacreBLEU does so; it matters only to normalisation, and there only to texts such as `.,0`.
//!
//! One distance is linear in the length, because of the beam, and a step handles a whole row of it;
//! shifted hypotheses start from the last row they share with the text they come from. So a pair
//! costs at most O(1,000 · units), and there is no limit of length. Until 1,000 shifts are tried their number
//! grows with the length as well, so that a segment of usual length costs more than linearly.
//!
//! ```
//! use ko_eval_core::{Scorer, Segment};
//! use ko_ngram_metrics::Ter;
//! use ko_tokenize::Word;
//! use std::sync::Arc;
//!
//! let ter = Ter::new(Arc::new(Word::new()));
//! // One shift, and one word of four is another.
//! let segment = Segment::new("어제 나는 밥을 먹었다", ["나는 밥을 어제 먹었어요"])?;
//! let score = ter.segment_score(&segment)?;
//! assert_eq!(score.value, 50.0);
//! assert_eq!(score.detail("edits"), Some(2.0));
//! # Ok::<(), ko_eval_core::Error>(())
//! ```
//!
//! | input | value |
//! |---|---|
//! | hypothesis without units | 100, flagged |
//! | only references without units | 100, flagged |
//! | both | 0, flagged |
//! | much longer than the reference | above 100 |

mod beam;
mod explain;
mod shifts;
pub(crate) mod tercom;

pub use tercom::{Normalization, Punctuation, Script, Tercom};

use crate::{
    kernel::{
        empty::Empties,
        joined::join,
        units::{Case, Cutter, Units},
    },
    settings::CASE,
};
use ko_eval_core::{
    BuildMetric, Direction, ExactSum, Explanation, Metric, MetricEntry, Pieces, Result, Score,
    Segment, Signature, Signed, Stats, Tokenizer,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The registry row.
pub(crate) const ENTRY: MetricEntry = MetricEntry {
    name: "ter",
    summary: "edits that turn the hypothesis into a reference, a moved phrase being one",
    reference: "sacreBLEU 2.6.0",
    argument: None,
    params: &[
        CASE.param(),
        tercom::NORMALIZED.param(),
        tercom::NO_PUNCT.param(),
        tercom::ASIAN_SUPPORT.param(),
    ],
    range: (0.0, f64::INFINITY),
    variants: &["normalized=yes,asian-support=yes", "no-punct=yes,asian-support=yes,case=lower"],
    build: BuildMetric::OverUnits(|params, tokenizer| {
        let settings = Ter::builder().tercom(Tercom {
            normalization: params.read(&tercom::NORMALIZED)?,
            punctuation: params.read(&tercom::NO_PUNCT)?,
            script: params.read(&tercom::ASIAN_SUPPORT)?,
            case: params.read(&CASE)?,
        });
        Ok(Box::new(settings.build(tokenizer)?))
    }),
};

/// TER over any units.
///
/// ```
/// use ko_ngram_metrics::prelude::*;
/// use ko_tokenize::Character;
/// use std::sync::Arc;
///
/// let metric = Ter::new(Arc::new(Character::new()));
/// let score = metric.segment_score(&Segment::new("나는 밥을 먹었다.", ["나는 밥을 먹었어요."])?)?;
/// assert_eq!(format!("{score:.2}"), "22.22");
/// # Ok::<(), ko_ngram_metrics::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Ter {
    cutter: Cutter,
    tercom: Tercom,
}

/// Settings of [`Ter`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TerSettings {
    tercom: Tercom,
}

impl TerSettings {
    /// Another pass of Tercom's tokenizer over the units joined by spaces.
    #[must_use]
    pub fn tercom(self, tercom: Tercom) -> Self {
        Self { tercom }
    }

    /// Whether upper and lower case differ.
    #[must_use]
    pub fn case(self, case: Case) -> Self {
        Self { tercom: Tercom { case, ..self.tercom } }
    }

    /// The metric.
    ///
    /// # Errors
    /// None today: every setting makes sense.
    pub fn build(self, tokenizer: Arc<dyn Tokenizer>) -> Result<Ter> {
        // Tercom's tokenizer changes case itself, before it looks at punctuation.
        Ok(Ter { cutter: Cutter::new(tokenizer, Case::Mixed), tercom: self.tercom })
    }
}

impl Ter {
    /// TER over these units, with case and punctuation as they are.
    pub fn new(tokenizer: Arc<dyn Tokenizer>) -> Self {
        Self { cutter: Cutter::new(tokenizer, Case::Mixed), tercom: Tercom::default() }
    }

    /// Other settings.
    pub fn builder() -> TerSettings {
        TerSettings::default()
    }

    /// The units joined by spaces, as Tercom's tokenizer leaves them.
    fn prepare(&self, text: &str) -> Result<String> {
        let mut pieces = Pieces::new();
        self.cutter.pieces(text, &mut pieces)?;
        let mut joined = String::with_capacity(text.len() * 2);
        join(pieces.iter(), &mut joined);
        Ok(self.tercom.prepare(joined))
    }

    /// All texts, the hypothesis first, to be split at white space.
    fn words(&self, segment: &Segment<'_>) -> Result<(String, Vec<String>)> {
        let again = |text: &&str| Ok(self.prepare_again(self.prepare(text)?));
        let references = segment.references().iter().map(again).collect::<Result<_>>()?;
        Ok((self.prepare(segment.hypothesis())?, references))
    }

    /// A second pass, which only normalisation makes a difference to: `.,0` is cut in two steps.
    fn prepare_again(&self, text: String) -> String {
        match self.tercom.normalization {
            Normalization::None => text,
            Normalization::Western => self.tercom.prepare(tercom::fold(&text)),
        }
    }
}

/// The statistics of [`Ter`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerStats {
    edits: u64,
    /// Of each segment the mean length of its references.
    length: ExactSum,
    empties: Empties,
}

impl TerStats {
    /// Of one segment with so many edits.
    fn of(units: &Units, edits: u32) -> Self {
        let lengths = units.references().map(<[u32]>::len);
        let mut length = ExactSum::default();
        length.add(lengths.clone().sum::<usize>() as f64 / lengths.len() as f64);
        let empties = Empties::of(units.hypothesis().len(), lengths);
        Self { edits: edits.into(), length, empties }
    }
}

impl Stats for TerStats {
    fn merge(&mut self, other: &Self) {
        self.edits = self.edits.saturating_add(other.edits);
        self.length.merge(&other.length);
        self.empties.merge(other.empties);
    }

    fn check(&self) -> Result<(), String> {
        let length = self.length.value();
        match length.is_finite() && length >= 0.0 {
            true => Ok(()),
            false => Err(format!("its references have {length} units")),
        }
    }

    fn to_numbers(&self) -> Option<Vec<f64>> {
        let sums = [self.edits as f64, self.length.value()];
        Some(self.empties.numbers().into_iter().chain(sums).collect())
    }

    fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let &[hypotheses, references, edits, length] = numbers else { return None };
        let empties = Empties::from_numbers([hypotheses, references]);
        Some(Self { edits: edits as u64, length: ExactSum::of(length), empties })
    }
}

impl Signed for Ter {
    fn signature(&self) -> Signature {
        self.cutter.sign(self.tercom.sign(Signature::new("TER")))
    }
}

impl Metric for Ter {
    type Stats = TerStats;

    fn direction(&self) -> Direction {
        Direction::LowerIsBetter
    }

    fn check(&self, stats: &TerStats, segments: usize) -> Result<(), String> {
        stats.check()?;
        stats.empties.check(segments)
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<TerStats> {
        let (hypothesis, references) = self.words(segment)?;
        let split = |text| tercom::words(text).collect::<Vec<_>>();
        let references: Vec<_> = references.iter().map(|text| split(text)).collect();
        Ok(Units::of_tokens(&split(&hypothesis), &references, |units| {
            let edits = |reference| shifts::edits(units.hypothesis(), reference, units.kinds());
            TerStats::of(units, units.references().map(edits).min().unwrap_or(0))
        }))
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        self.explained(segment)
    }

    fn score(&self, stats: &TerStats) -> Score {
        let length = stats.length.value();
        stats.empties.flag(
            Score::new(self.value(stats))
                .with("edits", stats.edits as f64)
                .with("reference-length", length),
        )
    }

    fn value(&self, stats: &TerStats) -> f64 {
        let (edits, length) = (stats.edits as f64, stats.length.value());
        if length > 0.0 {
            100.0 * (edits / length)
        } else if edits > 0.0 {
            100.0
        } else {
            0.0
        }
    }
}
