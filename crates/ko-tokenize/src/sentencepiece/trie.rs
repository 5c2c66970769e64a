//! Texts and their numbers, found by walking character by character: a double array over characters.
//!
//! Characters are numbered by how often they occur, so that the array stays dense; each step is one look-up.

use std::collections::{BTreeMap, HashMap};

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    /// The child by the character numbered `n` stands at `base ^ n`.
    base: u32,
    /// Whose child it is.
    parent: u32,
    /// The number of the text that ends here.
    value: u32,
}

const FREE: Node = Node { base: NONE, parent: NONE, value: NONE };

/// A set of numbered texts.
#[derive(Clone, Default)]
pub(super) struct Trie {
    nodes: Vec<Node>,
    /// The number of each character up to U+FFFF, 0 for those that occur nowhere.
    first_plane: Vec<u32>,
    beyond: HashMap<char, u32>,
}

/// A place in the trie.
#[derive(Clone, Copy)]
pub(super) struct Place(u32);

impl Trie {
    /// Empty texts are left out; of equal ones the last counts.
    pub(super) fn new<'t>(texts: impl IntoIterator<Item = (&'t str, u32)>) -> Self {
        let texts: BTreeMap<&str, u32> =
            texts.into_iter().filter(|(text, _)| !text.is_empty()).collect();
        if texts.is_empty() {
            return Self::default();
        }
        let mut trie = Self { first_plane: vec![0; 0x1_0000], ..Self::default() };
        trie.number_characters(texts.keys().copied());
        let texts: Vec<(&str, u32)> = texts.into_iter().collect();
        Builder::new(&mut trie).build(&texts);
        trie
    }

    fn number_characters<'t>(&mut self, texts: impl Iterator<Item = &'t str>) {
        let mut counts = HashMap::<char, usize>::new();
        for c in texts.flat_map(str::chars) {
            *counts.entry(c).or_default() += 1;
        }
        let mut characters: Vec<(char, usize)> = counts.into_iter().collect();
        characters.sort_unstable_by_key(|&(c, count)| (std::cmp::Reverse(count), c));
        for ((c, _), number) in characters.into_iter().zip(1..) {
            match self.first_plane.get_mut(c as usize) {
                Some(place) => *place = number,
                None => {
                    self.beyond.insert(c, number);
                }
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of a character, 0 if no text has it.
    #[inline]
    pub(super) fn number(&self, c: char) -> u32 {
        match self.first_plane.get(c as usize) {
            Some(number) => *number,
            None => self.beyond.get(&c).copied().unwrap_or(0),
        }
    }

    /// Where every text begins.
    #[inline]
    pub(super) fn root(&self) -> Place {
        Place(0)
    }

    /// One character on, and the number of the text that ends there.
    #[inline]
    pub(super) fn step(&self, from: Place, c: char) -> Option<(Place, Option<u32>)> {
        self.step_by(from, self.number(c))
    }

    /// The same for a character by its number.
    #[inline]
    pub(super) fn step_by(&self, Place(from): Place, number: u32) -> Option<(Place, Option<u32>)> {
        let node = self.nodes.get(from as usize)?;
        if number == 0 || node.base == NONE {
            return None;
        }
        let to = node.base ^ number;
        let child = self.nodes.get(to as usize).filter(|child| child.parent == from)?;
        Some((Place(to), (child.value != NONE).then_some(child.value)))
    }

    /// The longest of the texts that this one begins with: its length in bytes, and its number.
    pub(super) fn longest(&self, text: &str) -> Option<(usize, u32)> {
        let (mut place, mut longest) = (self.root(), None);
        for (at, c) in text.char_indices() {
            let Some((next, value)) = self.step(place, c) else { break };
            place = next;
            longest = value.map(|value| (at + c.len_utf8(), value)).or(longest);
        }
        longest
    }

    /// The number of a text.
    pub(super) fn get(&self, text: &str) -> Option<u32> {
        let (mut place, mut found) = (self.root(), None);
        for c in text.chars() {
            (place, found) = self.step(place, c)?;
        }
        found
    }
}

struct Builder<'a> {
    trie: &'a mut Trie,
    /// The first place that may be free; all before are taken.
    free_from: usize,
}

impl<'a> Builder<'a> {
    fn new(trie: &'a mut Trie) -> Self {
        trie.nodes.push(FREE);
        Self { trie, free_from: 1 }
    }

    /// Places all texts, which are sorted, level by level: a node with its range of texts and how many bytes lead to it.
    fn build(mut self, texts: &[(&str, u32)]) {
        let mut open = vec![(0u32, texts, 0usize)];
        let mut children = Vec::new();
        while let Some((node, texts, depth)) = open.pop() {
            children.clear();
            let mut rest = texts;
            while let Some((text, value)) = rest.first() {
                let Some(c) = text.get(depth..).and_then(|tail| tail.chars().next()) else {
                    // It ends here.
                    self.node(node).value = *value;
                    rest = rest.get(1..).unwrap_or_default();
                    continue;
                };
                let same = |other: &str| other.get(depth..).is_some_and(|t| t.starts_with(c));
                let count = rest.partition_point(|(other, _)| same(other));
                let (mine, others) = rest.split_at_checked(count.max(1)).unwrap_or((rest, &[]));
                children.push((self.trie.number(c), mine, depth + c.len_utf8()));
                rest = others;
            }
            if children.is_empty() {
                continue;
            }
            let base = self.free_base(&children);
            self.node(node).base = base;
            for &(number, texts, depth) in &children {
                let place = base ^ number;
                self.node(place).parent = node;
                open.push((place, texts, depth));
            }
        }
    }

    fn node(&mut self, place: u32) -> &mut Node {
        let place = place as usize;
        if place >= self.trie.nodes.len() {
            self.trie.nodes.resize(place + 1, FREE);
        }
        #[allow(clippy::indexing_slicing, reason = "the line above makes room")]
        &mut self.trie.nodes[place]
    }

    fn is_free(&self, place: u32) -> bool {
        self.trie.nodes.get(place as usize).is_none_or(|node| node.parent == NONE) && place != 0
    }

    /// A base at which all children find a free place.
    fn free_base<T>(&mut self, children: &[(u32, T, usize)]) -> u32 {
        while self.trie.nodes.get(self.free_from).is_some_and(|node| node.parent != NONE) {
            self.free_from += 1;
        }
        let first = children.first().map_or(0, |(number, ..)| *number);
        // After many failures near the first free place it is better to give that region up.
        let mut candidate = self.free_from as u32;
        let mut failures = 0;
        loop {
            let base = candidate ^ first;
            if self.is_free(candidate)
                && children.iter().all(|(number, ..)| self.is_free(base ^ number))
            {
                if failures > 2_000 {
                    self.free_from = self.free_from.max(candidate as usize - 1_000);
                }
                return base;
            }
            failures += 1;
            candidate += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_what_is_in_it(texts in proptest::collection::btree_set("[가-나a-c▁😀]{1,4}", 0..60), other in "[가-나a-c▁😀]{0,6}") {
            let trie = Trie::new(texts.iter().map(String::as_str).zip(0..));
            for (text, number) in texts.iter().zip(0..) {
                prop_assert_eq!(trie.get(text), Some(number));
            }
            prop_assert_eq!(trie.get(&other).is_some(), texts.contains(&other));
            let longest = texts.iter().filter(|text| other.starts_with(text.as_str())).map(String::len).max();
            prop_assert_eq!(trie.longest(&other).map(|(length, _)| length), longest);
        }
    }
}
