//! A trie over numbers, as Khaiii compiles its dictionaries.

use super::{error::KhaiiiError, resource::File};

/// Nodes of 16 bytes; a node's children lie behind it, together, in order.
pub(super) struct Trie {
    nodes: Vec<Node>,
}

struct Node {
    key: i32,
    /// 0: no key ends here.
    value: u32,
    /// Where its children begin.
    children: u32,
    count: u32,
}

impl Trie {
    /// Reads and checks a compiled trie; `check` is asked about every key's length and value, and says what is wrong.
    pub(super) fn read(
        file: &File,
        check: impl Fn(usize, u32) -> Result<(), String>,
    ) -> Result<Self, KhaiiiError> {
        let entries = file.entries::<16>()?;
        if entries.is_empty() {
            return Err(file.size("at least 16".into()));
        }
        let mut nodes = Vec::with_capacity(entries.len());
        for (at, entry) in entries.iter().enumerate() {
            let [key, value, offset, count] = *entry.as_chunks().0 else { continue };
            let (offset, count) = (i32::from_le_bytes(offset), i32::from_le_bytes(count));
            // Where either is 0 there are no children.
            let (offset, count) =
                if offset > 0 && count > 0 { (offset as usize, count as usize) } else { (0, 0) };
            if at + offset + count > entries.len() {
                return Err(
                    file.damaged(at, format!("its {count} children lie beyond the last node"))
                );
            }
            nodes.push(Node {
                key: i32::from_le_bytes(key),
                value: u32::from_le_bytes(value),
                children: (at + offset) as u32,
                count: count as u32,
            });
        }
        let trie = Self { nodes };
        // Children lie behind their node, so one pass reaches every node after its parent.
        let mut depths = vec![0_usize; trie.nodes.len()];
        for (at, node) in trie.nodes.iter().enumerate() {
            let children = trie.children(node);
            if !children.is_sorted_by(|a, b| a.key < b.key) {
                return Err(file.damaged(at, "its children are not in order"));
            }
            let depth = depths.get(at).copied().unwrap_or_default();
            if node.value > 0 {
                check(depth, node.value).map_err(|reason| file.damaged(at, reason))?;
            }
            for below in depths.iter_mut().skip(node.children as usize).take(children.len()) {
                *below = depth + 1;
            }
        }
        Ok(trie)
    }

    fn children(&self, node: &Node) -> &[Node] {
        let start = node.children as usize;
        self.nodes.get(start..start + node.count as usize).unwrap_or_default()
    }

    /// The longest prefix of `keys` that is in the trie and that `accept` takes: its length and value.
    pub(super) fn longest(
        &self,
        keys: impl Iterator<Item = i32>,
        accept: impl Fn(usize, u32) -> bool,
    ) -> Option<(usize, u32)> {
        let mut node = self.nodes.first()?;
        let mut longest = None;
        for (number, key) in keys.enumerate() {
            let children = self.children(node);
            let Ok(at) = children.binary_search_by_key(&key, |child| child.key) else { break };
            let Some(child) = children.get(at) else { break };
            node = child;
            if node.value > 0 && accept(number + 1, node.value) {
                longest = Some((number + 1, node.value));
            }
        }
        longest
    }
}
