//! How intervals and tests are drawn.

use crate::{PairFinding, Result};
use ko_eval_core::{
    Measurement,
    significance::{Bootstrap, Interval, Pair, PairedTest},
};

/// Resamples for intervals, and the paired test.
///
/// ```
/// use ko_compare::Trial;
///
/// let trial = Trial::bootstrap(1000, 12345)?;
/// let other = Trial::randomization(10_000, 12345)?;
/// # let _ = (trial, other);
/// # Ok::<(), ko_compare::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Trial {
    bootstrap: Bootstrap,
    /// Where it is not the bootstrap itself.
    test: Option<PairedTest>,
}

/// The intervals of systems by one metric, and the tests of the pairs that were asked for.
pub(crate) struct Judged {
    pub(crate) scores: Vec<Interval>,
    pub(crate) pairs: Vec<PairFinding>,
}

impl Trial {
    /// Intervals and paired bootstrap resampling, from the same resamples.
    ///
    /// # Errors
    /// When `samples` is 0.
    pub fn bootstrap(samples: usize, seed: u64) -> Result<Self> {
        Ok(Self { bootstrap: Bootstrap::new(samples, seed)?, test: None })
    }

    /// Paired approximate randomisation, and intervals from at most 1,000 resamples.
    ///
    /// # Errors
    /// When `samples` is 0.
    pub fn randomization(samples: usize, seed: u64) -> Result<Self> {
        let test = PairedTest::randomization(samples, seed)?;
        Ok(Self { bootstrap: Bootstrap::new(samples.min(1000), seed)?, test: Some(test) })
    }

    /// The same test with intervals from so many resamples.
    ///
    /// # Errors
    /// When `samples` is 0.
    pub fn intervals(self, samples: usize, seed: u64) -> Result<Self> {
        Ok(Self { bootstrap: Bootstrap::new(samples, seed)?, ..self })
    }

    /// For each metric, its systems in order; every pair of places is tested. All is resampled together.
    pub(crate) fn judge(
        &self,
        metrics: &[Vec<&dyn Measurement>],
        pairs: &[(usize, usize)],
    ) -> Result<Vec<Judged>> {
        let all: Vec<&dyn Measurement> = metrics.iter().flatten().copied().collect();
        let resampled = self.bootstrap.resampled(&all)?;
        let mut judged = Vec::with_capacity(metrics.len());
        let mut first = 0;
        for systems in metrics {
            let places = first..first + systems.len();
            first = places.end;
            let scores = places.clone().filter_map(|place| resampled.interval(place)).collect();
            let p_values: Vec<f64> = match &self.test {
                None => pairs
                    .iter()
                    .map(|(a, b)| {
                        Ok(resampled.compare(places.start + a, places.start + b)?.p_value)
                    })
                    .collect::<Result<_>>()?,
                Some(test) => {
                    let of = |place: &usize| systems.get(*place).copied();
                    let wanted: Vec<Pair<'_>> =
                        pairs.iter().filter_map(|(a, b)| Some((of(a)?, of(b)?))).collect();
                    test.compare(&wanted)?.iter().map(|compared| compared.p_value).collect()
                }
            };
            let pair = |(&(baseline, system), p_value)| PairFinding { baseline, system, p_value };
            judged.push(Judged { scores, pairs: pairs.iter().zip(p_values).map(pair).collect() });
        }
        Ok(judged)
    }
}
