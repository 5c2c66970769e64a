//! One cheapest way from a text to another, step by step: what [`crate::kernel::edit_distance`] only counts.
//!
//! The whole table of small texts; larger ones are halved where a cheapest way passes (Hirschberg, *A linear space algorithm
//! for computing maximal common subsequences*, 1975), so that memory stays within [`MOST_CELLS`] bytes. O(n · m).

#![allow(
    clippy::indexing_slicing,
    reason = "rows have one cell more than the text; cells of the table are numbered by row and column"
)]

/// The most cells whose steps are kept at once.
const MOST_CELLS: usize = 1 << 22;

/// A step from a text to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edit {
    /// Both go on by an equal character.
    Keep,
    /// Both go on by different ones.
    Replace,
    /// The first has one too many.
    Remove,
    /// The first lacks one.
    Add,
}

/// The steps of a cheapest way from `a` to `b`.
pub(crate) fn edit_path(a: &[char], b: &[char]) -> Vec<Edit> {
    let mut path = Vec::with_capacity(a.len().max(b.len()));
    walk(a, b, MOST_CELLS, &mut path);
    path
}

fn walk(a: &[char], b: &[char], most: usize, path: &mut Vec<Edit>) {
    let same =
        |pairs: &mut dyn Iterator<Item = (&char, &char)>| pairs.take_while(|(a, b)| a == b).count();
    let begin = same(&mut a.iter().zip(b));
    let (a, b) = (&a[begin..], &b[begin..]);
    let end = same(&mut a.iter().rev().zip(b.iter().rev()));
    let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    path.extend(std::iter::repeat_n(Edit::Keep, begin));
    if a.is_empty() || b.is_empty() {
        path.extend(std::iter::repeat_n(Edit::Remove, a.len()));
        path.extend(std::iter::repeat_n(Edit::Add, b.len()));
    } else if a.len() < 2 || (a.len() + 1).saturating_mul(b.len() + 1) <= most {
        by_table(a, b, path);
    } else {
        let (first, second) = a.split_at(a.len() / 2);
        let forwards = last_row(first.iter(), &b.iter());
        let backwards = last_row(second.iter().rev(), &b.iter().rev());
        let through = |place: &usize| forwards[*place] + backwards[b.len() - place];
        let (left, right) = b.split_at((0..=b.len()).min_by_key(through).unwrap_or(0));
        walk(first, left, most, path);
        walk(second, right, most, path);
    }
    path.extend(std::iter::repeat_n(Edit::Keep, end));
}

/// The next row of distances; `note` hears of each cell how it is reached.
fn next_row<'t>(
    row: &mut [u32],
    unit: char,
    b: impl Iterator<Item = &'t char>,
    mut note: impl FnMut(Edit),
) {
    let mut diagonal = row[0];
    row[0] += 1;
    for (place, &other) in (1..).zip(b) {
        let above = row[place];
        let step = u32::from(unit != other);
        let (replaced, removed, added) = (diagonal + step, above + 1, row[place - 1] + 1);
        let least = replaced.min(removed).min(added);
        note(match least {
            _ if least == replaced && step == 0 => Edit::Keep,
            _ if least == replaced => Edit::Replace,
            _ if least == removed => Edit::Remove,
            _ => Edit::Add,
        });
        (diagonal, row[place]) = (above, least);
    }
}

/// The distances of a whole text to all beginnings of another.
fn last_row<'t>(
    a: impl Iterator<Item = &'t char>,
    b: &(impl ExactSizeIterator<Item = &'t char> + Clone),
) -> Vec<u32> {
    let mut row: Vec<u32> = (0..=b.len() as u32).collect();
    a.for_each(|&unit| next_row(&mut row, unit, b.clone(), |_| {}));
    row
}

fn by_table(a: &[char], b: &[char], path: &mut Vec<Edit>) {
    let mut row: Vec<u32> = (0..=b.len() as u32).collect();
    let mut table = Vec::with_capacity(a.len() * b.len());
    a.iter().for_each(|&unit| next_row(&mut row, unit, b.iter(), |edit| table.push(edit)));
    let (mut i, mut j) = (a.len(), b.len());
    let start = path.len();
    while i > 0 || j > 0 {
        let edit = match (i, j) {
            (0, _) => Edit::Add,
            (_, 0) => Edit::Remove,
            _ => table[(i - 1) * b.len() + j - 1],
        };
        i -= usize::from(edit != Edit::Add);
        j -= usize::from(edit != Edit::Remove);
        path.push(edit);
    }
    path[start..].reverse();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::edit_distance::levenshtein;
    use proptest::{collection::vec, prelude::*, sample::select};

    proptest! {
        #[test]
        fn the_way_is_as_long_as_the_distance(
            a in vec(select(vec!['가', '나', '다']), 0..40),
            b in vec(select(vec!['가', '나', '다']), 0..40),
            most in 1..400usize,
        ) {
            let mut path = Vec::new();
            walk(&a, &b, most, &mut path);
            let (mut i, mut j) = (0, 0);
            for edit in &path {
                match edit {
                    Edit::Keep => prop_assert_eq!(a[i], b[j]),
                    Edit::Replace => prop_assert_ne!(a[i], b[j]),
                    Edit::Remove | Edit::Add => {}
                }
                i += usize::from(*edit != Edit::Add);
                j += usize::from(*edit != Edit::Remove);
            }
            prop_assert_eq!((i, j), (a.len(), b.len()));
            let edits = path.iter().filter(|edit| **edit != Edit::Keep).count();
            prop_assert_eq!(edits, levenshtein(&a, &b));
        }
    }
}
