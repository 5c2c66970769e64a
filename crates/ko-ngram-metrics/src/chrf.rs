//! chrF: F-score of character n-grams; chrF+ and chrF++ add words.
//!
//! Popović, *chrF: character n-gram F-score for automatic MT evaluation*, WMT 2015; *chrF++: words
//! helping character n-grams*, WMT 2017.
//!
//! > chrF = 100 · (1 + β²) · P · R / (β² · P + R)
//!
//! where *P* and *R* are precision and recall, averaged over the orders 1 to 6 of character n-grams (and
//! over word unigrams and bigrams in chrF++) that both texts have. Of several references the one with the
//! greatest F counts; over a corpus, counts are summed first. O(characters × order).
//!
//! Characters are the code points of the units, one unit after the other: on words that is the text
//! without white space, on jamo its letters. Words are the units, with a punctuation mark at the end, or else
//! at the beginning, cut off.
//!
//! Equals sacreBLEU 2.6.0 on the units joined by spaces.
//!
//! ```
//! use ko_eval_core::{Scorer, Segment};
//! use ko_ngram_metrics::Chrf;
//! use ko_tokenize::{Jamo, Word};
//! use std::sync::Arc;
//!
//! let segment = Segment::new("나는 밥을 먹었다", ["나는 밥을 먹였다"])?;
//! let syllables = Chrf::new(Arc::new(Word::new())).segment_score(&segment)?;
//! let letters = Chrf::new(Arc::new(Jamo::new())).segment_score(&segment)?;
//! assert!(syllables.value < letters.value); // one letter differs
//! let plus_plus = Chrf::builder().word_order(2).build(Arc::new(Word::new()))?; // chrF++
//! assert!(plus_plus.segment_score(&segment)?.value < letters.value);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```
//!
//! | input | value |
//! |---|---|
//! | a text without units | 0 (with ε smoothing: almost 0), flagged |
//! | texts shorter than an order | that order is left out (with ε smoothing: it counts as 10⁻¹⁶) |

mod explain;

use crate::{
    Case,
    kernel::{
        empty::Empties,
        ngrams::{self, overlaps},
        units::{Cutter, Texts, Units},
    },
    settings::CASE,
};
use ko_eval_core::{
    BuildMetric, Direction, Explanation, Metric, MetricEntry, Result, Score, Segment, Signature,
    Signed, Stats, Tokenizer, Vocabulary,
    setting::{Choice, Number, Whole},
};
use serde::{Deserialize, Serialize};
use std::{ops::Range, sync::Arc};

/// The registry row.
pub(crate) const ENTRY: MetricEntry = MetricEntry {
    name: "chrf",
    summary: "F-score of character n-grams; word-order=2 is chrF++",
    reference: "sacreBLEU 2.6.0",
    argument: None,
    params: &[
        CHAR_ORDER.param(),
        WORD_ORDER.param(),
        BETA.param(),
        WHITE_SPACE.param(),
        MISSING.param(),
        CASE.param(),
    ],
    range: (0.0, 100.0),
    variants: &["word-order=2,whitespace=yes", "word-order=2,eps-smoothing=yes,case=lower"],
    build: BuildMetric::OverUnits(|params, tokenizer| {
        let settings = Chrf::builder()
            .char_order(params.read(&CHAR_ORDER)?)
            .word_order(params.read(&WORD_ORDER)?)
            .beta(params.read(&BETA)?)
            .white_space(params.read(&WHITE_SPACE)?)
            .missing(params.read(&MISSING)?)
            .case(params.read(&CASE)?);
        Ok(Box::new(settings.build(tokenizer)?))
    }),
};

pub(crate) const CHAR_ORDER: Whole =
    Whole::new("char-order", 6, 1, 1000, "the longest character n-grams");
pub(crate) const WORD_ORDER: Whole =
    Whole::new("word-order", 0, 0, 1000, "the longest word n-grams; 2 is chrF++");
pub(crate) const BETA: Number =
    Number::new("beta", 2.0, 0.0, 1e6, "how much more recall counts than precision");
