//! Is one metric better than another? Permutation tests of the difference of their statistics.
//!
//! PERM-BOTH (Deutsch, Dror and Roth 2021): both metrics' scores are standardised, every output's two scores are swapped or not, and the
//! statistics of the two mixtures are taken; p is the share of draws in which they differ at least as much as the metrics do. For
//! calibrated accuracy not scores but outcomes of pairs are swapped (Deutsch, Foster and Freitag 2023), because two metrics have two
//! thresholds.
//!
//! All pairs of metrics share their draws. What can be computed once per metric and draw is: sums for Pearson's r, signed sums for soft
//! pairwise accuracy. Draws come in blocks, after each of which pairs are left alone whose p-value is plain.

use super::{
    Draws, Grouping, ScoreTable, Seeded, Statistic,
    draws::{coins, keeps},
    mixed::Mixed,
    outcomes::Outcomes,
    softly::Softly,
    statistic::mean_of_groups,
    sums::Sums,
    table::{at, z_scores},
};
use crate::{Error, Result};
use ko_eval_core::par_map;
use ko_eval_io::Progress;
use serde::{Deserialize, Serialize};

/// Draws between two looks at the progress.
const TOGETHER: usize = 32;

/// How many permutations, and when they are enough.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PermutationTest {
    /// The most permutations.
    pub draws: usize,
    /// After so many each, a pair of metrics is left alone if its p-value is plain.
    pub block: usize,
    /// Below this it is plain that the difference is real.
    pub early_min: f64,
    /// Above this it is plain that it may be chance.
    pub early_max: f64,
    /// Where the coins come from.
    pub seed: u64,
}

impl Default for PermutationTest {
    /// 1,000 permutations in blocks of 100, plain below 0.02 and above 0.5, as WMT's tasks have it; seed 12345.
    fn default() -> Self {
        Self { draws: 1000, block: 100, early_min: 0.02, early_max: 0.5, seed: 12345 }
    }
}

impl PermutationTest {
    /// All of so many permutations, whatever they say.
    pub fn all(draws: usize, seed: u64) -> Self {
        Self { draws, block: draws.max(1), seed, ..Self::default() }
    }
}

/// What a test of two metrics found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Tested {
    /// The share of draws in which the mixtures differ at least as much as the metrics.
    pub p_value: f64,
    /// The better metric's statistic less the other's, of standardised scores.
    pub difference: f64,
    /// The statistics of the two mixtures in every draw that was made; the first is the better metric's when nothing is swapped.
    pub draws: Vec<(f64, f64)>,
}

/// How a statistic of two mixed metrics comes about.
pub(super) trait Mixtures: Sync {
    /// The statistic of a metric as it is.
    fn own(&self, metric: usize) -> Result<f64>;

    /// Whether a pair of metrics is left alone only after a draw that differed enough. mt-metrics-eval looks at p-values of
    /// outcomes only then, so that it makes more draws.
    fn stops_at_hits(&self) -> bool {
        false
    }

    /// What rounding may do to a difference: a draw that swaps nothing must not seem to differ less than what was observed.
    fn rounding(&self) -> f64 {
        0.0
    }

    /// How many coins a draw needs.
    fn places(&self) -> usize;

    /// The statistics of the mixtures of pairs of metrics in one draw: the first where the coins say keep and the second elsewhere,
    /// and the other way round.
    fn mixed(&self, pairs: &[(usize, usize)], coins: &[u64]) -> Result<Vec<(f64, f64)>>;
}

impl ScoreTable {
    /// Tests pairs of metrics, each a better one and another: are they really different?
    ///
    /// # Errors
    /// An unknown metric, a statistic that does not exist, or no permutation.
    pub fn test(
        &self,
        pairs: &[(&str, &str)],
        statistic: Statistic,
        grouping: Grouping,
        test: &PermutationTest,
        progress: &dyn Progress,
    ) -> Result<Vec<Tested>> {
        self.test_with(pairs, statistic, grouping, test, &Seeded(test.seed), progress)
    }

