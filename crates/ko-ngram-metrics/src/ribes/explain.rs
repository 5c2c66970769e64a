//! Why a segment has its RIBES: which units are aligned, and how many pairs of them are in order.

use super::{Order, Ribes, RibesSettings, Rule, alignment::aligned, order_of};
use crate::kernel::cut::with_references;
use ko_eval_core::{
    Direction, Explanation, Metric, Result, Segment, Signed,
    explain::{Formula, Link, LinkKind, Selection},
};

impl Ribes {
    pub(super) fn explained(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let cut = self.cutter.cut(segment)?;
        let mut layer = cut.layer(segment);
        let (best, values, order, stats) = cut.numbered(|units| {
            let (own, kinds) = (units.hypothesis(), units.kinds());
            let value = |reference| match own {
                [] => 0.0,
                own => self.score_of(own, reference, kinds),
            };
            let values: Vec<f64> = units.references().map(value).collect();
            let greatest = values.iter().copied().fold(0.0, f64::max);
            let best = values.iter().position(|&value| value == greatest).unwrap_or(0);
            let reference = units.references().nth(best).unwrap_or_default();
            let pairs = aligned(own, reference, kinds, self.settings.rule);
            layer.links.extend(pairs.iter().map(|&(own, their)| {
                Link::new(LinkKind::Aligned, own..own + 1).with(best, their..their + 1)
            }));
            let ranks: Vec<u32> = pairs.iter().map(|(_, their)| *their as u32).collect();
            (best, values, order_of(&ranks, reference.len()), self.stats_of(units))
        });
        let score = self.segment_score_of(&stats?);
        let explanation = Explanation::new(self.signature(), Direction::HigherIsBetter, score)
            .with_layer(layer)
            .with_reference(Some(best));
        let explanation = with_references(explanation, values.into_iter());
        let theirs = cut.references.get(best).map_or(0, Vec::len);
        Ok(self.with_parts(explanation, order, cut.hypothesis.len(), theirs))
    }

    fn with_parts(
        &self,
        explanation: Explanation,
        Order { ranks, increasing }: Order,
        own: usize,
        theirs: usize,
    ) -> Explanation {
        let RibesSettings { alpha, beta, rule, .. } = self.settings;
        let less = Formula::difference("aligned", 1.0);
        let pairs = Formula::ratio(Formula::product(["aligned".into(), less]), 2.0);
        let is_lone = rule == Rule::Official && theirs == 1 && ranks == 1;
        let order = match is_lone {
            true => Formula::Constant(1.0),
            false => Formula::ratio("pairs-in-order", "pairs"),
        };
        let shorter = Formula::ratio("reference-units", "hypothesis-units");
        let brevity = Formula::min([1.0.into(), Formula::exp(Formula::difference(1.0, shorter))]);
        let explanation = explanation
            .with_part("aligned", Formula::links(Selection::of(LinkKind::Aligned)))
            .with_part("pairs", pairs)
            .with_given("pairs-in-order", increasing as f64)
            .with_part("order", order)
            .with_given("hypothesis-units", own as f64)
            .with_given("reference-units", theirs as f64)
            .with_part("precision", Formula::ratio("aligned", "hypothesis-units"))
            .with_part("brevity-penalty", brevity);
        let weighted = [
            Formula::part("order"),
            Formula::power("precision", alpha),
            Formula::power("brevity-penalty", beta),
        ];
        explanation.with_part("score", Formula::product(weighted))
    }
}
