//! RIBES: whether the words that both texts share stand in the same order.
//!
//! Isozaki, Hirao, Duh, Sudoh and Tsukada, *Automatic Evaluation of Translation Quality for Distant
//! Language Pairs*, EMNLP 2010.
//!
//! > RIBES = (τ + 1)/2 · Pᵅ · BPᵝ,  BP = min(1, e^(1 − |r|/|h|))
//!
//! Each unit of the hypothesis is aligned to the unit of the reference that it means: the only equal
//! one, or, where there are several, the one with the same neighbours. The context grows until it
//! stands once in either text; a unit whose context never does is left out. τ is Kendall's rank
//! correlation of the aligned positions, *P* the share of the hypothesis's units that are aligned. The
//! best of several references counts; a corpus has the mean of its segments.
//!
//! Equals NLTK 3.10.4's `sentence_ribes` and, as [`Rule::Official`], the authors' `RIBES.py` 1.03.1 with `--emptyref`.
//! **The two differ**, and NLTK's values are lower on some pairs:
//!
//! | | [`Rule::Nltk`] | [`Rule::Official`] |
//! |---|---|---|
//! | neighbours tried first | those to the right | those to the left |
//! | the whole text to the left of a unit in the second half | never tried | tried |
//! | one aligned unit, reference of one unit | 0 | P^α · BP^β |
//! | segment whose references are all empty | counts as 0 | left out of the mean |
//!
//! Where the hypothesis repeats no unit and the reference none of those, one pass over the reference tells it all. Else a unit
//! that stands more than once is looked up with a neighbour in a table of pairs, and how far the places found there agree with
//! its own tells the smallest context: O(n) for texts that do not repeat themselves. For those that do, a suffix
//! array gives the same answer in O(n log n). Kendall's τ is counted by bits, or in long texts by a Fenwick tree. So there is
//! no limit of length. NLTK refuses texts of more than 2,000 units; the value here is what it gives with its limit raised,
//! and flagged.
//!
//! ```
//! use ko_eval_core::{Scorer, Segment};
//! use ko_ngram_metrics::Ribes;
//! use ko_tokenize::Word;
//! use std::sync::Arc;
//!
//! let ribes = Ribes::new(Arc::new(Word::new()));
//! // Of the six pairs of words, two are in order.
//! let segment = Segment::new("먹었다 나는 밥을 어제", ["나는 어제 밥을 먹었다"])?;
//! assert_eq!(ribes.segment_score(&segment)?.value, 2.0 / 6.0);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```
//!
//! | input | value |
//! |---|---|
//! | hypothesis without units | 0, flagged |
//! | only references without units | 0, flagged; not defined by the official script |
//! | fewer than two units aligned | 0, equal texts of one unit included (official: see above) |
//! | a text of more than 2,000 units | as by the formula, flagged as undefined in NLTK |

#![allow(
    clippy::indexing_slicing,
    reason = "the number of a word is taken modulo the number of words"
)]

mod alignment;
mod explain;
mod suffixes;

use crate::{
    Case,
    kernel::units::{Cutter, Units, repeats_none},
    settings::CASE,
};
use alignment::align;
use ko_eval_core::{
    BuildMetric, Direction, Explanation, MeanStats, Metric, MetricEntry, Result, Score, Segment,
    Signature, Signed, Tokenizer,
    setting::{Choice, Number},
};
use std::sync::Arc;

/// The registry row.
pub(crate) const ENTRY: MetricEntry = MetricEntry {
    name: "ribes",
    summary: "rank correlation of the order of words that both texts share",
    reference: "NLTK 3.10.4; RIBES.py 1.03.1 with rule=official",
    argument: None,
    params: &[ALPHA.param(), BETA.param(), RULE.param(), CASE.param()],
    range: (0.0, 1.0),
    variants: &["rule=official,alpha=0.5"],
    build: BuildMetric::OverUnits(|params, tokenizer| {
        let settings = Ribes::builder()
            .alpha(params.read(&ALPHA)?)
            .beta(params.read(&BETA)?)
            .rule(params.read(&RULE)?)
            .case(params.read(&CASE)?);
        Ok(Box::new(settings.build(tokenizer)?))
    }),
};

