//! Why a segment has its EED: the cheapest way through the characters, and how often it comes by each.

use super::{Eed, EedSettings, way};
use crate::kernel::cut::with_references;
use ko_eval_core::{
    Direction, Explanation, MeanStats, Metric, Result, Segment, Signed, Token,
    explain::{Formula, Layer, LinkKind, Selection, Unit},
};

/// What the way is made of.
const STEPS: [(&str, LinkKind); 4] = [
    ("substitutions", LinkKind::Substitution),
    ("insertions", LinkKind::Insertion),
    ("deletions", LinkKind::Deletion),
    ("jumps", LinkKind::Jump),
];

impl Eed {
    pub(super) fn explained(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let cut = self.cutter.cut(segment)?;
        let references = segment.references().iter().zip(&cut.references);
        let mut layer = Layer::new(
            "characters",
            characters(segment.hypothesis(), &cut.hypothesis),
            references.map(|(text, tokens)| characters(text, tokens)).collect(),
        );
        let letters = |units: &[Unit], text: &str| {
            units.iter().filter_map(|unit| unit.text(text).chars().next()).collect::<Vec<char>>()
        };
        let own = letters(&layer.hypothesis, segment.hypothesis());
        let texts = layer.references.iter().zip(segment.references());
        let theirs: Vec<_> = texts.map(|(units, text)| letters(units, text)).collect();
        let distance = |reference: &Vec<char>| self.distance(&own, reference);
        let distances = theirs.iter().map(distance).collect::<Result<Vec<f64>>>()?;
        let lowest = distances.iter().copied().fold(1.0, f64::min);
        let best = distances.iter().position(|&distance| distance <= lowest).unwrap_or(0);
        if let Some(reference) = theirs.get(best) {
            layer.links = way::links(&self.settings, &own, reference, best);
        }
        let no_reference = cut.references.iter().all(Vec::is_empty);
        let stats = MeanStats::of(lowest)?.note_empty(cut.hypothesis.is_empty(), no_reference);
        let score = self.segment_score_of(&stats);
        let explanation = Explanation::new(self.signature(), Direction::LowerIsBetter, score)
            .with_layer(layer)
            .with_reference(Some(best));
        let explanation = with_references(explanation, distances.into_iter());
        let length = theirs.get(best).map_or(0, Vec::len);
        Ok(with_parts(explanation, &self.settings, length))
    }
}

fn with_parts(explanation: Explanation, costs: &EedSettings, reference: usize) -> Explanation {
    let explanation = STEPS.into_iter().fold(explanation, |explanation, (name, kind)| {
        explanation.with_part(name, Formula::links(Selection::of(kind)))
    });
    let uneven = Formula::links(Selection::of(LinkKind::Coverage));
    let above = Formula::sum(["edits", "coverage"]);
    let below = Formula::sum(["reference-characters", "coverage"]);
    explanation
        .with_part("edits", Formula::sum(STEPS.map(|(name, _)| name)))
        .with_part("uneven-visits", uneven)
        .with_part(
            "coverage",
            Formula::product([Formula::Constant(costs.rho), "uneven-visits".into()]),
        )
        .with_given("reference-characters", reference as f64)
        .with_part("score", Formula::min([1.0.into(), Formula::ratio(above, below)]))
}

/// The characters of the units joined by spaces, with a space at either end.
fn characters(text: &str, tokens: &[Token<'_>]) -> Vec<Unit> {
    let mut units = Vec::with_capacity(text.len() + 2);
    let mut end = 0;
    for token in tokens {
        let start = token.span().start;
        units.push(Unit::made(end.min(start)..start, " "));
        end = token.span().end;
        units.extend(Unit::characters(text, token).map(|(unit, _)| unit));
    }
    if tokens.is_empty() {
        units.push(Unit::made(0..0, " "));
    }
    units.push(Unit::made(end..text.len(), " "));
    units
}