pub(crate) const WHITE_SPACE: Choice<WhiteSpace> = Choice::new(
    "whitespace",
    &[("no", WhiteSpace::Drop), ("yes", WhiteSpace::Keep)],
    "whether a space between units counts",
);
pub(crate) const MISSING: Choice<Missing> = Choice::new(
    "eps-smoothing",
    &[("no", Missing::LeaveOut), ("yes", Missing::Epsilon)],
    "yes: no order is left out",
);

const EPSILON: f64 = 1e-16;

/// What stands between the characters of two units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum WhiteSpace {
    /// Nothing; white space inside units is dropped as well.
    #[default]
    Drop,
    /// A space, which is part of n-grams.
    Keep,
}

/// What becomes of orders that one of the texts is too short for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Missing {
    /// They are left out of the averages.
    #[default]
    LeaveOut,
    /// The F-scores of all orders are averaged, and theirs is ε = 10⁻¹⁶, as in the author's script.
    Epsilon,
}

/// chrF over any units.
///
/// ```
/// use ko_ngram_metrics::prelude::*;
/// use ko_tokenize::Word;
/// use std::sync::Arc;
///
/// let metric = Chrf::new(Arc::new(Word::new()));
/// let score = metric.segment_score(&Segment::new("나는 밥을 먹었다.", ["나는 밥을 먹었어요."])?)?;
/// assert_eq!(format!("{score:.2}"), "53.72");
/// # Ok::<(), ko_ngram_metrics::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Chrf {
    cutter: Cutter,
    settings: ChrfSettings,
}

/// Settings of [`Chrf`], checked in [`ChrfSettings::build`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChrfSettings {
    char_order: usize,
    word_order: usize,
    beta: f64,
    white_space: WhiteSpace,
    missing: Missing,
    case: Case,
}

impl Default for ChrfSettings {
    fn default() -> Self {
        Self {
            char_order: CHAR_ORDER.default,
            word_order: WORD_ORDER.default,
            beta: BETA.default,
            white_space: WHITE_SPACE.default,
            missing: MISSING.default,
            case: CASE.default,
        }
    }
}

impl ChrfSettings {
    /// The longest character n-grams that count; 6 by default.
    #[must_use]
    pub fn char_order(self, char_order: usize) -> Self {
        Self { char_order, ..self }
    }

    /// The longest word n-grams that count; 0 by default, 1 in chrF+, 2 in chrF++.
    #[must_use]
    pub fn word_order(self, word_order: usize) -> Self {
        Self { word_order, ..self }
    }

    /// How many times more recall counts than precision; 2 by default.
    #[must_use]
    pub fn beta(self, beta: f64) -> Self {
        Self { beta, ..self }
    }

    /// Whether a space between units counts.
    #[must_use]
    pub fn white_space(self, white_space: WhiteSpace) -> Self {
        Self { white_space, ..self }
    }

    /// What becomes of orders that one of the texts is too short for.
    #[must_use]
    pub fn missing(self, missing: Missing) -> Self {
        Self { missing, ..self }
    }

    /// Whether upper and lower case differ.
    #[must_use]
    pub fn case(self, case: Case) -> Self {
        Self { case, ..self }
    }

    /// The metric.
    ///
    /// # Errors
    /// [`Error::InvalidParameter`](ko_eval_core::Error::InvalidParameter): a character order of 0, an order over 1,000, a β that is negative or
    /// over 1,000,000.
    pub fn build(self, tokenizer: Arc<dyn Tokenizer>) -> Result<Chrf> {
        CHAR_ORDER.check(ENTRY.name, self.char_order)?;
        WORD_ORDER.check(ENTRY.name, self.word_order)?;
        BETA.check(ENTRY.name, self.beta)?;
        Ok(Chrf { cutter: Cutter::new(tokenizer, self.case), settings: self })
    }
}

impl Chrf {
    /// chrF with characters up to order 6 and β = 2.
    pub fn new(tokenizer: Arc<dyn Tokenizer>) -> Self {
        Self { cutter: Cutter::new(tokenizer, CASE.default), settings: ChrfSettings::default() }
    }

    /// Other settings.
    pub fn builder() -> ChrfSettings {
        ChrfSettings::default()
    }