const ALPHA: Number = Number::new("alpha", 0.25, 0.0, 1000.0, "the weight of the precision");
const BETA: Number = Number::new("beta", 0.1, 0.0, 1000.0, "the weight of the brevity penalty");
const RULE: Choice<Rule> = Choice::new(
    "rule",
    &[("nltk", Rule::Nltk), ("official", Rule::Official)],
    "whose rule is followed where NLTK and the authors' script differ",
);

/// NLTK refuses longer texts unless told otherwise.
const LONGEST_IN_NLTK: usize = 2000;

/// Whose rule is followed where implementations differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Rule {
    /// NLTK's.
    #[default]
    Nltk,
    /// That of the authors' script.
    Official,
}

/// RIBES over any units.
///
/// ```
/// use ko_ngram_metrics::prelude::*;
/// use ko_tokenize::Character;
/// use std::sync::Arc;
///
/// let metric = Ribes::new(Arc::new(Character::new()));
/// let score = metric.segment_score(&Segment::new("나는 밥을 먹었다.", ["나는 밥을 먹었어요."])?)?;
/// assert_eq!(format!("{score:.3}"), "0.955");
/// # Ok::<(), ko_ngram_metrics::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Ribes {
    cutter: Cutter,
    settings: RibesSettings,
}

/// Settings of [`Ribes`], checked in [`RibesSettings::build`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RibesSettings {
    alpha: f64,
    beta: f64,
    rule: Rule,
    case: Case,
}

impl Default for RibesSettings {
    fn default() -> Self {
        Self { alpha: ALPHA.default, beta: BETA.default, rule: RULE.default, case: CASE.default }
    }
}

impl RibesSettings {
    /// The weight of the precision; 0.25 by default.
    #[must_use]
    pub fn alpha(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }

    /// The weight of the brevity penalty; 0.1 by default.
    #[must_use]
    pub fn beta(self, beta: f64) -> Self {
        Self { beta, ..self }
    }

    /// Whose rule is followed; NLTK's by default.
    #[must_use]
    pub fn rule(self, rule: Rule) -> Self {
        Self { rule, ..self }
    }

    /// Whether upper and lower case differ.
    #[must_use]
    pub fn case(self, case: Case) -> Self {
        Self { case, ..self }
    }

    /// RIBES over these units.
    ///
    /// # Errors
    /// [`Error::InvalidParameter`](ko_eval_core::Error::InvalidParameter) if a weight is not a number from 0 to 1000.
    pub fn build(self, tokenizer: Arc<dyn Tokenizer>) -> Result<Ribes> {
        ALPHA.check(ENTRY.name, self.alpha)?;
        BETA.check(ENTRY.name, self.beta)?;
        Ok(Ribes { cutter: Cutter::new(tokenizer, self.case), settings: self })
    }
}

impl Ribes {
    /// RIBES with the published weights, by NLTK's rule.
    pub fn new(tokenizer: Arc<dyn Tokenizer>) -> Self {
        Self { cutter: Cutter::new(tokenizer, CASE.default), settings: RibesSettings::default() }
    }

    /// Other settings.
    pub fn builder() -> RibesSettings {
        RibesSettings::default()
    }

    /// The statistics of a segment's units.
    #[inline]
    fn stats_of(&self, units: &Units) -> Result<MeanStats> {
        let rule = self.settings.rule;
        let hypothesis = units.hypothesis();
        let (no_hypothesis, no_reference) = (hypothesis.is_empty(), units.no_reference());
        if no_reference && rule == Rule::Official {
            return Ok(MeanStats::default().note_empty(no_hypothesis, true).note_undefined(true));
        }
        let best = if no_hypothesis {
            0.0
        } else {
            let score = |reference| self.score_of(hypothesis, reference, units.kinds());
            units.references().map(score).fold(0.0, f64::max)
        };
        let lengths = units.references().map(<[u32]>::len);
        let longest = lengths.fold(hypothesis.len(), usize::max);
        let refused = rule == Rule::Nltk && longest > LONGEST_IN_NLTK;
        Ok(MeanStats::of(best)?
            .note_empty(no_hypothesis, no_reference)
            .note_undefined(refused && !no_hypothesis))
    }

