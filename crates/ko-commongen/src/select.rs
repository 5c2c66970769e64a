//! Keeping the sentences that are most like the others about the same concept.
//!
//! An inverted index leads from each concept to its sentences (the first 100); within such a bucket
//! every sentence is compared with all others, its score is the sum, and the best two stay. A
//! sentence stays if it is among the best of any of its concepts. Only a bucket is quadratic, and what a
//! comparison needs (an embedding, a set of tokens) is computed once per sentence.

use crate::{
    Draft, Error,
    progress::{Progress, Step},
};
use ko_eval_core::{
    Embeddings, PairScorer, Result, SentenceEmbedder, Signature, Signed, Tokenizer, par_map,
};
use rustc_hash::FxHashMap;
use std::{fmt::Debug, sync::Arc};

/// Compares sentences.
pub trait Similarity: Signed + Debug + Send + Sync {
    /// Computes what comparing these texts needs.
    ///
    /// # Errors
    /// When a text cannot be cut or embedded.
    fn prepare<'t>(&'t self, texts: &'t [&'t str]) -> Result<Box<dyn Prepared + 't>>;
}

/// Texts that are ready to be compared.
pub trait Prepared: Send + Sync {
    /// For each of these texts the sum of its similarities to the others.
    ///
    /// # Errors
    /// When comparing fails.
    fn sums(&self, texts: &[usize]) -> Result<Vec<f64>>;
}

/// How many sentences are looked at and kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selection {
    bucket: usize,
    keep: usize,
}

impl Default for Selection {
    /// The published numbers: at most 100 sentences of a concept are compared, 2 are kept.
    fn default() -> Self {
        Self { bucket: 100, keep: 2 }
    }
}

impl Selection {
    /// Compares at most `bucket` sentences of a concept and keeps `keep`.
    ///
    /// # Errors
    /// [`Error::BadSetting`] if either is 0.
    pub fn new(bucket: usize, keep: usize) -> Result<Self, Error> {
        for (name, value) in [("bucket", bucket), ("keep", keep)] {
            if value == 0 {
                return Err(Error::BadSetting { name, value: "0".into(), expected: "at least 1" });
            }
        }
        Ok(Self { bucket, keep })
    }

    /// The numbers of the sentences that stay, in order.
    ///
    /// # Errors
    /// When preparing or comparing fails.
    pub fn select(
        &self,
        drafts: &[Draft],
        similarity: &dyn Similarity,
        progress: Progress<'_>,
    ) -> Result<Vec<usize>> {
        let texts: Vec<&str> = drafts.iter().map(|draft| draft.text.as_str()).collect();
        let prepared = similarity.prepare(&texts)?;
        let buckets = self.buckets(drafts);
        let mut kept = vec![false; drafts.len()];
        let mut done = 0;
        for chunk in buckets.chunks(256) {
            let best = par_map(chunk, |bucket| self.best(bucket, &*prepared))?;
            for slot in best.into_iter().flatten() {
                if let Some(kept) = kept.get_mut(slot) {
                    *kept = true;
                }
            }
            done += chunk.len();
            progress(Step { stage: "select", done, total: Some(buckets.len()) });
        }
        Ok(kept.iter().enumerate().filter(|(_, kept)| **kept).map(|(i, _)| i).collect())
    }

    /// The sentences of each concept, in the order in which concepts first occur.
    fn buckets(&self, drafts: &[Draft]) -> Vec<Vec<usize>> {
        let mut places: FxHashMap<&str, usize> = FxHashMap::default();
        let mut buckets: Vec<Vec<usize>> = Vec::new();
        for (i, draft) in drafts.iter().enumerate() {
            for concept in &draft.concepts {
                let place = *places.entry(concept).or_insert_with(|| {
                    buckets.push(Vec::new());
                    buckets.len() - 1
                });
                if let Some(bucket) = buckets.get_mut(place).filter(|b| b.len() < self.bucket) {
                    bucket.push(i);
                }
            }
        }
        buckets
    }

    fn best(&self, bucket: &[usize], prepared: &dyn Prepared) -> Result<Vec<usize>> {
        if bucket.len() <= self.keep {
            return Ok(bucket.to_vec());
        }
        let sums = prepared.sums(bucket)?;
        let mut ranked: Vec<(usize, f64)> = bucket.iter().copied().zip(sums).collect();
        // Stable: of equal ones the earlier stays.
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked.truncate(self.keep);
        Ok(ranked.into_iter().map(|(i, _)| i).collect())
    }
}

