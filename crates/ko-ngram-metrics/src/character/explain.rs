//! Why a segment has its CharacTER: which phrases were moved, and the edits of characters that are left.

use super::{CharacTer, joined, moved_phrases, names, rate, search};
use crate::kernel::{
    cut::{CutSegment, with_references},
    edit_path::{Edit, edit_path},
};
use ko_eval_core::{
    Direction, Explanation, MeanStats, Metric, Result, Segment, Signed, Token,
    explain::{Formula, Layer, Link, LinkKind, Selection, Unit},
};
use std::ops::Range;

impl CharacTer {
    pub(super) fn explained(&self, segment: &Segment<'_>) -> Result<Explanation> {
        let cut = self.cutter.cut(segment)?;
        let (rates, moved) = self.shifted(&cut)?;
        // The first of the lowest; 1 is the highest.
        let lowest = rates.iter().copied().fold(1.0, f64::min);
        let best = rates.iter().position(|&rate| rate <= lowest).unwrap_or(0);
        let mut layer = Layer::new(
            "characters",
            Characters::of(segment.hypothesis(), &cut.hypothesis).units,
            segment
                .references()
                .iter()
                .zip(&cut.references)
                .map(|(text, tokens)| Characters::of(text, tokens).units)
                .collect(),
        );
        let is_compared =
            !cut.hypothesis.is_empty() && cut.references.get(best).is_some_and(|r| !r.is_empty());
        if let (true, Some(shifted)) = (is_compared, moved.get(best)) {
            layer.links = links(segment, &cut, best, shifted);
        }
        let no_reference = cut.references.iter().all(Vec::is_empty);
        let stats = MeanStats::of(lowest)?.note_empty(cut.hypothesis.is_empty(), no_reference);
        let score = self.segment_score_of(&stats);
        let length = layer.hypothesis.len();
        let explanation = Explanation::new(self.signature(), Direction::LowerIsBetter, score)
            .with_layer(layer)
            .with_reference(is_compared.then_some(best));
        let rates = rates.iter().map(|rate| f64::min(*rate, 1.0));
        let explanation = with_references(explanation, rates.collect::<Vec<_>>().into_iter());
        let of = |kind| Formula::links(Selection::of(kind));
        let explanation = explanation
            .with_part("substitutions", of(LinkKind::Substitution))
            .with_part("insertions", of(LinkKind::Insertion))
            .with_part("deletions", of(LinkKind::Deletion))
            .with_part("shift-cost", of(LinkKind::Shift))
            .with_given("hypothesis-characters", length as f64);
        let edits = Formula::sum(["substitutions", "insertions", "deletions", "shift-cost"]);
        let rate = Formula::ratio(edits, "hypothesis-characters");
        Ok(explanation.with_part(
            "score",
            if is_compared { Formula::min([1.0.into(), rate]) } else { Formula::Constant(1.0) },
        ))
    }

    /// With each reference the rate, not yet cut off at 1, and the order of the hypothesis's units after the shifts.
    fn shifted(&self, cut: &CutSegment<'_>) -> Result<(Vec<f64>, Vec<Vec<usize>>)> {
        cut.numbered(|units| {
            let own = units.hypothesis();
            let names = names(&cut.hypothesis, own);
            let (mut rates, mut orders) = (Vec::new(), Vec::new());
            for (tokens, reference) in cut.references.iter().zip(units.references()) {
                if own.is_empty() || tokens.is_empty() {
                    rates.push(1.0);
                    orders.push(Vec::new());
                    continue;
                }
                let shifted = search::shifted(own, reference, &names)?;
                rates.push(rate(&names, own, &shifted, tokens));
                orders.push(places(own, &shifted));
            }
            Ok((rates, orders))
        })
    }
}

/// Where in a text its units stood before they were shifted; of equal ones the first comes first.
fn places(original: &[u32], shifted: &[u32]) -> Vec<usize> {
    let mut taken = vec![false; original.len()];
    let take = |&unit: &u32| {
        let free = original.iter().zip(&taken).position(|(&other, taken)| other == unit && !taken);
        if let Some(taken) = free.and_then(|place| taken.get_mut(place)) {
            *taken = true;
        }
        free
    };
    shifted.iter().filter_map(take).collect()
}

/// The characters of units joined by spaces, and of each unit which they are.
struct Characters {
    units: Vec<Unit>,
    of_tokens: Vec<Range<usize>>,
}

impl Characters {
    fn of(text: &str, tokens: &[Token<'_>]) -> Self {
        let (mut units, mut of_tokens) = (Vec::with_capacity(text.len()), Vec::new());
        let mut end = None;
        for token in tokens {
            if let Some(end) = end {
                units.push(Unit::made(end..token.span().start.max(end), " "));
            }
            end = Some(token.span().end);
            let start = units.len();
            units.extend(Unit::characters(text, token).map(|(unit, _)| unit));
            of_tokens.push(start..units.len());
        }
        Self { units, of_tokens }
    }

    /// The space after the token of this number.
    fn space(&self, number: usize) -> Option<usize> {
        let next = self.of_tokens.get(number + 1)?;
        next.start.checked_sub(1)
    }

    /// Where the characters stand when the tokens are in this order, spaces between them.
    fn in_order(&self, order: &[usize]) -> Vec<usize> {
        let mut places = Vec::with_capacity(self.units.len());
        for (number, token) in order.iter().enumerate() {
            places.extend(self.of_tokens.get(*token).cloned().into_iter().flatten());
            places.extend(self.space(number).filter(|_| number + 1 < order.len()));
        }
        places
    }
}

/// The moved phrases with what they cost, and the edits that are left.
fn links(segment: &Segment<'_>, cut: &CutSegment<'_>, number: usize, order: &[usize]) -> Vec<Link> {
    let own = Characters::of(segment.hypothesis(), &cut.hypothesis);
    let mut links = Vec::new();
    let Some(reference) = cut.references.get(number) else { return links };
    let shifted: Vec<&str> =
        order.iter().filter_map(|&place| cut.hypothesis.get(place)).map(Token::as_str).collect();
    let original: Vec<&str> = cut.hypothesis.iter().map(Token::as_str).collect();
    for phrase in moved_phrases(&shifted, &original) {
        let words = cut.hypothesis.get(phrase.clone()).unwrap_or_default();
        let characters: usize = words.iter().map(|word| word.as_str().chars().count()).sum();
        let ends = [phrase.start, phrase.end - 1].map(|place| own.of_tokens.get(place).cloned());
        let [Some(first), Some(last)] = ends else { continue };
        let cost = characters as f64 / phrase.len() as f64;
        links.push(Link::new(LinkKind::Shift, first.start..last.end).worth(cost));
    }
    let places = own.in_order(order);
    let path =
        edit_path(&joined(shifted.into_iter()), &joined(reference.iter().map(Token::as_str)));
    let (mut places, mut their) = (places.into_iter(), 0);
    for edit in path {
        let place = their..their + 1;
        let own = if edit == Edit::Add { None } else { places.next() };
        let both = |kind, own: usize| Link::new(kind, own..own + 1).with(number, place.clone());
        links.push(match (edit, own) {
            (Edit::Add, _) | (_, None) => Link::only_in(LinkKind::Insertion, number, place),
            (Edit::Remove, Some(own)) => Link::new(LinkKind::Deletion, own..own + 1),
            (Edit::Replace, Some(own)) => both(LinkKind::Substitution, own),
            (Edit::Keep, Some(own)) => both(LinkKind::Match, own),
        });
        their += usize::from(edit != Edit::Remove);
    }
    links
}
