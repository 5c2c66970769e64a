//! Is the difference real? Resampling over statistics: text is measured once, resampled many times.
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

mod poisson;
mod resampled;
mod rows;

pub use poisson::Poisson;
pub use resampled::Resampled;
#[doc(hidden)]
pub use rows::Batch;
pub(crate) use rows::Rows;
use rows::Times;

use crate::{Error, Measurement, Result, parallel::map_range, score::write_number};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Confidence of every interval.
const CONFIDENCE: f64 = 0.95;

/// What rounding may do to a resampled score, relative to it: a resample that only swaps what is equal must not seem to differ
/// more than what was observed.
const ROUNDING: f64 = 1e-12;

/// Resamples that are added up together, so that statistics come from memory once for all of them.
const BATCH: usize = 8;

/// Bootstrap resampling: segments drawn with replacement, as many as there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bootstrap {
    samples: usize,
    seed: u64,
}

/// A score with the spread of its resamples.
///
/// Written as `37.9918 [33.1000, 42.5000]`; `{interval:.1}` says how many decimals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
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
    ///
    /// # Errors
    /// [`Error::NotFinite`] if the score or a resample is not a number.
    pub fn from_resamples(score: f64, values: Vec<f64>) -> Result<Self> {
        finite("the score", &[score])?;
        finite("the score of a resample", &values)?;
        Ok(Self::of_finite(score, values))
    }

    fn of_finite(score: f64, mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let (low, high) = percentiles(&values);
        Self { score, mean: mean(&values), low, high }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_number(f, self.score)?;
        f.write_str(" [")?;
        write_number(f, self.low)?;
        f.write_str(", ")?;
        write_number(f, self.high)?;
        f.write_str("]")
    }
}

/// A system against a baseline.
///
/// Written as `37.9918 → 40.1000, p = 0.0123`, the baseline first; `{comparison:.1}` says how many decimals the scores have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Comparison {
    /// The baseline's score.
    pub baseline: f64,
    /// The system's score.
    pub system: f64,
    /// How probable a difference at least this large is if the two were alike.
    pub p_value: f64,
}

impl Comparison {
    /// The paired bootstrap test of two scores by those of the same resamples of both.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if they are not the same resamples, [`Error::NotFinite`] if a score is not a number.
    pub fn from_resamples(
        (baseline, of_baseline): (f64, &[f64]),
        (system, of_system): (f64, &[f64]),
    ) -> Result<Self> {
        if of_baseline.len() != of_system.len() {
            return Err(Error::LengthMismatch {
                left: "the resamples of the baseline".into(),
                left_len: of_baseline.len(),
                right: "those of the system".into(),
                right_len: of_system.len(),
            });
        }
        finite("the score", &[baseline, system])?;
        [of_baseline, of_system].iter().try_for_each(|v| finite("the score of a resample", v))?;
        let by_chance = shifted_differences(of_baseline, of_system);
        Ok(Self::of(baseline, system, &by_chance, by_chance.len()))
    }

    /// Of two scores, and the differences that chance alone would give.
    fn of(baseline: f64, system: f64, by_chance: &[f64], samples: usize) -> Self {
        let p_value = match (system - baseline).abs() {
            0.0 => 1.0,
            observed => {
                let beyond = observed + ROUNDING * baseline.abs().max(system.abs());
                (count(by_chance, beyond) + 1) as f64 / (samples + 1) as f64
            }
        };
        Self { baseline, system, p_value }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_number(f, self.baseline)?;
        f.write_str(" → ")?;
        write_number(f, self.system)?;
        write!(f, ", p = {:.4}", self.p_value)
    }
}

