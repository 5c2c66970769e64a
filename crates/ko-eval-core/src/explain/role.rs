//! What became of each unit: what highlights show.

use super::{Layer, Link, LinkKind, Unit};
use std::ops::Range;

/// What became of a unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Nothing was said of it.
    #[default]
    Plain,
    /// The other text has it.
    Same,
    /// The other text has something like it: its stem, a synonym, a similar token.
    Alike,
    /// The other text has it, but elsewhere.
    Moved,
    /// The other text has something else there.
    Changed,
    /// The other text does not have it.
    Only,
    /// The other text has it, but not so often.
    Clipped,
    /// A judgement rests on it.
    Noted,
}

/// A unit's role, and how strongly it has it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct UnitRole {
    /// The role.
    pub role: Role,
    /// From 0 to 1: the share of the n-grams over the unit that match, the similarity of its partner; else 1.
    pub strength: f64,
}

impl Layer {
    /// The roles of the hypothesis's units.
    pub fn hypothesis_roles(&self) -> Vec<UnitRole> {
        let links = self.links.iter().map(|link| (link, link.hypothesis.clone()));
        roles(&self.hypothesis, links, LinkKind::Counterpart, self.otherwise())
    }

    /// The roles of a reference's units. Nothing is said of a reference that no link leads to while others are reached:
    /// another one counted.
    pub fn reference_roles(&self, number: usize) -> Vec<UnitRole> {
        let of_this = |link: &'_ Link| {
            let place = link.reference.as_ref()?;
            (place.number as usize == number).then(|| place.units.clone())
        };
        let links = self.links.iter().filter_map(|link| Some((link, of_this(link)?)));
        let units = self.references.get(number).map(Vec::as_slice).unwrap_or_default();
        let reached = self.links.iter().any(|link| of_this(link).is_some());
        let others = self.links.iter().any(|link| link.reference.is_some());
        let otherwise = if others && !reached { Role::Plain } else { self.otherwise() };
        roles(units, links, LinkKind::Partner, otherwise)
    }

    /// The role of a unit that no link leads to.
    fn otherwise(&self) -> Role {
        if self.name == Self::EVIDENCE { Role::Plain } else { Role::Only }
    }
}

/// The stronger word wins: what is known of an edit is more than that units are equal.
fn rank(role: Role) -> u8 {
    match role {
        Role::Plain => 0,
        Role::Clipped => 1,
        Role::Same => 2,
        Role::Alike => 3,
        Role::Changed => 4,
        Role::Only => 5,
        Role::Moved => 6,
        Role::Noted => 7,
    }
}

fn role(kind: LinkKind) -> Role {
    match kind {
        LinkKind::Match | LinkKind::NGram | LinkKind::Subsequence | LinkKind::Aligned => Role::Same,
        LinkKind::Stem | LinkKind::Synonym | LinkKind::Partner | LinkKind::Counterpart => {
            Role::Alike
        }
        LinkKind::Clipped => Role::Clipped,
        LinkKind::Substitution => Role::Changed,
        LinkKind::Insertion | LinkKind::Deletion => Role::Only,
        LinkKind::Shift => Role::Moved,
        LinkKind::Evidence => Role::Noted,
        LinkKind::Chunk | LinkKind::Jump | LinkKind::Coverage => Role::Plain,
    }
}

/// The roles that links give to units, and of those that none leads to. Links of the kind `other` speak of the other
/// text's units.
fn roles<'l>(
    units: &[Unit],
    links: impl Iterator<Item = (&'l Link, Range<u32>)>,
    other: LinkKind,
    otherwise: Role,
) -> Vec<UnitRole> {
    let mut roles = vec![UnitRole::default(); units.len()];
    // How many n-grams over each unit match, and of how many units they are.
    let mut covered = vec![0u32; units.len()];
    let (mut shortest, mut longest) = (usize::MAX, 0);
    for (link, places) in links.filter(|(link, _)| link.kind != other) {
        let role = role(link.kind);
        let places = places.start as usize..places.end as usize;
        let strength = match link.kind {
            LinkKind::Partner | LinkKind::Counterpart => link.value.clamp(0.0, 1.0),
            _ => 1.0,
        };
        if link.kind == LinkKind::NGram {
            (shortest, longest) = (shortest.min(places.len()), longest.max(places.len()));
            covered.get_mut(places.clone()).into_iter().flatten().for_each(|count| *count += 1);
        }
        for known in roles.get_mut(places).into_iter().flatten() {
            if rank(role) > rank(known.role) {
                *known = UnitRole { role, strength };
            }
        }
    }
    for (place, (known, &count)) in roles.iter_mut().zip(&covered).enumerate() {
        match known.role {
            Role::Plain => *known = UnitRole { role: otherwise, strength: 1.0 },
            Role::Same if count > 0 => {
                let orders = shortest..=longest;
                let all: usize = orders.map(|order| over(units.len(), place, order)).sum();
                known.strength = (f64::from(count) / all.max(1) as f64).min(1.0);
            }
            _ => {}
        }
    }
    roles
}

