//! RDASS (Lee et al. 2020): a summary against its reference *and* its document.
//!
//! `RDASS(d, r, p) = (cos(p, r) + cos(p, d)) / 2` over sentence vectors: a summary may be true to the document
//! without the reference's words. Over several references the cosine with the nearest one counts. A
//! document longer than the model is a matter of the embedder (`LongText::Chunk` pools its chunks).
//!
//! ```
//! # use ko_eval_core::*;
//! # #[derive(Debug)]
//! # struct Letters;
//! # impl Signed for Letters { fn signature(&self) -> Signature { Signature::new("letters") } }
//! # impl SentenceEmbedder for Letters {
//! #     fn embed(&self, texts: &[&str]) -> Result<Embeddings> {
//! #         Embeddings::from_rows(2, texts.iter().flat_map(|t| [t.chars().count() as f32, 1.0]).collect())
//! #     }
//! # }
//! use ko_neural::rdass::{Rdass, Summary};
//! use std::sync::Arc;
//!
//! let rdass = Rdass::new(Arc::new(Letters));
//! let document = "정부는 오늘 새 정책을 발표했다. 시민들은 환영했다.";
//! let summary = Summary::new(document, ["새 정책이 발표됐다"], "정부, 새 정책 발표")?;
//! let scores = rdass.score(&[summary])?;
//! assert!(scores[0].value() > 0.9);
//! # Ok::<(), Error>(())
//! ```

use crate::vector::cosine;
use ko_eval_core::{Error, Result, Segment, SentenceEmbedder, Signature, Signed};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A document, its reference summaries, and the summary to be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary<'a> {
    document: &'a str,
    segment: Segment<'a>,
}

impl<'a> Summary<'a> {
    /// A summary to be judged.
    ///
    /// # Errors
    /// [`Error::NoReference`] without a reference.
    pub fn new(
        document: &'a str,
        references: impl IntoIterator<Item = &'a str>,
        prediction: &'a str,
    ) -> Result<Self> {
        Ok(Self { document, segment: Segment::new(prediction, references)? })
    }

    /// The summary with its references, without the document: what ROUGE and any other
    /// [`Scorer`](ko_eval_core::Scorer) can judge beside RDASS.
    pub fn segment(&self) -> &Segment<'a> {
        &self.segment
    }
}

/// The two halves of the score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RdassScore {
    /// cos(p, r) with the nearest reference.
    pub reference: f64,
    /// cos(p, d).
    pub document: f64,
}

impl RdassScore {
    /// Their mean, −1 to 1.
    pub fn value(self) -> f64 {
        f64::midpoint(self.reference, self.document)
    }
}

/// The metric over any embedder.
#[derive(Debug, Clone)]
pub struct Rdass {
    embedder: Arc<dyn SentenceEmbedder>,
}

impl Rdass {
    /// Over an embedder.
    pub fn new(embedder: Arc<dyn SentenceEmbedder>) -> Self {
        Self { embedder }
    }

    /// One score per summary.
    ///
    /// # Errors
    /// As the embedder's.
    pub fn score(&self, summaries: &[Summary<'_>]) -> Result<Vec<RdassScore>> {
        let texts: Vec<&str> = summaries
            .iter()
            .flat_map(|summary| {
                let segment = &summary.segment;
                let references = segment.references().iter().copied();
                [summary.document, segment.hypothesis()].into_iter().chain(references)
            })
            .collect();
        let vectors = self.embedder.embed(&texts)?;
        let mut rows = vectors.rows();
        let mut next = || rows.next().ok_or_else(missing);
        let mut scores = Vec::with_capacity(summaries.len());
        for summary in summaries {
            let (document, prediction) = (next()?, next()?);
            let mut nearest = f32::NEG_INFINITY;
            for _ in summary.segment.references() {
                nearest = nearest.max(cosine(prediction, next()?));
            }
            let document = cosine(prediction, document);
            scores.push(RdassScore { reference: nearest.into(), document: document.into() });
        }
        Ok(scores)
    }
}

fn missing() -> Error {
    Error::source("RDASS", "the embedder answered for fewer texts than it was given")
}

impl Signed for Rdass {
    fn signature(&self) -> Signature {
        Signature::new("RDASS")
            .with_nested("embedder", &self.embedder.signature())
            .with("version", env!("CARGO_PKG_VERSION"))
    }
}
