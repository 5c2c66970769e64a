//! MeCab-ko's search for the cheapest way through a text.
//!
//! The words that may begin at each place form a lattice; Viterbi's algorithm keeps, for every word, the
//! cheapest way to it. The rules are MeCab's (`tokenizer.cpp`, `viterbi.cpp` of MeCab-ko 0.9.2), ties
//! included:
//!
//! - White space before a word is skipped. If some was skipped, the space penalty is added.
//! - Unknown words are tried where the dictionary has none, or where the code point's category asks for
//!   them: the run of its kind (at most 24 beyond the first), then 1 … length code points.
//! - Among equally cheap ways, the word that joined the lattice last wins; candidates join in reverse.
//!
//! Only the cheapest of the words that end at one place with the same right id can win, and words with
//! the same left id at one place have the same best predecessor. Both are computed once per id,
//! which leaves a fraction of MeCab's work and the same result.

use super::dictionary::{Class, Dictionary, INNER_SPACE};
use super::user::UserWords;

/// Where a word was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lexicon {
    System,
    User,
    Unknown,
}

/// A word of the cheapest way.
#[derive(Debug, Clone, Copy)]
pub(super) struct PathWord {
    /// Bytes of the text.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) lexicon: Lexicon,
    /// Its number in that lexicon.
    pub(super) word: u32,
}

/// MeCab's `max-grouping-size`.
const MAX_GROUP: usize = 24;
const NONE: u32 = u32::MAX;

/// A word in the lattice, with the cheapest way to it.
struct Node {
    cost: i64,
    previous: u32,
    /// The word before this one among those that end at the same place.
    next_ending: u32,
    begin: u32,
    end: u32,
    word: u32,
    right: u16,
    lexicon: Lexicon,
}

/// A word that may begin at the place at hand.
struct Candidate {
    left: u16,
    right: u16,
    cost: i16,
    lexicon: Lexicon,
    word: u32,
    end: u32,
}

/// The cheapest of the words that end here with this right id.
struct Ending {
    cost: i64,
    node: u32,
    right: u16,
}

/// The best predecessor of words with one left id.
#[derive(Clone, Copy, Default)]
struct Best {
    /// The place that it was computed for.
    stamp: u64,
    node: u32,
    cost: i64,
}

/// The buffers of a search, used again for the next text.
#[derive(Default)]
pub(super) struct Lattice {
    keys: Vec<char>,
    offsets: Vec<u32>,
    classes: Vec<Class>,
    /// Per place, the last node that ends there.
    endings: Vec<u32>,
    nodes: Vec<Node>,
    candidates: Vec<Candidate>,
    here: Vec<Ending>,
    /// A number for the place at hand that no place had before, in any text.
    stamp: u64,
    /// Per right id: the stamp of its last place, and where in `here` it stood there.
    by_right: Vec<(u64, u32)>,
    by_left: Vec<Best>,
    path: Vec<PathWord>,
}

