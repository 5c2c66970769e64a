//! Why a segment has its TER: the shifts, and the edits that are left.

use super::{
    Ter, TerStats,
    beam::Step,
    shifts::{self, Path},
    tercom::{self, Normalization, Punctuation},
};
use crate::kernel::{cut::with_references, units::Units};
use ko_eval_core::{
    Direction, Explanation, Metric, Result, Segment, Signed,
    explain::{Formula, Layer, Link, LinkKind, Selection, Unit},
};
use std::ops::Range;

/// What is an edit.
const EDITS: [(&str, LinkKind); 4] = [
    ("shifts", LinkKind::Shift),
    ("substitutions", LinkKind::Substitution),
    ("insertions", LinkKind::Insertion),
    ("deletions", LinkKind::Deletion),
];

impl Ter {
    pub(super) fn explained(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let (hypothesis, references) = self.words(segment)?;
        let words = |text| tercom::words(text).collect::<Vec<_>>();
        let hypothesis = words(&hypothesis);
        let references: Vec<_> = references.iter().map(|text| words(text)).collect();
        let own = self.units(segment.hypothesis(), &hypothesis)?;
        let theirs = segment.references().iter().zip(&references);
        let theirs = theirs.map(|(text, words)| self.units(text, words)).collect::<Result<_>>()?;
        let mut layer = Layer::new("units", own, theirs);
        let (best, edits, stats) = Units::of_tokens(&hypothesis, &references, |units| {
            let (hypothesis, kinds) = (units.hypothesis(), units.kinds());
            let path = |reference| shifts::path(hypothesis, reference, kinds);
            let paths: Vec<Path> = units.references().map(path).collect();
            let edits: Vec<u32> = paths.iter().map(Path::edits).collect();
            let least = edits.iter().copied().min().unwrap_or(0);
            let best = edits.iter().position(|&edits| edits == least).unwrap_or(0);
            layer.links = paths.get(best).map(|path| links(path, best)).unwrap_or_default();
            (best, edits, TerStats::of(units, least))
        });
        let score = self.segment_score_of(&stats);
        let explanation = Explanation::new(self.signature(), Direction::LowerIsBetter, score)
            .with_layer(layer)
            .with_reference(Some(best));
        let rate = |&edits: &u32| self.value(&TerStats { edits: edits.into(), ..stats.clone() });
        let explanation = with_references(explanation, edits.iter().map(rate));
        let explanation = EDITS.into_iter().fold(explanation, |explanation, (name, kind)| {
            explanation.with_part(name, Formula::links(Selection::of(kind)))
        });
        let length = stats.length.value();
        let score = match stats.edits {
            // Of no reference at all everything is wrong.
            1.. if length == 0.0 => Formula::Constant(100.0),
            _ => Formula::product([100.0.into(), Formula::ratio("edits", "reference-length")]),
        };
        Ok(explanation
            .with_part("edits", Formula::sum(EDITS.map(|(name, _)| name)))
            .with_given("reference-length", length)
            .with_part("score", score))
    }

    /// The words of a text, each where it came from.
    fn units(&self, text: &str, words: &[&str]) -> Result<Vec<Unit>> {
        let unchanged = self.tercom.normalization == Normalization::None
            && self.tercom.punctuation == Punctuation::Kept;
        let spans = if unchanged { self.spans(text)? } else { Vec::new() };
        if spans.len() != words.len() {
            return Ok(Unit::located(text, words));
        }
        let unit = |(span, word): (Range<usize>, &&str)| match text.get(span.clone()) {
            Some(piece) if piece == *word => Unit::written(span),
            _ => Unit::made(span, *word),
        };
        Ok(spans.into_iter().zip(words).map(unit).collect())
    }

    /// Where the words of a text stand, if it was cut nowhere but at white space inside units.
    fn spans(&self, text: &str) -> Result<Vec<Range<usize>>> {
        let mut spans = Vec::new();
        for token in self.cutter.tokens(text)? {
            let (whole, span) = (token.as_str(), token.span());
            let is_written = text.get(span.clone()) == Some(whole);
            spans.extend(tercom::words(whole).map(|word| {
                let at = span.start + (word.as_ptr() as usize - whole.as_ptr() as usize);
                if is_written { at..at + word.len() } else { span.clone() }
            }));
        }
        Ok(spans)
    }
}

impl Path {
    fn edits(&self) -> u32 {
        let edits = self.steps.iter().filter(|step| **step != Step::Match).count();
        (self.shifts.len() + edits) as u32
    }
}

/// The shifts and the steps as links.
fn links(path: &Path, number: usize) -> Vec<Link> {
    // Where in the reference each unit of the hypothesis is matched.
    let mut matched = vec![None; path.order.len()];
    let mut own = path.order.iter().copied();
    let mut their = 0;
    let mut steps = Vec::with_capacity(path.steps.len());
    for step in &path.steps {
        let place = their..their + 1;
        let unit = if *step == Step::Insert { None } else { own.next() };
        steps.push(match (step, unit) {
            (Step::Insert, _) | (_, None) => Link::only_in(LinkKind::Insertion, number, place),
            (Step::Delete, Some(unit)) => Link::new(LinkKind::Deletion, unit..unit + 1),
            (Step::Substitute, Some(unit)) => {
                Link::new(LinkKind::Substitution, unit..unit + 1).with(number, place)
            }
            (Step::Match, Some(unit)) => {
                if let Some(matched) = matched.get_mut(unit) {
                    *matched = Some(their);
                }
                Link::new(LinkKind::Match, unit..unit + 1).with(number, place)
            }
        });
        their += usize::from(*step != Step::Delete);
    }
    let mut links: Vec<Link> =
        path.shifts.iter().flat_map(|units| shift(units, &matched, number)).collect();
    links.append(&mut steps);
    links
}

/// One shift: a link for each run of its units, of which the first counts.
fn shift(units: &[usize], matched: &[Option<usize>], number: usize) -> Vec<Link> {
    let place = |unit: usize| matched.get(unit).copied().flatten();
    let follow =
        |(&a, &b): (&usize, &usize)| place(a).zip(place(b)).is_some_and(|(a, b)| a + 1 == b);
    let mut links = Vec::new();
    for run in units.chunk_by(|a, b| a + 1 == *b) {
        let [Some(&first), Some(&last)] = [run.first(), run.last()] else { continue };
        let link = Link::new(LinkKind::Shift, first..last + 1);
        let link = link.worth(if links.is_empty() { 1.0 } else { 0.0 });
        links.push(match (place(first), place(last)) {
            (Some(from), Some(to)) if run.iter().zip(run.iter().skip(1)).all(follow) => {
                link.with(number, from..to + 1)
            }
            _ => link,
        });
    }
    links
}
