//! Connection costs with like beside like: many rows differ in few places, once they stand in the order of their contents.
//!
//! The first column holds the order of the rows, the order of the columns, and the low bytes of the costs in that order; the
//! second one the high bytes.

/// None where the costs do not make whole rows.
pub(super) fn split(costs: &[u8], rights: usize) -> Option<[Vec<u8>; 2]> {
    let costs: Vec<i16> =
        costs.as_chunks().0.iter().map(|cost| i16::from_le_bytes(*cost)).collect();
    if rights == 0 || !costs.len().is_multiple_of(rights) {
        return None;
    }
    let rows: Vec<&[i16]> = costs.chunks(rights).collect();
    let lefts = sorted(rows.len(), |left| rows.get(left).copied());
    let column = |right: usize| -> Vec<Option<i16>> {
        lefts.iter().map(|left| rows.get(usize::from(*left))?.get(right).copied()).collect()
    };
    let columns: Vec<_> = (0..rights).map(column).collect();
    let rights = sorted(rights, |right| columns.get(right));
    let orders = lefts.iter().chain(&rights).flat_map(|number| number.to_le_bytes());
    let (mut low, mut high): (Vec<u8>, _) = (orders.collect(), Vec::new());
    for row in lefts.iter().filter_map(|left| rows.get(usize::from(*left))) {
        for cost in rights.iter().filter_map(|right| row.get(usize::from(*right))) {
            let [a, b] = cost.to_le_bytes();
            low.push(a);
            high.push(b);
        }
    }
    Some([low, high])
}

/// The numbers below `count` in the order of their keys.
fn sorted<K: Ord>(count: usize, key: impl Fn(usize) -> K) -> Vec<u16> {
    let mut numbers: Vec<u16> = (0..=u16::MAX).take(count).collect();
    numbers.sort_by_key(|number| key(usize::from(*number)));
    numbers
}

/// None where the costs are not those of `target`, which has rows of `rights` costs.
pub(super) fn join([low, high]: &[Vec<u8>; 2], rights: usize, target: &mut [u8]) -> Option<()> {
    let (target, _) = target.as_chunks_mut::<2>();
    let lefts = target.len().checked_div(rights)?;
    let (orders, low) = low.split_at_checked(lefts.checked_add(rights)?.checked_mul(2)?)?;
    if [low.len(), high.len()] != [target.len(); 2] {
        return None;
    }
    let numbers =
        orders.as_chunks().0.iter().map(|number| usize::from(u16::from_le_bytes(*number)));
    let numbers: Vec<usize> = numbers.collect();
    let (lefts, columns) = numbers.split_at_checked(lefts)?;
    let rows = low.chunks(rights).zip(high.chunks(rights));
    for (left, (low, high)) in lefts.iter().zip(rows) {
        let row = target.get_mut(left * rights..(left + 1) * rights)?;
        for ((right, low), high) in columns.iter().zip(low).zip(high) {
            *row.get_mut(*right)? = [*low, *high];
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_beyond_all_memory_are_refused() {
        assert_eq!(join(&[vec![], vec![]], usize::MAX, &mut []), None);
    }
}
