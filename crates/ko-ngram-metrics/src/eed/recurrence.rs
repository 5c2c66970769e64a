//! The recurrence of EED, row by row.
//!
//! A row has a cell for each place of the hypothesis, the cheapest way there. Each cell needs the one
//! before it, so several parts of a row are done side by side as if nothing came in from the left, and then
//! mended at their beginnings. Rounded sums keep their order, so the result is the same to the bit. The
//! cells that are done at once, one of each part, lie side by side too.

#![allow(
    clippy::indexing_slicing,
    reason = "rows have one group of cells more than their letters; a place is below the number of cells; \
              there is a part"
)]

use super::{EedSettings, min};

/// Rows of so many places are worth eight parts: mending goes through most of a short part.
const LONG: usize = 128;

/// What the cheapest way costs, and how far the visits are from one for every place.
pub(super) fn walk(costs: &EedSettings, hypothesis: &[char], reference: &[char]) -> (f64, u64) {
    if hypothesis.len() < LONG {
        walk_in_parts::<4>(costs, hypothesis, reference)
    } else {
        walk_in_parts::<8>(costs, hypothesis, reference)
    }
}

fn walk_in_parts<const PARTS: usize>(
    costs: &EedSettings,
    hypothesis: &[char],
    reference: &[char],
) -> (f64, u64) {
    let places = hypothesis.len() + 1;
    let groups = places.div_ceil(PARTS);
    // What there is too much comes before the first place and is never reached.
    let unused = groups * PARTS - places;
    // Characters as numbers of the kind they are added to, so that whole groups are compared; and what
    // an insertion costs.
    let mut columns = vec![([f64::NAN; PARTS], [f64::INFINITY; PARTS]); groups];
    // The first group of a row is what comes before each part: the end of the one before it.
    let mut row = vec![[f64::INFINITY; PARTS]; groups + 1];
    let mut next = row.clone();
    let mut visits = vec![[0u32; PARTS]; groups];
    let order = (0..PARTS).flat_map(|part| (0..groups).map(move |group| (group, part)));
    for (place, (group, part)) in order.skip(unused).enumerate() {
        let letter = place.checked_sub(1).and_then(|before| hypothesis.get(before));
        columns[group].0[part] = letter.map_or(f64::NAN, |&c| f64::from(c as u32));
        // Before the first character an insertion always costs 1.
        columns[group].1[part] = letter.map_or(1.0, |_| costs.insertion);
        row[group + 1][part] = letter.map_or(0.0, |_| 1.0);
    }
    row[0] = ends_before(&row);
    for &character in reference {
        let letter = f64::from(character as u32);
        let mut left = [f64::INFINITY; PARTS];
        let mut least = [f64::INFINITY; PARTS];
        for ((cells, above), (letters, insertions)) in
            next[1..].iter_mut().zip(row.windows(2)).zip(&columns)
        {
            let [diagonal, above] = above else { continue };
            for k in 0..PARTS {
                let substitution = if letters[k] == letter { 0.0 } else { 1.0 };
                let here = min(diagonal[k] + substitution, above[k] + insertions[k]);
                left[k] = min(left[k] + costs.deletion, here);
                least[k] = min(least[k], left[k]);
            }
            *cells = left;
        }
        mend(&mut next, costs.deletion);
        // Mending reaches nothing cheaper than what it comes from.
        let cheapest = least.into_iter().fold(f64::INFINITY, min);
        let parts = least.iter().enumerate().rev();
        let part = parts.fold(0, |part, (k, &cell)| if cell == cheapest { k } else { part });
        let group = next[1..].iter().position(|cells| cells[part] == cheapest).unwrap_or(0);
        visits[group][part] += 1;
        if character == ' ' {
            let jump = costs.alpha + cheapest;
            next.as_flattened_mut().iter_mut().for_each(|cell| *cell = min(*cell, jump));
            for place in 0..unused {
                // Nearly always all of them are in the first part.
                let (part, group) =
                    if place < groups { (0, place) } else { (place / groups, place % groups) };
                next[group + 1][part] = f64::INFINITY;
            }
        }
        next[0] = ends_before(&next);
        std::mem::swap(&mut row, &mut next);
    }
    let uneven: u64 = visits.iter().flatten().map(|&count| u64::from(count.abs_diff(1))).sum();
    (row[groups][PARTS - 1], uneven - unused as u64)
}

/// For each part, the last cell of the part before it.
#[inline]
fn ends_before<const PARTS: usize>(row: &[[f64; PARTS]]) -> [f64; PARTS] {
    let mut ends = [f64::INFINITY; PARTS];
    if let Some(last) = row.last() {
        ends[1..].copy_from_slice(&last[..PARTS - 1]);
    }
    ends
}

/// Lets the first cells of each part be reached by deletions from the part before it.
#[inline]
fn mend<const PARTS: usize>(row: &mut [[f64; PARTS]], deletion: f64) {
    loop {
        let mut reached = ends_before(row);
        for cells in &mut row[1..] {
            let mut lower = false;
            for k in 0..PARTS {
                reached[k] += deletion;
                lower |= reached[k] < cells[k];
                cells[k] = min(reached[k], cells[k]);
            }
            if !lower {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Case;
    use proptest::prelude::*;

    /// The recurrence as it is written down.
    fn by_the_book(costs: &EedSettings, hypothesis: &[char], reference: &[char]) -> (f64, u64) {
        let mut row = vec![1.0; hypothesis.len() + 1];
        row[0] = 0.0;
        let mut visits = vec![0u64; row.len()];
        for &character in reference {
            let mut next = vec![row[0] + 1.0];
            for (i, &other) in hypothesis.iter().enumerate() {
                let substitution = if other == character { 0.0 } else { 1.0 };
                let cell = min(row[i] + substitution, row[i + 1] + costs.insertion);
                next.push(min(next[i] + costs.deletion, cell));
            }
            let least = next.iter().copied().fold(f64::INFINITY, min);
            visits[next.iter().position(|&cell| cell == least).unwrap()] += 1;
            if character == ' ' {
                next.iter_mut().for_each(|cell| *cell = min(*cell, costs.alpha + least));
            }
            row = next;
        }
        (row[hypothesis.len()], visits.iter().map(|count| count.abs_diff(1)).sum())
    }

    fn texts() -> impl Strategy<Value = Vec<char>> {
        proptest::collection::vec(proptest::sample::select(vec![' ', '가', '나', '다']), 0..170)
    }

    proptest! {
        #[test]
        fn equals_the_definition_to_the_bit(
            hypothesis in texts(),
            reference in texts(),
            costs in proptest::option::of([0.0..3.0, 0.0..3.0, 0.0..1.5, 0.0..1.5]),
            free in 0..4usize,
        ) {
            let mut costs = costs.map_or(EedSettings::default(), |[alpha, rho, deletion, insertion]| {
                EedSettings { alpha, rho, deletion, insertion, case: Case::Mixed }
            });
            match free {
                0 => costs.alpha = 0.0,
                1 => costs.deletion = 0.0,
                2 => costs.insertion = 0.0,
                _ => {}
            }
            let expected = by_the_book(&costs, &hypothesis, &reference);
            prop_assert_eq!(walk(&costs, &hypothesis, &reference), expected);
        }
    }
}