impl Lattice {
    /// The words of the cheapest way through the text, in order. The text is shorter than 4 GiB.
    #[allow(
        clippy::indexing_slicing,
        reason = "places lie in 0..=keys.len(), which the buffers have room for"
    )]
    pub(super) fn search(
        &mut self,
        dictionary: &Dictionary,
        user: Option<&UserWords>,
        penalties: &[i32],
        text: &str,
    ) -> &[PathWord] {
        self.read(dictionary, text);
        let places = self.keys.len();
        self.push(NONE, 0, 0, &Candidate::edge());
        for place in 0..places {
            if self.endings[place] == NONE {
                continue;
            }
            let mut begin = place;
            while begin < places && self.classes[begin].space {
                begin += 1;
            }
            if begin == places {
                break;
            }
            self.find_candidates(dictionary, user, begin);
            self.gather_endings(place);
            let penalties = if begin > place { penalties } else { &[] };
            let candidates = std::mem::take(&mut self.candidates);
            for candidate in candidates.iter().rev() {
                let best = self.best_before(dictionary, candidate.left);
                let penalty = penalties.get(usize::from(candidate.left)).copied().unwrap_or(0);
                let cost = best.cost + i64::from(candidate.cost) + i64::from(penalty);
                self.push(best.node, cost, begin, candidate);
            }
            self.candidates = candidates;
        }
        // White space at the end is skipped: the text ends at the last place that a word ends at.
        let last = self.endings.iter().rposition(|node| *node != NONE).unwrap_or(0);
        self.gather_endings(last);
        let end = self.best_before(dictionary, 0);
        self.trace(end.node);
        &self.path
    }

    /// Forgets buffers that one long text made large.
    pub(super) fn shrink(&mut self) {
        const LARGE: usize = 1 << 16;
        if self.keys.capacity() > LARGE {
            *self = Self::default();
        }
    }

    fn read(&mut self, dictionary: &Dictionary, text: &str) {
        self.keys.clear();
        self.offsets.clear();
        self.classes.clear();
        self.nodes.clear();
        for (at, c) in text.char_indices() {
            self.offsets.push(at as u32);
            self.classes.push(dictionary.class(c));
            self.keys.push(match c {
                ' ' => INNER_SPACE,
                // Marks of this module and of lindera's trie (its end of a key): no word holds them.
                INNER_SPACE | '\u{ffff}' => char::MAX,
                c => c,
            });
        }
        self.offsets.push(text.len() as u32);
        self.endings.clear();
        self.endings.resize(self.keys.len() + 1, NONE);
        let matrix = &dictionary.tables().connection_cost_matrix;
        self.by_right.resize(matrix.forward_size as usize, (0, 0));
        self.by_left.resize(matrix.backward_size as usize, Best::default());
    }

    #[allow(
        clippy::indexing_slicing,
        reason = "a candidate ends within the text, and there is an ending for each place of it"
    )]
    fn push(&mut self, previous: u32, cost: i64, begin: usize, candidate: &Candidate) {
        let number = self.nodes.len() as u32;
        let ending = &mut self.endings[candidate.end as usize];
        self.nodes.push(Node {
            cost,
            previous,
            next_ending: *ending,
            begin: begin as u32,
            end: candidate.end,
            word: candidate.word,
            right: candidate.right,
            lexicon: candidate.lexicon,
        });
        *ending = number;
    }

    /// The words that may begin here, in MeCab's order.
    #[allow(clippy::indexing_slicing, reason = "`begin` lies before the end of the text")]
    fn find_candidates(&mut self, dictionary: &Dictionary, user: Option<&UserWords>, begin: usize) {
        let Self { candidates, keys, classes, .. } = self;
        candidates.clear();
        let mut add = |records: &[u8], length: usize, lexicon| {
            // lindera's record: number, cost, left id, right id.
            let (records, _) = records.as_chunks::<10>();
            for &[a, b, c, d, e, f, g, h, i, j] in records {
                candidates.push(Candidate {
                    left: u16::from_le_bytes([g, h]),
                    right: u16::from_le_bytes([i, j]),
                    cost: i16::from_le_bytes([e, f]),
                    lexicon,
                    word: u32::from_le_bytes([a, b, c, d]),
                    end: (begin + length) as u32,
                });
            }
        };
        let rest = &keys[begin..];
        for (records, length) in dictionary.tables().prefix_dictionary.common_prefix_search(rest) {
            add(records, length, Lexicon::System);
        }
        for (records, length) in user.into_iter().flat_map(|user| user.starting(rest)) {
            add(records, length, Lexicon::User);
        }

        let class = classes[begin];
        if !candidates.is_empty() && !class.invoke {
            return;
        }
        let mut end = begin + 1;
        let mut group_end = None;
        if class.group {
            // Each code point of the run is of the kind of the one before it.
            let run = classes[begin..].windows(2).take(MAX_GROUP + 1);
            let more = run.take_while(|pair| pair[0].is_kind_of(pair[1])).count();
            if more <= MAX_GROUP {
                group_end = Some(end + more);
                add_unknown(candidates, dictionary, class, end + more);
            }
        }
        for _ in 0..class.length {
            if group_end == Some(end) {
                break;
            }
            add_unknown(candidates, dictionary, class, end);
            if !classes.get(end).is_some_and(|next| class.is_kind_of(*next)) {
                break;
            }
            end += 1;
        }
        if candidates.is_empty() {
            add_unknown(candidates, dictionary, class, end);
        }
    }

    /// Fills `here` with the words that end at a place, the cheapest of each right id.
    #[allow(
        clippy::indexing_slicing,
        reason = "nodes were pushed before they are named, and right ids are below the matrix's size: a dictionary is checked when it is built"
    )]
    fn gather_endings(&mut self, place: usize) {
        self.stamp += 1;
        self.here.clear();
        let mut number = self.endings[place];
        while number != NONE {
            let node = &self.nodes[number as usize];
            let (seen, at) = &mut self.by_right[usize::from(node.right)];
            let ending = Ending { cost: node.cost, node: number, right: node.right };
            if *seen != self.stamp {
                (*seen, *at) = (self.stamp, self.here.len() as u32);
                self.here.push(ending);
            } else if node.cost < self.here[*at as usize].cost {
                self.here[*at as usize] = ending;
            }
            number = node.next_ending;
        }
    }

    /// The cheapest of `here` before a word with this left id, cost of the connection included.
    #[allow(
        clippy::indexing_slicing,
        reason = "left and right ids are below the matrix's sizes: a dictionary is checked when it is built"
    )]
    fn best_before(&mut self, dictionary: &Dictionary, left: u16) -> Best {
        let slot = &mut self.by_left[usize::from(left)];
        let stamp = self.stamp;
        if slot.stamp == stamp {
            return *slot;
        }
        let row = dictionary.tables().connection_cost_matrix.row(u32::from(left));
        let mut best = Best { stamp, node: 0, cost: i64::MAX };
        for ending in &self.here {
            let cost = ending.cost + i64::from(row[usize::from(ending.right)]);
            if cost < best.cost || (cost == best.cost && ending.node > best.node) {
                (best.cost, best.node) = (cost, ending.node);
            }
        }
        *slot = best;
        best
    }

    #[allow(
        clippy::indexing_slicing,
        reason = "nodes were pushed before they are named, and begin and end within the text"
    )]
    fn trace(&mut self, last: u32) {
        self.path.clear();
        let mut number = last;
        // The first node is the beginning of the text, not a word.
        while number != 0 {
            let node = &self.nodes[number as usize];
            self.path.push(PathWord {
                start: self.offsets[node.begin as usize],
                end: self.offsets[node.end as usize],
                lexicon: node.lexicon,
                word: node.word,
            });
            number = node.previous;
        }
        self.path.reverse();
    }
}

/// The unknown words of the code point's category, up to `end`.
fn add_unknown(candidates: &mut Vec<Candidate>, dictionary: &Dictionary, class: Class, end: usize) {
    let unknown = &dictionary.tables().unknown_dictionary;
    let words = unknown.category_references.get(usize::from(class.category));
    for &word in words.into_iter().flatten() {
        if let Some(entry) = unknown.costs.get(word as usize) {
            candidates.push(Candidate {
                left: entry.left_id() as u16,
                right: entry.right_id() as u16,
                cost: entry.word_cost(),
                lexicon: Lexicon::Unknown,
                word,
                end: end as u32,
            });
        }
    }
}

impl Candidate {
    /// The beginning of the text.
    fn edge() -> Self {
        Self { left: 0, right: 0, cost: 0, lexicon: Lexicon::Unknown, word: 0, end: 0 }
    }
}