/// How many n-grams of an order lie over a place.
fn over(length: usize, place: usize, order: usize) -> usize {
    let first = (place + 1).saturating_sub(order);
    let last = place.min(length.saturating_sub(order));
    if order > length { 0 } else { (last + 1).saturating_sub(first) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(count: usize) -> Vec<Unit> {
        (0..count).map(|at| Unit::written(at..at + 1)).collect()
    }

    fn said(roles: &[UnitRole]) -> Vec<(Role, f64)> {
        roles.iter().map(|of| (of.role, of.strength)).collect()
    }

    #[test]
    fn n_grams_over_a_unit_make_it_stronger() {
        let mut layer = Layer::new("units", units(4), vec![units(2), units(1)]);
        for (own, theirs) in [(0..1, 0..1), (1..2, 1..2), (0..2, 0..2)] {
            layer.links.push(Link::new(LinkKind::NGram, own).with(0, theirs));
        }
        layer.links.push(Link::new(LinkKind::Clipped, 3..4).worth(0.0));
        // The second unit is in three n-grams, of which two match.
        let expected =
            [(Role::Same, 1.0), (Role::Same, 2.0 / 3.0), (Role::Only, 1.0), (Role::Clipped, 1.0)];
        assert_eq!(said(&layer.hypothesis_roles()), expected);
        assert_eq!(said(&layer.reference_roles(0)), [(Role::Same, 1.0), (Role::Same, 1.0)]);
        assert_eq!(said(&layer.reference_roles(1)), [(Role::Plain, 1.0)]);
        assert_eq!(said(&layer.reference_roles(2)), []);
    }

    #[test]
    fn what_was_moved_is_shown_as_moved() {
        let mut layer = Layer::new("units", units(2), vec![units(2)]);
        layer.links.push(Link::new(LinkKind::Shift, 0..1).with(0, 1..2));
        layer.links.push(Link::new(LinkKind::Match, 0..1).with(0, 1..2));
        layer.links.push(Link::new(LinkKind::Substitution, 1..2).with(0, 0..1));
        assert_eq!(said(&layer.hypothesis_roles()), [(Role::Moved, 1.0), (Role::Changed, 1.0)]);
        assert_eq!(said(&layer.reference_roles(0)), [(Role::Changed, 1.0), (Role::Moved, 1.0)]);
    }

    #[test]
    fn partners_are_as_strong_as_they_are_alike() {
        let mut layer = Layer::new("tokens", units(1), vec![units(2)]);
        layer.links.push(Link::new(LinkKind::Partner, 0..1).with(0, 1..2).worth(0.75));
        layer.links.push(Link::new(LinkKind::Counterpart, 0..1).with(0, 0..1).worth(0.5));
        layer.links.push(Link::new(LinkKind::Counterpart, 0..1).with(0, 1..2).worth(0.75));
        assert_eq!(said(&layer.hypothesis_roles()), [(Role::Alike, 0.75)]);
        assert_eq!(said(&layer.reference_roles(0)), [(Role::Alike, 0.5), (Role::Alike, 0.75)]);
    }

    #[test]
    fn what_is_no_evidence_is_plain_and_what_meets_nothing_is_alone() {
        let evidence = Layer::new(Layer::EVIDENCE, units(1), Vec::new());
        assert_eq!(evidence.hypothesis_roles()[0].role, Role::Plain);
        let compared = Layer::new("units", units(1), vec![units(1)]);
        assert_eq!(compared.hypothesis_roles()[0].role, Role::Only);
        assert_eq!(compared.reference_roles(0)[0].role, Role::Only);
    }
}
