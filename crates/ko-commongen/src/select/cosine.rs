//! Similarity of meaning: the cosine of two sentences' vectors.

use super::{Prepared, Similarity};
use ko_eval_core::{Result, Signature, Signed};
use ko_eval_model::{Embeddings, SentenceEmbedder};
use std::sync::Arc;

/// The cosine of sentence vectors, by any embedder. Vectors are made to length 1, and then a sum of cosines is one product with
/// the sum of the others: a bucket costs as many products as it has sentences.
#[derive(Debug, Clone)]
pub struct EmbeddingCosine {
    embedder: Arc<dyn SentenceEmbedder>,
}

impl EmbeddingCosine {
    /// Over an embedder.
    pub fn new(embedder: Arc<dyn SentenceEmbedder>) -> Self {
        Self { embedder }
    }
}

impl Signed for EmbeddingCosine {
    fn signature(&self) -> Signature {
        Signature::new("embedding-cosine").with_nested("embedder", &self.embedder.signature())
    }
}

impl Similarity for EmbeddingCosine {
    fn prepare<'t>(&'t self, texts: &'t [&'t str]) -> Result<Box<dyn Prepared + 't>> {
        let vectors = if texts.is_empty() {
            Embeddings::from_rows(1, Vec::new())?
        } else {
            self.embedder.embed(texts)?
        };
        Ok(Box::new(Units(vectors)))
    }
}

struct Units(Embeddings);

impl Prepared for Units {
    fn sums(&self, texts: &[usize]) -> Result<Vec<f64>> {
        let dim = self.0.dim();
        let row = |text: usize| self.0.as_slice().get(text * dim..(text + 1) * dim);
        let units: Vec<Vec<f64>> =
            texts.iter().map(|&text| unit(row(text).unwrap_or_default())).collect();
        let mut all = vec![0.0; dim];
        for vector in &units {
            all.iter_mut().zip(vector).for_each(|(sum, x)| *sum += x);
        }
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        Ok(units.iter().map(|own| product(own, &all) - product(own, own)).collect())
    }
}

/// The vector with length 1; one of length 0 is like no other.
fn unit(vector: &[f32]) -> Vec<f64> {
    let length = vector.iter().map(|&x| f64::from(x).powi(2)).sum::<f64>().sqrt();
    let scale = if length > 0.0 { length.recip() } else { 0.0 };
    vector.iter().map(|&x| f64::from(x) * scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts of two syllables.
    #[derive(Debug)]
    struct Counts;

    impl Signed for Counts {
        fn signature(&self) -> Signature {
            Signature::new("counts")
        }
    }

    impl SentenceEmbedder for Counts {
        fn embed(&self, texts: &[&str]) -> Result<Embeddings> {
            let count = |text: &&str| ['가', '나'].map(|c| text.matches(c).count() as f32);
            Embeddings::from_rows(2, texts.iter().flat_map(count).collect())
        }
    }

    #[test]
    fn sums_are_of_cosines() {
        let similarity = EmbeddingCosine::new(Arc::new(Counts));
        let texts = ["가", "나나", "가나", "다", "가가가"];
        let sums = similarity.prepare(&texts).unwrap().sums(&[0, 1, 2, 3]).unwrap();
        let half = 0.5f64.sqrt();
        for (ours, expected) in sums.iter().zip([half, half, 2.0 * half, 0.0]) {
            assert!((ours - expected).abs() < 1e-12, "{ours} instead of {expected}");
        }
        assert!(similarity.prepare(&[]).unwrap().sums(&[]).unwrap().is_empty());
    }
}
