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
//! Only the cheapest of the words that end at one place with the same right number can win, and words with
//! the same left number at one place have the same best predecessor. Both are computed once per number,
//! which leaves a fraction of MeCab's work and the same result. Predecessors are tried from the cheapest on, until
//! even the cheapest connection would not make the next one win.

use super::dictionary::{self, Character, Tables, View, Word};
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
    /// Its number in that lexicon; of an unknown word, its kind.
    pub(super) word: u32,
}

/// MeCab's `max-grouping-size`.
const MAX_GROUP: usize = 24;
const NONE: u32 = u32::MAX;

/// A word in the lattice, with the cheapest way to it.
#[derive(Clone, Copy)]
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

/// The cheapest of the words that end here with this right number.
struct Ending {
    /// The cost above [`PLACES`], below it the place in the list of nodes that end here: the least is the cheapest, and of equally
    /// cheap ones the first in that list.
    key: i64,
    right: u16,
}

/// Bits of an [`Ending`]'s key that hold its place in the list.
const PLACES: u32 = 16;
const PLACE: i64 = (1 << PLACES) - 1;
/// The key of an ending that a cheaper one took the place of.
const BEATEN: i64 = i64::MAX >> 1;

/// The best predecessor of words with one left number.
#[derive(Clone, Copy, Default)]
struct Best {
    /// The place that it was computed for.
    stamp: u32,
    node: u32,
    cost: i64,
}

/// The buffers of a search, used again for the next text.
#[derive(Default)]
pub(super) struct Lattice {
    characters: Vec<Character>,
    offsets: Vec<u32>,
    /// Per place, the last node that ends there.
    endings: Vec<u32>,
    nodes: Vec<Node>,
    /// The entries that begin here: the first word of each, and where it ends.
    found: Vec<(u32, u32)>,
    /// The user's.
    users: Vec<(u32, u32)>,
    /// Where unknown words that begin here end.
    unknown: Vec<u32>,
    /// The cheapest first.
    here: Vec<Ending>,
    /// The nodes that the keys of `here` name, the last of the lattice first.
    nodes_here: Vec<u32>,
    /// A number for the place at hand that none of the marks below has.
    stamp: u32,
    /// Per right number: the stamp of its last place, and where in `here` it stood there.
    by_right: Vec<(u32, u32)>,
    by_left: Vec<Best>,
    path: Vec<PathWord>,
}

