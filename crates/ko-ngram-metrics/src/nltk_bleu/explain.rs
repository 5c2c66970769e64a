//! Why a segment has NLTK's BLEU: which n-grams match, and how the precisions are smoothed.

use super::{Counts, NEIGHBOUR, NltkBleu, NltkBleuStats, Smoothing};
use crate::{
    bleu::{lengths, nearest_length, precision_name, with_matches},
    kernel::{
        empty::Empties,
        ngrams,
        shared::{counts, shared_ngrams},
    },
};
use ko_eval_core::{
    Direction, Explanation, Metric, Result, Segment, Signed,
    explain::{Formula, Part},
};

impl NltkBleu {
    pub(super) fn explained(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let cut = self.cutter.cut(segment)?;
        let mut layer = cut.layer(segment);
        let order = self.counted_order();
        let stats = cut.numbered(|units| {
            let references: Vec<_> = units.references().enumerate().collect();
            layer.links = shared_ngrams(units.hypothesis(), &references, 1..=order);
            let length = units.hypothesis().len();
            let totals: Vec<u64> = (1..=order).map(|n| ngrams::total(length, n)).collect();
            let denominators = totals.iter().map(|&n| n.max(1)).collect();
            let sum = Counts { matches: counts(&layer.links, order), totals, denominators };
            NltkBleuStats {
                segments: 1,
                hypothesis: length as u64,
                reference: nearest_length(units),
                last: sum.clone(),
                sum,
                empties: Empties::of(length, units.references().map(<[u32]>::len)),
            }
        });
        let score = self.segment_score_of(&stats);
        let explanation = Explanation::new(self.signature(), Direction::HigherIsBetter, score);
        let mut explanation = explanation.with_layer(layer);
        for (n, &total) in (1..=order).zip(&stats.sum.denominators) {
            explanation = with_matches(explanation, n, total);
        }
        // Without a unigram that matches the score is 0, whatever the smoothing.
        if stats.sum.matches.first().is_some_and(|&matches| matches > 0) {
            explanation = self.precisions(explanation, &stats);
        }
        explanation = lengths(explanation, stats.hypothesis, stats.reference);
        let penalty = match (stats.hypothesis, stats.reference) {
            (h, r) if h > r => Formula::Constant(1.0),
            (0, _) => Formula::Constant(0.0),
            _ => {
                let ratio = Formula::ratio("reference-length", "hypothesis-length");
                Formula::exp(Formula::difference(1.0, ratio))
            }
        };
        let explanation = explanation.with_part("brevity-penalty", penalty);
        let score = self.formula(&explanation);
        Ok(explanation.with_part("score", score))
    }

    /// 100 · BP · exp(Σ w · ln p), over the precisions there are.
    fn formula(&self, explanation: &Explanation) -> Formula {
        if explanation.score.value == 0.0 {
            return Formula::Constant(0.0);
        }
        let precision = |(weight, n): (&f64, usize)| {
            let part: &Part =
                explanation.parts.iter().find(|part| part.name == precision_name(n))?;
            (part.value > 0.0).then(|| {
                let ln = Formula::ln(Formula::Part(precision_name(n)));
                Formula::product([Formula::Constant(*weight), ln])
            })
        };
        let logs = Formula::sum(self.settings.weights.iter().zip(1..).filter_map(precision));
        let factors = [Formula::Constant(100.0), "brevity-penalty".into(), Formula::exp(logs)];
        Formula::product(factors)
    }

    /// The precisions of all orders, smoothed as is set.
    fn precisions(&self, mut explanation: Explanation, stats: &NltkBleuStats) -> Explanation {
        let order = self.order();
        let smoothing = self.settings.smoothing;
        // The methods that look at neighbours start from shares of their own.
        let plain = |n| match smoothing {
            Smoothing::Method5 | Smoothing::Method6 { .. } | Smoothing::Method7 { .. } => {
                format!("share-{n}").into()
            }
            _ => precision_name(n),
        };
        let mut without = 0;
        for (n, &matches) in (1..=order).zip(&stats.sum.matches) {
            let [shared, all] = [format!("matches-{n}"), format!("n-grams-{n}")].map(Formula::part);
            without += i32::from(matches == 0);
            let formula = match smoothing {
                Smoothing::Method2 if n > 1 => Formula::ratio(
                    Formula::sum([shared, 1.0.into()]),
                    Formula::sum([all, 1.0.into()]),
                ),
                _ if matches > 0 => Formula::ratio(shared, all),
                Smoothing::Method0 => Formula::Constant(f64::MIN_POSITIVE),
                Smoothing::Method1 { epsilon } => Formula::ratio(epsilon, all),
                Smoothing::Method3 => Formula::ratio(0.5f64.powi(without), all),
                Smoothing::Method4 { k } | Smoothing::Method7 { k } => {
                    let strength = match stats.hypothesis {
                        1 => 0.0,
                        length => 0.5f64.powi(without) * (length as f64).ln() / k,
                    };
                    Formula::ratio(strength, all)
                }
                Smoothing::Method2 | Smoothing::Method5 | Smoothing::Method6 { .. } => {
                    Formula::Constant(0.0)
                }
            };
            explanation = explanation.with_part(plain(n), formula);
        }
        match smoothing {
            Smoothing::Method5 | Smoothing::Method7 { .. } => averaged(explanation, order),
            Smoothing::Method6 { alpha } => foretold(explanation, stats, order, alpha),
            _ => explanation,
        }
    }
}

/// Each share with its neighbours; the lower one is averaged already.
fn averaged(mut explanation: Explanation, order: usize) -> Explanation {
    let share = |n: usize| Formula::part(format!("share-{n}"));
    for n in 1..=order {
        let below = match n {
            1 => Formula::sum([share(1), 1.0.into()]),
            _ => Formula::Part(precision_name(n - 1)),
        };
        let above = match n {
            n if n < order => share(n + 1),
            _ => Formula::ratio(format!("matches-{NEIGHBOUR}"), format!("n-grams-{NEIGHBOUR}")),
        };
        let mean = Formula::ratio(Formula::sum([below, share(n), above]), 3.0);
        explanation = explanation.with_part(precision_name(n), mean);
    }
    explanation
}

/// From trigrams on, the two orders before foretell a precision.
fn foretold(
    mut explanation: Explanation,
    stats: &NltkBleuStats,
    order: usize,
    alpha: f64,
) -> Explanation {
    for (n, &total) in (1..=order).zip(&stats.sum.totals) {
        let formula = match n {
            1 | 2 => Formula::part(format!("share-{n}")),
            _ => {
                let [first, second] = [n - 1, n - 2].map(|n| Formula::Part(precision_name(n)));
                let expected = Formula::ratio(Formula::power(first, 2.0), second);
                let drawn = Formula::product([Formula::Constant(alpha), expected]);
                let shared = Formula::sum([Formula::part(format!("matches-{n}")), drawn]);
                Formula::ratio(shared, total as f64 + alpha)
            }
        };
        explanation = explanation.with_part(precision_name(n), formula);
    }
    explanation
}
