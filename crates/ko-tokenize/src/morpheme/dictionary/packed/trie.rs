//! The trie as a tree, level by level.
//!
//! | column | for |
//! |---|---|
//! | counts | each node: how many children it has |
//! | labels | each child: its label, less that of the one before it |
//! | ends | each node: a bit that says whether words end there |
//! | only | each node with one child: from the last such child's slot to this one's |
//! | several | each node with more: from the last such first child's slot to this one's |
//!
//! Words are numbered in the same order, so that their numbers follow from which nodes end some. Only children fill gaps
//! from the front on, and others stand near each other, so that the steps are small.

use super::{
    super::{
        trie::{LIMIT, Node, node, slot},
        word::Word,
    },
    numbers,
};

/// None where the slots are not a tree.
pub(super) fn split(slots: &[u8]) -> Option<[Vec<u8>; 5]> {
    let nodes: Vec<Node> = slots.as_chunks().0.iter().map(|slot| node(*slot)).collect();
    // The slots of the children of each base, in the order of their labels.
    let mut children: Vec<(u32, u32)> = (0..)
        .zip(&nodes)
        .filter(|(_, node)| node.label > 0)
        .map(|(slot, node): (u32, _)| (slot.wrapping_sub(u32::from(node.label)), slot))
        .collect();
    children.sort_unstable();
    let of = |base: u32| {
        let start = children.partition_point(|(other, _)| *other < base);
        let rest = children.get(start..).unwrap_or_default();
        rest.iter().take_while(move |(other, _)| *other == base).map(|(_, slot)| *slot)
    };
    let (mut counts, mut labels, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    let (mut only, mut several) = (Steps::default(), Steps::default());
    let mut level_by_level = vec![0_u32];
    let mut next = 0;
    while let Some(slot) = level_by_level.get(next) {
        let node = nodes.get(*slot as usize)?;
        if next >= nodes.len() {
            return None;
        }
        ends.push(node.word > 0);
        let first = level_by_level.len();
        if node.base > 0 {
            level_by_level.extend(of(node.base));
        }
        let children = level_by_level.get(first..)?;
        counts.push(children.len() as u32);
        let mut before = 0;
        for child in children {
            let label = child - node.base;
            labels.push(label.wrapping_sub(before));
            before = label;
        }
        match children {
            [] => {}
            [child] => only.push(*child),
            [child, ..] => several.push(*child),
        }
        next += 1;
    }
    let ends = ends.chunks(8).map(|bits| {
        bits.iter().zip(0..).fold(0, |byte, (bit, place)| byte | u8::from(*bit) << place)
    });
    Some([
        numbers::write(counts),
        numbers::write(labels),
        ends.collect(),
        numbers::write(only.steps),
        numbers::write(several.steps),
    ])
}

#[derive(Default)]
struct Steps {
    steps: Vec<u32>,
    last: u32,
}

impl Steps {
    fn push(&mut self, slot: u32) {
        self.steps.push(numbers::step(self.last, slot));
        self.last = slot;
    }
}

/// None where the tree does not fit into the slots of `target`.
pub(super) fn join(columns: &[Vec<u8>; 5], words: &[Word], target: &mut [u8]) -> Option<()> {
    let [counts, labels, ends, only, several] = columns;
    let (slots, _) = target.as_chunks_mut::<8>();
    let (mut labels, mut only, mut several) =
        (numbers::read(labels), numbers::read(only), numbers::read(several));
    let (mut last_only, mut last_several) = (0, 0);
    let mut numbers_of_words = first_words(words);
    // A slot and its label.
    let mut level_by_level = Vec::with_capacity(slots.len());
    level_by_level.push((0_u32, 0_u16));
    for (next, count) in numbers::read(counts).enumerate() {
        let (place, label) = *level_by_level.get(next)?;
        let word = match ends.get(next / 8)? >> (next % 8) & 1 {
            0 => 0,
            _ => numbers_of_words.next()? + 1,
        };
        let mut base = 0;
        if count > 0 {
            let (last, steps): (_, &mut dyn Iterator<Item = u32>) = match count {
                1 => (&mut last_only, &mut only),
                _ => (&mut last_several, &mut several),
            };
            *last = numbers::stepped(*last, steps.next()?);
            let mut label = u16::try_from(labels.next()?).ok()?;
            base = last.checked_sub(u32::from(label))?;
            level_by_level.push((*last, label));
            for _ in 1..count {
                label = label.checked_add(u16::try_from(labels.next()?).ok()?)?;
                level_by_level.push((base.checked_add(u32::from(label))?, label));
            }
        }
        if base >= LIMIT || word >= LIMIT {
            return None;
        }
        *slots.get_mut(place as usize)? = slot(Node { label, base, word });
    }
    Some(())
}

/// The first word of each surface.
fn first_words(words: &[Word]) -> impl Iterator<Item = u32> {
    let mut follows = false;
    (0..).zip(words).filter_map(move |(number, word)| {
        let is_first = !std::mem::replace(&mut follows, word.more);
        is_first.then_some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_beyond_all_slots_are_refused() {
        let several = numbers::write([numbers::step(0, u32::MAX)]);
        let columns = [numbers::write([2]), numbers::write([1, 1]), vec![0], vec![], several];
        assert_eq!(join(&columns, &[], &mut [0; 64]), None);
    }
}
