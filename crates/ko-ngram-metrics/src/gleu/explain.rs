//! Why a segment has its GLEU: which n-grams the best reference shares.

use super::{Gleu, Share};
use crate::kernel::{cut::with_references, shared::shared_ngrams};
use ko_eval_core::{
    Direction, Explanation, Metric, Result, Segment, Signed,
    explain::{Formula, LinkKind, Selection},
};

impl Gleu {
    pub(super) fn explained(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let cut = self.cutter.cut(segment)?;
        let mut layer = cut.layer(segment);
        let (shares, best, stats) = cut.numbered(|units| {
            let shares = self.shares(units);
            let best = super::best(&shares);
            let reference = best.and_then(|best| units.references().enumerate().nth(best));
            let orders = self.settings.min_order..=self.settings.order;
            layer.links = shared_ngrams(units.hypothesis(), reference.as_slice(), orders);
            let stats = super::stats_of(units, best.and_then(|best| shares.get(best)));
            (shares, best, stats)
        });
        let score = self.segment_score_of(&stats);
        let explanation = Explanation::new(self.signature(), Direction::HigherIsBetter, score)
            .with_layer(layer)
            .with_reference(best);
        let explanation = with_references(explanation, shares.iter().map(|share| share.value()));
        let Share { hypothesis, reference, .. } =
            best.and_then(|best| shares.get(best)).copied().unwrap_or_default();
        let all = Formula::max(["hypothesis-n-grams", "reference-n-grams"]);
        Ok(explanation
            .with_part("matches", Formula::links(Selection::of(LinkKind::NGram)))
            .with_given("hypothesis-n-grams", hypothesis as f64)
            .with_given("reference-n-grams", reference as f64)
            .with_part("score", Formula::ratio("matches", all)))
    }
}
