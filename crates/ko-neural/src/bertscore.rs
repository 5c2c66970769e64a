//! BERTScore (Zhang et al. 2020): every token finds its most similar partner on the other side.
//!
//! With x of the reference, y of the hypothesis, unit vectors and weights w:
//! `P = Σ w(y)·max over x (xᵀy) / Σ w(y)`, `R` the other way round, `F = 2PR / (P + R)`. Without idf, w is 1, and 0
//! for marks such as `[CLS]`, which still may be somebody's partner. With idf, `w = ln((N+1) / (n+1))` of a token
//! that occurs in n of the N references. Rescaling by a baseline b maps a value v to `(v − b) / (1 − b)`.
//! Over several references each of P, R and F is the greatest, before rescaling.
//!
//! Equal to `bert-score` 0.3.13. O(|x|·|y|·dimension) per pair beside the encoder.
//!
//! | case | value |
//! |---|---|
//! | a hypothesis or a reference without a token of its own | P = R = F = 0 before rescaling, flagged |
//! | all weights 0 (idf of a corpus of one) | 0, flagged undefined; the reference gives NaN |
//! | every partner has a negative cosine | the negative value; the reference gives 0 if its batch happens to be padded |
//!
//! ```
//! # use ko_eval_core::*;
//! # use ko_eval_model::*;
//! # #[derive(Debug)]
//! # struct Letters;
//! # impl Signed for Letters { fn signature(&self) -> Signature { Signature::new("letters") } }
//! # impl Encoder for Letters {
//! #     fn encode(&self, texts: &[&str]) -> Result<Vec<Encoding>> {
//! #         texts.iter().map(|t| { let tokens: Vec<String> = t.chars().map(String::from).collect();
//! #             let data = t.chars().flat_map(|c| [c as u32 as f32 % 7.0, 1.0]).collect();
//! #             let special = vec![false; tokens.len()];
//! #             Encoding::new(tokens, special, Embeddings::from_rows(2, data)?) }).collect()
//! #     }
//! # }
//! use ko_neural::BertScore;
//! use std::sync::Arc;
//!
//! // Any `Encoder` will do; with the feature `torch`, `Transformer::open(folder)` is one.
//! let metric = BertScore::new(Arc::new(Letters));
//! let score = metric.segment_score(&Segment::new("밥을 먹었다", ["밥을 먹었다"])?)?;
//! assert!((score.value - 1.0).abs() < 1e-6);
//! # Ok::<(), Error>(())
//! ```

mod explain;

use crate::{received, vector};
use ko_eval_core::{
    Direction, Error, Explanation, Fingerprint, MeanStats, Metric, Result, Score, Segment,
    Signature, Signed, Stats,
};
use ko_eval_model::{Encoder, Encoding};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Bytes of text whose tokens' vectors are held at once: some 40,000 tokens, 120 MB with 768 numbers each.
const CHUNK: usize = 1 << 18;

/// The layer that agrees best with people, as KoBERTScore chose it per model.
pub const KOREAN_LAYERS: &[(&str, usize)] = &[
    ("beomi/kcbert-base", 4),
    ("monologg/kobert", 2),
    ("monologg/distilkobert", 12),
    ("monologg/koelectra-base-v2-discriminator", 12),
];

/// The layer of [`KOREAN_LAYERS`] for a model by its name, with or without whose it is.
///
/// ```
/// use ko_neural::bertscore::korean_layer;
///
/// assert_eq!(korean_layer("kcbert-base"), Some(4));
/// assert_eq!(korean_layer("monologg/kobert"), Some(2));
/// assert_eq!(korean_layer("my-model"), None);
/// ```
pub fn korean_layer(model: &str) -> Option<usize> {
    let row = KOREAN_LAYERS
        .iter()
        .find(|(id, _)| *id == model || id.rsplit_once('/').is_some_and(|(_, name)| name == model));
    row.map(|&(_, layer)| layer)
}

/// Precision, recall and their harmonic mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Match {
    /// How much of the hypothesis is in the reference.
    pub precision: f64,
    /// How much of the reference is in the hypothesis.
    pub recall: f64,
    /// 2PR / (P + R).
    pub f1: f64,
}

impl Match {
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            precision: f(self.precision, other.precision),
            recall: f(self.recall, other.recall),
            f1: f(self.f1, other.f1),
        }
    }
}

