//! Where a user's word joins the lattice: as most words of its tag and ending do.

use super::super::compiled::Entry;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a word connects to what stands before it and to what follows.
pub(super) type Context = (u16, u16);

/// Per tag, the ids of a word that ends without a consonant, with one, and of any other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Contexts(BTreeMap<String, [Option<Context>; 3]>);

impl Contexts {
    /// For every tag, where most of its plain words connect.
    pub(super) fn of(lexicon: &[Entry]) -> Self {
        let mut counts: BTreeMap<&str, [BTreeMap<Context, usize>; 3]> = BTreeMap::new();
        for entry in lexicon {
            // Plain: no semantic class, not made of several morphemes.
            let mut fields = entry.features.split(',');
            let (Some(tag), Some("*"), Some(_), Some(_), Some("*")) =
                (fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            let [without, with, other] = counts.entry(tag).or_default();
            let ending = match Coda::of(&entry.surface) {
                Coda::Without => without,
                Coda::With => with,
                Coda::NotHangul => other,
            };
            *ending.entry((entry.left, entry.right)).or_default() += 1;
        }
        let most = |ids: BTreeMap<Context, usize>| {
            ids.into_iter().max_by_key(|(_, count)| *count).map(|(ids, _)| ids)
        };
        let counts = counts.into_iter();
        Self(counts.map(|(tag, endings)| (tag.to_owned(), endings.map(most))).collect())
    }

    /// The same by the numbers that left and right ids became.
    pub(super) fn renumbered(self, lefts: &[u16], rights: &[u16]) -> Self {
        let number = |ids: &[u16], id: u16| ids.get(usize::from(id)).copied().unwrap_or(0);
        let context = |(left, right)| (number(lefts, left), number(rights, right));
        let endings = |endings: [Option<Context>; 3]| endings.map(|ids| ids.map(context));
        Self(self.0.into_iter().map(|(tag, ids)| (tag, endings(ids))).collect())
    }

    /// Whether something holds of all left and right numbers.
    pub(super) fn all(&self, holds: impl Fn(u16, u16) -> bool) -> bool {
        self.0.values().flatten().flatten().all(|(left, right)| holds(*left, *right))
    }

    /// Where a word with this tag and ending connects.
    pub(super) fn get(&self, tag: &str, surface: &str) -> Option<Context> {
        let by_ending = self.0.get(tag)?;
        let preferred = match Coda::of(surface) {
            Coda::Without => [0, 1, 2],
            Coda::With => [1, 0, 2],
            Coda::NotHangul => [2, 0, 1],
        };
        preferred.into_iter().find_map(|ending| by_ending.get(ending).copied().flatten())
    }
}

/// Whether a word ends in a consonant, which decides between 이 and 가.
#[derive(Clone, Copy)]
enum Coda {
    Without,
    With,
    NotHangul,
}

impl Coda {
    fn of(surface: &str) -> Self {
        match surface.chars().last() {
            Some(c @ '가'..='힣') if (c as u32 - '가' as u32).is_multiple_of(28) => {
                Self::Without
            }
            Some('가'..='힣') => Self::With,
            _ => Self::NotHangul,
        }
    }
}
