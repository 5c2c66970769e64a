//! Words (eojeols): what stands between white space.
//!
//! The unit that people count, and the coarsest: one wrong particle makes the whole word wrong.
//!
//! The units are those of [`str::split_whitespace`], and a property test holds them to it. What stands in the files
//! beside this one only makes that fast, because under a cheap metric most of the time goes into cutting: texts are looked
//! at in blocks of 64 bytes (`blocks`); most Korean texts are of printable ASCII and Hangul syllables alone, need no
//! normalisation, and have no white space but U+0020 (`plain`); and a leading byte tells most characters' lengths
//! (`code_point`).
//!
//! ```
//! use ko_eval_core::Tokenizer;
//! use ko_tokenize::Word;
//!
//! let units = Word::new().tokenize("나는 밥을\u{3000}먹었다.")?;
//! assert_eq!(units.iter().map(|u| u.as_str()).collect::<Vec<_>>(), ["나는", "밥을", "먹었다."]);
//! # Ok::<(), ko_eval_core::Error>(())
//! ```

mod blocks;
pub(crate) mod code_point;
pub(crate) mod plain;

use crate::{Build, Normalization, UnitEntry, normalize};
use blocks::BLOCK;
use ko_eval_core::{Mark, Pieces, Result, Signature, Signed, Token, Tokenizer, Vocabulary};
use plain::Words;
use std::sync::Arc;

/// The registry row.
pub(crate) const ENTRY: UnitEntry = UnitEntry {
    name: "word",
    summary: "words between Unicode white space",
    argument: None,
    params: &[normalize::NORM.param()],
    build: Build::Tokenizer(|params| Ok(Arc::new(Word { norm: Normalization::read(params)? }))),
    not_compared: None,
};

/// Cuts at Unicode white space.
///
/// ```
/// use ko_tokenize::prelude::*;
///
/// let units = Word::new().tokenize("저는 밥을 먹었어요.")?;
/// assert_eq!(units.iter().map(Token::as_str).collect::<Vec<_>>(), ["저는", "밥을", "먹었어요."]);
/// # Ok::<(), ko_eval_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Word {
    norm: Normalization,
}

impl Word {
    /// Words of the text in NFC.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with another normalisation.
    #[must_use]
    pub fn normalization(self, norm: Normalization) -> Self {
        Self { norm }
    }
}

impl Signed for Word {
    fn signature(&self) -> Signature {
        self.norm.sign(Signature::new("word"))
    }
}

impl Tokenizer for Word {
    fn is_cheap(&self) -> bool {
        true
    }

    fn tokenize<'t>(&self, text: &'t str) -> Result<Vec<Token<'t>>> {
        self.norm.cut(text, |text| Ok(split(text)))
    }

    fn cut(&self, text: &str, pieces: &mut Pieces) -> Result<()> {
        normalize::check_length(text)?;
        if !plain::words(text, |words| mark(text, words, pieces)) {
            cut(&self.norm.apply(text), pieces);
        }
        Ok(())
    }

    fn number(&self, text: &str, vocabulary: &mut Vocabulary) -> Result<()> {
        normalize::check_length(text)?;
        if plain::words(text, |words| vocabulary.cut(text, words)) {
            return Ok(());
        }
        vocabulary.fill(|pieces| {
            cut(&self.norm.apply(text), pieces);
            Ok(())
        })
    }
}

/// The pieces between white space, with their places.
fn split(text: &str) -> Vec<Token<'_>> {
    let mut words = Vec::with_capacity(text.len() / 8 + 1);
    each_word(text, |start, length| {
        let span = start..start + length;
        words.push(Token::new(text.get(span.clone()).unwrap_or_default(), span));
    });
    words
}

/// Adds the pieces between white space.
fn cut(text: &str, pieces: &mut Pieces) {
    let begin = pieces.append(text);
    each_word(text, |start, length| pieces.mark(begin + start..begin + start + length));
}

/// Adds the words of a plain text.
fn mark(text: &str, words: Words<'_>, pieces: &mut Pieces) {
    let begin = pieces.append(text);
    // There is a space between any two.
    pieces.mark_all(text.len() / 2 + 1, |marks| {
        let free = marks.iter_mut().zip(words);
        free.map(|(mark, (start, length))| *mark = Mark::new(begin + start, length)).count()
    });
}

/// Hands over what stands between white space: where it starts, and its length.
#[inline]
fn each_word(text: &str, mut each: impl FnMut(usize, usize)) {
    let (mut start, mut block) = (0, 0);
    blocks::each(text, may_begin_space, |found| {
        let mut found = found;
        while found != 0 {
            let at = block + found.trailing_zeros() as usize;
            found &= found - 1;
            let length = white_space_at(text, at);
            if length > 0 {
                if start < at {
                    each(start, at - start);
                }
                start = at + length;
            }
        }
        block += BLOCK;
    });
}

/// Which bytes may begin white space: ASCII up to the space, and the leading bytes from 0xC0 to 0xE9. None does in Hangul.
#[inline]
fn may_begin_space(byte: u8) -> bool {
    (byte <= b' ') | (0xc0..0xea).contains(&byte)
}

/// The length in bytes of the white space at `at`, which the end is too; 0 if there is none.
#[inline]
fn white_space_at(text: &str, at: usize) -> usize {
    match code_point::look(text, at) {
        Some((length, true)) => length,
        Some(_) => 0,
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        // Of less than a block, of about one, and of more.
        #[test]
        fn splits_at_all_white_space(
            text in any::<String>(),
            spaced in "[가힣a\u{0}-\u{20}\u{85}\u{a0}\u{1680}\u{2000}-\u{200b}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}😀]{0,90}",
            plain in "[가-힣]{1,5}( [가-힣.]{1,7}){0,20}",
        ) {
            for text in [text, spaced, plain] {
                let mut pieces = Pieces::new();
                pieces.push("앞");
                cut(&text, &mut pieces);
                let found: Vec<String> = pieces.iter().skip(1).map(|word| word.as_str().to_owned()).collect();
                prop_assert_eq!(found, text.split_whitespace().collect::<Vec<_>>());
                let words = split(&text);
                let expected: Vec<&str> = text.split_whitespace().collect();
                prop_assert_eq!(words.iter().map(Token::as_str).collect::<Vec<_>>(), expected);
                for word in &words {
                    prop_assert_eq!(&text[word.span()], word.as_str());
                }
            }
        }
    }
}
