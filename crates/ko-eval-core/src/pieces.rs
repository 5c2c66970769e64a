//! The units of a text where only the units count.

use std::{fmt, ops::Range};

/// The units of texts in one stretch of memory, without their places in the text: for a metric that reads the units
/// themselves. One that only asks which are equal has them [numbered](crate::Vocabulary). Meant to be filled again and again.
///
/// A tokenizer [appends](Pieces::append) what its units are made of and [marks](Pieces::mark) them in it, or
/// [pushes](Pieces::push) one after the other. Units that are single characters it had better [write](Pieces::write):
/// as long as all units are, they are kept as such.
///
/// ```
/// use ko_eval_core::Pieces;
///
/// let mut pieces = Pieces::new();
/// let start = pieces.append("비가 온다");
/// pieces.mark(start..start + 6);
/// pieces.mark(start + 7..start + 13);
/// pieces.push(".");
/// assert_eq!(pieces.iter().map(|piece| piece.as_str().to_owned()).collect::<Vec<_>>(), ["비가", "온다", "."]);
/// ```
#[derive(Clone, Default)]
pub struct Pieces {
    /// All units, if each is written as a character; behind the first `written`, what is to be written over.
    characters: Vec<char>,
    written: usize,
    /// Or else what they are made of.
    text: String,
    /// Where they stand in it; behind the first `marked`, what is to be written over.
    marks: Vec<Mark>,
    marked: usize,
}

/// Room for so many more, which is made once and then used again and again.
#[inline]
fn room<T: Copy + Default>(all: &mut Vec<T>, used: usize, most: usize) -> &mut [T] {
    if all.len() < used + most {
        all.resize(used + most, T::default());
    }
    all.get_mut(used..used + most).unwrap_or_default()
}

/// Where in [`Pieces`] a unit stands.
#[derive(Clone, Copy, Default)]
pub struct Mark {
    start: usize,
    length: usize,
}

impl Mark {
    /// So many bytes of what was appended.
    #[inline]
    pub fn new(start: usize, length: usize) -> Self {
        Self { start, length }
    }
}

impl Pieces {
    /// No units.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the units, and keeps the memory.
    pub fn clear(&mut self) {
        self.written = 0;
        self.text.clear();
        self.marked = 0;
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
        self.mark_all(1, |marks| {
            marks.iter_mut().map(|mark| *mark = Mark::new(span.start, span.len())).count()
        });
    }

    /// The next units are stretches of what was appended, at most so many: `mark` puts them at the beginning of the slice
    /// that it is given, and returns their number.
    #[inline]
    pub fn mark_all(&mut self, most: usize, mark: impl FnOnce(&mut [Mark]) -> usize) {
        if self.written > 0 {
            self.spell_out();
        }
        self.marked += mark(room(&mut self.marks, self.marked, most)).min(most);
    }

    /// The next unit is this text.
    pub fn push(&mut self, unit: &str) {
        let start = self.append(unit);
        self.mark(start..start + unit.len());
    }

    /// The next units are single characters, at most so many: `write` puts them at the beginning of the slice that it is
    /// given, and returns their number.
    ///
    /// ```
    /// use ko_eval_core::Pieces;
    ///
    /// let mut pieces = Pieces::new();
    /// pieces.write(3, |to| to.iter_mut().zip("밥을".chars()).map(|(to, c)| *to = c).count());
    /// assert_eq!(pieces.characters(), Some(&['밥', '을'][..]));
    /// ```
    #[inline]
    pub fn write(&mut self, most: usize, write: impl FnOnce(&mut [char]) -> usize) {
        self.written += write(room(&mut self.characters, self.written, most)).min(most);
        if self.marked > 0 {
            self.spell_out();
        }
    }

    /// Characters become texts like all others.
    #[cold]
    fn spell_out(&mut self) {
        let characters = std::mem::take(&mut self.characters);
        let written = std::mem::take(&mut self.written);
        for c in characters.into_iter().take(written) {
            self.push(c.encode_utf8(&mut [0; 4]));
        }
    }