    /// The score against one reference; the hypothesis has units.
    fn score_of(&self, hypothesis: &[u32], reference: &[u32], kinds: usize) -> f64 {
        let RibesSettings { alpha, beta, rule, .. } = self.settings;
        let Order { ranks, increasing } =
            order_of_distinct(hypothesis, reference).unwrap_or_else(|| {
                align(hypothesis, reference, kinds, rule, |ranks| order_of(ranks, reference.len()))
            });
        let is_lone = rule == Rule::Official && reference.len() == 1;
        let order = match ranks {
            0 => 0.0,
            1 => f64::from(u8::from(is_lone)),
            _ => increasing as f64 / (ranks * (ranks - 1) / 2) as f64,
        };
        if order == 0.0 {
            return 0.0;
        }
        let length = hypothesis.len() as f64;
        let precision = ranks as f64 / length;
        let brevity = (1.0 - reference.len() as f64 / length).min(0.0);
        // Both weighted factors in one power of e.
        order * (precision.ln() * alpha + brevity * beta).exp()
    }
}

impl Signed for Ribes {
    fn signature(&self) -> Signature {
        let RibesSettings { alpha, beta, rule, .. } = self.settings;
        let signature = Signature::new("RIBES")
            .with("alpha", alpha)
            .with("beta", beta)
            .with("rule", RULE.word(&rule));
        self.cutter.sign(self.cutter.sign_lower_case(signature))
    }
}

impl Metric for Ribes {
    type Stats = MeanStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<MeanStats> {
        self.cutter.units(segment, |units| self.stats_of(units))?
    }

    fn score(&self, stats: &MeanStats) -> Score {
        stats.score()
    }

    fn value(&self, stats: &MeanStats) -> f64 {
        stats.mean()
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        self.explained(segment)
    }
}

/// Ranks in some order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Order {
    /// How many there are.
    ranks: u64,
    /// How many pairs of them, one before the other, increase.
    increasing: u64,
}

/// The order of the units that stand once in either text. Nothing if a unit that both have stands twice in either, or if
/// the hypothesis is long.
fn order_of_distinct(hypothesis: &[u32], reference: &[u32]) -> Option<Order> {
    if !repeats_none(hypothesis) {
        return None;
    }
    // What is shared is numbered by its place in the hypothesis. Read in the order of the reference it has as many
    // increasing pairs as the places in the reference have, read in the order of the hypothesis.
    let shared = reference.iter().copied().filter(|&unit| (unit as usize) < hypothesis.len());
    let (order, repeats) = order_by_bits(shared, hypothesis.len())?;
    (!repeats).then_some(order)
}

/// The order of ranks below `below`.
fn order_of(ranks: &[u32], below: usize) -> Order {
    match order_by_bits(ranks.iter().copied(), below) {
        Some((order, _)) => order,
        None => by_tree(ranks, below),
    }
}

/// The order of ranks below `below`, and whether one comes twice. Nothing if there is too much room between them, or one
/// comes three times.
fn order_by_bits(ranks: impl Iterator<Item = u32>, below: usize) -> Option<(Order, bool)> {
    match below / 64 {
        0 => by_bits::<1>(ranks),
        1 => by_bits::<2>(ranks),
        2..4 => by_bits::<4>(ranks),
        _ => None,
    }
}

