//! What becomes of the precisions: the methods that Chen and Cherry number.

use super::{Context, Counts, NltkBleu, NltkBleuStats};
use ko_eval_core::{
    Params, Result,
    setting::{Choice, Number, Optional},
};

pub(super) const SMOOTH: Choice<Smoothing> = Choice::new(
    "smooth",
    &[
        ("method0", Smoothing::Method0),
        ("method1", Smoothing::Method1 { epsilon: 0.1 }),
        ("method2", Smoothing::Method2),
        ("method3", Smoothing::Method3),
        ("method4", Smoothing::Method4 { k: 5.0 }),
        ("method5", Smoothing::Method5),
        ("method6", Smoothing::Method6 { alpha: 5.0 }),
        ("method7", Smoothing::Method7 { k: 5.0 }),
    ],
    "what becomes of the precisions",
);

pub(super) const SMOOTH_VALUE: Optional<Number> = Number::new(
    "smooth-value",
    0.1,
    f64::MIN_POSITIVE,
    1e6,
    "epsilon of method1, k of method4 and method7, alpha of method6",
)
.optional("0.1 for method1, 5 for the others");

/// The order above all others that method 5 averages with, whatever the weights.
pub(super) const NEIGHBOUR: usize = 5;

/// What becomes of the precisions, numbered as by Chen and Cherry.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Smoothing {
    /// An order without matches makes the score almost 0.
    #[default]
    Method0,
    /// An order without matches gets `epsilon` of them (0.1).
    Method1 {
        /// How many matches.
        epsilon: f64,
    },
    /// One match and one n-gram more in every order above the first (Lin and Och 2004).
    Method2,
    /// The *k*-th order without matches gets 2⁻ᵏ of them (NIST's script).
    Method3,
    /// As method 3, but fewer the shorter the hypothesis.
    Method4 {
        /// How much fewer (5).
        k: f64,
    },
    /// A precision becomes the mean of its neighbours' and its own.
    Method5,
    /// A precision from trigrams on is drawn towards what the two before it foretell (Gao and He 2013).
    Method6 {
        /// How strongly (5).
        alpha: f64,
    },
    /// Method 4, then method 5.
    Method7 {
        /// As in method 4 (5).
        k: f64,
    },
}

impl Smoothing {
    pub(super) fn read(params: &Params) -> Result<Self> {
        let smoothing = params.read(&SMOOTH)?;
        let Some(value) = params.read(&SMOOTH_VALUE)? else { return Ok(smoothing) };
        Ok(match smoothing {
            Self::Method1 { .. } => Self::Method1 { epsilon: value },
            Self::Method4 { .. } => Self::Method4 { k: value },
            Self::Method6 { .. } => Self::Method6 { alpha: value },
            Self::Method7 { .. } => Self::Method7 { k: value },
            _ => {
                let expected = "none: only methods 1, 4, 6 and 7 have one";
                return Err(params.invalid(SMOOTH_VALUE.param().name, expected));
            }
        })
    }

    pub(super) fn number(self) -> usize {
        match self {
            Self::Method0 => 0,
            Self::Method1 { .. } => 1,
            Self::Method2 => 2,
            Self::Method3 => 3,
            Self::Method4 { .. } => 4,
            Self::Method5 => 5,
            Self::Method6 { .. } => 6,
            Self::Method7 { .. } => 7,
        }
    }

    pub(super) fn value(self) -> Option<f64> {
        match self {
            Self::Method1 { epsilon } => Some(epsilon),
            Self::Method4 { k } | Self::Method7 { k } => Some(k),
            Self::Method6 { alpha } => Some(alpha),
            Self::Method0 | Self::Method2 | Self::Method3 | Self::Method5 => None,
        }
    }

    pub(super) fn has_context(self) -> bool {
        self.number() >= 5
    }
}