    /// All units, if each is written as a character.
    #[inline]
    pub fn characters(&self) -> Option<&[char]> {
        if self.marked > 0 { None } else { self.characters.get(..self.written) }
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.marked + self.written
    }

    /// Whether there is no unit.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The units, in order.
    pub fn iter(&self) -> impl Iterator<Item = Piece<'_>> {
        let texts = self.texts().map(|text| Piece(Source::Text(text)));
        let characters = self.characters().unwrap_or_default();
        texts.chain(characters.iter().map(|&c| Piece::of_character(c)))
    }

    /// The units that are marked in a text, in order: all, unless they are [characters](Pieces::characters).
    #[inline]
    pub fn texts(&self) -> impl ExactSizeIterator<Item = TextPiece<'_>> {
        self.texts_in(0..self.marked)
    }

    /// Those of a range; none, if there are not so many.
    #[inline]
    pub fn texts_in(&self, range: Range<usize>) -> impl ExactSizeIterator<Item = TextPiece<'_>> {
        let marks = self.marks.get(..self.marked).and_then(|marks| marks.get(range));
        let whole = self.text.as_str();
        marks.unwrap_or_default().iter().map(move |&mark| TextPiece { whole, mark })
    }

    /// What was appended.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Where in it the units that are marked start, and their lengths.
    pub(crate) fn marks(&self) -> impl Iterator<Item = (usize, usize)> {
        self.marks.iter().take(self.marked).map(|mark| (mark.start, mark.length))
    }
}

impl fmt::Debug for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// One unit of [`Pieces`].
#[derive(Clone, Copy)]
pub struct Piece<'p>(Source<'p>);

#[derive(Clone, Copy)]
enum Source<'p> {
    Text(TextPiece<'p>),
    Character { bytes: [u8; 4], length: usize },
}

impl Piece<'_> {
    fn of_character(c: char) -> Self {
        let mut bytes = [0; 4];
        let length = c.encode_utf8(&mut bytes).len();
        Self(Source::Character { bytes, length })
    }

    /// The unit.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Source::Text(text) => text.as_str(),
            Source::Character { bytes, length } => {
                let bytes = bytes.get(..*length).unwrap_or_default();
                std::str::from_utf8(bytes).unwrap_or_default()
            }
        }
    }
}

impl fmt::Debug for Piece<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

/// One unit of [`Pieces`] that is marked in a text.
#[derive(Clone, Copy)]
pub struct TextPiece<'p> {
    whole: &'p str,
    mark: Mark,
}

impl<'p> TextPiece<'p> {
    /// The unit.
    #[inline]
    pub fn as_str(&self) -> &'p str {
        let end = self.mark.start.saturating_add(self.mark.length);
        self.whole.get(self.mark.start..end).unwrap_or_default()
    }
}

impl AsRef<str> for Piece<'_> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn write(pieces: &mut Pieces, unit: &str) {
        pieces
            .write(unit.len(), |to| to.iter_mut().zip(unit.chars()).map(|(to, c)| *to = c).count());
    }

    proptest! {
        #[test]
        fn characters_and_texts_mix(units in proptest::collection::vec((".{1,3}", any::<bool>()), 0..20)) {
            let mut pieces = Pieces::new();
            let mut expected = Vec::new();
            for (unit, as_text) in &units {
                if *as_text {
                    pieces.push(unit);
                    expected.push(unit.clone());
                } else {
                    write(&mut pieces, unit);
                    expected.extend(unit.chars().map(String::from));
                }
            }
            let found: Vec<String> = pieces.iter().map(|piece| piece.as_str().to_owned()).collect();
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(pieces.len(), expected.len());
            match pieces.characters() {
                Some(characters) => prop_assert_eq!(characters.iter().collect::<String>(), expected.concat()),
                None => prop_assert_eq!(pieces.texts().len(), expected.len()),
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
