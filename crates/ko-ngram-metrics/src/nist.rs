//! NIST: n-gram precision in which rare n-grams count more.
//!
//! Doddington, *Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence
//! Statistics*, HLT 2002.
//!
//! > NIST = penalty · Σₙ ( Σ info(w₁…wₙ) over the shared n-grams / number of the hypothesis's n-grams ),
//! > info(w₁…wₙ) = log₂( count(w₁…wₙ₋₁) / count(w₁…wₙ) ),
//! > penalty = exp( ln ½ · (ln(h/r) / ln 1.5)² ) for a hypothesis shorter than the references, else 1
//!
//! with n up to 5. The counts are those of *all* references of the corpus, so a segment's share of the corpus
//! score is not known before the last segment is. The statistics therefore are the units themselves, eight
//! bytes each (a 64-bit hash of the text), and the score counts: every reference n-gram is a node of a
//! trie, whose parent is the n-gram without its last unit. O(units × order), in time and in memory.
//!
//! Of several references, each order of each segment takes the one with the greatest precision, the longest
//! of those as great.
//!
//! Equals `sentence_nist` and `corpus_nist` of NLTK 3.10.4. Values have no upper bound.
//!
//! ```
//! use ko_eval_core::{Corpus, Scorer};
//! use ko_ngram_metrics::Nist;
//! use ko_tokenize::Word;
//! use std::sync::Arc;
//!
//! let corpus = Corpus::from_columns(
//!     ["나는 어제 밥을 많이 먹었다", "그는 오늘 밥을 많이 먹었다"],
//!     [["나는 어제 밥을 많이 먹었다", "그는 오늘 죽을 많이 먹었다"]],
//! )?;
//! let nist = Nist::new(Arc::new(Word::new())).corpus_score(&corpus.segments())?;
//! assert!(nist.score.detail("information-1").unwrap() > 2.0);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```
//!
//! | input | value |
//! |---|---|
//! | no hypothesis has n-grams of some order (NLTK divides by zero) | that order adds 0; flagged undefined |
//! | all references without units (NLTK divides by zero) | 0, flagged undefined |
//! | a text without units | by the formula, flagged |

#![allow(
    clippy::indexing_slicing,
    reason = "nodes are numbers given out by the trie, orders run below the order of the metric"
)]

mod explain;

use crate::{
    Case,
    kernel::{
        empty::Empties,
        ngrams,
        numbering::{Numbering, pair},
        spare,
        units::Cutter,
    },
    settings::{CASE, ORDER},
};
use ko_eval_core::{
    BuildMetric, Direction, ExactSum, Explanation, Flag, Metric, MetricEntry, Result, Score,
    Segment, Signature, Signed, Stats, Tokenizer, setting::Whole,
};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, cell::Cell, sync::Arc};

/// The registry row.
pub(crate) const ENTRY: MetricEntry = MetricEntry {
    name: "nist",
    summary: "n-gram precision in which n-grams count more the rarer they are in the references",
    reference: "NLTK 3.10.4",
    argument: None,
    params: &[ORDERS.param(), CASE.param()],
    range: (0.0, f64::INFINITY),
    variants: &[],
    build: BuildMetric::OverUnits(|params, tokenizer| {
        let settings = Nist::builder().order(params.read(&ORDERS)?).case(params.read(&CASE)?);
        Ok(Box::new(settings.build(tokenizer)?))
    }),
};

const ORDERS: Whole = ORDER.or(5);

/// NIST over any units.
///
/// ```
/// use ko_ngram_metrics::prelude::*;
/// use ko_tokenize::Character;
/// use std::sync::Arc;
///
/// let metric = Nist::new(Arc::new(Character::new()));
/// let score = metric.segment_score(&Segment::new("나는 밥을 먹었다.", ["나는 밥을 먹었어요."])?)?;
/// assert_eq!(format!("{score:.3}"), "2.616");
/// # Ok::<(), ko_ngram_metrics::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Nist {
    cutter: Cutter,
    order: usize,
}

/// Settings of [`Nist`], checked in [`NistSettings::build`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NistSettings {
    order: usize,
    case: Case,
}

impl Default for NistSettings {
    fn default() -> Self {
        Self { order: ORDERS.default, case: CASE.default }
    }
}

impl NistSettings {
    /// The longest n-grams that count; 5 by default.
    #[must_use]
    pub fn order(self, order: usize) -> Self {
        Self { order, ..self }
    }

