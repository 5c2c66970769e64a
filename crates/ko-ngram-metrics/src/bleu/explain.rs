//! Why a segment has its BLEU: which n-grams a reference holds, and what each order makes of them.

use super::{Bleu, BleuStats, EffectiveOrder, Smoothing, nearest_length, precision_name};
use crate::kernel::{
    empty::Empties,
    ngrams,
    shared::{counts, shared_ngrams},
    units::Units,
};
use ko_eval_core::{
    Direction, Explanation, Metric, Result, Segment, Signed,
    explain::{Formula, LinkKind, Selection},
};

impl Bleu {
    pub(super) fn explained(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let cut = self.cutter.cut(segment)?;
        let mut layer = cut.layer(segment);
        let order = self.settings.order;
        let stats = cut.numbered(|units| {
            let references: Vec<_> = units.references().enumerate().collect();
            layer.links = shared_ngrams(units.hypothesis(), &references, 1..=order);
            stats(units, counts(&layer.links, order))
        });
        let score = self.segment_score_of(&stats);
        let explanation = Explanation::new(self.signature(), Direction::HigherIsBetter, score);
        let (explanation, precisions) = self.precisions(explanation.with_layer(layer), &stats);
        let explanation = lengths(explanation, stats.hypothesis, stats.reference);
        let explanation = explanation
            .with_part("brevity-penalty", brevity_penalty(stats.hypothesis, stats.reference));
        let mean = Formula::geometric_mean(precisions);
        Ok(explanation
            .with_part("score", Formula::product([Formula::part("brevity-penalty"), mean])))
    }

    /// The precisions of all orders that are counted, and their names.
    fn precisions(
        &self,
        mut explanation: Explanation,
        stats: &BleuStats,
    ) -> (Explanation, Vec<Formula>) {
        let effective = self.settings.effective_order != EffectiveOrder::Never;
        // Without any match there is nothing to smooth.
        let is_smoothed = stats.matches.iter().any(|&n| n > 0);
        let mut names = Vec::new();
        let mut halved = 1.0;
        for (n, (&matches, &total)) in (1..).zip(stats.matches.iter().zip(&stats.totals)) {
            let added = match self.settings.smoothing {
                Smoothing::AddK(k) if n > 1 && is_smoothed => k,
                _ => 0.0,
            };
            if total as f64 + added == 0.0 && effective {
                break;
            }
            explanation = with_matches(explanation, n, total);
            let [shared, all] = [format!("matches-{n}"), format!("n-grams-{n}")].map(Formula::part);
            let share = |matches: Formula, all: Formula| {
                Formula::ratio(Formula::product([Formula::Constant(100.0), matches]), all)
            };
            let formula = match self.settings.smoothing {
                _ if added > 0.0 => {
                    let [shared, all] = [shared, all].map(|n| Formula::sum([n, added.into()]));
                    share(shared, all)
                }
                Smoothing::Exp if matches == 0 && is_smoothed && total > 0 => {
                    halved *= 2.0;
                    Formula::ratio(100.0, Formula::product([Formula::Constant(halved), all]))
                }
                Smoothing::Floor(value) if matches == 0 && is_smoothed => share(value.into(), all),
                _ => share(shared, all),
            };
            explanation = explanation.with_part(precision_name(n), formula);
            names.push(Formula::Part(precision_name(n)));
        }
        (explanation, names)
    }
}

/// What was counted.
fn stats(units: &Units, matches: Vec<u64>) -> BleuStats {
    let length = units.hypothesis().len();
    BleuStats {
        hypothesis: length as u64,
        reference: nearest_length(units),
        totals: (1..=matches.len()).map(|n| ngrams::total(length, n)).collect(),
        matches,
        empties: Empties::of(length, units.references().map(<[u32]>::len)),
    }
}

/// Adds the n-grams of an order that match, and all of them.
pub(crate) fn with_matches(explanation: Explanation, n: usize, total: u64) -> Explanation {
    let links = Formula::links(Selection::of(LinkKind::NGram).order(n));
    explanation
        .with_part(format!("matches-{n}"), links)
        .with_given(format!("n-grams-{n}"), total as f64)
}

/// Adds the lengths that the penalty looks at.
pub(crate) fn lengths(explanation: Explanation, hypothesis: u64, reference: u64) -> Explanation {
    explanation
        .with_given("hypothesis-length", hypothesis as f64)
        .with_given("reference-length", reference as f64)
}

/// e^(1 − r/h) for a hypothesis that is shorter, else 1.
fn brevity_penalty(hypothesis: u64, reference: u64) -> Formula {
    match hypothesis {
        0 if reference > 0 => Formula::Constant(0.0),
        h if h < reference => {
            let ratio = Formula::ratio("reference-length", "hypothesis-length");
            Formula::exp(Formula::difference(1.0, ratio))
        }
        _ => Formula::Constant(1.0),
    }
}
