//! Pair scorers as metrics: anything that gives a number to two texts judges hypotheses by their references.

use ko_eval_core::{
    Direction, Error, Explanation, MeanStats, Metric, Needs, Result, Score, Segment, Signature,
    Signed, Stats, explain::Formula, setting::Choice,
};
use serde::{Deserialize, Serialize};
use std::{fmt::Debug, sync::Arc};

/// Gives every pair of texts a number: a cross-encoder, a similarity.
pub trait PairScorer: Signed + Debug + Send + Sync {
    /// One number per pair, in order.
    ///
    /// # Errors
    /// When the scorer fails on a pair.
    fn score_pairs(&self, pairs: &[(&str, &str)]) -> Result<Vec<f64>>;

    /// The names of the numbers that a score is made of, in the order of [`PairScore::parts`]; none by default.
    fn part_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// What each part is multiplied by, where the score is the sum of its parts so weighted; none by default.
    fn part_weights(&self) -> Option<Vec<f64>> {
        None
    }

    /// One number per pair with its parts, in order; by default without parts.
    ///
    /// # Errors
    /// As [`PairScorer::score_pairs`].
    fn score_parts(&self, pairs: &[(&str, &str)]) -> Result<Vec<PairScore>> {
        let whole = |value| PairScore::new(value, Vec::new());
        Ok(self.score_pairs(pairs)?.into_iter().map(whole).collect())
    }
}

impl PairScore {
    /// A number and what it is made of.
    pub fn new(value: f64, parts: Vec<f64>) -> Self {
        Self { value, parts }
    }
}

/// A pair's number and what it is made of.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PairScore {
    /// The number.
    pub value: f64,
    /// As many as the scorer has [names](PairScorer::part_names) for.
    pub parts: Vec<f64>,
}

/// What several references make of one hypothesis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Over {
    /// The score with the reference that scores best.
    #[default]
    Best,
    /// The mean over the references.
    Mean,
}

impl Over {
    /// The setting, for rows of pair scorers.
    pub const SETTING: Choice<Self> = Choice::new(
        "over",
        &[("best", Self::Best), ("mean", Self::Mean)],
        "several references: the best one counts, or their mean",
    );
}

/// A pair scorer as a metric: the mean over segments, its parts among the details.
///
/// ```
/// use ko_eval_core::{Result, Scorer, Segment, Signature, Signed};
/// use ko_eval_model::{PairMetric, PairScorer};
/// use std::sync::Arc;
///
/// /// 1 for texts that end alike.
/// #[derive(Debug)]
/// struct SameEnding;
/// # impl Signed for SameEnding { fn signature(&self) -> Signature { Signature::new("SameEnding") } }
/// impl PairScorer for SameEnding {
///     fn score_pairs(&self, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
///         let last = |text: &str| text.trim_end_matches('.').chars().last();
///         Ok(pairs.iter().map(|(a, b)| f64::from(u8::from(last(a) == last(b)))).collect())
///     }
/// }
///
/// let metric = PairMetric::new(Arc::new(SameEnding));
/// let segment = Segment::new("밥을 먹었다.", ["밥을 먹었어요.", "식사를 했다."])?;
/// assert_eq!(metric.segment_score(&segment)?.value, 1.0);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PairMetric {
    scorer: Arc<dyn PairScorer>,
    over: Over,
}

impl PairMetric {
    /// The best reference counts.
    pub fn new(scorer: Arc<dyn PairScorer>) -> Self {
        Self { scorer, over: Over::Best }
    }

    /// The same with another rule for several references.
    #[must_use]
    pub fn over(self, over: Over) -> Self {
        Self { over, ..self }
    }

    /// The statistics of a segment from the scores of its references.
    fn stats(&self, scores: &[PairScore]) -> Result<PairStats> {
        // The best of several would hide one that is not a number.
        if let Some(score) = scores.iter().find(|score| !score.value.is_finite()) {
            let what = format!("the score of a pair by {}", self.scorer.signature().name());
            return Err(Error::NotFinite { what, value: score.value });
        }
        let mean = |of: &dyn Fn(&PairScore) -> f64| {
            scores.iter().map(of).sum::<f64>() / scores.len().max(1) as f64
        };
        let score = match self.over {
            Over::Best => {
                let best = scores.iter().max_by(|a, b| a.value.total_cmp(&b.value));
                best.cloned().unwrap_or_default()
            }
            Over::Mean => PairScore {
                value: mean(&|score| score.value),
                parts: (0..self.scorer.part_names().len())
                    .map(|part| mean(&|score| score.parts.get(part).copied().unwrap_or(0.0)))
                    .collect(),
            },
        };
        Ok(PairStats {
            value: MeanStats::of(score.value)?,
            parts: score.parts.into_iter().map(MeanStats::of).collect::<Result<_>>()?,
        })
    }
}

/// The means of a score and of its parts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairStats {
    value: MeanStats,
    parts: Vec<MeanStats>,
}

impl Stats for PairStats {
    fn merge(&mut self, other: &Self) {
        self.value.merge(&other.value);
        if self.parts.len() < other.parts.len() {
            self.parts.resize_with(other.parts.len(), MeanStats::default);
        }
        self.parts.iter_mut().zip(&other.parts).for_each(|(all, part)| all.merge(part));
    }

