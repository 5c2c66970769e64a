//! Why a segment has its METEOR: which units are aligned, at which stage, and in which chunks.

use super::{Alignment, Meteor, MeteorSettings, NONE};
use crate::kernel::cut::with_references;
use ko_eval_core::{
    Direction, Explanation, MeanStats, Metric, Result, Segment, Signed,
    explain::{Formula, Link, LinkKind, Selection},
};

/// Which kind of link each stage makes.
const STAGES: [LinkKind; 3] = [LinkKind::Match, LinkKind::Stem, LinkKind::Synonym];

impl Meteor {
    pub(super) fn explained(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let cut = self.cutter.cut(segment)?;
        let mut layer = cut.layer(segment);
        let all = cut.numbered(|units| {
            let of_reference = |(number, reference): (usize, &[u32])| {
                let numbers = [units.hypothesis(), reference];
                Alignment::of_equals(numbers, units.kinds(), |alignment| {
                    let mut links = Vec::new();
                    let tokens = cut.references.get(number).map(Vec::as_slice).unwrap_or_default();
                    note(alignment, LinkKind::Match, number, &mut links);
                    self.align_left_over(
                        alignment,
                        [&cut.hypothesis, tokens],
                        |alignment, kind| {
                            note(alignment, kind, number, &mut links);
                        },
                    )?;
                    links.extend(chunks(&links));
                    Ok((self.value_of(alignment, reference.len()), links))
                })
            };
            units.references().enumerate().map(of_reference).collect::<Result<Vec<_>>>()
        })?;
        let mut best = 0;
        for (number, (value, _)) in all.iter().enumerate() {
            if all.get(best).is_some_and(|(known, _)| value > known) {
                best = number;
            }
        }
        let values: Vec<f64> = all.iter().map(|(value, _)| *value).collect();
        let (value, links) = all.into_iter().nth(best).unwrap_or_default();
        layer.links = links;
        let no_reference = cut.references.iter().all(Vec::is_empty);
        let stats = MeanStats::of(value)?.note_empty(cut.hypothesis.is_empty(), no_reference);
        let score = self.segment_score_of(&stats);
        let explanation = Explanation::new(self.signature(), Direction::HigherIsBetter, score)
            .with_layer(layer)
            .with_reference(Some(best));
        let explanation = with_references(explanation, values.into_iter());
        let theirs = cut.references.get(best).map_or(0, Vec::len);
        Ok(self.with_parts(explanation, cut.hypothesis.len(), theirs))
    }

    fn with_parts(&self, explanation: Explanation, own: usize, theirs: usize) -> Explanation {
        let MeteorSettings { alpha, beta, gamma, .. } = self.settings;
        let stages = STAGES.map(|kind| Formula::links(Selection::of(kind)));
        let product = Formula::product(["precision", "recall"]);
        let weighted = [
            Formula::product([alpha.into(), Formula::part("precision")]),
            Formula::product([(1.0 - alpha).into(), Formula::part("recall")]),
        ];
        let scattered = Formula::power(Formula::ratio("chunks", "matches"), beta);
        let explanation = explanation
            .with_part("matches", Formula::sum(stages))
            .with_part("chunks", Formula::links(Selection::of(LinkKind::Chunk)))
            .with_given("hypothesis-units", own as f64)
            .with_given("reference-units", theirs as f64)
            .with_part("precision", Formula::ratio("matches", "hypothesis-units"))
            .with_part("recall", Formula::ratio("matches", "reference-units"))
            .with_part("f", Formula::ratio(product, Formula::sum(weighted)))
            .with_part("penalty", Formula::product([gamma.into(), scattered]));
        let kept = Formula::difference(1.0, "penalty");
        explanation.with_part("score", Formula::product([kept, "f".into()]))
    }
}

/// Notes what is aligned and not noted yet.
fn note(alignment: &Alignment, kind: LinkKind, reference: usize, links: &mut Vec<Link>) {
    let mut known = vec![false; alignment.partners.len()];
    for link in &*links {
        known[link.hypothesis.start as usize] = true;
    }
    for (own, (&partner, is_known)) in alignment.partners.iter().zip(known).enumerate() {
        if partner != NONE && !is_known {
            let their = partner as usize;
            links.push(Link::new(kind, own..own + 1).with(reference, their..their + 1));
        }
    }
    links.sort_by_key(|link| link.hypothesis.start);
}

/// The runs of links that go on in both texts.
fn chunks(links: &[Link]) -> Vec<Link> {
    let mut chunks: Vec<Link> = Vec::new();
    for link in links {
        let Some(place) = &link.reference else { continue };
        match chunks.last_mut() {
            Some(Link { hypothesis, reference: Some(last), .. })
                if hypothesis.end == link.hypothesis.start
                    && last.units.end == place.units.start =>
            {
                (hypothesis.end, last.units.end) = (link.hypothesis.end, place.units.end);
            }
            _ => chunks.push(link.clone().as_kind(LinkKind::Chunk)),
        }
    }
    chunks
}
