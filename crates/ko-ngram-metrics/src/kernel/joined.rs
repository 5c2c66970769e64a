//! Units joined by spaces: what character-based metrics compare.

/// Appends the characters of the units, a space between any two.
pub(crate) fn join<T: Extend<char>>(units: impl Iterator<Item = impl AsRef<str>>, joined: &mut T) {
    let mut is_first = true;
    for unit in units {
        if !std::mem::take(&mut is_first) {
            joined.extend([' ']);
        }
        joined.extend(unit.as_ref().chars());
    }
}
