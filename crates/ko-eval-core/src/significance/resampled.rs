//! Resampled once, asked often: intervals of measurements, and tests of any two of them.

use super::{Comparison, Interval, shifted_differences};
use crate::{Error, Measurement, Result, Signature};

/// The scores of measurements in each resample. Made by [`Bootstrap::resampled`](super::Bootstrap::resampled); measurements are
/// named by their places there.
#[derive(Debug, Clone)]
pub struct Resampled {
    rows: Vec<Row>,
}

#[derive(Debug, Clone)]
struct Row {
    signature: Signature,
    segments: usize,
    score: f64,
    values: Vec<f64>,
}

impl Resampled {
    pub(super) fn new(measured: &[&dyn Measurement], values: Vec<Vec<f64>>) -> Result<Self> {
        let row = |(measurement, values): (&&dyn Measurement, Vec<f64>)| {
            let score = measurement.corpus_score()?.score.value;
            let (signature, segments) = (measurement.signature(), measurement.len());
            Ok(Row { signature, segments, score, values })
        };
        Ok(Self { rows: measured.iter().zip(values).map(row).collect::<Result<_>>()? })
    }

    /// The score of a measurement with its interval; `None` where there is none of this number.
    pub fn interval(&self, number: usize) -> Option<Interval> {
        self.rows.get(number).map(|row| Interval::of_finite(row.score, row.values.clone()))
    }

    /// Two systems, measured by one metric on the same segments: the paired bootstrap test of
    /// [`PairedTest`](super::PairedTest), with the same figures.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`], or [`Error::BadShard`] if the metrics differ or there is no measurement of this number.
    pub fn compare(&self, baseline: usize, system: usize) -> Result<Comparison> {
        let (a, b) = self.pair(baseline, self, system)?;
        if a.segments != b.segments {
            return Err(Error::LengthMismatch {
                left: "the baseline".into(),
                left_len: a.segments,
                right: "the system".into(),
                right_len: b.segments,
            });
        }
        Ok(a.compare(b))
    }

    /// Two systems, measured by one metric on *different* segments: the same test, but the segments of the two are drawn
    /// independently, so `baseline` must have been resampled with another seed. It finds less than the paired test does,
    /// because chance of both corpora stands between them.
    ///
    /// # Errors
    /// [`Error::BadShard`] if the metrics differ or there is no measurement of this number.
    pub fn compare_unpaired(
        &self,
        system: usize,
        baselines: &Self,
        baseline: usize,
    ) -> Result<Comparison> {
        let (a, b) = baselines.pair(baseline, self, system)?;
        Ok(a.compare(b))
    }

    fn pair<'r>(
        &'r self,
        own: usize,
        other: &'r Self,
        theirs: usize,
    ) -> Result<(&'r Row, &'r Row)> {
        let none = || Error::BadShard { reason: "there is no measurement of this number".into() };
        let a = self.rows.get(own).ok_or_else(none)?;
        let b = other.rows.get(theirs).ok_or_else(none)?;
        if a.signature == b.signature {
            return Ok((a, b));
        }
        let (one, two) = (&a.signature, &b.signature);
        let reason = format!("one system was measured by `{one}`, the other by `{two}`");
        Err(Error::BadShard { reason })
    }
}

impl Row {
    fn compare(&self, system: &Self) -> Comparison {
        let by_chance = shifted_differences(&self.values, &system.values);
        Comparison::of(self.score, system.score, &by_chance, by_chance.len())
    }
}
