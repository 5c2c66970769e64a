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
    let count = |shifts, distance, _: &[u32]| shifts + distance;
    if narrow {
        let mut beam = Beam::<Bits>::new(&positions, &bands);
        search(hypothesis, &positions, &mut beam, |_| {}, count)
    } else {
        let mut beam = Beam::<Cells>::new(&positions, &bands);
        search(hypothesis, &positions, &mut beam, |_| {}, count)
    }
}

/// The same edits one by one.
#[derive(Debug, Default)]
pub(super) struct Path {
    /// Of each shift, which units of the hypothesis were moved, as they stood by then.
    pub(super) shifts: Vec<Vec<usize>>,
    /// The order of the hypothesis's units when all shifts were made.
    pub(super) order: Vec<usize>,
    /// From the shifted hypothesis to the reference.
    pub(super) steps: Vec<Step>,
}

/// How [`edits`] are made.
pub(super) fn path(hypothesis: &[u32], reference: &[u32], kinds: usize) -> Path {
    if hypothesis.is_empty() || reference.is_empty() {
        let deleted = hypothesis.iter().map(|_| Step::Delete);
        let steps = deleted.chain(reference.iter().map(|_| Step::Insert)).collect();
        return Path { shifts: Vec::new(), order: (0..hypothesis.len()).collect(), steps };
    }
    let positions = Positions::of(reference, kinds);
    let (bands, narrow) = bands(hypothesis.len(), reference.len());
    if narrow {
        path_in(hypothesis, &positions, &mut Beam::<Bits>::new(&positions, &bands))
    } else {
        path_in(hypothesis, &positions, &mut Beam::<Cells>::new(&positions, &bands))
    }
}

fn path_in<R: Row>(hypothesis: &[u32], reference: &Positions<'_>, beam: &mut Beam<'_, R>) -> Path {
    let mut order: Vec<u32> = (0..hypothesis.len() as u32).collect();
    let mut before = order.clone();
    let mut shifts = Vec::new();
    let note = |shift: Shift| {
        before.copy_from_slice(&order);
        let moved = &before[shift.start..shift.start + shift.length];
        shifts.push(moved.iter().map(|&unit| unit as usize).collect());
        shift.make(&before, &mut order);
    };
    let words = search(hypothesis, reference, beam, note, |_, _, words| words.to_vec());
    let mut steps: Vec<Step> = beam.trace(&words).collect();
    steps.reverse();
    Path { shifts, order: order.into_iter().map(|unit| unit as usize).collect(), steps }
}

/// Shifts until nothing is gained. `made` hears of each shift; the answer is what `then` makes of their number, of the
/// distance that is left and of the shifted words, which the beam is set to.
fn search<R: Row, T>(
    hypothesis: &[u32],
    reference: &Positions<'_>,
    beam: &mut Beam<'_, R>,
    mut made: impl FnMut(Shift),
    then: impl FnOnce(u32, u32, &[u32]) -> T,
) -> T {
    let mut words = hypothesis.to_vec();
    let mut shifted = words.clone();
    let mut alignment = Alignment::default();
    let (mut shifts, mut tried) = (0, 0);
    loop {
        let distance = beam.set(&words);
        if distance == 0 {
            return then(shifts, 0, &words);
        }
        alignment.read(beam.trace(&words));
        let best = best_shift(&words, reference, beam, &alignment, &mut shifted, &mut tried);
        match best {
            // A shift found when the limit is reached is not made any more.
            Some((after, shift)) if tried < MOST_TRIED && after < distance => {
                shift.make(&words, &mut shifted);
                made(shift);
                std::mem::swap(&mut words, &mut shifted);
                shifts += 1;
            }
            _ => return then(shifts, distance, &words),
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