    /// The counts of every reference, one after the other: characters first, then words.
    fn counts(&self, texts: &Texts) -> Vec<Vec<Count>> {
        let ChrfSettings { char_order, word_order, white_space, .. } = self.settings;
        let of_characters = |units: &Units| compare(units, char_order);
        let mut counts = number_characters(texts, white_space, of_characters);
        if word_order > 0 {
            let words = number_words(texts, |units| compare(units, word_order));
            counts.iter_mut().zip(words).for_each(|(all, words)| all.extend(words));
        }
        counts
    }

    fn f_score(&self, counts: &[Count]) -> f64 {
        let ChrfSettings { char_order, word_order, beta, missing, .. } = self.settings;
        let factor = beta * beta;
        let f = |precision: f64, recall: f64| {
            let sum = factor * precision + recall;
            if sum > 0.0 { (1.0 + factor) * precision * recall / sum } else { EPSILON }
        };
        match missing {
            Missing::Epsilon => {
                let share = |part: u64, all: u64| match all {
                    0 => EPSILON,
                    _ => part as f64 / all as f64,
                };
                let of =
                    |c: &Count| f(share(c.matches, c.hypothesis), share(c.matches, c.reference));
                100.0 * counts.iter().map(of).sum::<f64>() / (char_order + word_order) as f64
            }
            Missing::LeaveOut => {
                let (mut precision, mut recall, mut orders) = (0.0, 0.0, 0.0);
                for count in counts.iter().filter(|c| c.hypothesis > 0 && c.reference > 0) {
                    precision += count.matches as f64 / count.hypothesis as f64;
                    recall += count.matches as f64 / count.reference as f64;
                    orders += 1.0;
                }
                if precision + recall == 0.0 {
                    return 0.0;
                }
                100.0 * f(precision / orders, recall / orders)
            }
        }
    }
}

/// Counts the n-grams of the hypothesis, of each reference, and of both.
fn compare(units: &Units, order: usize) -> Vec<Vec<Count>> {
    let found = overlaps(units, order);
    let lengths = units.references().map(<[u32]>::len).enumerate();
    let of_reference = |(number, length)| {
        let matches = found.with_reference(number).iter();
        let count = |(n, &matches)| {
            let reference = ngrams::total(length, n);
            // What no n-gram of the reference could match does not count against the hypothesis.
            let own = ngrams::total(units.hypothesis().len(), n);
            Count { hypothesis: if reference > 0 { own } else { 0 }, reference, matches }
        };
        (1..).zip(matches).map(count).collect()
    };
    lengths.map(of_reference).collect()
}

/// Numbers the characters of all texts, and lends them to `then`.
fn number_characters<T>(
    texts: &Texts,
    white_space: WhiteSpace,
    then: impl FnOnce(&Units) -> T,
) -> T {
    let pieces = texts.pieces();
    let mut characters = Vec::new();
    let number = |span: Range<usize>, vocabulary: &mut Vocabulary| {
        characters.clear();
        match pieces.characters() {
            Some(units) => units
                .get(span)
                .unwrap_or_default()
                .iter()
                .for_each(|&c| characters.extend([' ', c])),
            None => {
                for unit in pieces.texts_in(span) {
                    characters.push(' ');
                    characters.extend(unit.as_str().chars());
                }
            }
        }
        let characters = characters.iter().copied();
        match white_space {
            WhiteSpace::Drop => vocabulary.write(characters.filter(|c| !c.is_whitespace())),
            // No space before the first.
            WhiteSpace::Keep => vocabulary.write(characters.skip(1)),
        }
    };
    Units::of_texts(texts.spans(), number, then)
}

/// Numbers the words of all texts, which are the units with their punctuation cut off, and lends them to `then`.
fn number_words<T>(texts: &Texts, then: impl FnOnce(&Units) -> T) -> T {
    let pieces = texts.pieces();
    if pieces.characters().is_some() {
        return number_characters(texts, WhiteSpace::Drop, then);
    }
    let number = |span: Range<usize>, vocabulary: &mut Vocabulary| {
        for unit in pieces.texts_in(span) {
            unit.as_str().split_whitespace().for_each(|word| number_word(word, vocabulary));
        }
    };
    Units::of_texts(texts.spans(), number, then)
}

