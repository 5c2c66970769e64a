//! The units of a text where only the units count.

use std::{fmt, ops::Range};

/// The units of a text in one stretch of memory, without their places in the text: what a metric that only asks
/// which units are equal needs. Meant to be filled again and again.
///
/// A tokenizer [appends](Pieces::append) what its units are made of and [marks](Pieces::mark) them in it, or
/// [pushes](Pieces::push) one after the other.
///
/// ```
/// use ko_eval_core::Pieces;
///
/// let mut pieces = Pieces::new();
/// let start = pieces.append("비가 온다");
/// pieces.mark(start..start + 6);
/// pieces.mark(start + 7..start + 13);
/// pieces.push(".");
/// assert_eq!(pieces.iter().map(|piece| piece.as_str()).collect::<Vec<_>>(), ["비가", "온다", "."]);
/// ```
#[derive(Clone, Default)]
pub struct Pieces {
    /// Zeros may follow what was appended; see [`Pieces::pad`].
    text: String,
    marks: Vec<Mark>,
}

/// Where a unit stands.
#[derive(Clone, Copy)]
struct Mark {
    start: usize,
    length: u32,
}

impl Pieces {
    /// No units.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the units, and keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.marks.clear();
    }

    /// Appends a text to be marked in, and tells where in the whole it starts.
    pub fn append(&mut self, text: &str) -> usize {
        let start = self.text.len();
        self.text.push_str(text);
        start
    }

    /// The next unit is this stretch of what was appended. One that cuts a character, or goes beyond the end, is an
    /// empty unit.
    #[inline]
    pub fn mark(&mut self, span: Range<usize>) {
        let length = span.end.saturating_sub(span.start).min(u32::MAX as usize) as u32;
        self.marks.push(Mark { start: span.start, length });
    }

    /// The next unit is this text.
    pub fn push(&mut self, unit: &str) {
        let start = self.append(unit);
        self.mark(start..start + unit.len());
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Whether there is no unit.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// The units, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Piece<'_>> {
        self.marks.iter().map(|&mark| Piece { whole: &self.text, mark })
    }

    /// Makes room behind the text, so that [`Piece::head`] need not look for its end.
    pub fn pad(&mut self) {
        self.text.push_str("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    }
}

impl fmt::Debug for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|piece| piece.as_str())).finish()
    }
}

/// One unit of [`Pieces`].
#[derive(Clone, Copy)]
pub struct Piece<'p> {
    whole: &'p str,
    mark: Mark,
}

/// How many bytes a head has.
const HEAD: usize = 16;

/// By the length of a unit, the bytes of a head that are its own.
const OWN: [u128; HEAD + 1] = {
    let mut masks = [u128::MAX; HEAD + 1];
    let mut length = 0;
    #[allow(clippy::indexing_slicing, reason = "evaluated by the compiler, and only there")]
    while length < HEAD {
        masks[length] = (1 << (8 * length)) - 1;
        length += 1;
    }
    masks
};

impl<'p> Piece<'p> {
    /// The unit.
    pub fn as_str(&self) -> &'p str {
        let start = self.mark.start;
        self.whole.get(start..start + self.mark.length as usize).unwrap_or_default()
    }

    /// Its length in bytes.
    #[inline]
    #[allow(clippy::len_without_is_empty, reason = "a unit is hardly ever empty")]
    pub fn len(&self) -> usize {
        self.mark.length as usize
    }

    /// The unit, if it is a single character of the Basic Multilingual Plane.
    #[inline]
    pub fn character(&self) -> Option<char> {
        let text = self.whole.as_bytes().get(self.mark.start..)?;
        let tail = |byte: u8| u32::from(byte & 0x3f);
        let code = match (self.mark.length, text) {
            // Most of Hangul: its characters have three bytes.
            (3, &[lead @ 0xe0..=0xff, a, b, ..]) => {
                u32::from(lead & 0x0f) << 12 | tail(a) << 6 | tail(b)
            }
            (1, &[byte @ 0..0x80, ..]) => u32::from(byte),
            (2, &[lead @ 0xc0..0xe0, a, ..]) => u32::from(lead & 0x1f) << 6 | tail(a),
            _ => return None,
        };
        char::from_u32(code)
    }

    /// Its first sixteen bytes, the first in the lowest place; zeros behind its end. Enough to compare most units.
    ///
    /// ```
    /// let mut pieces = ko_eval_core::Pieces::new();
    /// pieces.push("ab");
    /// assert_eq!(pieces.iter().next().unwrap().head(), 0x6261);
    /// ```
    #[inline]
    pub fn head(&self) -> u128 {
        let text = self.whole.as_bytes().get(self.mark.start..).unwrap_or_default();
        let bytes = match text.first_chunk() {
            Some(bytes) => *bytes,
            None => {
                let mut bytes = [0; HEAD];
                bytes.iter_mut().zip(text).for_each(|(to, &byte)| *to = byte);
                bytes
            }
        };
        u128::from_le_bytes(bytes) & OWN.get(self.len()).copied().unwrap_or(u128::MAX)
    }
}

impl fmt::Debug for Piece<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_head_is_the_beginning(units in proptest::collection::vec(".{0,3}|[가-힣\0]{0,9}", 0..20), padded: bool) {
            let mut pieces = Pieces::new();
            pieces.push("다른 것");
            pieces.clear();
            units.iter().for_each(|unit| pieces.push(unit));
            if padded {
                pieces.pad();
            }
            prop_assert_eq!(pieces.len(), units.len());
            for (unit, piece) in units.iter().zip(pieces.iter()) {
                prop_assert_eq!(unit, piece.as_str());
                prop_assert_eq!(unit.len(), piece.len());
                let mut bytes = [0; HEAD];
                bytes.iter_mut().zip(unit.bytes()).for_each(|(to, byte)| *to = byte);
                prop_assert_eq!(piece.head(), u128::from_le_bytes(bytes));
                let single = unit.chars().next().filter(|c| c.len_utf8() == unit.len() && unit.len() < 4);
                prop_assert_eq!(piece.character(), single);
            }
        }
    }

    #[test]
    fn a_mark_out_of_bounds_is_an_empty_unit() {
        let mut pieces = Pieces::new();
        pieces.append("가");
        pieces.mark(1..3);
        pieces.mark(0..100);
        assert_eq!(format!("{pieces:?}"), r#"["", ""]"#);
    }
}