/// The share of tokens that two sentences have in common: |A ∩ B| / |A ∪ B| of their sets.
#[derive(Debug, Clone)]
pub struct TokenOverlap {
    tokenizer: Arc<dyn Tokenizer>,
}

impl TokenOverlap {
    /// Over any scheme.
    pub fn new(tokenizer: Arc<dyn Tokenizer>) -> Self {
        Self { tokenizer }
    }
}

impl Signed for TokenOverlap {
    fn signature(&self) -> Signature {
        Signature::new("token-overlap").with_nested("tok", &self.tokenizer.signature())
    }
}

impl Similarity for TokenOverlap {
    fn prepare<'t>(&'t self, texts: &'t [&'t str]) -> Result<Box<dyn Prepared + 't>> {
        let cut = par_map(texts, |text| self.tokenizer.tokenize(text))?;
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let sets = cut.into_iter().map(|tokens| {
            let mut set: Vec<u32> = tokens
                .into_iter()
                .map(|token| {
                    let next = numbers.len() as u32;
                    *numbers.entry(token.into_text().into_owned()).or_insert(next)
                })
                .collect();
            set.sort_unstable();
            set.dedup();
            set
        });
        Ok(Box::new(TokenSets(sets.collect())))
    }
}

/// Sorted token numbers.
struct TokenSets(Vec<Vec<u32>>);

impl Prepared for TokenSets {
    fn sums(&self, texts: &[usize]) -> Result<Vec<f64>> {
        let sets: Vec<&[u32]> =
            texts.iter().map(|&i| self.0.get(i).map(Vec::as_slice).unwrap_or_default()).collect();
        Ok(sums_of_pairs(sets.len(), |a, b| match (sets.get(a), sets.get(b)) {
            (Some(a), Some(b)) => overlap(a, b),
            _ => 0.0,
        }))
    }
}

/// Sums a symmetric similarity, each pair once.
fn sums_of_pairs(len: usize, mut similarity: impl FnMut(usize, usize) -> f64) -> Vec<f64> {
    let mut sums = vec![0.0; len];
    for a in 0..len {
        for b in a + 1..len {
            let value = similarity(a, b);
            for place in [a, b] {
                if let Some(sum) = sums.get_mut(place) {
                    *sum += value;
                }
            }
        }
    }
    sums
}

fn overlap(a: &[u32], b: &[u32]) -> f64 {
    let (mut left, mut right, mut common) = (a, b, 0usize);
    while let ([x, more_left @ ..], [y, more_right @ ..]) = (left, right) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => left = more_left,
            std::cmp::Ordering::Greater => right = more_right,
            std::cmp::Ordering::Equal => {
                common += 1;
                (left, right) = (more_left, more_right);
            }
        }
    }
    common as f64 / (a.len() + b.len() - common).max(1) as f64
}

/// The cosine of two sentences' embeddings. A bucket costs no pairs at all: the sum of a vector's
/// cosines is its product with the sum of the others.
#[derive(Debug, Clone)]
pub struct EmbeddingCosine {
    embedder: Arc<dyn SentenceEmbedder>,
}

impl EmbeddingCosine {
    /// Over any embedder.
    pub fn new(embedder: Arc<dyn SentenceEmbedder>) -> Self {
        Self { embedder }
    }
}

impl Signed for EmbeddingCosine {
    fn signature(&self) -> Signature {
        Signature::new("cosine").with_nested("model", &self.embedder.signature())
    }
}

impl Similarity for EmbeddingCosine {
    fn prepare<'t>(&'t self, texts: &'t [&'t str]) -> Result<Box<dyn Prepared + 't>> {
        Ok(Box::new(Vectors(self.embedder.embed(texts)?)))
    }
}

struct Vectors(Embeddings);

impl Prepared for Vectors {
    fn sums(&self, texts: &[usize]) -> Result<Vec<f64>> {
        let unit = |i: &usize| -> Vec<f64> {
            let row = self.0.row(*i).unwrap_or_default();
            let length = row.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
            let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
            row.iter().map(|x| f64::from(*x) * scale).collect()
        };
        let rows: Vec<Vec<f64>> = texts.iter().map(unit).collect();
        let mut total = vec![0.0; self.0.dim()];
        for row in &rows {
            total.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        Ok(rows.iter().map(|row| dot(row, &total) - dot(row, row)).collect())
    }
}

/// Any scorer of pairs, a cross-encoder for example. Each pair is scored once, the earlier sentence first.
#[derive(Debug, Clone)]
pub struct AllPairs {
    scorer: Arc<dyn PairScorer>,
}

impl AllPairs {
    /// Over any scorer.
    pub fn new(scorer: Arc<dyn PairScorer>) -> Self {
        Self { scorer }
    }
}

impl Signed for AllPairs {
    fn signature(&self) -> Signature {
        Signature::new("all-pairs").with_nested("scorer", &self.scorer.signature())
    }
}

impl Similarity for AllPairs {
    fn prepare<'t>(&'t self, texts: &'t [&'t str]) -> Result<Box<dyn Prepared + 't>> {
        Ok(Box::new(Pairwise { scorer: &*self.scorer, texts }))
    }
}