/// Adds a word, and apart from it its punctuation.
fn number_word(word: &str, vocabulary: &mut Vocabulary) {
    vocabulary.cut(word, parts_of_word(word));
}

/// A word without its punctuation, and that: one mark at the end, or else one at the beginning. Starts and lengths.
fn parts_of_word(word: &str) -> impl Iterator<Item = (usize, usize)> + use<> {
    let is_mark = |c: char| c.is_ascii_punctuation();
    let cut = match (word.strip_suffix(is_mark), word.strip_prefix(is_mark)) {
        (Some(rest), _) => rest.len(),
        (None, Some(rest)) => word.len() - rest.len(),
        (None, None) => word.len(),
    };
    let parts = [(0, cut), (cut, word.len() - cut)];
    parts.into_iter().filter(|(_, length)| *length > 0)
}

/// The n-grams of one order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Count {
    hypothesis: u64,
    reference: u64,
    matches: u64,
}

/// What chrF counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChrfStats {
    counts: Vec<Count>,
    empties: Empties,
}

impl Stats for ChrfStats {
    fn merge(&mut self, other: &Self) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), Count::default());
        }
        for (sum, count) in self.counts.iter_mut().zip(&other.counts) {
            sum.hypothesis = sum.hypothesis.saturating_add(count.hypothesis);
            sum.reference = sum.reference.saturating_add(count.reference);
            sum.matches = sum.matches.saturating_add(count.matches);
        }
        self.empties.merge(other.empties);
    }

    fn check(&self) -> Result<(), String> {
        let impossible = |c: &Count| c.matches > c.hypothesis.min(c.reference);
        match self.counts.iter().position(impossible) {
            Some(order) => Err(format!("more matches than n-grams, in count {}", order + 1)),
            None => Ok(()),
        }
    }

    fn to_numbers(&self) -> Option<Vec<f64>> {
        let counts = self.counts.iter().flat_map(|c| [c.hypothesis, c.reference, c.matches]);
        Some(self.empties.numbers().into_iter().chain(counts.map(|n| n as f64)).collect())
    }

    fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let (&empties, counts) = numbers.split_first_chunk()?;
        let count = |&[hypothesis, reference, matches]: &[f64; 3]| Count {
            hypothesis: hypothesis as u64,
            reference: reference as u64,
            matches: matches as u64,
        };
        let counts = counts.as_chunks().0.iter().map(count).collect();
        Some(Self { counts, empties: Empties::from_numbers(empties) })
    }
}

impl Signed for Chrf {
    fn signature(&self) -> Signature {
        let ChrfSettings { char_order, word_order, beta, white_space, missing, .. } = self.settings;
        let signature = self.cutter.sign_case(Signature::new("chrF").with("beta", beta));
        let signature = signature
            .with("char-order", char_order)
            .with("eps-smoothing", MISSING.word(&missing))
            .with("whitespace", WHITE_SPACE.word(&white_space))
            .with("word-order", word_order);
        self.cutter.sign(signature)
    }
}

impl Metric for Chrf {
    type Stats = ChrfStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn check(&self, stats: &ChrfStats, segments: usize) -> Result<(), String> {
        stats.check()?;
        stats.empties.check(segments)?;
        let orders = self.settings.char_order + self.settings.word_order;
        match (segments == 0 && stats.counts.is_empty()) || stats.counts.len() == orders {
            true => Ok(()),
            false => Err(format!("counts of {} orders, expected {orders}", stats.counts.len())),
        }
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<ChrfStats> {
        self.cutter.texts(segment, |texts| {
            let mut lengths = texts.lengths();
            let empties = Empties::of(lengths.next().unwrap_or(0), lengths);
            let mut best = (-1.0, Vec::new());
            for counts in self.counts(texts) {
                let f_score = self.f_score(&counts);
                if f_score > best.0 {
                    best = (f_score, counts);
                }
            }
            ChrfStats { counts: best.1, empties }
        })
    }

    fn score(&self, stats: &ChrfStats) -> Score {
        stats.empties.flag(Score::new(self.f_score(&stats.counts)))
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        self.explained(segment)
    }
}
