//! Metrics whose corpus score is the mean of their segments' scores.

use crate::{Error, ExactSum, Flag, Result, Score, Stats};
use serde::{Deserialize, Serialize};

/// The statistics of a metric whose corpus score is the mean of its segment scores.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeanStats {
    sum: ExactSum,
    segments: u64,
    empty_hypotheses: u64,
    empty_references: u64,
    undefined: u64,
}

/// How many numbers a mean is.
const NUMBERS: usize = 5;

impl MeanStats {
    /// The statistics of one segment with this score.
    ///
    /// # Errors
    /// [`Error::NotFinite`]: a score that is not a number must not become a healthy-looking mean.
    pub fn of(score: f64) -> Result<Self> {
        if !score.is_finite() {
            return Err(Error::NotFinite { what: "a segment's score".into(), value: score });
        }
        Ok(Self { sum: ExactSum::of(score), segments: 1, ..Self::default() })
    }

    /// Notes that the segment's hypothesis, or all of its references, had no units.
    #[must_use]
    pub fn note_empty(mut self, hypothesis: bool, references: bool) -> Self {
        self.empty_hypotheses += u64::from(hypothesis);
        self.empty_references += u64::from(references);
        self
    }

    /// Notes that the reference implementation has no value for this segment.
    #[must_use]
    pub fn note_undefined(mut self, undefined: bool) -> Self {
        self.undefined += u64::from(undefined);
        self
    }

    /// The numbers of several means, one after the other; see [`Stats::to_numbers`].
    pub fn numbers_of<'m>(means: impl IntoIterator<Item = &'m Self>) -> Option<Vec<f64>> {
        let numbers = means.into_iter().map(Self::to_numbers);
        numbers.collect::<Option<Vec<_>>>().map(|numbers| numbers.concat())
    }

    /// What is wrong with several means of the same segments; see [`Stats::check`].
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn check_all<'m>(means: impl IntoIterator<Item = &'m Self>) -> Result<(), String> {
        let mut segments = None;
        for mean in means {
            mean.check()?;
            if *segments.get_or_insert(mean.segments) != mean.segments {
                return Err("its means are of unequal numbers of segments".into());
            }
        }
        Ok(())
    }

    /// Several means from their numbers.
    pub fn all_from(numbers: &[f64]) -> Option<Vec<Self>> {
        numbers.chunks(NUMBERS).map(Self::from_numbers).collect()
    }

    /// The mean; 0 of no segments.
    pub fn mean(&self) -> f64 {
        match self.segments {
            0 => 0.0,
            n => self.sum.value() / n as f64,
        }
    }

    /// How many segments were merged.
    pub fn segments(&self) -> u64 {
        self.segments
    }

    /// The mean as a score, with the flags noted on the way.
    pub fn score(&self) -> Score {
        let score = Score::new(self.mean());
        match self.empty_hypotheses | self.empty_references | self.undefined {
            0 => score,
            _ => self.flag(score),
        }
    }

    fn flag(&self, score: Score) -> Score {
        score
            .flag_if(self.empty_hypotheses > 0, Flag::EmptyHypothesis)
            .flag_if(self.empty_references > 0, Flag::EmptyReference)
            .flag_if(self.undefined > 0, Flag::Undefined)
    }
}

impl Stats for MeanStats {
    fn merge(&mut self, other: &Self) {
        self.sum.merge(&other.sum);
        self.segments = self.segments.saturating_add(other.segments);
        self.empty_hypotheses = self.empty_hypotheses.saturating_add(other.empty_hypotheses);
        self.empty_references = self.empty_references.saturating_add(other.empty_references);
        self.undefined = self.undefined.saturating_add(other.undefined);
    }

    fn check(&self) -> Result<(), String> {
        let most = self.empty_hypotheses.max(self.empty_references).max(self.undefined);
        if !self.sum.value().is_finite() {
            return Err("its sum is not finite".into());
        }
        if self.segments == 0 && self.sum.value() != 0.0 {
            return Err("it is a sum of no segments".into());
        }
        // A segment without a score of its own is only noted as undefined.
        if most > self.segments.saturating_add(self.undefined) {
            return Err(format!("it notes {most} of {} segments", self.segments));
        }
        Ok(())
    }

    fn known_segments(&self) -> Option<u64> {
        Some(self.segments)
    }

    fn to_numbers(&self) -> Option<Vec<f64>> {
        let counts = [self.segments, self.empty_hypotheses, self.empty_references, self.undefined];
        Some(std::iter::once(self.sum.value()).chain(counts.map(|n| n as f64)).collect())
    }

    fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let &[sum, segments, empty_hypotheses, empty_references, undefined] = numbers else {
            return None;
        };
        Some(Self {
            sum: ExactSum::of(sum),
            segments: segments as u64,
            empty_hypotheses: empty_hypotheses as u64,
            empty_references: empty_references as u64,
            undefined: undefined as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_no_score() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(matches!(MeanStats::of(value), Err(Error::NotFinite { .. })), "{value}");
        }
    }

    #[test]
    fn impossible_statistics_are_found_out() {
        for json in [
            r#"{"sum":[1.0],"segments":0,"empty_hypotheses":0,"empty_references":0,"undefined":0}"#,
            r#"{"sum":[1.0],"segments":1,"empty_hypotheses":2,"empty_references":0,"undefined":0}"#,
            r#"{"sum":[1e308,1e308],"segments":2,"empty_hypotheses":0,"empty_references":0,"undefined":0}"#,
        ] {
            let stats: MeanStats = serde_json::from_str(json).unwrap();
            assert!(stats.check().is_err(), "{json}");
        }
        assert!(MeanStats::of(0.5).unwrap().check().is_ok());
    }
}