impl Lattice {
    /// The words of the cheapest way through the text, in order. The text is shorter than 4 GiB.
    #[allow(
        clippy::indexing_slicing,
        reason = "places lie in 0..=characters.len(), which the buffers have room for"
    )]
    pub(super) fn search(
        &mut self,
        tables: &Tables,
        user: Option<&UserWords>,
        penalties: &[i32],
        text: &str,
    ) -> &[PathWord] {
        let view = tables.view();
        self.read(tables, &view, text);
        let places = self.characters.len();
        self.push(Node {
            cost: 0,
            previous: NONE,
            next_ending: NONE,
            begin: 0,
            end: 0,
            word: 0,
            right: 0,
            lexicon: Lexicon::Unknown,
        });
        for place in 0..places {
            if self.endings[place] == NONE {
                continue;
            }
            let mut begin = place;
            while begin < places && dictionary::is_space(self.characters[begin]) {
                begin += 1;
            }
            if begin == places {
                break;
            }
            self.gather_endings(place);
            self.find(&view, user, text, begin);
            self.join(&view, user, if begin > place { penalties } else { &[] }, begin);
        }
        // White space at the end is skipped: the text ends at the last place that a word ends at.
        let last = self.endings.iter().rposition(|node| *node != NONE).unwrap_or(0);
        self.gather_endings(last);
        let end = self.best_before(&view, 0);
        self.trace(end.node);
        &self.path
    }

    /// Forgets buffers that one long text made large.
    pub(super) fn shrink(&mut self) {
        const LARGE: usize = 1 << 16;
        if self.characters.capacity() > LARGE {
            *self = Self::default();
        }
    }

    fn read(&mut self, tables: &Tables, view: &View<'_>, text: &str) {
        self.characters.clear();
        self.offsets.clear();
        self.nodes.clear();
        for (at, c) in text.char_indices() {
            self.offsets.push(at as u32);
            self.characters.push(view.character(c));
        }
        self.offsets.push(text.len() as u32);
        self.endings.clear();
        self.endings.resize(self.characters.len() + 1, NONE);
        let (lefts, rights) = tables.sizes();
        self.by_right.resize(rights, (0, 0));
        self.by_left.resize(lefts, Best::default());
    }

    #[inline]
    #[allow(
        clippy::indexing_slicing,
        reason = "a word ends within the text, and there is an ending for each place of it"
    )]
    fn push(&mut self, node: Node) {
        let ending = &mut self.endings[node.end as usize];
        let number = self.nodes.len() as u32;
        self.nodes.push(Node { next_ending: *ending, ..node });
        *ending = number;
    }

    /// The words that may begin here, in MeCab's order.
    #[allow(clippy::indexing_slicing, reason = "`begin` lies before the end of the text")]
    fn find(&mut self, view: &View<'_>, user: Option<&UserWords>, text: &str, begin: usize) {
        let Self { found, users, unknown, characters, offsets, .. } = self;
        found.clear();
        users.clear();
        unknown.clear();
        let rest = &characters[begin..];
        dictionary::search(view.trie, rest.iter().map(|c| dictionary::code(*c)), |word, length| {
            found.push((word, begin as u32 + length));
        });
        if let Some(user) = user {
            let rest = text.get(offsets[begin] as usize..).unwrap_or_default();
            let words = user.starting(rest);
            users.extend(words.map(|(word, length)| (word, begin as u32 + length)));
        }

        let known = !found.is_empty() || !users.is_empty();
        if known && !dictionary::invokes(rest[0]) {
            return;
        }
        let class = view.class(rest[0]);
        let mut end = begin + 1;
        let mut group_end = None;
        if class.group {
            // Each code point of the run is of the kind of the one before it.
            let run = rest.windows(2).take(MAX_GROUP + 1);
            let more =
                run.take_while(|pair| view.class(pair[0]).is_kind_of(view.class(pair[1]))).count();
            if more <= MAX_GROUP {
                group_end = Some(end + more);
                unknown.push((end + more) as u32);
            }
        }
        for _ in 0..class.length {
            if group_end == Some(end) {
                break;
            }
            unknown.push(end as u32);
            let next = characters.get(end).copied();
            if !next.is_some_and(|next| class.is_kind_of(view.class(next))) {
                break;
            }
            end += 1;
        }
        if !known && unknown.is_empty() {
            unknown.push(end as u32);
        }
    }

    /// Puts the words that were found into the lattice, the last first.
    #[allow(
        clippy::indexing_slicing,
        reason = "`begin` lies before the end of the text, and lists are asked for what they hold"
    )]
    fn join(&mut self, view: &View<'_>, user: Option<&UserWords>, penalties: &[i32], begin: usize) {
        let category = view.class(self.characters[begin]).category;
        let join = |lattice: &mut Self, end: u32, lexicon: Lexicon, number: u32, word: Word| {
            let kind = view.kind(word.kind);
            let best = lattice.best_before(view, kind.left);
            let penalty = penalties.get(usize::from(kind.left)).copied().unwrap_or(0);
            lattice.push(Node {
                cost: best.cost + i64::from(word.cost) + i64::from(penalty),
                previous: best.node,
                next_ending: NONE,
                begin: begin as u32,
                end,
                word: number,
                right: kind.right,
                lexicon,
            });
        };
        for index in (0..self.unknown.len()).rev() {
            let end = self.unknown[index];
            for word in view.unknown(category).iter().rev() {
                join(self, end, Lexicon::Unknown, u32::from(word.kind), *word);
            }
        }
        for index in (0..self.users.len()).rev() {
            let (number, end) = self.users[index];
            if let Some(word) = user.and_then(|user| user.word(number)) {
                join(self, end, Lexicon::User, number, word);
            }
        }
        for index in (0..self.found.len()).rev() {
            let (first, end) = self.found[index];
            let mut last = first;
            while view.word(last).more {
                last += 1;
            }
            for number in (first..=last).rev() {
                join(self, end, Lexicon::System, number, view.word(number));
            }
        }
    }

    /// Fills `here` with the words that end at a place, of each right number the cheapest.
    #[allow(
        clippy::indexing_slicing,
        reason = "nodes were pushed before they are named, and right numbers are below the matrix's size: a dictionary is verified when it is opened"
    )]
    fn gather_endings(&mut self, place: usize) {
        self.next_stamp();
        self.here.clear();
        self.nodes_here.clear();
        let mut number = self.endings[place];
        while number != NONE {
            let node = &self.nodes[number as usize];
            let (seen, at) = &mut self.by_right[usize::from(node.right)];
            let first = *seen != self.stamp;
            let cost = node.cost << PLACES;
            if first || cost < self.here[*at as usize].key & !PLACE {
                if !first {
                    self.here[*at as usize].key = BEATEN;
                }
                (*seen, *at) = (self.stamp, self.here.len() as u32);
                let key = cost | self.here.len() as i64;
                self.here.push(Ending { key, right: node.right });
                self.nodes_here.push(number);
            }
            number = node.next_ending;
            if self.here.len() > PLACE as usize {
                self.forget_beaten();
            }
        }
        self.here.sort_unstable_by_key(|ending| ending.key);
    }

    /// Makes room in `here` when more words end at one place than its keys can tell apart.
    #[cold]
    #[allow(clippy::indexing_slicing, reason = "right numbers are below the matrix's size")]
    fn forget_beaten(&mut self) {
        self.here.retain(|ending| ending.key != BEATEN);
        for (place, ending) in self.here.iter_mut().enumerate() {
            self.nodes_here[place] = self.nodes_here[(ending.key & PLACE) as usize];
            ending.key = ending.key & !PLACE | place as i64;
            self.by_right[usize::from(ending.right)].1 = place as u32;
        }
        self.nodes_here.truncate(self.here.len());
    }

    fn next_stamp(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            // Once in four thousand million places the marks begin anew.
            self.by_right.fill((0, 0));
            self.by_left.fill(Best::default());
            self.stamp = 1;
        }
    }

    /// The cheapest of `here` before a word with this left number, cost of the connection included.
    #[inline]
    #[allow(
        clippy::indexing_slicing,
        reason = "left and right numbers are below the matrix's sizes: a dictionary is verified when it is opened"
    )]
    fn best_before(&mut self, view: &View<'_>, left: u16) -> Best {
        let slot = &mut self.by_left[usize::from(left)];
        if slot.stamp != self.stamp {
            let row = view.row(left);
            let lowest = i64::from(view.lowest(left)) << PLACES;
            let mut best = i64::MAX;
            // Written out: most of a search's time is spent here.
            for ending in &self.here {
                // The cheapest come first: what follows cannot win any more.
                if ending.key + lowest > best {
                    break;
                }
                let connection = i16::from_le_bytes(row[usize::from(ending.right)]);
                best = best.min(ending.key + (i64::from(connection) << PLACES));
            }
            let node = self.nodes_here.get((best & PLACE) as usize).copied().unwrap_or(0);
            *slot = Best { stamp: self.stamp, node, cost: best >> PLACES };
        }
        *slot
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
