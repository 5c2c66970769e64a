//! RDASS (Lee et al. 2020): a summary against its reference *and* its document.
//!
//! `RDASS(d, r, p) = (cos(p, r) + cos(p, d)) / 2` over sentence vectors: a summary may be true to the document
//! without the reference's words. Over several references the cosine with the nearest one counts. A
//! document longer than the model is a matter of the embedder (`LongText::Chunk` pools its chunks).
//!
//! The document is the segment's source; a segment without one is refused before anything is embedded.
//!
//! ```
//! # use ko_eval_core::*;
//! # use ko_eval_model::*;
//! # #[derive(Debug)]
//! # struct Letters;
//! # impl Signed for Letters { fn signature(&self) -> Signature { Signature::new("letters") } }
//! # impl SentenceEmbedder for Letters {
//! #     fn embed(&self, texts: &[&str]) -> Result<Embeddings> {
//! #         Embeddings::from_rows(2, texts.iter().flat_map(|t| [t.chars().count() as f32, 1.0]).collect())
//! #     }
//! # }
//! use ko_neural::Rdass;
//! use std::sync::Arc;
//!
//! // Any `SentenceEmbedder` will do; with the feature `torch`, `Embedder::open(folder)` is one.
//! let rdass = Rdass::new(Arc::new(Letters));
//! let summary = Segment::new("정부, 새 정책 발표", ["새 정책이 발표됐다"])?;
//! assert!(matches!(rdass.segment_score(&summary), Err(Error::Needs { .. })));
//! let summary = summary.with_source("정부는 오늘 새 정책을 발표했다. 시민들은 환영했다.");
//! let score = rdass.segment_score(&summary)?;
//! assert!(score.value > 0.9);
//! assert!(score.detail("document") < score.detail("reference"));
//! # Ok::<(), Error>(())
//! ```

use crate::{received, vector::cosine};
use ko_eval_core::{
    Direction, Error, Explanation, MeanStats, Metric, Needs, Result, Score, Segment, Signature,
    Signed, Stats, explain::Formula,
};
use ko_eval_model::SentenceEmbedder;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The metric over any embedder.
///
/// ```no_run
/// # #[cfg(feature = "torch")] {
/// use ko_neural::prelude::*;
/// use std::sync::Arc;
///
/// let metric = Rdass::new(Arc::new(Embedder::open("ko-sbert", &Inference::new())?));
/// let summary = Segment::new("정부, 새 정책 발표", ["새 정책이 발표됐다"])?
///     .with_source("정부는 오늘 새 정책을 발표했다. 시민들은 환영했다.");
/// println!("{:.3}", metric.segment_score(&summary)?);
/// # }
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Rdass {
    embedder: Arc<dyn SentenceEmbedder>,
}

impl Rdass {
    /// Over an embedder.
    pub fn new(embedder: Arc<dyn SentenceEmbedder>) -> Self {
        Self { embedder }
    }
}

/// The means of the score and of its two halves.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RdassStats {
    value: MeanStats,
    /// cos(p, r) with the nearest reference.
    reference: MeanStats,
    /// cos(p, d).
    document: MeanStats,
}

impl RdassStats {
    fn of(reference: f64, document: f64) -> Result<Self> {
        Ok(Self {
            value: MeanStats::of(f64::midpoint(reference, document))?,
            reference: MeanStats::of(reference)?,
            document: MeanStats::of(document)?,
        })
    }

    fn means(&self) -> [&MeanStats; 3] {
        [&self.value, &self.reference, &self.document]
    }
}

impl Stats for RdassStats {
    fn merge(&mut self, other: &Self) {
        self.value.merge(&other.value);
        self.reference.merge(&other.reference);
        self.document.merge(&other.document);
    }

    fn check(&self) -> Result<(), String> {
        MeanStats::check_all(self.means())
    }

    fn known_segments(&self) -> Option<u64> {
        self.value.known_segments()
    }

    fn to_numbers(&self) -> Option<Vec<f64>> {
        MeanStats::numbers_of(self.means())
    }

    fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let [value, reference, document] = MeanStats::all_from(numbers)?.try_into().ok()?;
        Some(Self { value, reference, document })
    }
}

impl Signed for Rdass {
    fn signature(&self) -> Signature {
        Signature::new("RDASS")
            .with_nested("embedder", &self.embedder.signature())
            .with("version", env!("CARGO_PKG_VERSION"))
    }
}

impl Metric for Rdass {
    type Stats = RdassStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn needs(&self) -> Needs {
        Needs::REFERENCES_AND_SOURCE
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<RdassStats> {
        let stats = self.batch_stats(std::slice::from_ref(segment))?;
        stats.into_iter().next().ok_or(Error::EmptyCorpus)
    }

    fn score(&self, stats: &RdassStats) -> Score {
        let score = stats.value.score().with("reference", stats.reference.mean());
        score.with("document", stats.document.mean())
    }

    fn value(&self, stats: &RdassStats) -> f64 {
        stats.value.mean()
    }

    fn batch_stats(&self, segments: &[Segment<'_>]) -> Result<Vec<RdassStats>> {
        let texts: Vec<&str> = segments
            .iter()
            .flat_map(|segment| segment.source().into_iter().chain(segment.texts()))
            .collect();
        let vectors = received::embeddings("RDASS", &*self.embedder, &texts)?;
        let mut rows = vectors.rows();
        let mut next = || rows.next().unwrap_or_default();
        let mut all = Vec::with_capacity(segments.len());
        for segment in segments {
            let (document, prediction) = (next(), next());
            let mut nearest = f32::NEG_INFINITY;
            for _ in segment.references() {
                nearest = nearest.max(cosine(prediction, next()));
            }
            all.push(RdassStats::of(nearest.into(), cosine(prediction, document).into())?);
        }
        Ok(all)
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let all = Metric::explain_all(self, std::slice::from_ref(segment))?;
        all.into_iter().next().ok_or(Error::EmptyCorpus)
    }

    fn explain_all(&self, segments: &[Segment<'_>]) -> Result<Vec<Explanation>> {
        let explained = |stats: &RdassStats| {
            let score = self.segment_score_of(stats);
            Explanation::new(self.signature(), Direction::HigherIsBetter, score)
                .with_given("reference", stats.reference.mean())
                .with_given("document", stats.document.mean())
                .with_part("score", Formula::mean(["reference", "document"]))
        };
        Ok(self.batch_stats(segments)?.iter().map(explained).collect())
    }
}