    /// Whether upper and lower case differ.
    #[must_use]
    pub fn case(self, case: Case) -> Self {
        Self { case, ..self }
    }

    /// The metric.
    ///
    /// # Errors
    /// [`Error::InvalidParameter`](ko_eval_core::Error::InvalidParameter): an order of 0 or over 1,000.
    pub fn build(self, tokenizer: Arc<dyn Tokenizer>) -> Result<Nist> {
        let order = ORDERS.check(ENTRY.name, self.order)?;
        Ok(Nist { cutter: Cutter::new(tokenizer, self.case), order })
    }
}

impl Nist {
    /// NIST with n-grams of one to five units.
    pub fn new(tokenizer: Arc<dyn Tokenizer>) -> Self {
        Self { cutter: Cutter::new(tokenizer, CASE.default), order: ORDERS.default }
    }

    /// Other settings.
    pub fn builder() -> NistSettings {
        NistSettings::default()
    }

    fn figures(&self, stats: &NistStats) -> Figures {
        let mut trie: Box<Trie> = spare::take(&SPARE);
        trie.read(stats.segments().flat_map(|texts| texts.references), self.order);
        let mut comparison = Comparison::new(&trie, self.order);
        let mut sums = vec![(ExactSum::default(), 0); self.order];
        let (mut own_length, mut reference_length) = (0, 0);
        for texts in stats.segments() {
            let own = texts.hypothesis.len();
            for (n, best) in (1..).zip(comparison.best(&texts)) {
                let (sum, total) = &mut sums[n - 1];
                sum.add(best.information);
                *total += ngrams::total(own, n);
                // Once for every order, as in the reference: each may have chosen another text.
                own_length += own as u64;
                reference_length += best.length as u64;
            }
        }
        let undefined = reference_length == 0 || sums.iter().any(|(_, total)| *total == 0);
        let mean = |(sum, total): &(ExactSum, u64)| match total {
            0 => 0.0,
            _ => sum.value() / *total as f64,
        };
        let size = trie.counts.len();
        spare::keep(&SPARE, trie, size);
        let information: Vec<f64> = sums.iter().map(mean).collect();
        let penalty = length_penalty(own_length, reference_length);
        Figures {
            value: information.iter().sum::<f64>() * penalty,
            information,
            penalty,
            undefined,
        }
    }
}

impl Nist {
    /// The references that the orders of a segment chose.
    fn chosen(&self, stats: &NistStats) -> Vec<Best> {
        let mut trie = Trie::default();
        trie.read(stats.segments().flat_map(|texts| texts.references), self.order);
        let mut comparison = Comparison::new(&trie, self.order);
        stats.segments().next().map(|texts| comparison.best(&texts)).unwrap_or_default()
    }
}

/// ½ where the hypotheses have two thirds of the references' length.
fn length_penalty(hypothesis: u64, reference: u64) -> f64 {
    if hypothesis >= reference {
        return 1.0;
    }
    match hypothesis as f64 / reference as f64 {
        ratio if ratio > 0.0 => (0.5f64.ln() / 1.5f64.ln().powi(2) * ratio.ln().powi(2)).exp(),
        _ => 0.0,
    }
}

/// A score and what it is made of.
struct Figures {
    value: f64,
    information: Vec<f64>,
    penalty: f64,
    undefined: bool,
}

/// The n-grams of the references: a node each, reached from the node of its first n − 1 units.
struct Trie {
    units: Numbering,
    nodes: Numbering,
    counts: Vec<Node>,
    /// For every place of the references the nodes of the n-grams that begin there, the shortest first.
    paths: Vec<u32>,
    /// The number of all units: how often the empty n-gram is counted.
    total: u64,
}

#[derive(Clone, Copy)]
struct Node {
    parent: u32,
    count: u64,
}

thread_local! {
    /// The trie of the last segment, used again for the next.
    static SPARE: Cell<Option<Box<Trie>>> = const { Cell::new(None) };
}

/// The parent of unigrams.
const ROOT: u32 = u32::MAX;

impl Default for Trie {
    fn default() -> Self {
        let [units, nodes] = [64, 256].map(Numbering::with_capacity);
        Self { units, nodes, counts: Vec::new(), paths: Vec::new(), total: 0 }
    }
}

