//! Why a segment has its NIST: which n-grams are shared, and how much each tells.

use super::{Nist, NistStats, Trie, information_name};
use crate::kernel::{ngrams, shared::shared_ngrams};
use ko_eval_core::{
    Direction, Explanation, Metric, Result, Segment, Signed,
    explain::{Formula, Link, LinkKind, Selection},
};

impl Nist {
    pub(super) fn explained(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let cut = self.cutter.cut(segment)?;
        let mut layer = cut.layer(segment);
        let stats = self.segment_stats(segment)?;
        let chosen = self.chosen(&stats);
        let informations = informations(&stats, self.order);
        layer.links = cut.numbered(|units| {
            let mut links = Vec::new();
            // Each order has chosen a reference of its own.
            for (number, reference) in units.references().enumerate() {
                let wanted = |link: &Link| {
                    let best = chosen.get(link.hypothesis.len().saturating_sub(1));
                    best.is_some_and(|best| best.reference == number)
                };
                let orders = 1..=self.order;
                let all = shared_ngrams(units.hypothesis(), &[(number, reference)], orders);
                links.extend(all.into_iter().filter(wanted));
            }
            links
        });
        for link in layer.links.iter_mut().filter(|link| link.kind == LinkKind::NGram) {
            let order = link.hypothesis.len().saturating_sub(1);
            let known = informations.get(link.hypothesis.start as usize);
            link.value = known.and_then(|known| known.get(order)).copied().unwrap_or(0.0);
        }
        let score = self.segment_score_of(&stats);
        let explanation = Explanation::new(self.signature(), Direction::HigherIsBetter, score);
        let mut explanation = explanation.with_layer(layer);
        let length = cut.hypothesis.len();
        for n in 1..=self.order {
            let links = Formula::links(Selection::of(LinkKind::NGram).order(n));
            explanation = explanation
                .with_given(format!("n-grams-{n}"), ngrams::total(length, n) as f64)
                .with_part(information_name(n), Formula::ratio(links, format!("n-grams-{n}")));
        }
        let reference: usize = chosen.iter().map(|best| best.length).sum();
        // Once for every order, as in the reference implementation: each may have chosen another text.
        let own = length * self.order;
        let penalty = match (own, reference) {
            (own, reference) if own >= reference => Formula::Constant(1.0),
            (0, _) => Formula::Constant(0.0),
            _ => {
                let slope = 0.5f64.ln() / 1.5f64.ln().powi(2);
                let ratio = Formula::ln(Formula::ratio("hypothesis-length", "reference-length"));
                let exponent = [Formula::Constant(slope), Formula::power(ratio, 2.0)];
                Formula::exp(Formula::product(exponent))
            }
        };
        let sum = Formula::sum((1..=self.order).map(information_name));
        Ok(explanation
            .with_given("hypothesis-length", own as f64)
            .with_given("reference-length", reference as f64)
            .with_part("length-penalty", penalty)
            .with_part("score", Formula::product([sum, Formula::part("length-penalty")])))
    }
}

/// Of each place of the hypothesis, how much the n-grams that begin there tell, the shortest first, as long as references
/// hold them.
fn informations(stats: &NistStats, orders: usize) -> Vec<Vec<f64>> {
    let mut trie = Trie::default();
    trie.read(stats.segments().flat_map(|texts| texts.references), orders);
    let Some(texts) = stats.segments().next() else { return Vec::new() };
    let mut numbers = Vec::new();
    trie.numbers(texts.hypothesis, &mut numbers);
    let told = |start: usize| {
        let mut told = Vec::new();
        let from = numbers.get(start..).unwrap_or_default();
        trie.walk_from(from, orders, |_, node| told.push(trie.information(node)));
        told
    };
    (0..numbers.len()).map(told).collect()
}