/// Weights of tokens: rarer among the references, heavier.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Idf {
    documents: usize,
    counts: FxHashMap<String, usize>,
}

impl Idf {
    /// Counts in how many of the references each token occurs.
    ///
    /// # Errors
    /// As the encoder's.
    pub fn from_references(encoder: &dyn Encoder, references: &[&str]) -> Result<Self> {
        let mut idf = Self { documents: references.len(), counts: FxHashMap::default() };
        for chunk in chunks(references, |text| text.len()) {
            for tokens in encoder.tokens(chunk)? {
                let distinct: FxHashSet<String> = tokens.into_iter().collect();
                distinct.into_iter().for_each(|token| *idf.counts.entry(token).or_default() += 1);
            }
        }
        Ok(idf)
    }

    /// How many references were counted, and a digest of the counts.
    fn name(&self) -> String {
        let mut counts: Vec<_> = self.counts.iter().collect();
        counts.sort_unstable();
        let add = |all: Fingerprint, (token, count): (&String, &usize)| {
            all.text(token).bytes(&(*count as u64).to_le_bytes())
        };
        let digest = counts.into_iter().fold(Fingerprint::new(), add).short();
        format!("{}@{digest}", self.documents)
    }

    /// `ln((N+1) / (n+1))`.
    pub fn weight(&self, token: &str) -> f64 {
        let count = self.counts.get(token).copied().unwrap_or(0);
        ((self.documents as f64 + 1.0) / (count as f64 + 1.0)).ln()
    }
}

/// The metric.
///
/// ```no_run
/// # #[cfg(feature = "torch")] {
/// use ko_neural::prelude::*;
/// use std::sync::Arc;
///
/// let model = Transformer::open("klue-bert-base", &Inference::new())?.at_layer(9)?;
/// let metric = BertScore::new(Arc::new(model));
/// let score = metric.segment_score(&Segment::new("나는 밥을 먹었다.", ["저는 밥을 먹었어요."])?)?;
/// println!("{score:.3}");
/// # }
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct BertScore {
    encoder: Arc<dyn Encoder>,
    idf: Option<Idf>,
    baseline: Option<Match>,
    /// What the signature says of idf and rescaling where only statistics are left of them.
    recorded: Option<[String; 2]>,
}

impl BertScore {
    /// Equal weights, no rescaling.
    pub fn new(encoder: Arc<dyn Encoder>) -> Self {
        Self { encoder, idf: None, baseline: None, recorded: None }
    }

    /// The same with tokens weighted by their rarity.
    #[must_use]
    pub fn idf(self, idf: Idf) -> Self {
        Self { idf: Some(idf), ..self }
    }

    /// The same, rescaled so that `baseline` becomes 0.
    ///
    /// # Errors
    /// When a part of the baseline is not a number below 1.
    pub fn baseline(self, baseline: Match) -> Result<Self> {
        for value in [baseline.precision, baseline.recall, baseline.f1] {
            if !(value.is_finite() && value < 1.0) {
                return Err(Error::invalid("bertscore", "baseline", value, "a number below 1"));
            }
        }
        Ok(Self { baseline: Some(baseline), ..self })
    }

    /// The same under the signature of statistics that were weighted and rescaled elsewhere.
    pub(crate) fn signed_as(self, idf: &str, rescale: &str) -> Self {
        Self { recorded: Some([idf, rescale].map(str::to_owned)), ..self }
    }