impl NltkBleu {
    /// The precisions of all orders, or nothing where NLTK fails.
    pub(super) fn smoothed(&self, stats: &NltkBleuStats) -> Option<Vec<f64>> {
        let counts = &stats.sum;
        let order = self.order();
        let context = match self.settings.context {
            Context::LastSegment => &stats.last,
            Context::Corpus => &stats.sum,
        };
        let halved = |k| 0.5f64.powi(k);
        let by_length = |strength: f64| {
            counts.shares(order, |k, n| match stats.hypothesis {
                1 => 0.0,
                length => halved(k) * (length as f64).ln() / strength / n,
            })
        };
        let plain = || counts.shares(order, |_, _| 0.0);
        Some(match self.settings.smoothing {
            Smoothing::Method0 => counts.shares(order, |_, _| f64::MIN_POSITIVE),
            Smoothing::Method1 { epsilon } => counts.shares(order, |_, n| epsilon / n),
            Smoothing::Method2 => counts.with_one_more(order),
            Smoothing::Method3 => counts.shares(order, |k, n| halved(k) / n),
            Smoothing::Method4 { k } => by_length(k),
            Smoothing::Method5 => averaged(&plain(), context),
            Smoothing::Method6 { .. } if counts.matches.get(2).is_none_or(|&n| n == 0) => {
                return None;
            }
            Smoothing::Method6 { alpha } => {
                foretold(plain(), &counts.matches, &context.totals, alpha)
            }
            Smoothing::Method7 { k } => averaged(&by_length(k), context),
        })
    }
}

impl Counts {
    /// The share of n-grams that match, by order. An order without matches, the `k`-th such from 1,
    /// has the share that `otherwise` makes of `k` and of its number of n-grams.
    fn shares(&self, orders: usize, otherwise: impl Fn(i32, f64) -> f64) -> Vec<f64> {
        let mut without = 0;
        let share = |(&matches, &n): (&u64, &u64)| {
            let n = n.max(1) as f64;
            if matches > 0 {
                return matches as f64 / n;
            }
            without += 1;
            otherwise(without, n)
        };
        self.matches.iter().zip(&self.denominators).take(orders).map(share).collect()
    }

    /// Method 2: the shares with one more match and n-gram in every order but the first.
    fn with_one_more(&self, orders: usize) -> Vec<f64> {
        let mut shares = self.shares(orders, |_, _| 0.0);
        let counts = self.matches.iter().zip(&self.denominators);
        for (share, (&matches, &n)) in shares.iter_mut().zip(counts).skip(1) {
            *share = (matches as f64 + 1.0) / (n as f64 + 1.0);
        }
        shares
    }
}

/// Method 5: each precision with its neighbours; the lower one is averaged already.
fn averaged(precisions: &[f64], context: &Counts) -> Vec<f64> {
    let count = |counts: &[u64]| counts.get(NEIGHBOUR - 1).copied().unwrap_or(0) as f64;
    let above = count(&context.matches) / count(&context.denominators).max(1.0);
    let mut below = precisions.first().map_or(1.0, |first| first + 1.0);
    let neighbours = precisions.iter().skip(1).copied().chain([above]);
    let mean = |(precision, above): (&f64, f64)| {
        below = (below + precision + above) / 3.0;
        below
    };
    precisions.iter().zip(neighbours).map(mean).collect()
}

/// Method 6: from trigrams on, the ratio of the two orders before foretells a precision.
fn foretold(mut precisions: Vec<f64>, matches: &[u64], totals: &[u64], alpha: f64) -> Vec<f64> {
    let mut before = [0.0; 2];
    for (n, precision) in precisions.iter_mut().enumerate() {
        if n >= 2 {
            let [second, first] = before;
            let expected = if second == 0.0 { 0.0 } else { first * first / second };
            let count = |counts: &[u64]| counts.get(n).copied().unwrap_or(0) as f64;
            *precision = (count(matches) + alpha * expected) / (count(totals) + alpha);
        }
        before = [before[1], *precision];
    }
    precisions
}
