//! Keeping the sentences that are most like the others about the same concept.
//!
//! An inverted index leads from each concept to its sentences (the first 100); within such a bucket
//! every sentence is compared with all others, its score is the sum, and the best two stay. A
//! sentence stays if it is among the best of any of its concepts. Only a bucket is quadratic, and what a
//! comparison needs (an embedding, a set of tokens) is computed once per sentence.

mod cosine;

pub use cosine::EmbeddingCosine;

use crate::{Draft, Error};
use ko_eval_core::{Result, Signature, Signed, Tokenizer, par_map};
use ko_eval_io::Progress;
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
        progress: &dyn Progress,
    ) -> Result<Vec<usize>> {
        let texts: Vec<&str> = drafts.iter().map(|draft| draft.text.as_str()).collect();
        let prepared = similarity.prepare(&texts)?;
        let buckets = self.buckets(drafts);
        let mut kept = vec![false; drafts.len()];
        progress.begin("select", Some(buckets.len() as u64));
        for chunk in buckets.chunks(256) {
            let best = par_map(chunk, |bucket| self.best(bucket, &*prepared))?;
            for slot in best.into_iter().flatten() {
                if let Some(kept) = kept.get_mut(slot) {
                    *kept = true;
                }
            }
            progress.advance(chunk.len() as u64);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;
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
        let all = Selection::default().select(&drafts(), &overlap, &()).unwrap();
        assert_eq!(all, [0, 1, 3]);
        // Without the concept that only it has, it goes.
        let mut fewer = drafts();
        fewer[3].concepts.pop();
        assert_eq!(Selection::default().select(&fewer, &overlap, &()).unwrap(), [0, 1]);
        assert!(Selection::new(100, 0).is_err());
    }
}