impl Trie {
    /// Counts the n-grams of these texts instead of those before.
    fn read<'a>(&mut self, texts: impl Iterator<Item = &'a [u64]>, order: usize) {
        let Self { units, nodes, counts, paths, total } = self;
        units.clear();
        nodes.clear();
        counts.clear();
        paths.clear();
        *total = 0;
        let mut numbers = Vec::new();
        for text in texts {
            *total += text.len() as u64;
            numbers.clear();
            numbers.extend(text.iter().map(|&unit| units.number(unit)));
            for start in 0..numbers.len() {
                let mut parent = ROOT;
                for &unit in numbers[start..].iter().take(order) {
                    let node = nodes.number(pair(parent, unit));
                    match counts.get_mut(node as usize) {
                        Some(known) => known.count += 1,
                        None => counts.push(Node { parent, count: 1 }),
                    }
                    paths.push(node);
                    parent = node;
                }
            }
        }
    }

    /// The numbers of a text's units.
    fn numbers(&self, text: &[u64], numbers: &mut Vec<u32>) {
        numbers.clear();
        numbers.extend(text.iter().map(|&unit| self.units.get(unit)));
    }

    /// Visits, at every place of the text, the n-grams that begin there, the shortest first, as long as
    /// references hold them.
    fn walk(&self, numbers: &[u32], orders: usize, mut visit: impl FnMut(usize, usize)) {
        for start in 0..numbers.len() {
            self.walk_from(&numbers[start..], orders, &mut visit);
        }
    }

    /// Visits the n-grams that the text begins with.
    #[inline]
    fn walk_from(&self, numbers: &[u32], orders: usize, mut visit: impl FnMut(usize, usize)) {
        let mut parent = ROOT;
        for (order, &unit) in (0..orders).zip(numbers) {
            let node = self.nodes.get(pair(parent, unit));
            if node as usize == self.nodes.len() {
                break;
            }
            visit(order, node as usize);
            parent = node;
        }
    }

    /// How much is learned by reading the last unit of an n-gram after the others.
    fn information(&self, node: usize) -> f64 {
        let Node { parent, count } = self.counts[node];
        let before = match parent {
            ROOT => self.total,
            parent => self.counts[parent as usize].count,
        };
        if before == count {
            // Nothing, as for most long n-grams.
            return 0.0;
        }
        (before as f64 / count as f64).ln() / 2f64.ln()
    }
}

/// A segment's n-grams against those of its references. Holds its room for the next segment.
struct Comparison<'t> {
    trie: &'t Trie,
    /// The nodes that the hypothesis reaches, by order, each once, in order of appearance.
    reached: Vec<Vec<usize>>,
    /// How often the hypothesis and the reference reach a node.
    times: Vec<(u32, u32)>,
    /// The hypothesis.
    numbers: Vec<u32>,
    /// The paths of the references that are still to come.
    paths: &'t [u32],
}

/// The reference that an order of a segment chose.
#[derive(Clone, Copy)]
struct Best {
    reference: usize,
    information: f64,
    length: usize,
}

impl<'t> Comparison<'t> {
    fn new(trie: &'t Trie, orders: usize) -> Self {
        let times = vec![(0, 0); trie.counts.len()];
        let reached = vec![Vec::new(); orders];
        Self { trie, reached, times, numbers: Vec::new(), paths: &trie.paths }
    }

    /// The best reference of each order. Segments come in the order in which the trie has read their references.
    fn best(&mut self, texts: &Entry<'_>) -> Vec<Best> {
        let Self { trie, reached, times, numbers, paths } = self;
        let orders = reached.len();
        for node in reached.iter_mut().flat_map(|nodes| nodes.drain(..)) {
            times[node].0 = 0;
        }
        reached.iter_mut().for_each(|nodes| nodes.reserve(texts.hypothesis.len()));
        trie.numbers(texts.hypothesis, numbers);
        trie.walk(numbers, orders, |order, node| {
            if times[node].0 == 0 {
                reached[order].push(node);
            }
            times[node].0 += 1;
        });
        let mut best = vec![Best { reference: 0, information: -1.0, length: 0 }; orders];
        for (number, reference) in texts.references.iter().enumerate() {
            for place in 0..reference.len() {
                let path = paths.split_off(..orders.min(reference.len() - place));
                for &node in path.unwrap_or_default() {
                    let (own, theirs) = &mut times[node as usize];
                    // What the hypothesis does not reach, it does not go beyond.
                    if *own == 0 {
                        break;
                    }
                    *theirs += 1;
                }
            }
            for (best, nodes) in best.iter_mut().zip(&*reached) {
                let shared = |&node: &usize| {
                    let (own, theirs) = &mut times[node];
                    match std::mem::take(theirs).min(*own) {
                        0 => 0.0,
                        times => trie.information(node) * f64::from(times),
                    }
                };
                let information = nodes.iter().map(shared).sum();
                // All references share the hypothesis's number of n-grams: no need to divide.
                if (information, reference.len()) > (best.information, best.length) {
                    *best = Best { reference: number, information, length: reference.len() };
                }
            }
        }
        best
    }
}