    /// The same with coins of your own.
    ///
    /// # Errors
    /// As [`Self::test`].
    pub fn test_with(
        &self,
        pairs: &[(&str, &str)],
        statistic: Statistic,
        grouping: Grouping,
        test: &PermutationTest,
        draws: &dyn Draws,
        progress: &dyn Progress,
    ) -> Result<Vec<Tested>> {
        if test.draws == 0 || test.block == 0 {
            return Err(Error::invalid("permutations", 0, "at least 1, in blocks of at least 1"));
        }
        let number = |name: &str| {
            self.scores(name)?;
            Ok::<usize, Error>(self.names().position(|own| own == name).unwrap_or_default())
        };
        let numbers: Vec<(usize, usize)> = pairs
            .iter()
            .map(|(better, other)| Ok((number(better)?, number(other)?)))
            .collect::<Result<_>>()?;
        let mixtures: Box<dyn Mixtures + '_> = match statistic {
            Statistic::Pearson => Box::new(Sums::new(self, grouping)),
            Statistic::CalibratedAccuracy => Box::new(Outcomes::new(self, grouping)?),
            Statistic::SoftPairwiseAccuracy => Box::new(Softly::new(self)?),
            _ => Box::new(Mixed::new(self, statistic, grouping)),
        };
        run(&*mixtures, self.metrics.len(), &numbers, test, draws, progress)
    }
}

fn run(
    mixtures: &dyn Mixtures,
    metrics: usize,
    pairs: &[(usize, usize)],
    test: &PermutationTest,
    draws: &dyn Draws,
    progress: &dyn Progress,
) -> Result<Vec<Tested>> {
    let numbers: Vec<usize> = (0..metrics).collect();
    let own = par_map(&numbers, |metric| Ok(mixtures.own(*metric)?))?;
    let own = |metric: usize| own.get(metric).copied().unwrap_or_default();
    let mut tested: Vec<Tested> = pairs
        .iter()
        .map(|(better, other)| Tested {
            p_value: 0.0,
            difference: own(*better) - own(*other),
            draws: Vec::new(),
        })
        .collect();
    progress.begin("permutations", Some((pairs.len() * test.draws) as u64));
    let mut live: Vec<usize> = (0..pairs.len()).collect();
    let mut beyond = vec![0usize; pairs.len()];
    let mut drawn = 0;
    while drawn < test.draws && !live.is_empty() {
        let end = (drawn + test.block).min(test.draws);
        while drawn < end {
            let together: Vec<usize> = (drawn..end.min(drawn + TOGETHER)).collect();
            // The other one comes first, as in the reference: it keeps its score where the coin says so.
            let swapped: Vec<(usize, usize)> = live
                .iter()
                .filter_map(|pair| pairs.get(*pair))
                .map(|(better, other)| (*other, *better))
                .collect();
            let values = par_map(&together, |draw| {
                Ok(mixtures.mixed(&swapped, &coins(draws, *draw, mixtures.places()))?)
            })?;
            for values in values {
                for (pair, (other, better)) in live.iter().zip(values) {
                    let Some((tested, beyond)) = tested.get_mut(*pair).zip(beyond.get_mut(*pair))
                    else {
                        continue;
                    };
                    let apart = better - other >= tested.difference - mixtures.rounding();
                    *beyond += usize::from(apart);
                    tested.draws.push((better, other));
                }
            }
            progress.advance((live.len() * together.len()) as u64);
            drawn += together.len();
        }
        let p_value =
            |pair: usize| beyond.get(pair).copied().unwrap_or_default() as f64 / drawn as f64;
        for pair in &live {
            if let Some(tested) = tested.get_mut(*pair) {
                tested.p_value = p_value(*pair);
            }
        }
        if end.is_multiple_of(test.block) {
            let before = live.len();
            live.retain(|pair| {
                let open = (test.early_min..=test.early_max).contains(&p_value(*pair));
                let tested = tested.get(*pair);
                let last =
                    tested.and_then(|tested| Some((tested.draws.last()?, tested.difference)));
                let hit = last.is_some_and(|((better, other), apart)| better - other >= apart);
                open || (mixtures.stops_at_hits() && !hit)
            });
            progress.advance(((before - live.len()) * (test.draws - drawn)) as u64);
        }
    }
    Ok(tested)
}

/// The scores of every metric, standardised, group by group.
pub(super) fn standardised(table: &ScoreTable, groups: &[Vec<usize>]) -> Vec<Vec<f64>> {
    let places: Vec<usize> = groups.concat();
    table.metrics.iter().map(|metric| z_scores(&at(&metric.scores, &places))).collect()
}

/// The mean over groups of what exists.
pub(super) fn averaged(values: &[f64]) -> f64 {
    mean_of_groups(values)
}

/// A mixture: one metric's score where the coin says keep, the other's elsewhere.
pub(super) fn mixture<'a>(
    own: &'a [f64],
    other: &'a [f64],
    coins: &'a [u64],
) -> impl Iterator<Item = f64> + 'a {
    own.iter().zip(other).enumerate().map(
        |(place, (own, other))| {
            if keeps(coins, place) { *own } else { *other }
        },
    )
}
