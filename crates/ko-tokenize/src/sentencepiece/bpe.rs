//! Byte-pair encoding: the pair that makes the best piece is joined, again and again (Sennrich et al. 2016).
//!
//! A queue of pairs, the leftmost of equally good ones first: n log n in the characters of what can be joined. Where no piece goes
//! beyond a word, words are joined one by one, which changes nothing.

use super::{
    normalizer::SPACE,
    proto::{Entry, Role},
    trie::{Place, Trie},
};
use std::{
    cmp::Ordering,
    collections::{BinaryHeap, HashMap},
    ops::Range,
};

#[derive(Clone)]
pub(super) struct Bpe {
    trie: Trie,
    scores: Vec<f32>,
    /// Pieces that are joined on the way but taken apart again in the end.
    unused: Vec<bool>,
    has_unused: bool,
    boundary: Boundary,
}

/// Where no piece can go beyond.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Boundary {
    BeforeSpace,
    AfterSpace,
    Nowhere,
}

/// A stretch of text that is one piece so far; empty if it was joined to another.
#[derive(Clone, Copy)]
struct Symbol {
    start: u32,
    end: u32,
    before: u32,
    after: u32,
    frozen: bool,
    /// Where the trie stands after it, if a piece begins with it.
    place: Option<Place>,
}

const NONE: u32 = u32::MAX;

/// Two neighbours that make a piece.
struct Pair {
    score: f32,
    left: u32,
    right: u32,
    /// The length of what they make: if it has changed, one of them was joined to another meanwhile.
    length: u32,
    /// Where the trie stands after both.
    place: Place,
}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| other.left.cmp(&self.left))
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Pair {}

/// Memory that is used again and again.
#[derive(Default)]
pub(super) struct Workspace {
    symbols: Vec<Symbol>,
    pairs: BinaryHeap<Pair>,
    /// What unused pieces were joined from: where the second part begins.
    joints: HashMap<String, usize>,
}

impl Bpe {
    pub(super) fn new(entries: &[Entry], trie: Trie) -> Self {
        let unused: Vec<bool> = entries.iter().map(|entry| entry.role == Role::Unused).collect();
        let pieces = || {
            let cut = [Role::Normal, Role::UserDefined, Role::Unused];
            entries.iter().filter(move |entry| cut.contains(&entry.role))
        };
        let inside = |text: &str| !text.contains(SPACE);
        let has_unused = unused.contains(&true);
        let boundary = if has_unused {
            // How one word joins an unused piece decides how another takes it apart.
            Boundary::Nowhere
        } else if pieces().all(|p| inside(p.text.strip_prefix(SPACE).unwrap_or(&p.text))) {
            Boundary::BeforeSpace
        } else if pieces().all(|p| inside(p.text.strip_suffix(SPACE).unwrap_or(&p.text))) {
            Boundary::AfterSpace
        } else {
            Boundary::Nowhere
        };
        // Zero and minus zero are one score.
        let scores = entries.iter().map(|entry| entry.score + 0.0).collect();
        Self { trie, scores, unused, has_unused, boundary }
    }

    /// Hands over the pieces of a normalised text in order.
    pub(super) fn cut(
        &self,
        text: &str,
        symbols: &Trie,
        work: &mut Workspace,
        mut each: impl FnMut(Range<usize>),
    ) {
        let mut start = 0;
        while start < text.len() {
            let rest = text.get(start..).unwrap_or_default();
            let end = start + self.stretch(rest);
            self.cut_stretch(text, start..end, symbols, work, &mut each);
            start = end;
        }
    }

    /// The bytes up to where no piece goes beyond.
    fn stretch(&self, text: &str) -> usize {
        let found = match self.boundary {
            Boundary::Nowhere => None,
            Boundary::AfterSpace => text.find(SPACE).map(|at| at + SPACE.len()),
            Boundary::BeforeSpace => {
                let first = text.chars().next().map_or(0, char::len_utf8);
                text.get(first..).and_then(|rest| rest.find(SPACE)).map(|at| first + at)
            }
        };
        found.unwrap_or(text.len())
    }

