//! Is the difference real? Resampling over statistics: text is cut once, resampled many times.
//!
//! The tests are those of sacreBLEU 2.6.0: bootstrap confidence intervals, paired bootstrap
//! resampling (Koehn 2004) and paired approximate randomisation (Riezler and Maxwell 2005). One
//! implementation serves every metric, because all a resample needs is to merge statistics.
//!
//! Resample number *i* draws from stream *i* of a ChaCha8 generator, so a seed gives the same
//! figures on every platform and with any number of threads. sacreBLEU draws from NumPy's
//! generator; with the same seed the figures agree in distribution, not in digits. One rule is ours:
//! two systems with the same score get *p* = 1, where sacreBLEU prints the smallest *p* it can.
//!
//! ```
//! use ko_eval_core::significance::{Bootstrap, PairedTest};
//!
//! let bootstrap = Bootstrap::new(1000, 12345)?;
//! let test = PairedTest::randomization(10_000, 12345)?;
//! assert!(Bootstrap::new(0, 12345).is_err());
//! # let _ = (bootstrap, test);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

use crate::{Error, Metric, Result, Stats, parallel::map_range};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Confidence of every interval.
const CONFIDENCE: f64 = 0.95;

/// Bootstrap resampling: segments drawn with replacement, as many as there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bootstrap {
    samples: usize,
    seed: u64,
}

/// A score with the spread of its resamples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The score of the corpus itself.
    pub score: f64,
    /// The mean over the resamples.
    pub mean: f64,
    /// The lower end of the 95 % interval (percentiles of the resamples).
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// A score with the mean and the 95 % percentile interval of its resamples, in any order.
    pub fn from_resamples(score: f64, mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let (low, high) = percentiles(&values);
        Self { score, mean: mean(&values), low, high }
    }
}

/// A system against a baseline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The baseline's score.
    pub baseline: f64,
    /// The system's score.
    pub system: f64,
    /// How probable a difference at least this large is if the two were alike.
    pub p_value: f64,
}

/// How two systems are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairedTest {
    kind: Kind,
    samples: usize,
    seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bootstrap,
    Randomization,
}

impl Default for Bootstrap {
    /// 1,000 resamples with seed 12345, as sacreBLEU.
    fn default() -> Self {
        Self { samples: 1000, seed: 12345 }
    }
}

impl Bootstrap {
    /// So many resamples from this seed.
    ///
    /// # Errors
    /// When `samples` is 0.
    pub fn new(samples: usize, seed: u64) -> Result<Self> {
        at_least_one("bootstrap", samples)?;
        Ok(Self { samples, seed })
    }

    /// The score of the segments whose statistics these are, with its interval.
    ///
    /// # Errors
    /// [`Error::EmptyCorpus`].
    pub fn interval<M: Metric>(&self, metric: &M, stats: &[M::Stats]) -> Result<Interval> {
        self.interval_of(stats.len(), |rows| metric.value(&merge(rows.map(|i| stats.get(i)))))
    }

    /// The interval of any statistic of `len` rows: `of` gets the rows of a resample.
    ///
    /// # Errors
    /// [`Error::EmptyCorpus`] if there are no rows.
    pub fn interval_of(
        &self,
        len: usize,
        of: impl Fn(&mut dyn Iterator<Item = usize>) -> f64 + Sync + Send,
    ) -> Result<Interval> {
        if len == 0 {
            return Err(Error::EmptyCorpus);
        }
        let values = self.resample(len, &of);
        Ok(Interval::from_resamples(of(&mut (0..len)), values))
    }

    /// What `of` makes of the rows of every resample, in order: for statistics that are more than
    /// one number, or that some resamples do not have. No rows, no calls.
    pub fn resample<R: Send>(
        &self,
        len: usize,
        of: impl Fn(&mut dyn Iterator<Item = usize>) -> R + Sync + Send,
    ) -> Vec<R> {
        let samples = if len == 0 { 0 } else { self.samples };
        map_range(samples, |sample| of(&mut self.rows(len, sample)))
    }

    /// The rows of one resample.
    fn rows(&self, len: usize, sample: usize) -> impl Iterator<Item = usize> + use<> {
        let mut rng = stream(self.seed, sample);
        (0..len).map(move |_| rng.random_range(0..len))
    }
}

