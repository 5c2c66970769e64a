//! What the terminal and the page show alike: the role of every character, links in groups, figures.

use ko_eval::{
    Explanation, Segment,
    explain::{InReference, Layer, Link, LinkKind, Role, Unit, UnitRole},
};

/// One metric's explanation with its names.
pub(super) struct Explained<'a> {
    pub(super) metric: &'a str,
    pub(super) unit: Option<&'a str>,
    pub(super) explanation: &'a Explanation,
    pub(super) segment: &'a Segment<'a>,
}

/// A text with the role of each of its characters.
pub(super) struct MarkedText {
    /// `hyp`, `ref 1`.
    pub(super) name: String,
    pub(super) characters: Vec<(char, UnitRole)>,
}

impl Explained<'_> {
    /// The texts of a layer: the hypothesis, and the reference that counted or all of them.
    pub(super) fn marked(&self, layer: &Layer) -> Vec<MarkedText> {
        let own = mark(self.segment.hypothesis(), &layer.hypothesis, &layer.hypothesis_roles());
        let mut texts = vec![MarkedText { name: "hyp".to_owned(), characters: own }];
        let several = self.segment.references().len() > 1;
        for (number, (text, units)) in
            self.segment.references().iter().zip(&layer.references).enumerate()
        {
            if self.explanation.reference.is_some_and(|chosen| chosen as usize != number) {
                continue;
            }
            let name = if several { format!("ref {}", number + 1) } else { "ref".to_owned() };
            let characters = mark(text, units, &layer.reference_roles(number));
            texts.push(MarkedText { name, characters });
        }
        texts
    }

    /// The links of a layer by kind, n-grams by order too.
    pub(super) fn groups(&self, layer: &Layer) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for link in &layer.links {
            let order = matches!(link.kind, LinkKind::NGram | LinkKind::Clipped)
                .then_some(link.hypothesis.end.saturating_sub(link.hypothesis.start));
            let known = groups.iter_mut().find(|g| (g.kind, g.order) == (link.kind, order));
            let item = self.item(layer, link);
            match known {
                Some(group) => group.add(link, item),
                None => {
                    let mut group = Group { kind: link.kind, order, items: Vec::new(), sum: 0.0 };
                    group.add(link, item);
                    groups.push(group);
                }
            }
        }
        groups
    }

    fn item(&self, layer: &Layer, link: &Link) -> String {
        let own = words(
            &layer.hypothesis,
            link.hypothesis.start as usize..link.hypothesis.end as usize,
            self.segment.hypothesis(),
        );
        let their = link.reference.as_ref().map(|place| self.reference_words(layer, place));
        let text = match (link.kind, their) {
            (LinkKind::Deletion, _) => format!("−{own}"),
            (LinkKind::Insertion, Some(their)) => format!("+{their}"),
            (LinkKind::Counterpart, Some(their)) => format!("{their} → {own}"),
            (_, Some(their)) if own.is_empty() => their,
            (_, Some(their)) if own == their => own,
            (_, Some(their)) => format!("{own} → {their}"),
            (_, None) => own,
        };
        let label = link.label.as_ref().map(|label| format!(" [{label}]")).unwrap_or_default();
        let is_usual =
            matches!(link.kind, LinkKind::Match | LinkKind::Clipped | LinkKind::Evidence);
        match link.value {
            value if value == 1.0 || is_usual => format!("{text}{label}"),
            value => format!("{text}{label} ({})", figure(value)),
        }
    }

    fn reference_words(&self, layer: &Layer, place: &InReference) -> String {
        let number = place.number as usize;
        let units = layer.references.get(number).map(Vec::as_slice).unwrap_or_default();
        let text = self.segment.references().get(number).copied().unwrap_or_default();
        words(units, place.units.start as usize..place.units.end as usize, text)
    }
}

/// Links of one kind.
pub(super) struct Group {
    pub(super) kind: LinkKind,
    pub(super) order: Option<u32>,
    pub(super) items: Vec<String>,
    pub(super) sum: f64,
}

impl Group {
    fn add(&mut self, link: &Link, item: String) {
        self.items.push(item);
        self.sum += link.value;
    }

    /// `2-gram`, `substitution`.
    pub(super) fn name(&self) -> String {
        match (self.kind, self.order) {
            (LinkKind::NGram, Some(order)) => format!("{order}-gram"),
            (kind, Some(order)) => format!("{kind} {order}-gram"),
            (kind, None) => kind.to_string(),
        }
    }
}

/// The text of units, without what could steer a terminal.
fn words(units: &[Unit], wanted: std::ops::Range<usize>, text: &str) -> String {
    let units = units.get(wanted).unwrap_or_default();
    let written = units.iter().all(|unit| unit.text.is_none());
    let span = || Some(units.first()?.span().start..units.last()?.span().end);
    let words = match span().and_then(|span| text.get(span)) {
        Some(piece) if written => piece.to_owned(),
        _ => {
            let texts: Vec<&str> = units.iter().map(|unit| unit.text(text)).collect();
            let are_letters = texts.iter().all(|text| text.chars().count() == 1);
            texts.join(if are_letters { "" } else { " " })
        }
    };
    words.chars().map(visible).collect()
}

/// A character, or a space for one that is not seen but does something.
pub(super) fn visible(c: char) -> char {
    if c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}') {
        ' '
    } else {
        c
    }
}

/// The role of every character of a text. Units may share a character, and may have different roles.
fn mark(text: &str, units: &[Unit], roles: &[UnitRole]) -> Vec<(char, UnitRole)> {
    let mut by_byte: Vec<Option<UnitRole>> = vec![None; text.len()];
    for (unit, &role) in units.iter().zip(roles) {
        for known in by_byte.get_mut(unit.span()).into_iter().flatten() {
            *known = Some(known.map_or(role, |known| together(known, role)));
        }
    }
    let roles = |at: usize| by_byte.get(at).copied().flatten().unwrap_or_default();
    text.char_indices().map(|(at, c)| (visible(c), roles(at))).collect()
}

fn together(a: UnitRole, b: UnitRole) -> UnitRole {
    match (a.role, b.role) {
        (one, other) if one == other => {
            UnitRole { role: one, strength: f64::midpoint(a.strength, b.strength) }
        }
        (Role::Plain, _) => b,
        (_, Role::Plain) => a,
        (Role::Noted, _) => a,
        (_, Role::Noted) => b,
        // Partly the same.
        _ => UnitRole { role: Role::Alike, strength: 0.5 },
    }
}

/// A number as short as it is told apart by.
pub(super) fn figure(value: f64) -> String {
    match value {
        value if value == value.trunc() && value.abs() < 1e15 => format!("{value}"),
        value if value.abs() < 1e-4 => format!("{value:.3e}"),
        value => format!("{value:.4}"),
    }
}

/// What a role means, for a legend.
pub(super) fn meaning(role: Role) -> &'static str {
    match role {
        Role::Same => "in the other text too",
        Role::Alike => "alike, or partly the same",
        Role::Moved => "stands elsewhere",
        Role::Changed => "another one there",
        Role::Only => "only in this text",
        Role::Clipped => "too often",
        Role::Noted => "evidence",
        _ => "not compared",
    }
}
