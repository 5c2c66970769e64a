//! The most probable pieces under a unigram language model (Kudo 2018).
//!
//! Viterbi's algorithm over the text's characters: linear in the text times the longest piece. Sums are of single precision, and of equal
//! ones the first counts, as in SentencePiece, so that ties fall the same way.

use super::{
    proto::{Entry, Role},
    trie::Trie,
};
use std::ops::Range;

/// By how much an unknown character is worse than the worst piece.
const UNKNOWN_PENALTY: f32 = 10.0;

#[derive(Clone)]
pub(super) struct Unigram {
    trie: Trie,
    /// The score of each piece, nothing for one that is not used.
    scores: Vec<Score>,
    unknown: u32,
    unknown_score: f32,
    /// What a user-defined symbol's length is multiplied with.
    best: f32,
}

#[derive(Clone, Copy)]
enum Score {
    Piece(f32),
    UserDefined,
    Unused,
}

/// The end of a character, and the best way there. What begins with it is looked up by `number`.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// Where in the text it is, in bytes.
    at: u32,
    /// The number of the character that begins here.
    number: u32,
    score: f32,
    /// The place among the steps where the last piece of the way begins.
    start: u32,
    id: u32,
}

/// No way leads here.
const NOWHERE: u32 = u32::MAX;

impl Unigram {
    pub(super) fn new(entries: &[Entry], trie: Trie, unknown: u32) -> Self {
        let normal = || entries.iter().filter(|entry| entry.role == Role::Normal);
        let worst = normal().map(|entry| entry.score).fold(f32::MAX, f32::min);
        // The smallest positive number, and not the lowest: SentencePiece's slip.
        let best = normal().map(|entry| entry.score).fold(f32::MIN_POSITIVE, f32::max);
        let scores = entries.iter().map(|entry| match entry.role {
            Role::UserDefined => Score::UserDefined,
            Role::Unused => Score::Unused,
            _ => Score::Piece(entry.score),
        });
        let unknown_score = worst - UNKNOWN_PENALTY;
        Self { trie, scores: scores.collect(), unknown, unknown_score, best }
    }

    /// Hands over the pieces of a normalised text from the last to the first.
    pub(super) fn cut_backwards(
        &self,
        text: &str,
        steps: &mut Vec<Step>,
        mut each: impl FnMut(Range<usize>, u32),
    ) {
        steps.clear();
        let step = |at: usize, number: u32| Step {
            at: at as u32,
            number,
            score: 0.0,
            start: NOWHERE,
            id: 0,
        };
        steps.extend(text.char_indices().map(|(at, c)| step(at, self.trie.number(c))));
        let last = steps.len();
        steps.push(step(text.len(), 0));
        for start in 0..last {
            let Some(([.., first], after)) = steps.split_at_mut_checked(start + 1) else { break };
            let (here, known) = (first.score, self.extend(first, start as u32, after));
            if !known && let Some(step) = after.first_mut() {
                let candidate = self.unknown_score + here;
                if step.start == NOWHERE || candidate > step.score {
                    (step.score, step.start, step.id) = (candidate, start as u32, self.unknown);
                }
            }
        }
        let mut end = last;
        while let Some(step) = steps.get(end).filter(|step| (step.start as usize) < end) {
            let start = steps.get(step.start as usize).map_or(0, |start| start.at);
            each(start as usize..step.at as usize, step.id);
            end = step.start as usize;
        }
    }

    /// Tries every piece that begins with a character. Tells whether the character is one.
    #[inline]
    fn extend(&self, first: &Step, start: u32, after: &mut [Step]) -> bool {
        let mut known = false;
        let mut place = self.trie.root();
        let mut number = first.number;
        for (rest, step) in after.iter_mut().enumerate() {
            let Some((next, value)) = self.trie.step_by(place, number) else { break };
            (place, number) = (next, step.number);
            let Some(id) = value else { continue };
            let score = match self.scores.get(id as usize) {
                Some(Score::Piece(score)) => *score,
                Some(Score::UserDefined) => {
                    let length = (step.at - first.at) as f32;
                    (f64::from(length * self.best) - 0.1) as f32
                }
                Some(Score::Unused) | None => continue,
            };
            let candidate = score + first.score;
            if step.start == NOWHERE || candidate > step.score {
                (step.score, step.start, step.id) = (candidate, start, id);
            }
            known |= rest == 0;
        }
        known
    }
}