impl PairedTest {
    /// Paired bootstrap resampling: both systems are resampled alike.
    ///
    /// # Errors
    /// When `samples` is 0.
    pub fn bootstrap(samples: usize, seed: u64) -> Result<Self> {
        at_least_one("paired bootstrap", samples)?;
        Ok(Self { kind: Kind::Bootstrap, samples, seed })
    }

    /// Paired approximate randomisation: each pair of outputs changes sides by the toss of a coin.
    ///
    /// # Errors
    /// When `samples` is 0.
    pub fn randomization(samples: usize, seed: u64) -> Result<Self> {
        at_least_one("paired approximate randomisation", samples)?;
        Ok(Self { kind: Kind::Randomization, samples, seed })
    }
}

/// Compares two systems by the statistics of the same segments.
///
/// # Errors
/// [`Error::EmptyCorpus`], or [`Error::LengthMismatch`].
pub fn compare<M: Metric>(
    metric: &M,
    baseline: &[M::Stats],
    system: &[M::Stats],
    test: &PairedTest,
) -> Result<Comparison> {
    let len = baseline.len();
    if len != system.len() {
        return Err(Error::LengthMismatch {
            left: "the baseline".into(),
            left_len: len,
            right: "the system".into(),
            right_len: system.len(),
        });
    }
    if len == 0 {
        return Err(Error::EmptyCorpus);
    }
    let (a, b) = (score(metric, baseline.iter()), score(metric, system.iter()));
    let observed = (b - a).abs();
    if observed == 0.0 {
        return Ok(Comparison { baseline: a, system: b, p_value: 1.0 });
    }
    let greater = match test.kind {
        Kind::Bootstrap => {
            let bootstrap = Bootstrap { samples: test.samples, seed: test.seed };
            let differences = map_range(test.samples, |sample| {
                let rows: Vec<usize> = bootstrap.rows(len, sample).collect();
                let of =
                    |stats: &[M::Stats]| metric.value(&merge(rows.iter().map(|&i| stats.get(i))));
                (of(system) - of(baseline)).abs()
            });
            // The resamples are spread around the observed difference, not around none: shift them there.
            let centre = mean(&differences);
            differences.iter().filter(|d| **d - centre > observed).count()
        }
        Kind::Randomization => map_range(test.samples, |sample| {
            let mut rng = stream(test.seed, sample);
            let (mut left, mut right) = (M::Stats::default(), M::Stats::default());
            for (x, y) in baseline.iter().zip(system) {
                let (x, y) = if rng.random::<bool>() { (x, y) } else { (y, x) };
                left.merge(x);
                right.merge(y);
            }
            (metric.value(&right) - metric.value(&left)).abs() > observed
        })
        .into_iter()
        .filter(|greater| *greater)
        .count(),
    };
    let p_value = (greater + 1) as f64 / (test.samples + 1) as f64;
    Ok(Comparison { baseline: a, system: b, p_value })
}

fn at_least_one(owner: &str, samples: usize) -> Result<()> {
    match samples {
        0 => Err(Error::invalid(owner, "samples", 0, "at least 1")),
        _ => Ok(()),
    }
}

fn stream(seed: u64, number: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number as u64);
    rng
}

fn merge<'s, S: Stats>(parts: impl Iterator<Item = Option<&'s S>>) -> S {
    parts.flatten().fold(S::default(), |mut all, part| {
        all.merge(part);
        all
    })
}

fn score<'s, M: Metric>(metric: &M, stats: impl Iterator<Item = &'s M::Stats>) -> f64
where
    M::Stats: 's,
{
    metric.value(&merge(stats.map(Some)))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The ends of the middle 95 % of sorted values.
fn percentiles(sorted: &[f64]) -> (f64, f64) {
    let tail = (1.0 - CONFIDENCE) / 2.0;
    let cut = (tail * sorted.len() as f64) as usize;
    let low = sorted.get(cut).copied().unwrap_or_default();
    let high = sorted.iter().rev().nth(cut).copied().unwrap_or_default();
    (low, high)
}