/// With the ranks seen so far as bits, all below 64 times as many as there are words; nothing if one comes three times.
#[inline]
fn by_bits<const WORDS: usize>(ranks: impl Iterator<Item = u32>) -> Option<(Order, bool)> {
    let mut seen = [0u64; WORDS];
    let mut seen_twice = [0u64; WORDS];
    let mut repeats = false;
    let mut order = Order { ranks: 0, increasing: 0 };
    // All seen so far are below.
    let mut above = 0;
    for rank in ranks {
        // What lies beyond the last word does not: this only tells the compiler so.
        let number = (rank / 64) as usize % WORDS;
        let bit = 1 << (rank % 64);
        if rank >= above {
            // Texts share most of their order, and then there is nothing to count.
            above = rank + 1;
            order.increasing += order.ranks;
        } else {
            let smaller = |seen: &[u64; WORDS]| {
                let before = seen[..number].iter().map(|word| word.count_ones()).sum::<u32>();
                u64::from(before + (seen[number] & (bit - 1)).count_ones())
            };
            order.increasing += smaller(&seen);
            if repeats {
                order.increasing += smaller(&seen_twice);
            }
            if seen[number] & bit != 0 {
                repeats = true;
                if seen_twice[number] & bit != 0 {
                    return None;
                }
                seen_twice[number] |= bit;
            }
        }
        seen[number] |= bit;
        order.ranks += 1;
    }
    Some((order, repeats))
}

/// With a Fenwick tree over the numbers seen so far.
fn by_tree(ranks: &[u32], below: usize) -> Order {
    let mut tree = vec![0u32; below + 1];
    let mut order = Order { ranks: ranks.len() as u64, increasing: 0 };
    for &rank in ranks {
        let mut at = rank as usize;
        while let Some(&count) = tree.get(at).filter(|_| at > 0) {
            order.increasing += u64::from(count);
            at &= at - 1;
        }
        let mut at = rank as usize + 1;
        while let Some(count) = tree.get_mut(at) {
            *count += 1;
            at += at & at.wrapping_neg();
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pairs_are_counted(
            repeated in proptest::collection::vec(0u32..20, 0..80),
            mut distinct in Just((0..200).collect::<Vec<u32>>()).prop_shuffle(),
            length in 0..200usize,
        ) {
            distinct.truncate(length);
            for (ranks, below) in [(repeated, 20), (distinct, 200)] {
                let pairs = (0..ranks.len()).flat_map(|i| (i + 1..ranks.len()).map(move |j| (i, j)));
                let expected = pairs.filter(|&(i, j)| ranks[i] < ranks[j]).count();
                prop_assert_eq!(order_of(&ranks, below).increasing, expected as u64);
                prop_assert_eq!(by_tree(&ranks, below).increasing, expected as u64);
            }
        }

        #[test]
        fn distinct_units_are_ordered_as_aligned(
            length in 1..80u32,
            mut reference in Just((0..90).collect::<Vec<u32>>()).prop_shuffle(),
            kept in 0..90usize,
        ) {
            reference.truncate(kept);
            let hypothesis: Vec<u32> = (0..length).collect();
            let expected = align(&hypothesis, &reference, 90, Rule::Nltk, |ranks| {
                order_of(ranks, reference.len())
            });
            prop_assert_eq!(order_of_distinct(&hypothesis, &reference), Some(expected));
        }

        #[test]
        fn repeated_units_are_left_to_the_alignment(
            mut texts in Just([0, 1, 2, 3, 4]).prop_shuffle(),
            again in 0..5usize,
        ) {
            let (distinct, repeating) = ([0, 1, 2, 3, 4], [&texts[..], &[texts[again]]].concat());
            prop_assert_eq!(order_of_distinct(&distinct, &repeating), None);
            // Units are numbered in the order in which the hypothesis has them.
            texts.sort_unstable();
            let repeating = [&texts[..], &[texts[again]]].concat();
            prop_assert_eq!(order_of_distinct(&repeating, &distinct), None);
        }
    }

    #[test]
    fn weights_are_checked() {
        let build = |builder: RibesSettings| builder.build(Arc::new(ko_tokenize::Word::new()));
        assert!(build(Ribes::builder().alpha(-0.1)).is_err());
        assert!(build(Ribes::builder().beta(f64::NAN)).is_err());
        assert!(build(Ribes::builder().rule(Rule::Official)).is_ok());
    }
}
