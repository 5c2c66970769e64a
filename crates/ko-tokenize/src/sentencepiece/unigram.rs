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

/// The best way to the end of a character.
#[derive(Clone, Copy)]
pub(super) struct Step {
    score: f32,
    start: u32,
    id: u32,
}

/// No way leads here.
const NOWHERE: Step = Step { score: 0.0, start: u32::MAX, id: 0 };

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
        steps.resize(text.len() + 1, NOWHERE);
        let mut start = 0;
        while let Some(first) = text.get(start..).and_then(|rest| rest.chars().next()) {
            let here = steps.get(start).map_or(0.0, |step| step.score);
            let length = first.len_utf8();
            let known = self.extend(text, start, here, steps);
            if !known && let Some(step) = steps.get_mut(start + length) {
                let candidate = self.unknown_score + here;
                if step.start == u32::MAX || candidate > step.score {
                    *step = Step { score: candidate, start: start as u32, id: self.unknown };
                }
            }
            start += length;
        }
        let mut end = text.len();
        while end > 0 {
            let Some(step) = steps.get(end).filter(|step| (step.start as usize) < end) else {
                break;
            };
            each(step.start as usize..end, step.id);
            end = step.start as usize;
        }
    }

    /// Tries every piece that begins here. Tells whether the first character is one.
    #[inline]
    fn extend(&self, text: &str, start: usize, here: f32, steps: &mut [Step]) -> bool {
        let mut known = false;
        let mut place = self.trie.root();
        for (at, c) in text.get(start..).unwrap_or_default().char_indices() {
            let Some((next, value)) = self.trie.step(place, c) else { break };
            place = next;
            let Some(id) = value else { continue };
            let length = at + c.len_utf8();
            let score = match self.scores.get(id as usize) {
                Some(Score::Piece(score)) => *score,
                Some(Score::UserDefined) => (f64::from(length as f32 * self.best) - 0.1) as f32,
                Some(Score::Unused) | None => continue,
            };
            let candidate = score + here;
            if let Some(step) = steps.get_mut(start + length)
                && (step.start == u32::MAX || candidate > step.score)
            {
                *step = Step { score: candidate, start: start as u32, id };
            }
            known |= at == 0;
        }
        known
    }
}