/// The units of all texts, by their hashes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NistStats {
    /// Each segment's hypothesis, then its references.
    units: Vec<u64>,
    /// For each segment: the number of its references, the length of its hypothesis, and of each reference.
    lengths: Vec<u32>,
    empties: Empties,
}

/// One segment of [`NistStats`].
struct Entry<'a> {
    hypothesis: &'a [u64],
    references: Vec<&'a [u64]>,
}

impl Entry<'_> {
    /// The number of all units.
    fn len(&self) -> usize {
        self.hypothesis.len() + self.references.iter().map(|text| text.len()).sum::<usize>()
    }
}

impl NistStats {
    /// The segments; statistics that were tampered with end early.
    fn segments(&self) -> impl Iterator<Item = Entry<'_>> {
        let (mut units, mut lengths) = (self.units.as_slice(), self.lengths.iter());
        std::iter::from_fn(move || {
            let references = *lengths.next()?;
            let mut text = || {
                let (text, rest) = units.split_at_checked(*lengths.next()? as usize)?;
                units = rest;
                Some(text)
            };
            let hypothesis = text()?;
            let references = (0..references).map(|_| text()).collect::<Option<_>>()?;
            Some(Entry { hypothesis, references })
        })
    }
}

impl Stats for NistStats {
    fn merge(&mut self, other: &Self) {
        self.units.extend_from_slice(&other.units);
        self.lengths.extend_from_slice(&other.lengths);
        self.empties.merge(other.empties);
    }

    fn check(&self) -> Result<(), String> {
        let (mut units, mut lengths) = (0, 0);
        for texts in self.segments() {
            units += texts.len();
            lengths += texts.references.len() + 2;
        }
        match (units, lengths) == (self.units.len(), self.lengths.len()) {
            true => Ok(()),
            false => Err("the lengths of its texts do not add up to their units".into()),
        }
    }

    fn known_segments(&self) -> Option<u64> {
        Some(self.segments().count() as u64)
    }
}

/// The name of an order's information among the details; the usual orders cost no allocation.
fn information_name(order: usize) -> Cow<'static, str> {
    match order {
        1 => "information-1".into(),
        2 => "information-2".into(),
        3 => "information-3".into(),
        4 => "information-4".into(),
        5 => "information-5".into(),
        _ => format!("information-{order}").into(),
    }
}

/// FNV-1a: the same on every platform and in every version, because statistics are written and read.
fn hash(unit: &str) -> u64 {
    let fold = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    unit.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, fold)
}

impl Signed for Nist {
    fn signature(&self) -> Signature {
        let signature = self.cutter.sign_lower_case(Signature::new("NIST"));
        self.cutter.sign(signature.with("order", self.order))
    }
}

impl Metric for Nist {
    type Stats = NistStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn check(&self, stats: &NistStats, segments: usize) -> Result<(), String> {
        stats.check()?;
        stats.empties.check(segments)
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<NistStats> {
        self.cutter.texts(segment, |texts| {
            let mut counted = texts.lengths();
            let pieces = texts.pieces();
            NistStats {
                empties: Empties::of(counted.next().unwrap_or(0), counted),
                units: match pieces.characters() {
                    Some(units) => units.iter().map(|c| hash(c.encode_utf8(&mut [0; 4]))).collect(),
                    None => pieces.texts().map(|unit| hash(unit.as_str())).collect(),
                },
                lengths: [segment.references().len()]
                    .into_iter()
                    .chain(texts.lengths())
                    .map(|n| n as u32)
                    .collect(),
            }
        })
    }

    fn score(&self, stats: &NistStats) -> Score {
        let figures = self.figures(stats);
        let mut score = Score::new(figures.value);
        for (n, information) in (1..).zip(figures.information) {
            score = score.with(information_name(n), information);
        }
        let score = score.with("length-penalty", figures.penalty);
        stats.empties.flag(score.flag_if(figures.undefined, Flag::Undefined))
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        self.explained(segment)
    }
}