    /// What unrelated texts score: the mean over `pairs` pairs of different texts, drawn by the seed,
    /// without rescaling. Blank texts are left out, and repeated ones count once: the one would lower the baseline, the other raise it.
    ///
    /// # Errors
    /// As the encoder's, or when there are fewer than two different texts.
    pub fn random_baseline(&self, texts: &[&str], pairs: usize, seed: u64) -> Result<Match> {
        let mut seen = FxHashSet::default();
        let mut order: Vec<&str> = texts.to_vec();
        order.retain(|&text| !text.trim().is_empty() && seen.insert(text));
        if order.len() < 2 || pairs == 0 {
            let expected = "at least two different texts and one pair";
            return Err(Error::invalid("bertscore", "baseline texts", order.len(), expected));
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut segments = Vec::with_capacity(pairs);
        while segments.len() < pairs {
            order.shuffle(&mut rng);
            let pairs = order.as_chunks().0.iter().map(|&[a, b]| Segment::new(a, [b]));
            segments.extend(pairs.collect::<Result<Vec<_>>>()?);
        }
        segments.truncate(pairs);
        let plain = Self { baseline: None, ..self.clone() };
        let mut all = BertScoreStats::default();
        plain.batch_stats(&segments)?.iter().for_each(|stats| all.merge(stats));
        Ok(all.mean())
    }

    fn weights(&self, encoding: &Encoding) -> Vec<f64> {
        match &self.idf {
            Some(idf) => encoding.tokens.iter().map(|token| idf.weight(token)).collect(),
            None => encoding.special.iter().map(|&special| f64::from(u8::from(!special))).collect(),
        }
    }

    fn stats(&self, hypothesis: &Side, references: &[&Side]) -> Result<BertScoreStats> {
        let matches: Vec<Option<Match>> =
            references.iter().map(|reference| greedy_match(hypothesis, reference)).collect();
        let undefined = matches.iter().all(Option::is_none) && !hypothesis.is_empty();
        let best = matches
            .into_iter()
            .map(Option::unwrap_or_default)
            .reduce(|a, b| a.zip(b, f64::max))
            .unwrap_or_default();
        let best = match self.baseline {
            Some(baseline) => best.zip(baseline, |value, base| (value - base) / (1.0 - base)),
            None => best,
        };
        let empty = references.iter().all(|reference| reference.is_empty());
        let f1 = MeanStats::of(best.f1)?
            .note_empty(hypothesis.is_empty(), empty)
            .note_undefined(undefined && !empty);
        let (precision, recall) = (MeanStats::of(best.precision)?, MeanStats::of(best.recall)?);
        Ok(BertScoreStats { precision, recall, f1 })
    }
}

/// One text, its vectors at length 1, one after the other.
struct Side {
    vectors: Vec<f32>,
    dim: usize,
    weights: Vec<f64>,
    own: usize,
}

impl Side {
    /// Without a token of its own.
    fn is_empty(&self) -> bool {
        self.own == 0
    }

    fn rows(&self) -> std::slice::ChunksExact<'_, f32> {
        self.vectors.chunks_exact(self.dim)
    }
}

/// Neighbours of together at most [`CHUNK`] bytes; one alone may have more.
fn chunks<T>(mut items: &[T], bytes: impl Fn(&T) -> usize) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let mut sum = 0;
        let fits = |item: &&T| {
            sum += bytes(item);
            sum <= CHUNK
        };
        let count = items.iter().take_while(fits).count().max(1);
        let (chunk, rest) = items.split_at_checked(count)?;
        items = rest;
        Some(chunk)
    })
}

/// P, R and F of one pair; `None` where a side has no weight.
fn greedy_match(hypothesis: &Side, reference: &Side) -> Option<Match> {
    if hypothesis.is_empty() || reference.is_empty() {
        return None;
    }
    let mut precision = vec![f32::NEG_INFINITY; hypothesis.rows().len()];
    let mut recall = vec![f32::NEG_INFINITY; reference.rows().len()];
    for (x, best_x) in hypothesis.rows().zip(&mut precision) {
        for (y, best_y) in reference.rows().zip(&mut recall) {
            let similarity = vector::dot(x, y);
            *best_x = best_x.max(similarity);
            *best_y = best_y.max(similarity);
        }
    }
    let precision = weighted_mean(&precision, &hypothesis.weights)?;
    let recall = weighted_mean(&recall, &reference.weights)?;
    let sum = precision + recall;
    let f1 = if sum == 0.0 { 0.0 } else { 2.0 * precision * recall / sum };
    Some(Match { precision, recall, f1 })
}

/// A token's best partner: how alike they are, and where it stands.
type Partner = (f32, usize);

/// The best partner of every token of the hypothesis, and of every token of the reference; the first of several.
fn partners(hypothesis: &Side, reference: &Side) -> (Vec<Partner>, Vec<Partner>) {
    let mut ours = vec![(f32::NEG_INFINITY, 0); hypothesis.rows().len()];
    let mut theirs = vec![(f32::NEG_INFINITY, 0); reference.rows().len()];
    for ((own, x), best_x) in hypothesis.rows().enumerate().zip(&mut ours) {
        for ((their, y), best_y) in reference.rows().enumerate().zip(&mut theirs) {
            let similarity = vector::dot(x, y);
            if similarity > best_x.0 {
                *best_x = (similarity, their);
            }
            if similarity > best_y.0 {
                *best_y = (similarity, own);
            }
        }
    }
    (ours, theirs)
}

