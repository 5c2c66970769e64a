//! Offsets of those who count in UTF-16, as offsets in bytes.

use std::ops::Range;

/// Where each UTF-16 unit of a text begins in its bytes.
pub(crate) struct Utf16Offsets {
    /// One per unit, and one for the end; both halves of a surrogate pair point to the character.
    starts: Vec<usize>,
}

impl Utf16Offsets {
    pub(crate) fn new(text: &str) -> Self {
        let units = text.char_indices().flat_map(|(at, c)| std::iter::repeat_n(at, c.len_utf16()));
        Self { starts: units.chain([text.len()]).collect() }
    }

    /// The bytes of `length` units from `start`. What lies beyond the text is cut off there, and half a character
    /// counts as the whole.
    pub(crate) fn bytes(&self, start: usize, length: usize) -> Range<usize> {
        let at = |unit: usize| self.starts.get(unit).or(self.starts.last()).copied().unwrap_or(0);
        let begin = at(start);
        let mut end = start.saturating_add(length);
        // In the middle of a pair: on to its end.
        while length > 0 && end < self.starts.len() && at(end) == at(end - 1) {
            end += 1;
        }
        begin..at(end).max(begin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_become_bytes() {
        let text = "a밥😀b";
        let offsets = Utf16Offsets::new(text);
        for (start, length, expected) in
            [(0, 1, "a"), (1, 1, "밥"), (2, 2, "😀"), (4, 1, "b"), (1, 3, "밥😀"), (5, 0, "")]
        {
            assert_eq!(&text[offsets.bytes(start, length)], expected);
        }
        assert_eq!(&text[offsets.bytes(2, 1)], "😀", "half a pair");
        assert_eq!(&text[offsets.bytes(3, 1)], "😀", "the other half");
        assert_eq!(&text[offsets.bytes(4, 99)], "b");
        assert_eq!(offsets.bytes(99, 1), text.len()..text.len());
        assert_eq!(Utf16Offsets::new("").bytes(0, 1), 0..0);
    }
}