    fn cut_stretch(
        &self,
        text: &str,
        stretch: Range<usize>,
        user_defined: &Trie,
        work: &mut Workspace,
        each: &mut impl FnMut(Range<usize>),
    ) {
        let Workspace { symbols, pairs, joints } = work;
        symbols.clear();
        pairs.clear();
        joints.clear();
        let mut at = stretch.start;
        while at < stretch.end {
            let rest = text.get(at..stretch.end).unwrap_or_default();
            let found = if user_defined.is_empty() { None } else { user_defined.longest(rest) };
            let first = rest.chars().next().unwrap_or('\0');
            let length = found.map_or(first.len_utf8(), |(length, _)| length);
            let place = self.trie.step(self.trie.root(), first).map(|(place, _)| place);
            let number = symbols.len() as u32;
            symbols.push(Symbol {
                start: at as u32,
                end: (at + length) as u32,
                before: number.checked_sub(1).unwrap_or(NONE),
                after: number + 1,
                frozen: found.is_some(),
                place,
            });
            at += length;
        }
        if let Some(last) = symbols.last_mut() {
            last.after = NONE;
        }
        for right in 1..symbols.len() as u32 {
            self.propose(text, symbols, (right - 1, right), pairs, joints);
        }
        while let Some(pair) = pairs.pop() {
            if let Some((before, after)) = join(symbols, &pair) {
                self.propose(text, symbols, (before, pair.left), pairs, joints);
                self.propose(text, symbols, (pair.left, after), pairs, joints);
            }
        }
        let mut number = 0;
        while let Some(symbol) = symbols.get(number as usize) {
            let span = symbol.start as usize..symbol.end as usize;
            if self.has_unused {
                self.take_apart(text, span, joints, each);
            } else {
                each(span);
            }
            number = symbol.after;
        }
    }

    /// Queues two neighbours if together they are a piece.
    #[inline]
    fn propose(
        &self,
        text: &str,
        symbols: &[Symbol],
        (left, right): (u32, u32),
        pairs: &mut BinaryHeap<Pair>,
        joints: &mut HashMap<String, usize>,
    ) {
        let (Some(first), Some(second)) = (symbols.get(left as usize), symbols.get(right as usize))
        else {
            return;
        };
        if first.frozen || second.frozen {
            return;
        }
        let mut reached = first.place.map(|place| (place, None));
        for c in text.get(second.start as usize..second.end as usize).unwrap_or_default().chars() {
            reached = reached.and_then(|(place, _)| self.trie.step(place, c));
        }
        let Some((place, Some(id))) = reached else { return };
        let score = self.scores.get(id as usize).copied().unwrap_or(0.0);
        pairs.push(Pair { score, left, right, length: second.end - first.start, place });
        if self.has_unused && self.unused.get(id as usize) == Some(&true) {
            let piece = text.get(first.start as usize..second.end as usize).unwrap_or_default();
            joints.insert(piece.to_owned(), (second.start - first.start) as usize);
        }
    }

    /// A piece that is not used becomes what it was joined from.
    fn take_apart(
        &self,
        text: &str,
        span: Range<usize>,
        joints: &HashMap<String, usize>,
        each: &mut impl FnMut(Range<usize>),
    ) {
        // What is still to be looked at, the first on top: a hostile vocabulary nests as deep as it likes.
        let mut rest = vec![span];
        while let Some(span) = rest.pop() {
            let piece = text.get(span.clone()).unwrap_or_default();
            let id = self.trie.get(piece);
            let unused = id.is_some_and(|id| self.unused.get(id as usize) == Some(&true));
            match joints.get(piece).filter(|_| unused) {
                Some(joint) => {
                    let middle = span.start + joint;
                    rest.extend([middle..span.end, span.start..middle]);
                }
                None => each(span),
            }
        }
    }
}

/// Joins a pair if both are still what they were; hands over the new one's neighbours.
fn join(symbols: &mut [Symbol], pair: &Pair) -> Option<(u32, u32)> {
    let (left, right) = (*symbols.get(pair.left as usize)?, *symbols.get(pair.right as usize)?);
    if left.start == left.end
        || right.start == right.end
        || (left.end - left.start) + (right.end - right.start) != pair.length
    {
        return None;
    }
    let joined = symbols.get_mut(pair.left as usize)?;
    joined.end = right.end;
    joined.after = right.after;
    joined.place = Some(pair.place);
    let before = joined.before;
    let gone = symbols.get_mut(pair.right as usize)?;
    gone.end = gone.start;
    if let Some(next) = symbols.get_mut(right.after as usize) {
        next.before = pair.left;
    }
    Some((before, right.after))
}