fn weighted_mean(values: &[f32], weights: &[f64]) -> Option<f64> {
    let total: f64 = weights.iter().sum();
    let sum: f64 = values.iter().zip(weights).map(|(&v, w)| f64::from(v) * w).sum();
    Some(sum / total).filter(|mean| mean.is_finite())
}

/// Sums of P, R and F.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BertScoreStats {
    precision: MeanStats,
    recall: MeanStats,
    f1: MeanStats,
}

impl BertScoreStats {
    /// The means.
    pub fn mean(&self) -> Match {
        Match { precision: self.precision.mean(), recall: self.recall.mean(), f1: self.f1.mean() }
    }
}

impl Stats for BertScoreStats {
    fn merge(&mut self, other: &Self) {
        self.precision.merge(&other.precision);
        self.recall.merge(&other.recall);
        self.f1.merge(&other.f1);
    }

    fn check(&self) -> Result<(), String> {
        MeanStats::check_all([&self.precision, &self.recall, &self.f1])
    }

    fn known_segments(&self) -> Option<u64> {
        self.f1.known_segments()
    }

    fn to_numbers(&self) -> Option<Vec<f64>> {
        MeanStats::numbers_of([&self.precision, &self.recall, &self.f1])
    }

    fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let [precision, recall, f1] = MeanStats::all_from(numbers)?.try_into().ok()?;
        Some(Self { precision, recall, f1 })
    }
}

impl Signed for BertScore {
    fn signature(&self) -> Signature {
        let [idf, rescale] = self.recorded.clone().unwrap_or_else(|| {
            let b = self.baseline;
            let rescale = b.map(|b| format!("{}/{}/{}", b.precision, b.recall, b.f1));
            [self.idf.as_ref().map(Idf::name), rescale].map(|name| name.unwrap_or("no".to_owned()))
        });
        Signature::new("BERTScore")
            .with_nested("encoder", &self.encoder.signature())
            .with("idf", idf)
            .with("rescale", rescale)
            .with("version", env!("CARGO_PKG_VERSION"))
    }
}

impl Metric for BertScore {
    type Stats = BertScoreStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<BertScoreStats> {
        let stats = self.batch_stats(std::slice::from_ref(segment))?;
        stats.into_iter().next().ok_or(Error::EmptyCorpus)
    }

    fn score(&self, stats: &BertScoreStats) -> Score {
        let mean = stats.mean();
        stats.f1.score().with("precision", mean.precision).with("recall", mean.recall)
    }

    fn batch_stats(&self, segments: &[Segment<'_>]) -> Result<Vec<BertScoreStats>> {
        let mut all = Vec::with_capacity(segments.len());
        let bytes = |segment: &Segment<'_>| segment.texts().map(str::len).sum();
        for chunk in chunks(segments, bytes) {
            let texts: Vec<&str> = chunk.iter().flat_map(Segment::texts).collect();
            let encodings = received::encodings("BERTScore", &*self.encoder, &texts)?;
            let sides: Vec<Side> = encodings.iter().map(|encoding| self.side(encoding)).collect();
            let mut rest = sides.as_slice();
            let mut groups = Vec::with_capacity(chunk.len());
            for segment in chunk {
                let count = segment.references().len() + 1;
                let (group, tail) = rest.split_at_checked(count).unwrap_or_default();
                groups.push(group);
                rest = tail;
            }
            all.extend(ko_eval_core::par_map(&groups, |group| match group {
                [hypothesis, references @ ..] => {
                    self.stats(hypothesis, &references.iter().collect::<Vec<_>>())
                }
                [] => Err(Error::NoReference),
            })?);
        }
        Ok(all)
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let all = self.explained(std::slice::from_ref(segment))?;
        all.into_iter().next().ok_or(Error::EmptyCorpus)
    }

    fn explain_all(&self, segments: &[Segment<'_>]) -> Result<Vec<Explanation>> {
        self.explained(segments)
    }
}

impl BertScore {
    fn side(&self, encoding: &Encoding) -> Side {
        let dim = encoding.vectors.dim().max(1);
        let mut vectors = encoding.vectors.as_slice().to_vec();
        vectors.chunks_exact_mut(dim).for_each(vector::normalize);
        Side {
            vectors,
            dim,
            weights: self.weights(encoding),
            own: encoding.special.iter().filter(|special| !**special).count(),
        }
    }
}