/// A baseline and a system, measured by one metric on the same segments.
pub type Pair<'m> = (&'m dyn Measurement, &'m dyn Measurement);

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

    /// Resamples measurements once, for intervals and for paired tests of any two of them.
    ///
    /// # Errors
    /// As [`Measurement::interval`].
    pub fn resampled(&self, measured: &[&dyn Measurement]) -> Result<Resampled> {
        Resampled::new(measured, self.values(measured)?)
    }

    /// The scores of measurements with their intervals. Measurements of equally many segments are resampled alike, and
    /// drawn for once.
    ///
    /// # Errors
    /// As [`Measurement::interval`].
    pub fn intervals(&self, measured: &[&dyn Measurement]) -> Result<Vec<Interval>> {
        let values = self.values(measured)?;
        let interval = |(measurement, values): (&&dyn Measurement, _)| {
            Ok(Interval::of_finite(measurement.corpus_score()?.score.value, values))
        };
        measured.iter().zip(values).map(interval).collect()
    }

    /// The score of each measurement in each resample.
    fn values(&self, measured: &[&dyn Measurement]) -> Result<Vec<Vec<f64>>> {
        measured.iter().try_for_each(|measurement| measurement.check_resampling())?;
        let mut values = vec![Vec::new(); measured.len()];
        for len in lengths(measured) {
            let batches = batches(self.samples, len, |sample, weights| {
                for row in self.rows(len, sample) {
                    if let Some(weight) = weights.get_mut(row) {
                        *weight = weight.saturating_add(1);
                    }
                }
            });
            let of_batch = batches.map(|batch| {
                let of = |m: &&dyn Measurement| match m.len() == len {
                    true => m.resampled(batch),
                    false => Vec::new(),
                };
                measured.iter().map(of).collect::<Vec<_>>()
            });
            for batch in of_batch {
                values.iter_mut().zip(batch).for_each(|(all, some)| all.extend(some));
            }
        }
        values.iter().try_for_each(|values| finite("the score of a resample", values))?;
        Ok(values)
    }

    /// The interval of any statistic of `len` rows: `of` gets the rows of a resample.
    ///
    /// # Errors
    /// [`Error::EmptyCorpus`] if there are no rows, [`Error::NotFinite`] if `of` gives no number.
    pub fn interval_of(
        &self,
        len: usize,
        of: impl Fn(&mut dyn Iterator<Item = usize>) -> f64 + Sync + Send,
    ) -> Result<Interval> {
        if len == 0 {
            return Err(Error::EmptyCorpus);
        }
        let values = self.resample(len, &of);
        Interval::from_resamples(of(&mut (0..len)), values)
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

    /// Compares systems with their baselines. A measurement that stands in several pairs is resampled once.
    ///
    /// # Errors
    /// As [`Measurement::compare`].
    pub fn compare(&self, pairs: &[Pair<'_>]) -> Result<Vec<Comparison>> {
        let no_resample = Batch::new(0, 0..0, |_, _| {});
        for (baseline, system) in pairs {
            system.check_resampling()?;
            // Tells whether the two go together, of no resample at all.
            system.swapped(*baseline, &no_resample)?;
        }
        let greater = match self.kind {
            Kind::Bootstrap => self.by_bootstrap(pairs)?,
            Kind::Randomization => self.by_randomization(pairs)?,
        };
        let value = |measured: &dyn Measurement| -> Result<f64> {
            Ok(measured.corpus_score()?.score.value)
        };
        let comparison = |((baseline, system), greater): (&Pair<'_>, &Vec<f64>)| {
            Ok(Comparison::of(value(*baseline)?, value(*system)?, greater, self.samples))
        };
        pairs.iter().zip(&greater).map(comparison).collect()
    }

    /// For each pair, the differences to be compared with the observed one.
    fn by_bootstrap(&self, pairs: &[Pair<'_>]) -> Result<Vec<Vec<f64>>> {
        let mut measured: Vec<&dyn Measurement> = Vec::new();
        let mut places = Vec::new();
        for &(baseline, system) in pairs {
            let [a, b] = [baseline, system].map(|m| {
                let known = measured.iter().position(|known| std::ptr::addr_eq(*known, m));
                known.unwrap_or_else(|| {
                    measured.push(m);
                    measured.len() - 1
                })
            });
            places.push((a, b));
        }
        let values = Bootstrap { samples: self.samples, seed: self.seed }.values(&measured)?;
        let of = |place: usize| values.get(place).map(Vec::as_slice).unwrap_or_default();
        Ok(places.iter().map(|&(a, b)| shifted_differences(of(a), of(b))).collect())
    }

    fn by_randomization(&self, pairs: &[Pair<'_>]) -> Result<Vec<Vec<f64>>> {
        let systems: Vec<&dyn Measurement> = pairs.iter().map(|(_, system)| *system).collect();
        let mut differences = vec![Vec::new(); pairs.len()];
        for len in lengths(&systems) {
            let batches = batches(self.samples, len, |sample, weights| {
                let mut rng = stream(self.seed, sample);
                weights.iter_mut().for_each(|weight| *weight = Times::from(rng.random::<bool>()));
            });
            let of_batch = batches.map(|batch| {
                let of = |&(baseline, system): &Pair<'_>| {
                    if system.len() != len {
                        return Ok(Vec::new());
                    }
                    let sides = system.swapped(baseline, batch)?;
                    Ok(sides.iter().map(|(left, right)| (right - left).abs()).collect())
                };
                pairs.iter().map(of).collect::<Result<Vec<Vec<f64>>>>()
            });
            for batch in of_batch {
                differences.iter_mut().zip(batch?).for_each(|(all, some)| all.extend(some));
            }
        }
        // A difference that is no number would count as a small one.
        differences.iter().try_for_each(|some| finite("the difference of a resample", some))?;
        Ok(differences)
    }
}

/// The differences of two systems in each resample. They are spread around the observed difference, not around none, and are
/// shifted there.
fn shifted_differences(baseline: &[f64], system: &[f64]) -> Vec<f64> {
    let differences: Vec<f64> = system.iter().zip(baseline).map(|(b, a)| (b - a).abs()).collect();
    let centre = mean(&differences);
    differences.into_iter().map(|difference| difference - centre).collect()
}

/// Batches of resamples, drawn and looked at on all cores.
struct Batches<D> {
    samples: usize,
    rows: usize,
    draw: D,
}

fn batches<D: Fn(usize, &mut [Times]) + Sync + Send>(
    samples: usize,
    rows: usize,
    draw: D,
) -> Batches<D> {
    Batches { samples, rows, draw }
}

impl<D: Fn(usize, &mut [Times]) + Sync + Send> Batches<D> {
    /// What `of` makes of each batch, in order.
    fn map<R: Send>(&self, of: impl Fn(&Batch) -> R + Sync + Send) -> Vec<R> {
        map_range(self.samples.div_ceil(BATCH), |number| {
            let first = number * BATCH;
            let numbers = first..self.samples.min(first + BATCH);
            of(&Batch::new(self.rows, numbers, &self.draw))
        })
    }
}

/// The different numbers of segments.
fn lengths(measured: &[&dyn Measurement]) -> Vec<usize> {
    let mut lengths: Vec<usize> = measured.iter().map(|m| m.len()).collect();
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

/// How many differences are greater than the observed one.
fn count(differences: &[f64], observed: f64) -> usize {
    differences.iter().filter(|difference| **difference > observed).count()
}

/// Refuses what is infinite or not a number.
fn finite(what: &str, values: &[f64]) -> Result<()> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(value) => Err(Error::NotFinite { what: what.into(), value: *value }),
        None => Ok(()),
    }
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