struct Pairwise<'t> {
    scorer: &'t dyn PairScorer,
    texts: &'t [&'t str],
}

impl Prepared for Pairwise<'_> {
    fn sums(&self, texts: &[usize]) -> Result<Vec<f64>> {
        let texts: Vec<&str> = texts.iter().filter_map(|&i| self.texts.get(i).copied()).collect();
        let mut pairs = Vec::new();
        let mut rest = texts.as_slice();
        while let [first, others @ ..] = rest {
            pairs.extend(others.iter().map(|other| (*first, *other)));
            rest = others;
        }
        let mut scores = self.scorer.score_pairs(&pairs)?.into_iter();
        Ok(sums_of_pairs(texts.len(), |_, _| scores.next().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Source, progress::silent};
    use ko_tokenize::Word;

    fn draft(text: &str, concepts: &[&str]) -> Draft {
        Draft {
            text: text.into(),
            source: Source::Caption,
            morphemes: Vec::new(),
            concepts: concepts.iter().map(|c| (*c).into()).collect(),
        }
    }

    fn drafts() -> Vec<Draft> {
        vec![
            draft("개가 공을 물고 뛴다.", &["개", "공"]),
            draft("개가 공을 물고 온다.", &["개", "공"]),
            draft("개가 공을 물고 논다.", &["개", "공"]),
            draft("달에는 개가 없다.", &["개", "달"]),
        ]
    }

    #[test]
    fn the_odd_one_stays_only_for_its_own_concept() {
        let overlap = TokenOverlap::new(Arc::new(Word::new()));
        let all = Selection::default().select(&drafts(), &overlap, &silent).unwrap();
        assert_eq!(all, [0, 1, 3]);
        // Without the concept that only it has, it goes.
        let mut fewer = drafts();
        fewer[3].concepts.pop();
        assert_eq!(Selection::default().select(&fewer, &overlap, &silent).unwrap(), [0, 1]);
        assert!(Selection::new(100, 0).is_err());
    }

    /// Word overlap as a scorer of pairs and as vectors of words, to compare the three ways.
    #[derive(Debug)]
    struct Words(Vec<String>);

    impl Signed for Words {
        fn signature(&self) -> Signature {
            Signature::new("words")
        }
    }

    impl SentenceEmbedder for Words {
        fn embed(&self, texts: &[&str]) -> Result<Embeddings> {
            let row = |text: &&str| -> Vec<f32> {
                let has = |word: &String| text.split(' ').any(|w| w == word);
                self.0.iter().map(|word| f32::from(u8::from(has(word)))).collect()
            };
            Embeddings::from_rows(self.0.len(), texts.iter().flat_map(row).collect())
        }
    }

    impl PairScorer for Words {
        fn score_pairs(&self, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
            let cosine = |(a, b): &(&str, &str)| {
                let vectors = self.embed(&[a, b])?;
                let dot =
                    |x: &[f32], y: &[f32]| -> f32 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
                let (x, y) = (vectors.row(0).unwrap(), vectors.row(1).unwrap());
                Ok(f64::from(dot(x, y)) / f64::from(dot(x, x) * dot(y, y)).sqrt())
            };
            pairs.iter().map(cosine).collect()
        }
    }

    #[test]
    fn vectors_and_pairs_agree() {
        let drafts = drafts();
        let texts: Vec<&str> = drafts.iter().map(|d| d.text.as_str()).collect();
        let mut words: Vec<String> =
            texts.iter().flat_map(|t| t.split(' ')).map(str::to_owned).collect();
        words.sort();
        words.dedup();
        let words = Arc::new(Words(words));
        let by_vectors = EmbeddingCosine::new(Arc::clone(&words) as _);
        let by_pairs = AllPairs::new(words);
        let order = [0, 3, 2, 1];
        let vectors = by_vectors.prepare(&texts).unwrap().sums(&order).unwrap();
        let pairs = by_pairs.prepare(&texts).unwrap().sums(&order).unwrap();
        for (a, b) in vectors.iter().zip(&pairs) {
            assert!((a - b).abs() < 1e-6, "{vectors:?} {pairs:?}");
        }
    }
}