    fn check(&self) -> Result<(), String> {
        MeanStats::check_all(std::iter::once(&self.value).chain(&self.parts))
    }

    fn known_segments(&self) -> Option<u64> {
        self.value.known_segments()
    }

    fn to_numbers(&self) -> Option<Vec<f64>> {
        MeanStats::numbers_of(std::iter::once(&self.value).chain(&self.parts))
    }

    fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let mut means = MeanStats::all_from(numbers)?.into_iter();
        Some(Self { value: means.next()?, parts: means.collect() })
    }
}

impl Signed for PairMetric {
    fn signature(&self) -> Signature {
        self.scorer.signature().with("over", Over::SETTING.word(&self.over))
    }
}

impl Metric for PairMetric {
    type Stats = PairStats;

    fn direction(&self) -> Direction {
        Direction::HigherIsBetter
    }

    fn needs(&self) -> Needs {
        Needs::REFERENCES
    }

    fn check(&self, stats: &PairStats, segments: usize) -> Result<(), String> {
        let parts = self.scorer.part_names().len();
        if segments > 0 && stats.parts.len() != parts {
            return Err(format!("{} parts, expected {parts}", stats.parts.len()));
        }
        stats.check()
    }

    fn segment_stats(&self, segment: &Segment<'_>) -> Result<PairStats> {
        let stats = self.batch_stats(std::slice::from_ref(segment))?;
        stats.into_iter().next().ok_or(Error::EmptyCorpus)
    }

    fn score(&self, stats: &PairStats) -> Score {
        let parts = self.scorer.part_names().iter().zip(&stats.parts);
        parts.fold(stats.value.score(), |score, (name, part)| score.with(*name, part.mean()))
    }

    fn value(&self, stats: &PairStats) -> f64 {
        stats.value.mean()
    }

    fn batch_stats(&self, segments: &[Segment<'_>]) -> Result<Vec<PairStats>> {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for segment in segments {
            pairs.extend(segment.references().iter().map(|text| (segment.hypothesis(), *text)));
        }
        let mut scores = self.scorer.score_parts(&pairs)?.into_iter();
        let stats = |segment: &Segment<'_>| {
            let own: Vec<_> = scores.by_ref().take(segment.references().len()).collect();
            match own.len() == segment.references().len() {
                true => self.stats(&own),
                false => Err(Error::source("scoring pairs", "fewer answers than pairs")),
            }
        };
        segments.iter().map(stats).collect()
    }

    fn explain(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let all = Metric::explain_all(self, std::slice::from_ref(segment))?;
        all.into_iter().next().ok_or(Error::EmptyCorpus)
    }

    fn explain_all(&self, segments: &[Segment<'_>]) -> Result<Vec<Explanation>> {
        let stats = self.batch_stats(segments)?;
        Ok(stats.iter().map(|stats| self.explained(self.segment_score_of(stats))).collect())
    }
}

impl PairMetric {
    /// The parts, and the score as their weighted sum where it is one.
    fn explained(&self, score: Score) -> Explanation {
        let names = self.scorer.part_names();
        let weights = self.scorer.part_weights().filter(|weights| weights.len() == names.len());
        let (signature, direction) = (self.signature(), Metric::direction(self));
        let Some(weights) = weights.filter(|weights| !weights.is_empty()) else {
            return Explanation::of_score(signature, direction, score);
        };
        let details = score.details.clone();
        let weighted = names.iter().zip(weights).map(|(name, weight)| {
            Formula::product([Formula::Constant(weight), Formula::part(*name)])
        });
        let sum = Formula::sum(weighted);
        let explanation = Explanation::new(signature, direction, score);
        let all = details.into_iter().fold(explanation, |explanation, detail| {
            explanation.with_given(detail.name, detail.value)
        });
        all.with_part("score", sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ko_eval_core::Scorer;

    /// How much of the longer text's length the shorter has, and half of it as a part.
    #[derive(Debug)]
    struct Length;

    impl Signed for Length {
        fn signature(&self) -> Signature {
            Signature::new("Length")
        }
    }

    impl PairScorer for Length {
        fn score_pairs(&self, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
            let share = |(a, b): &(&str, &str)| {
                a.len().min(b.len()) as f64 / a.len().max(b.len()).max(1) as f64
            };
            Ok(pairs.iter().map(share).collect())
        }

        fn part_names(&self) -> &'static [&'static str] {
            &["half"]
        }

        fn score_parts(&self, pairs: &[(&str, &str)]) -> Result<Vec<PairScore>> {
            let values = self.score_pairs(pairs)?.into_iter();
            Ok(values.map(|value| PairScore { value, parts: vec![value / 2.0] }).collect())
        }
    }

    #[test]
    fn references_are_combined_with_their_parts() {
        let segment = Segment::new("가나", ["가", "가나다라"]).unwrap();
        let two = Segment::new("가나", ["가나", "가"]).unwrap();
        for (over, one, both) in [(Over::Best, 0.5, 0.75), (Over::Mean, 0.5, 0.625)] {
            let metric = PairMetric::new(Arc::new(Length)).over(over);
            let measured = metric.measure(&[segment.clone(), two.clone()]).unwrap();
            assert_eq!(measured.segment_scores().unwrap()[0].value, one);
            let score = measured.corpus_score().unwrap().score;
            assert_eq!((score.value, score.detail("half")), (both, Some(both / 2.0)));
        }
    }
}
