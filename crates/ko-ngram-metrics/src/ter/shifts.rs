//! The greedy search for shifts, with Tercom's limits and ranking as sacreBLEU has them.

#![allow(
    clippy::indexing_slicing,
    reason = "starts and lengths come from runs of equal units inside both texts; sums of errors have \
              one entry more than the text"
)]

use super::beam::{Beam, Bits, Cells, Row, Step, bands};
use crate::kernel::positions::Positions;

/// The longest phrase that is shifted.
const LONGEST: usize = 10;
/// How far apart a phrase's positions in the two texts may be.
const FARTHEST: usize = 50;
/// The search ends when this many shifts have been tried.
const MOST_TRIED: usize = 1000;

/// The edits from a hypothesis to a reference: shifts, and what is left to insert, delete and
/// substitute. Units are numbered below `kinds`.
pub(super) fn edits(hypothesis: &[u32], reference: &[u32], kinds: usize) -> u32 {
    if hypothesis.is_empty() || reference.is_empty() {
        return hypothesis.len().max(reference.len()) as u32;
    }
    let positions = Positions::of(reference, kinds);
    let (bands, narrow) = bands(hypothesis.len(), reference.len());
    if narrow {
        search(hypothesis, &positions, Beam::<Bits>::new(&positions, &bands))
    } else {
        search(hypothesis, &positions, Beam::<Cells>::new(&positions, &bands))
    }
}

fn search<R: Row>(hypothesis: &[u32], reference: &Positions<'_>, mut beam: Beam<'_, R>) -> u32 {
    let mut words = hypothesis.to_vec();
    let mut shifted = words.clone();
    let mut alignment = Alignment::default();
    let (mut shifts, mut tried) = (0, 0);
    loop {
        let distance = beam.set(&words);
        if distance == 0 {
            return shifts;
        }
        alignment.read(beam.trace(&words));
        let best = best_shift(&words, reference, &beam, &alignment, &mut shifted, &mut tried);
        match best {
            // A shift found when the limit is reached is not made any more.
            Some((after, shift)) if tried < MOST_TRIED && after < distance => {
                shift.make(&words, &mut shifted);
                std::mem::swap(&mut words, &mut shifted);
                shifts += 1;
            }
            _ => return shifts + distance,
        }
    }
}

/// A phrase of the hypothesis and where it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shift {
    start: usize,
    length: usize,
    target: usize,
}

impl Shift {
    /// Writes the shifted units over `shifted`, and gives the range that may have changed.
    fn make(self, words: &[u32], shifted: &mut [u32]) -> (usize, usize) {
        let Self { start, length, target } = self;
        let end = start + length;
        shifted.copy_from_slice(words);
        // What changes is one range of which two parts change places.
        let (from, to) = if target < start {
            (target, end)
        } else if target > end {
            (start, target)
        } else {
            (start, (target + length).min(words.len()))
        };
        let left = if target < start { start - target } else { length };
        shifted[from..to].rotate_left(left);
        (from, to)
    }

    /// Tercom's order of shifts that gain the same: the longest, the earliest, to the earliest place.
    fn beats(self, other: Self) -> bool {
        let rank = |s: Self| (s.length, !s.start, !s.target);
        rank(self) > rank(other)
    }
}

/// The best shift with the distance that it leaves.
fn best_shift<R: Row>(
    words: &[u32],
    reference: &Positions<'_>,
    beam: &Beam<'_, R>,
    alignment: &Alignment,
    shifted: &mut [u32],
    tried: &mut usize,
) -> Option<(u32, Shift)> {
    let units = reference.units();
    let mut best: Option<(u32, Shift)> = None;
    for (start, &unit) in words.iter().enumerate() {
        let longest = LONGEST.min(words.len() - start);
        if alignment.hypothesis_errors(start, longest) == 0 {
            continue;
        }
        let (from, to) = (start.saturating_sub(FARTHEST), start + FARTHEST);
        for &place in reference.between(unit, from, to) {
            let place = place as usize;
            let run = words[start..start + longest].iter().zip(&units[place..]);
            let longest = run.take_while(|(a, b)| a == b).count();
            for length in 1..=longest {
                // Only what is wrong, and goes where something is wrong, outside of itself.
                if alignment.hypothesis_errors(start, length) == 0
                    || alignment.reference_errors(place, length) == 0
                    || (start + 1..=start + length).contains(&alignment.after(place))
                {
                    continue;
                }
                let mut last = usize::MAX;
                let before = if place == 0 { 0 } else { alignment.after(place - 1) };
                let targets = (place..place + length).map(|column| alignment.after(column));
                for target in std::iter::once(before).chain(targets) {
                    if target == last {
                        continue;
                    }
                    last = target;
                    let shift = Shift { start, length, target };
                    let (from, to) = shift.make(words, shifted);
                    let distance = beam.distance(shifted, from, to);
                    *tried += 1;
                    let better = best.is_none_or(|(least, other)| {
                        distance < least || distance == least && shift.beats(other)
                    });
                    if better {
                        best = Some((distance, shift));
                    }
                }
                if *tried >= MOST_TRIED {
                    return best;
                }
            }
        }
    }
    best
}

/// What the cheapest way says of each unit.
#[derive(Debug, Default)]
struct Alignment {
    /// One past the hypothesis's unit that a unit of the reference is aligned to; 0 is before all.
    after: Vec<u32>,
    /// Sums of the wrong units of each text.
    hypothesis: Vec<u32>,
    reference: Vec<u32>,
    steps: Vec<Step>,
}

impl Alignment {
    /// Reads the steps of a trace, which come from the end.
    fn read(&mut self, trace: impl Iterator<Item = Step>) {
        let Self { after, hypothesis, reference, steps } = self;
        steps.clear();
        steps.extend(trace);
        after.clear();
        for sums in [&mut *hypothesis, &mut *reference] {
            sums.clear();
            sums.push(0);
        }
        let (mut hypothesis_wrong, mut reference_wrong) = (0, 0);
        for step in steps.iter().rev() {
            let wrong = u32::from(*step != Step::Match);
            if *step != Step::Insert {
                hypothesis_wrong += wrong;
                hypothesis.push(hypothesis_wrong);
            }
            if *step != Step::Delete {
                reference_wrong += wrong;
                reference.push(reference_wrong);
                after.push(hypothesis.len() as u32 - 1);
            }
        }
    }

    fn after(&self, place: usize) -> usize {
        self.after[place] as usize
    }

    fn hypothesis_errors(&self, start: usize, length: usize) -> u32 {
        self.hypothesis[start + length] - self.hypothesis[start]
    }

    fn reference_errors(&self, start: usize, length: usize) -> u32 {
        self.reference[start + length] - self.reference[start]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(start: usize, length: usize, target: usize) -> Vec<u32> {
        let mut shifted = vec![0; 6];
        Shift { start, length, target }.make(&[0, 1, 2, 3, 4, 5], &mut shifted);
        shifted
    }

    #[test]
    fn a_phrase_goes_where_it_should() {
        assert_eq!(made(3, 2, 1), [0, 3, 4, 1, 2, 5]);
        assert_eq!(made(0, 2, 5), [2, 3, 4, 0, 1, 5]);
        // A target inside the phrase, or right behind it, counts from the phrase's end.
        assert_eq!(made(1, 2, 2), [0, 3, 1, 2, 4, 5]);
        assert_eq!(made(3, 2, 5), [0, 1, 2, 5, 3, 4]);
    }
}
