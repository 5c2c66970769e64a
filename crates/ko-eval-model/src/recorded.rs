//! Models of which only the signature is left: statistics are merged over them, and nothing is run.

use crate::{Embeddings, Encoder, Encoding, PairScorer, SentenceEmbedder};
use ko_eval_core::{Recorded, Result};

impl Encoder for Recorded {
    fn encode(&self, _: &[&str]) -> Result<Vec<Encoding>> {
        self.refuse()
    }
}

impl SentenceEmbedder for Recorded {
    fn embed(&self, _: &[&str]) -> Result<Embeddings> {
        self.refuse()
    }
}

impl PairScorer for Recorded {
    fn score_pairs(&self, _: &[(&str, &str)]) -> Result<Vec<f64>> {
        self.refuse()
    }
}
